"""Expr: an immutable expression tree in which identical expressions are one object.

Nodes are interned when they are made, so equality is identity, hashing and comparing cost O(1), and a sub-expression
that occurs a thousand times is stored once. The table of nodes is weak: what nobody holds is freed.
Nothing here recurses, so an expression may be as deep as memory allows.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any
from weakref import ref

from .leaves import BLANK, CONSTANTS, VARIABLES, exact_value, leaf_kind
from .ops import EQUALITY, POW, Op, op

TreePath = tuple[int, ...]  # child positions from the root down; () is the root itself

_VARIABLE_IN_IT, _BLANK_IN_IT, _BRANCHES_IN_IT = 1, 2, 4  # what a node notes of everything below it


class Expr:
    """A leaf (a variable, a number, a constant, the blank) or a function of its children.

    ``token`` is the one word that stands for the node in prefix form: ``"Add"``, ``"sin"``, ``"x"``, ``"-1"``, ``"1/2"``,
    ``"0.7"``, ``"pi"``, ``"_"``. Make one with :func:`leaf`, :func:`node` or :func:`treesmu.parse`.
    """

    __slots__ = ("__weakref__", "_flags", "children", "depth", "op", "size", "token")

    token: str
    op: Op | None  # None for a leaf
    children: tuple[Expr, ...]
    depth: int  # 0 for a leaf, else 1 + the deepest child
    size: int  # nodes, counted as a tree
    _flags: int

    def __new__(cls) -> Expr:
        raise TypeError("an Expr is made by treesmu.parse, leaf() or node()")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an Expr cannot be changed (tried to set {name!r})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an Expr cannot be changed (tried to delete {name!r})")

    def __copy__(self) -> Expr:
        return self

    def __deepcopy__(self, memo: object) -> Expr:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_rows, (_to_rows(self),)

    # -- what it is ------------------------------------------------------------------------------------------------

    @property
    def is_constant(self) -> bool:
        """No variable and no blank in it."""
        return not self._flags & (_VARIABLE_IN_IT | _BLANK_IN_IT)

    @property
    def has_blank(self) -> bool:
        return bool(self._flags & _BLANK_IN_IT)

    @property
    def has_branches(self) -> bool:
        """A root, a logarithm or an inverse function in it, or a power whose exponent is not plainly a whole number."""
        return bool(self._flags & _BRANCHES_IN_IT)

    @property
    def is_leaf(self) -> bool:
        return self.op is None

    @property
    def is_variable(self) -> bool:
        return self.op is None and leaf_kind(self.token) == "variable"

    @property
    def is_equation(self) -> bool:
        return self.op is EQUALITY

    @property
    def is_decimal(self) -> bool:
        return self.op is None and "." in self.token

    @property
    def number(self) -> Fraction | None:
        """The exact value of a number leaf, None for anything else."""
        return exact_value(self.token) if self.op is None else None

    @property
    def left(self) -> Expr:
        return self.children[0]

    @property
    def right(self) -> Expr:
        return self.children[1]

    # -- walking ---------------------------------------------------------------------------------------------------

    def subexpressions(self) -> list[Expr]:
        """Every distinct sub-expression once, children before parents, itself last."""
        return distinct([self])

    def preorder(self) -> Iterator[Expr]:
        """Every node of the tree, parents first, left to right, repeated ones repeated."""
        stack = [self]
        while stack:
            e = stack.pop()
            yield e
            stack.extend(reversed(e.children))

    def paths(self) -> Iterator[tuple[TreePath, Expr]]:
        """Every place in the tree with the node there, in preorder."""
        stack: list[tuple[TreePath, Expr]] = [((), self)]
        while stack:
            path, e = stack.pop()
            yield path, e
            stack.extend(((*path, i), e.children[i]) for i in reversed(range(len(e.children))))

    def variables(self) -> list[Expr]:
        """The variables in the order of their first occurrence."""
        seen: dict[Expr, None] = {}
        stack = [self]
        while stack:
            e = stack.pop()
            if e not in seen:
                seen[e] = None
                stack.extend(reversed(e.children))
        return [e for e in seen if e.is_variable]

    def at(self, path: TreePath) -> Expr:
        """The sub-expression at a path."""
        e = self
        for depth, i in enumerate(path):
            if not 0 <= i < len(e.children):
                raise IndexError(f"no child {i} at {path[:depth]}: {e.token!r} has {len(e.children)}")
            e = e.children[i]
        return e

    # -- changing (a new expression; this one stays) -----------------------------------------------------------------

    def replace(self, path: TreePath, new: Expr) -> Expr:
        """This expression with another one at a path."""
        self.at(path)  # a wrong path is an error that says where it ends
        spine = [self]
        for i in path:
            spine.append(spine[-1].children[i])
        for i, parent in zip(reversed(path), reversed(spine[:-1]), strict=True):
            children = list(parent.children)
            children[i] = new
            new = _rebuild(parent, children)
        return new

    def substitute(self, values: Mapping[Expr, Expr]) -> Expr:
        """All leaves that are keys of ``values`` replaced at once."""
        done: dict[Expr, Expr] = {}
        for e in self.subexpressions():
            done[e] = values.get(e, e) if e.is_leaf else _rebuild(e, [done[c] for c in e.children])
        return done[self]

    def canonical(self) -> Expr:
        """Variables renamed x, y, z, w, ... by first occurrence, so that equal shapes become one object."""
        found = self.variables()
        names = [*VARIABLES, *(f"x_{i}" for i in range(len(VARIABLES), len(found)))]
        return self.substitute({e: leaf(name) for e, name in zip(found, names, strict=False)})

    # -- writing ---------------------------------------------------------------------------------------------------

    def prefix(self) -> list[str]:
        """The tokens in prefix order: ``sin(x) + 1`` is ``["Add", "sin", "x", "1"]``."""
        return [e.token for e in self.preorder()]

    def latex(self) -> str:
        from .notation.render import latex

        return latex(self)

    def mathml(self) -> str:
        from .notation.render import mathml

        return mathml(self)

    def __str__(self) -> str:
        from .notation.render import infix

        return infix(self)

    def __repr__(self) -> str:
        text = str(self) if self.size <= 1000 else f"{self.token}(...), {self.size} nodes"
        return f"<Expr {text}>"


# -- making ------------------------------------------------------------------------------------------------------------


class _Reference(ref["Expr"]):
    """A weak reference that knows its place in the table of nodes."""

    __slots__ = ("key",)

    key: tuple[object, ...]


_NODES: dict[tuple[object, ...], _Reference] = {}


def _forget(reference: ref[Expr]) -> None:
    key = reference.key  # type: ignore[attr-defined]
    if _NODES.get(key) is reference:
        del _NODES[key]


def _find(key: tuple[object, ...]) -> Expr | None:
    reference = _NODES.get(key)
    return reference() if reference is not None else None


def _intern(key: tuple[object, ...], e: Expr) -> Expr:
    """Put a new node into the table; should another thread have been faster, its node is the one."""
    reference = _Reference(e, _forget)
    reference.key = key
    while (first := _NODES.setdefault(key, reference)) is not reference:
        found = first()
        if found is not None:
            return found
        _forget(first)
    return e


_put: list[Any] = [Expr.__dict__[name].__set__ for name in ("token", "op", "children", "depth", "size", "_flags")]
_put_token, _put_op, _put_children, _put_depth, _put_size, _put_flags = _put  # past our own __setattr__, and fast


def _new(token: str, function: Op | None, children: tuple[Expr, ...], depth: int, size: int, flags: int) -> Expr:
    e: Expr = object.__new__(Expr)
    _put_token(e, token)
    _put_op(e, function)
    _put_children(e, children)
    _put_depth(e, depth)
    _put_size(e, size)
    _put_flags(e, flags)
    return e


def node(function: Op, *children: Expr) -> Expr:
    """The function applied to its children."""
    key = (function, *children)
    reference = _NODES.get(key)
    if reference is not None:
        found = reference()
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
    if function.has_branches and not (function is POW and _is_whole(children[1].token)):
        flags |= _BRANCHES_IN_IT
    return _intern(key, _new(function.name, function, children, depth + 1, size, flags))


def _is_whole(token: str) -> bool:
    return token.isdigit() or (token[0] == "-" and token[1:].isdigit())


def leaf(token: str) -> Expr:
    """A variable, a number, a constant or the blank, from its token."""
    found = _find((token,))
    if found is not None:
        return found
    if leaf_kind(token) == "":
        raise ValueError(
            f"not a leaf: {token[:40]!r} (a variable, an integer, a fraction in lowest terms, a decimal, "
            f"{', '.join(CONSTANTS)} or {BLANK})"
        )
    flags = {"variable": _VARIABLE_IN_IT, "blank": _BLANK_IN_IT}.get(leaf_kind(token), 0)
    return _intern((token,), _new(token, None, (), 0, 1, flags))


def equation(left: Expr, right: Expr) -> Expr:
    return node(EQUALITY, left, right)


def from_prefix(tokens: Iterable[str]) -> Expr:
    """The inverse of :meth:`Expr.prefix`."""
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


def distinct(roots: Iterable[Expr]) -> list[Expr]:
    """Every distinct sub-expression of the roots once, children before parents."""
    seen: set[Expr] = set()
    order: list[Expr] = []
    for root in roots:
        stack = [root]
        while stack:
            e = stack.pop()
            if e in seen:
                continue
            missing = [c for c in e.children if c not in seen]
            if missing:
                stack.append(e)
                stack.extend(reversed(missing))
            else:
                seen.add(e)
                order.append(e)
    return order


def unseen(e: Expr, table: Container[Expr]) -> Iterator[Expr]:
    """The sub-expressions that a table lacks, children first. Whoever asks puts each in before asking for the next."""
    stack = [e]
    while stack:
        here = stack[-1]
        below = [c for c in here.children if c not in table]
        if below:
            stack.extend(below)
            continue
        stack.pop()
        if here not in table:
            yield here


def _rebuild(e: Expr, children: list[Expr]) -> Expr:
    assert e.op is not None
    return node(e.op, *children)


Rows = list[tuple[str, tuple[int, ...]]]  # a token and the rows of its children


def _to_rows(e: Expr) -> Rows:
    order = e.subexpressions()
    row = {s: i for i, s in enumerate(order)}
    return [(s.token, tuple(row[c] for c in s.children)) for s in order]


def _from_rows(rows: Rows) -> Expr:
    done: list[Expr] = []
    for token, children in rows:
        done.append(node(op(token), *(done[i] for i in children)) if children else leaf(token))
    return done[-1]
