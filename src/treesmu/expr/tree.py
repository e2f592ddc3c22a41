"""Expr: an immutable expression tree in which identical expressions are one object.

Nodes are interned when they are made, so equality is identity, hashing and comparing cost O(1), and a sub-expression
that occurs a thousand times is stored once. Nothing here recurses, so the depth of an expression is limited by memory only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .interning import NODES, intern
from .leaves import BLANK, CONSTANTS, VARIABLES, leaf_kind
from .node import HAS_BLANK, HAS_BRANCHES, HAS_VARIABLE, Node, TreePath
from .notation.infix import infix
from .notation.latex import latex
from .notation.mathml import mathml
from .ops import EQUALITY, POW, Op, op

_LARGEST_SHOWN = 1000  # nodes of an expression that is shown whole


class Expr(Node):
    """A leaf (a variable, a number, a constant, the blank) or a function of its children.

    ``token`` is the one word that stands for the node in prefix form: ``"Add"``, ``"sin"``, ``"x"``, ``"-1"``, ``"1/2"``,
    ``"0.7"``, ``"pi"``, ``"_"``. Make one with :func:`leaf`, :func:`node` or :func:`treesmu.parse`.
    """

    __slots__ = ()

    def __new__(cls) -> Expr:
        raise TypeError("an Expr is made by treesmu.parse, leaf() or node()")

    def __copy__(self) -> Expr:
        return self

    def __deepcopy__(self, memo: object) -> Expr:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_rows, (_to_rows(self),)

    # -- changed copies --------------------------------------------------------------------------------------------

    def replace(self, path: TreePath, new: Expr) -> Expr:
        """Return this expression with the sub-expression at a path replaced."""
        self.at(path)  # raises an IndexError that says where a wrong path ends
        parents = [self]
        for i in path:
            parents.append(parents[-1].children[i])
        for i, parent in zip(reversed(path), reversed(parents[:-1]), strict=True):
            children = list(parent.children)
            children[i] = new
            new = _with_children(parent, children)
        return new

    def substitute(self, values: Mapping[Expr, Expr]) -> Expr:
        """Return this expression with all leaves that are keys of ``values`` replaced at once."""
        done: dict[Expr, Expr] = {}
        for e in self.subexpressions():
            done[e] = values.get(e, e) if e.is_leaf else _with_children(e, [done[c] for c in e.children])
        return done[self]

    def canonical(self) -> Expr:
        """Return this expression with its variables renamed to x, y, z, w, ... in the order of first occurrence.

        Expressions that are equal up to the names of variables become one object.
        """
        variables = self.variables()
        names = [*VARIABLES, *(f"x_{i}" for i in range(len(VARIABLES), len(variables)))]
        return self.substitute({e: leaf(name) for e, name in zip(variables, names, strict=False)})

    # -- printing --------------------------------------------------------------------------------------------------

    def latex(self) -> str:
        r"""Return LaTeX for a maths environment: ``\sin^{2}\left(x\right) + \frac{x}{2}``."""
        return latex(self)

    def mathml(self) -> str:
        """Return a ``<math>`` element, which browsers show without any script."""
        return mathml(self)

    def _repr_latex_(self) -> str | None:
        """Return LaTeX for notebooks; None, which makes them show repr(), if the expression is too large to be read.

        There is no ``_repr_html_``: notebooks would prefer it, and not all of them show MathML as well as LaTeX.
        """
        return f"${latex(self)}$" if self.size <= _LARGEST_SHOWN else None

    def __str__(self) -> str:
        return infix(self)

    def __repr__(self) -> str:
        text = str(self) if self.size <= _LARGEST_SHOWN else f"{self.token}(...), {self.size} nodes"
        return f"<Expr {text}>"


# -- making expressions --------------------------------------------------------------------------------------------------

_set: list[Any] = [Node.__dict__[name].__set__ for name in ("token", "op", "children", "depth", "size", "_flags")]
_set_token, _set_op, _set_children, _set_depth, _set_size, _set_flags = _set  # bypass Node.__setattr__, and are fast


def _new(token: str, function: Op | None, children: tuple[Expr, ...], depth: int, size: int, flags: int) -> Expr:
    e: Expr = object.__new__(Expr)
    _set_token(e, token)
    _set_op(e, function)
    _set_children(e, children)
    _set_depth(e, depth)
    _set_size(e, size)
    _set_flags(e, flags)
    return e


def node(function: Op, *children: Expr) -> Expr:
    """Return the expression that applies a function to its children."""
    key = (function, *children)
    reference = NODES.get(key)
    if reference is not None:
        found: Expr | None = reference()
        if found is not None:
            return found
    if len(children) != function.arity:
        raise ValueError(f"{function.name} takes {function.arity} arguments, not {len(children)}")
    depth, size, flags = 0, 1, 0
    for c in children:
        if c.op is EQUALITY:
            raise ValueError("an equation cannot be a part of an expression")
        if c.depth > depth:  # noqa: PLR1730 (max() costs three times as much, and this is the hottest line of the generator)
            depth = c.depth
        size += c.size
        flags |= c._flags
    if function.has_branches and not (function is POW and _is_integer(children[1].token)):
        flags |= HAS_BRANCHES
    return intern(key, _new(function.name, function, children, depth + 1, size, flags))


def _is_integer(token: str) -> bool:
    return token.isdigit() or (token[0] == "-" and token[1:].isdigit())


def leaf(token: str) -> Expr:
    """Return the variable, number, constant or blank with this token."""
    reference = NODES.get((token,))
    if reference is not None:
        found: Expr | None = reference()
        if found is not None:
            return found
    kind = leaf_kind(token)
    if not kind:
        raise ValueError(
            f"not a leaf: {token[:40]!r} (a variable, an integer, a fraction in lowest terms, a decimal, "
            f"{', '.join(CONSTANTS)} or {BLANK})"
        )
    flags = {"variable": HAS_VARIABLE, "blank": HAS_BLANK}.get(kind, 0)
    return intern((token,), _new(token, None, (), 0, 1, flags))


def equation(left: Expr, right: Expr) -> Expr:
    """Return the equation ``left = right``."""
    return node(EQUALITY, left, right)


def from_prefix(tokens: Iterable[str]) -> Expr:
    """Return the expression with these tokens in prefix order: the inverse of :meth:`Expr.prefix`."""
    words = list(tokens)
    done: list[Expr] = []
    for word in reversed(words):
        if leaf_kind(word):
            done.append(leaf(word))
            continue
        function = op(word)
        if len(done) < function.arity:
            raise ValueError(f"{word} lacks an argument in {' '.join(words[:12])!r}")
        children = [done.pop() for _ in range(function.arity)]
        done.append(node(function, *children))
    if len(done) != 1:
        raise ValueError(f"{len(done)} expressions where one is expected: {' '.join(words[:12])!r}")
    return done[0]


def _with_children(e: Expr, children: list[Expr]) -> Expr:
    assert e.op is not None
    return node(e.op, *children)


Rows = list[tuple[str, tuple[int, ...]]]  # for each distinct sub-expression its token and the rows of its children


def _to_rows(e: Expr) -> Rows:
    """Return an expression as rows, for pickling: a deep tree of objects would exceed pickle's recursion limit."""
    order = e.subexpressions()
    row = {s: i for i, s in enumerate(order)}
    return [(s.token, tuple(row[c] for c in s.children)) for s in order]


def _from_rows(rows: Rows) -> Expr:
    done: list[Expr] = []
    for token, children in rows:
        done.append(node(op(token), *(done[i] for i in children)) if children else leaf(token))
    return done[-1]
