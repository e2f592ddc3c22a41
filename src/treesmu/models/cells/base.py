"""Cell: the base class of cells, which a user can subclass to define a new network; the method ``step`` is enough.

The encoder does what all cells have in common: it gathers the states of the children, applies the affine map of each node's
function, and calls the cell with the pre-activations z of many nodes at once. There are two ways through a cell:

- ``step``, in plain PyTorch and differentiated by autograd: the one to read, and the only one that a cell must have;
- a hand-written version of the step and of its gradient (hand_written.py), which is faster. It holds only for the class that
  declares it: a subclass is run by ``step`` unless it declares it again. The tests check that both ways give the same values
  and gradients.

Columns of z, for a function of arity a: ``width`` columns for whatever the cell needs; then, if the cell ``forgets``, n for the
forget gate of each child: (nodes, width + a·n).
"""

from __future__ import annotations

import inspect
import warnings
from functools import cache
from typing import Any, ClassVar, Protocol

from torch import Tensor, nn

from treesmu.errors import DataError

from .arguments import check_dropout, check_flags, check_linears, check_memory, check_sizes
from .hand_written import HandWritten

Gates = dict[str, Tensor]  # what a trace shows of a step, by name: (nodes, ...)
_warned: set[type] = set()  # classes that lost a hand-written gradient, so that each is named once


class Nodes(Protocol):
    """The nodes that ``step`` works on: of one height and arity."""

    def linear(self, name: str, x: Tensor) -> Tensor:
        """Apply a further linear map of each node's function, declared in ``cell.linears``: (nodes, in) -> (nodes, out)."""

    def drop(self, x: Tensor, layer: int = 0) -> Tensor:
        """Apply dropout to x (nodes, n) while training; ``layer`` counts from 0 to ``cell.dropped`` - 1."""


class Cell(nn.Module):
    """Base class of cells. A subclass passes these settings to ``super().__init__`` and defines ``step``.

    hidden: n, the size of a state.
    memory: the shape of what a node stores besides its state, such as (p, n); () for nothing. Leaves have zeros.
    width: the number of columns of z before the forget gates.
    forgets: whether there is a forget gate for each child.
    child_sum: i is the sum of the children's states instead of [h_1; ...; h_a], and the forget gate of a child depends on that
        child alone (Tai et al., 2015).
    linears: further linear maps, each with separate weights for every function: name -> (inputs, outputs, has a bias).
    depth: 2 for a hidden layer before z, z = W2 gelu(W1 i + b1) + b2; 1 for none, z = W i + b. expansion: k, where the hidden
        layer has k·n columns.
    dropout: the dropout rate. dropped: to how many vectors of size n per node it is applied.
    """

    hand_written: ClassVar[type[HandWritten[Any, Any, Any]] | None] = None  # set by hand_written.gradient_of

    def __init__(
        self,
        hidden: int,
        *,
        width: int,
        memory: tuple[int, ...] = (),
        forgets: bool = False,
        child_sum: bool = False,
        linears: dict[str, tuple[int, int, bool]] | None = None,
        dropout: float = 0.0,
        dropped: int = 1,
        depth: int = 1,
        expansion: int = 4,
    ) -> None:
        super().__init__()
        check_sizes(hidden=hidden, width=width, dropped=dropped, depth=depth, expansion=expansion)
        if depth > 2:
            raise DataError(f"depth must be 1, or 2 for a hidden layer, not {depth}")
        check_flags(forgets=forgets, child_sum=child_sum)
        check_memory(memory)
        check_linears({} if linears is None else linears)
        check_dropout(dropout)
        self.hidden, self.width, self.memory = hidden, width, tuple(memory)
        self.forgets, self.child_sum = forgets, child_sum
        self.linears = linears or {}
        self.dropout, self.dropped = dropout, dropped
        self.depth, self.expansion = depth, expansion
        self._checked_settings: dict[str, Any] | None = None

    def step(self, z: Tensor, memory: Tensor, at: Nodes) -> tuple[Tensor, Tensor | None, Gates]:
        """Compute nodes of one arity a. z: (nodes, width [+ a·n]); memory: (nodes, a, *self.memory) of the children.

        Returns the states (nodes, n), the memories (nodes, *self.memory) or None, and gates to be shown in a trace.
        """
        raise NotImplementedError(f"{type(self).__name__} has no step()")

    def forget_gates(self, z: Tensor) -> Tensor:
        """Return the last columns of z as gates between 0 and 1: (nodes, a, n)."""
        gates: Tensor = z[:, self.width :].sigmoid().unflatten(1, (-1, self.hidden))
        return gates

    def settings(self) -> dict[str, Any]:
        """Return the arguments of ``__init__``, from which a stored cell is made again.

        They are read from attributes of the same names. Override this where the attributes have other names.
        """
        names = _argument_names(type(self).__init__)
        if missing := [name for name in names if not hasattr(self, name)]:
            kind = type(self).__name__
            raise TypeError(
                f"{kind} does not store its argument {missing[0]!r}: set self.{missing[0]}, or define {kind}.settings()"
            )
        return {name: getattr(self, name) for name in names}

    def hand_written_step(self) -> HandWritten[Any, Any, Any] | None:
        """Return the hand-written step if the cell's own class declares one and nothing has been replaced since.

        A subclass may compute something else, in ways that cannot be seen from outside (an attribute set in ``__init__`` is
        enough), so it does not inherit the hand-written step. A warning says once per class why autograd is used instead.
        """
        kind = type(self)
        if kind.hand_written is None:
            return None
        if "hand_written" not in vars(kind):
            base = next(base.__name__ for base in kind.__mro__ if "hand_written" in vars(base))
            _warn_once(
                kind,
                f"{kind.__name__} may change the step of {base}, so autograd differentiates it, which is slower; "
                f"if the step is the same, put hand_written = {base}.hand_written into the class, otherwise None",
            )
            return None
        declared = _checked_declaration(kind)
        for name, function in declared.functions.items():
            if name in vars(self) or getattr(kind, name, None) != function:
                message = f"{kind.__name__}.{name} is not the function for which its gradient was written by hand"
                _warn_once(kind, f"{message}, so autograd differentiates it, which is slower")
                return None
        self._check_settings()
        return declared(self)

    def _check_settings(self) -> None:
        """Raise a DataError if a setting was changed to one that is not allowed, or that needs other weights."""
        settings = self.settings()
        if settings == self._checked_settings:
            return
        fresh = type(self)(**settings)
        for name in ("width", "memory", "linears", "dropped", "depth", "expansion"):
            if getattr(fresh, name) != getattr(self, name):
                raise DataError(
                    f"the settings of a {type(self).__name__} that shape its weights are fixed; make a new cell: {fresh}"
                )
        self._checked_settings = settings

    def extra_repr(self) -> str:
        try:
            known = self.settings()
        except TypeError:
            return f"hidden={self.hidden}"
        return ", ".join(f"{name}={value!r}" for name, value in known.items())


@cache
def _argument_names(constructor: Any) -> list[str]:
    """Return the names of the arguments of an ``__init__``."""
    return [name for name in inspect.signature(constructor).parameters if name != "self"]


def _checked_declaration(kind: type[Cell]) -> type[HandWritten[Any, Any, Any]]:
    declared = kind.hand_written
    if not (isinstance(declared, type) and issubclass(declared, HandWritten)):
        raise TypeError(f"{kind.__name__}.hand_written must be a subclass of HandWritten or None, not {declared!r}")
    return declared


def _warn_once(kind: type, message: str) -> None:
    if kind not in _warned:
        _warned.add(kind)
        warnings.warn(message, stacklevel=3)
