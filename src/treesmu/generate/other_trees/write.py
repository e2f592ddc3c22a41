"""Write rows of trees as JSONL: one object per line, the same bytes for the same rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from zlib import crc32

from treesmu.files import atomic_write

Row = dict[str, Any]
DEEP = 100  # trees that are deeper are written as text
_END = object()


def split_of(text: str) -> str:
    """Return the split of a tree by its text: a tenth of all trees are for the test, a twentieth for validation.

    So the few trees of a small depth are in all splits, and none is in two.
    """
    number = crc32(text.encode()) % 20
    return "validation" if number == 0 else "test" if number <= 2 else "train"


def to_text(tree: Any) -> str:
    """Return nested lists as text, ``(MAX 2 (MIN 4 7))``; without recursion, since ``str`` and JSON cannot write deep lists."""
    words, stack = list[str](), [tree]
    while stack:
        node = stack.pop()
        if node is _END:
            words[-1] += ")"
        elif isinstance(node, list):
            words.append(f"({node[0]}")
            stack.append(_END)
            stack.extend(reversed(node[1:]))
        else:
            words.append(str(node))
    return " ".join(words)


def write_rows(rows: Iterable[Row], path: Path) -> Counter[str]:
    """Write rows, completely or not at all; return how many there are of each split."""
    counts: Counter[str] = Counter()
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            counts[row["split"]] += 1
            is_deep = row["depth"] > DEEP
            written = {key: to_text(value) if is_deep and isinstance(value, list) else value for key, value in row.items()}
            file.write(json.dumps(written, separators=(", ", ": ")) + "\n")
    return counts
