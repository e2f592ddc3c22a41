"""Read trees given as nested tuples ``(label, child, child, ...)``."""

from __future__ import annotations

from collections.abc import Iterable
from reprlib import repr as shortened
from typing import Any

import numpy as np

from treesmu.errors import DataError


def label_of(tree: Any, row: int) -> tuple[str, tuple[Any, ...]]:
    """Return the label and the children of a nested tuple; a leaf is ``("x",)``, or ``"x"`` alone, or a number.

    row: that of the whole tree, for errors. A float is written without an exponent, as decimals are.
    """
    label, children = (tree[0], tree[1:]) if isinstance(tree, tuple) and tree else (tree, ())
    if isinstance(label, float):
        label = np.format_float_positional(label, trim="0")
    elif isinstance(label, int) and not isinstance(label, bool):
        label = str(label)
    if not isinstance(label, str):
        shown = shortened(tree)  # not str: trees may be deep
        raise DataError(f"tree {row}: a tree is (label, child, child, ...) with a string for a label, not {shown}")
    return label, children


def list_of_trees(trees: Any) -> list[Any]:
    """Return trees as a list, if they are several and none is text that looks like a tree."""
    refuse_text(trees, 0)
    is_tree = isinstance(trees, str) or (isinstance(trees, tuple) and trees and isinstance(trees[0], str))
    if is_tree or not isinstance(trees, Iterable):
        kind = DataError if is_tree else TypeError
        raise kind(f"from_trees takes a list of trees: from_trees([tree]), not {shortened(trees)}")
    listed = list(trees)
    for row, tree in enumerate(listed):
        refuse_text(tree, row)
    return listed


def refuse_text(tree: Any, row: int) -> None:
    """Refuse a string that is a tree written as text, such as "(MAX 2 3)" or "sin(x)": it would be taken for one leaf."""
    if isinstance(tree, str) and "(" in tree and tree.rstrip().endswith(")"):
        remedy = 'write nested tuples, ("MAX", "2", "3"), or use Forest.from_exprs for mathematics'
        raise DataError(f"tree {row}: {shortened(tree)} is text that looks like a tree; {remedy}")
