"""Trees as people write them: nested lists, s-expressions, and brackets with a class at every node; read without recursion.

An s-expression is ``(MAX 2 (MIN 4 7))``; brackets, as of the Stanford Sentiment Treebank, are ``(3 (2 It) (4 works))``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from reprlib import repr as shortened
from typing import Any

import numpy as np

from treesmu.errors import DataError

from .table import TableBuilder

_TOKEN = re.compile(r'[()]|"(?:[^"\\]|\\.)*"|[^\s()]+')
_WORD = re.compile(r"[()]|[^\s()]+")  # of brackets, in which quotation marks are words
DEEP = 1_000  # where it is checked that lists do not contain themselves, which would have no end
_CONSTANTS = {True: "true", False: "false", None: "null"}


def add_tree(builder: TableBuilder, tree: Any) -> int:
    """Add a tree, as nested lists or tuples ``[label, child, ...]`` or as an s-expression; return its depth."""
    if isinstance(tree, str) and tree.lstrip().startswith("("):
        return add_expression(builder, tree)
    if isinstance(tree, str) and (not tree.strip() or set("()") & set(tree)):
        remedy = 'write (MAX 2 (MIN 4 7)), a label, or a label with parentheses as a list, ["a (b)"]'
        raise DataError(f"{shortened(tree)} is no tree; {remedy}")
    deepest, stack = 0, [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > deepest:
            deepest = depth
            if depth == DEEP:
                _check_finite(tree)
        children: list[Any] = []
        if isinstance(node, list | tuple):
            if not node:
                raise DataError("an empty list is no tree; a tree is [label, child, child, ...], and a leaf a label")
            node, *children = node
        builder.add_node(label_text(node), len(children))
        stack.extend((child, depth + 1) for child in reversed(children))
    return deepest


def _check_finite(tree: Any) -> None:
    """Raise a DataError if a list contains itself, directly or within others; each list is looked at once."""
    above: set[int] = set()  # the lists that the present one is within
    done: set[int] = set()
    stack = [(tree, False)]
    while stack:
        node, is_left = stack.pop()
        if is_left:
            above.remove(id(node))
            done.add(id(node))
        elif id(node) in above:
            raise DataError(f"a list contains itself: {shortened(node)}; a tree is [label, child, child, ...] and has an end")
        elif isinstance(node, list | tuple) and id(node) not in done:
            above.add(id(node))
            stack.append((node, True))
            stack.extend((child, False) for child in node)


def label_text(label: Any) -> str:
    """Return a label as text: numbers without an exponent, and JSON's true, false and null by their names."""
    if isinstance(label, str):
        return label
    if label is None or isinstance(label, bool | np.bool_):
        return _CONSTANTS[None if label is None else bool(label)]
    if isinstance(label, int | np.integer):
        return str(int(label))
    if isinstance(label, float | np.floating) and math.isfinite(label):
        return np.format_float_positional(float(label), trim="0")
    raise DataError(f"a label is text or a finite number, not {shortened(label)}; a tree is [label, child, child, ...]")


def add_expression(builder: TableBuilder, text: str) -> int:
    """Add the tree of an s-expression; return its depth. A label with spaces or parentheses is written in double quotes."""
    deepest, opened = 0, list[int]()  # the nodes whose closing parenthesis has not come yet
    begins = done = False
    for token in _tokens(text):
        if done:
            raise DataError(f"{shortened(token)} after the end of the tree; write one tree in each row")
        if begins and token in "()":
            raise DataError(f"a label must follow '(', not {token!r}: write (label child child ...)")
        if token == "(":
            begins = True
            continue
        if token == ")":
            opened.pop()
            done = not opened
            continue
        if opened:
            builder.arity[opened[-1]] += 1
        node = builder.add_node(_unquoted(token), 0)
        deepest = max(deepest, len(opened))
        if begins:
            opened.append(node)
        done, begins = not opened, False
    if not done:
        raise DataError("the tree is not complete: a ')' is missing at its end" if opened or begins else "there is no tree")
    return deepest


def add_brackets(builder: TableBuilder, text: str) -> tuple[str, int]:
    """Add a tree in which every node has a class, ``(3 (2 It) (4 works))``; return the class of its root, and its depth.

    Inner nodes have no other label than their number of children; a leaf is ``(class word)``. Words that follow each other in
    one bracket are one leaf.
    """
    deepest, root, nodes = 0, "", list[int]()
    tokens = [*_tokens(text, _WORD)]
    place = 0
    while place < len(tokens):
        token, place = tokens[place], place + 1
        if token == ")" and nodes:
            nodes.pop()
            continue
        if token != "(" or (root and not nodes) or place >= len(tokens) or tokens[place] in "()":
            raise DataError(f"expected '(class ...' at {shortened(token)}; a line is one tree, such as (3 (2 It) (4 works))")
        tag, place = tokens[place], place + 1
        words = []
        while place < len(tokens) and tokens[place] not in "()":
            words.append(tokens[place])
            place += 1
        if nodes:
            builder.arity[nodes[-1]] += 1
        if not words and place < len(tokens) and tokens[place] == ")":
            raise DataError(f"({tag}) has neither a word nor parts; a leaf is (class word)")
        if words and place < len(tokens) and tokens[place] == "(":
            raise DataError(f"({tag} {shortened(words[0])} ...) has words beside parts; give each word a bracket: (class word)")
        deepest, root = max(deepest, len(nodes)), root or tag
        nodes.append(builder.add_node(" ".join(words) if words else "node", 0, tag))
    if nodes or not root:
        raise DataError("the tree is not complete: a ')' is missing at its end" if nodes else "there is no tree")
    return root, deepest


def _tokens(text: str, pattern: re.Pattern[str] = _TOKEN) -> Iterator[str]:
    depth = 0
    for match in pattern.finditer(text):
        token = match.group()
        depth += (token == "(") - (token == ")")
        if depth < 0:
            raise DataError("a ')' without a '(' before it")
        yield token


def _unquoted(token: str) -> str:
    if not token.startswith('"'):
        return token
    try:
        return str(json.loads(token))
    except ValueError:
        if len(token) > 1 and _TOKEN.fullmatch(token) and token.endswith('"'):
            raise DataError(f"an unknown escape in {shortened(token)}; a backslash is written \\\\ in quotes") from None
        raise DataError(f"a quotation mark without its end at {shortened(token)}") from None
