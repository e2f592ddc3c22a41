"""Spelling: a tree in the notation of the authors' files, four comma-separated lists in preorder.

Every node has two child slots, and ``#`` is an absent child: ``sin(x)`` has the functions ``sin,Symbol,#,#,#``. One expression
has several spellings: the leaf ``1`` is ``One`` or ``Integer 1``, and nodes are not always numbered in preorder.
:meth:`Spelling.of` is the spelling that we write.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import count
from reprlib import repr as short
from typing import NamedTuple

from treesmu.expr import BLANK, VARIABLES, Expr, leaf, node
from treesmu.expr.ops import EQUALITY, FUNCTIONS

_ABSENT = "#"
_OPS = {f.name: f for f in (*FUNCTIONS, EQUALITY)}
_CONSTANTS = {  # the leaf, and the spellings of its value; the first one is ours and that of SymPy, which the authors used
    "NegativeOne": ("-1", ("-1",)),
    "One": ("1", ("1",)),
    "Half": ("1/2", ("1/2",)),
    "Pi": ("pi", ("pi",)),
    "Exp1": ("e", ("E", "e")),
    "Infinity": ("inf", ("oo", "inf")),
    "NaN": ("nan", ("nan", "NaN")),
}
_OURS = {token: (function, values[0]) for function, (token, values) in _CONSTANTS.items()}
# Three digits of exponent are enough for every float; with more, a short text could make a huge number.
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_VALUES = {
    "Symbol": re.compile(r"var_(?:0|[1-9][0-9]*)"),
    "Integer": re.compile(r"[+-]?[0-9]+"),
    "Rational": re.compile(r"[+-]?[0-9]+(?:/0*[1-9][0-9]*)?"),
    "Float": _DECIMAL,
    "Number": _DECIMAL,
}
_FURTHER_VARIABLE = re.compile(r"x_([1-9][0-9]+)")  # as Expr.canonical() names the eleventh variable and later ones


class Spelling(NamedTuple):
    """The fields of a stored tree, in the order of the file."""

    values: str
    node_count: str
    variables: tuple[tuple[str, int], ...]
    depths: str
    numbers: str
    functions: str

    @classmethod
    def of(cls, equation: Expr) -> Spelling:
        """Return the spelling that we write: nodes numbered in preorder, variables in the order of first occurrence."""
        rows: list[tuple[str, str, str, str]] = []
        stack: list[Expr | None] = [equation]
        number = count()
        while stack:
            e = stack.pop()
            if e is None:
                rows.append((_ABSENT,) * 4)
                continue
            function, value = _spell(e.token) if e.is_leaf else (e.token, "")
            rows.append((value, str(e.depth), str(next(number)), function))
            stack.extend(reversed((*e.children, None, None)[:2]))
        values, depths, numbers, functions = (",".join(column) for column in zip(*rows, strict=True))
        names = [_spell(e.token)[1] for e in equation.variables()]
        variables = tuple((name, int(name.removeprefix("var_"))) for name in names)
        return cls(values, str(equation.size), variables, depths, numbers, functions)

    def tree(self) -> Expr:
        """Return the expression."""
        return tree_of(self.functions, self.values, self.depths, self.numbers)

    def part(self, first: int, size: int) -> str:
        """Return the functions and values of ``size`` nodes in preorder, from the node ``first``."""
        rows = zip(self.functions.split(","), self.values.split(","), strict=True)
        nodes = [f"{function} {value}" for function, value in rows if function != _ABSENT]
        return ",".join(nodes[first : first + size])

    def node_numbers(self) -> list[str]:
        """Return the number of every node, in preorder."""
        return [number for number in self.numbers.split(",") if number != _ABSENT]


def tree_of(functions: str, values: str, *others: str) -> Expr:
    """Return the expression of two lists. The others (depth, nodeNum) must have the same shape, but what they say is not used:
    some files have the level of a node, counted from the root, in place of its depth."""
    columns = [text.split(",") for text in (functions, values, *others)]
    _check_columns(columns)
    done: list[Expr | None] = []
    for i in reversed(range(len(columns[0]))):  # from the end, so that children are made before their parents
        function, value = columns[0][i], columns[1][i]
        if function == _ABSENT:
            done.append(None)
            continue
        try:
            done.append(_node(function, value, done.pop(), done.pop()))
        except ValueError as error:
            raise ValueError(f"entry {i}: {error}") from error
    root = done.pop()
    assert root is not None
    return root


def _check_columns(columns: list[list[str]]) -> None:
    """Raise a ValueError unless the lists describe one tree in preorder."""
    names = ("func", "vars", "depth", "nodeNum")[: len(columns)]
    if len({len(column) for column in columns}) > 1:
        func, *others = (len(column) for column in columns)
        raise ValueError(f"func has {func} entries, but {', '.join(names[1:])} have {', '.join(map(str, others))}")
    slots = 1  # of nodes or '#' that must follow
    for i, row in enumerate(zip(*columns, strict=True)):
        if slots == 0:
            raise ValueError(f"the tree is complete after {i} entries, but func has {len(columns[0])}")
        absent = row.count(_ABSENT)
        if absent not in (0, len(row)):
            raise ValueError(f"entry {i} is {_ABSENT!r} in some of {', '.join(names)}, but not in all")
        slots += -1 if absent else 1
        if not absent and not all(re.fullmatch(r"-?[0-9]+", number) for number in row[3:]):
            raise ValueError(f"entry {i} of nodeNum is {short(row[3])}, not a number")
    if slots or columns[0][0] == _ABSENT:  # a lone '#' is no tree
        raise ValueError(f"the tree is cut off: at least {slots or 1} more entries should follow in {', '.join(names)}")


def _node(function: str, value: str, left: Expr | None, right: Expr | None) -> Expr:
    children = [c for c in (left, right) if c is not None]
    if function in _CONSTANTS or function in _VALUES:
        if children:
            raise ValueError(f"{function} is a leaf and takes no children, not {len(children)}")
        return _leaf(function, value)
    if function not in _OPS:
        raise ValueError(f"unknown function {short(function)}; known: {', '.join((*_OPS, *_VALUES, *_CONSTANTS))}")
    if value:
        raise ValueError(f"{function} has the value {short(value)} in vars, but only leaves have one")
    if len(children) != _OPS[function].arity or left is None:
        wanted = "two children" if _OPS[function].arity == 2 else "a left child and no right one"
        raise ValueError(f"{function} takes {wanted}")
    return node(_OPS[function], *children)


@lru_cache(maxsize=4096)
def _leaf(function: str, value: str) -> Expr:
    """Return the leaf of a function and a value."""
    if function in _CONSTANTS:
        token, values = _CONSTANTS[function]
        if value not in values:
            raise ValueError(f"{function} with the value {short(value)} instead of {values[0]!r}")
        return leaf(token)
    if not _VALUES[function].fullmatch(value):
        raise ValueError(f"unknown leaf: {function} with the value {short(value)}")
    if function == "Symbol":
        k = int(value.removeprefix("var_"))
        return leaf(VARIABLES[k] if k < len(VARIABLES) else f"x_{k}")
    if function in ("Integer", "Rational"):
        return leaf(str(Fraction(value)))
    # `.5`, `2.` and `1e-05` are written out, which is exact; a decimal keeps its point, as 2.0 is another leaf than 2.
    token = format(Decimal(value), "f")
    return leaf(token if "." in token else f"{token}.0")


@lru_cache(maxsize=4096)
def _spell(token: str) -> tuple[str, str]:
    """Return the function and the value that we write for a leaf."""
    if token in _OURS:
        return _OURS[token]
    if token in VARIABLES:
        return "Symbol", f"var_{VARIABLES.index(token)}"
    if further := _FURTHER_VARIABLE.fullmatch(token):
        return "Symbol", f"var_{further[1]}"
    if token == BLANK:
        raise ValueError("the authors' files store blanks filled; give the filled equation and the path of its blank")
    if leaf(token).is_variable:
        raise ValueError(f"the variable {token!r} has no number in the authors' files; call .canonical() first")
    if "." in token:
        return "Float" if token == "0.7" else "Number", token  # 0.7 is the one decimal in their vocabulary
    return "Rational" if "/" in token else "Integer", token
