"""Write a TreeTable as JSONL, which is read again as the same rows; trees are texts, so that none is too deep for JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from treesmu.files import atomic_write

from .table import PAIR, TreeTable

_PLAIN = re.compile(r'[^\s()"]+')  # a label that needs no quotation marks


def write_trees(table: TreeTable, path: Path) -> None:
    """Write all rows, completely or not at all; their splits are left out: a file is for one split."""
    with atomic_write(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        for place in range(len(table)):
            file.write(json.dumps(_row(table, place)) + "\n")


def _row(table: TreeTable, place: int) -> dict[str, Any]:
    nodes = slice(int(table.starts[place]), int(table.starts[place + 1]))
    token, arity = table.token[nodes].tolist(), table.arity[nodes].tolist()
    if token[0] == PAIR:
        second = 1 + _size(arity[1:])
        parts = {"left": slice(1, second), "right": slice(second, None)}
    else:
        parts = {"tree": slice(None)}
    row: dict[str, Any] = {
        name: _expression([table.labels[one] for one in token[part]], arity[part]) for name, part in parts.items()
    }
    if table.answer[place] is not None:
        row["label"] = table.answer[place]
    tags = [] if table.tag is None else table.tag[nodes].tolist()
    if any(tag is not None for tag in tags):
        row["tags"] = tags
    return row | {"depth": int(table.depth[place])}


def _size(arity: list[int]) -> int:
    """Return how many nodes the first tree has. arity: of its nodes in preorder, and of those that follow."""
    missing, size = 1, 0
    while missing:
        missing += arity[size] - 1
        size += 1
    return size


def _expression(labels: list[str], arity: list[int]) -> str:
    """Return a tree as text, ``(MAX 2 (MIN 4 7))``. labels, arity: of its nodes in preorder."""
    parts: list[str] = []
    missing: list[int] = []  # of each open node, how many children are to come
    for label, children in zip(labels, arity, strict=True):
        if missing:
            missing[-1] -= 1
        text = label if _PLAIN.fullmatch(label) else json.dumps(label)
        if children or not parts:
            parts.append(f" ({text}")
            missing.append(children)
        else:
            parts.append(f" {text}")
        while missing and not missing[-1]:
            missing.pop()
            parts.append(")")
    return "".join(parts).lstrip(" ")
