"""Cell: what a node of a tree network computes. Subclass it to make a network of your own; ``step`` is enough.

The encoder does what all cells have in common: it gathers the children's states, applies the affine map of each node's
function, and calls the cell with the pre-activations z of many nodes at once. Two ways lead through a cell:

- ``step``, in plain PyTorch and differentiated by autograd: the one to read, and the only one that a cell must have;
- ``up`` and ``down``, the same step and its gradient by hand, over one level of a forest (sweep.py). Where a cell has
  them the encoder uses them; the tests hold both ways to the same values and gradients.

Columns of z, for a function of arity a: ``width`` columns, whatever the cell needs; then, if the cell ``forgets``, n for the
forget gate of each child: (nodes, width + a·n).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from torch import Tensor, nn

from ..forest.by_hand import Buffers, Level, gate_slopes

Gates = dict[str, Tensor]  # what a trace shows of a step, by name: (nodes, ...)


# What a subclass may define without changing what a step computes.
_HARMLESS = {"__init__", "settings", "extra_repr", "__doc__", "__module__", "__qualname__", "__annotations__"}
_HARMLESS |= {"__firstlineno__", "__static_attributes__"}  # as newer Pythons add


def check_sizes(**sizes: int) -> None:
    """Sizes of layers and stacks are whole numbers from 1 on."""
    for name, size in sizes.items():
        if type(size) is not int or size < 1:
            raise ValueError(f"{name} is a whole number, at least 1, not {size!r}")


class Nodes(Protocol):
    """The nodes that ``step`` works on, of one height and arity."""

    def linear(self, name: str, x: Tensor) -> Tensor:
        """(nodes, in) -> (nodes, out): a further linear map of each node's function, declared in ``cell.linears``."""

    def drop(self, x: Tensor, layer: int = 0) -> Tensor:
        """Dropout of x (nodes, n) while training; ``layer`` counts from 0 below ``cell.dropped``."""


class Cell(nn.Module):
    """Settings that the encoder reads. A subclass sets them and defines ``step``.

    hidden: n, the size of a state.
    memory: the shape of what a node remembers beside its state, such as (p, n); () for none. Leaves have zeros.
    width: the columns of z before the forget gates.
    forgets: whether there is a forget gate for each child.
    child_sum: i is the sum of the children's states instead of [h_1; ...; h_a], and a child's forget gate sees that child
        alone (Tai et al., 2015).
    linears: further linear maps, each with weights of its own for every function: name -> (inputs, outputs, bias or not).
    dropout: its rate. dropped: how many vectors of size n a node drops from.
    """

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
    ) -> None:
        super().__init__()
        check_sizes(hidden=hidden)
        if isinstance(dropout, str) or not 0 <= dropout < 1:
            raise ValueError(f"dropout is a rate from 0 to below 1, not {dropout!r}")
        self.hidden, self.width, self.memory = hidden, width, memory
        self.forgets, self.child_sum = forgets, child_sum
        self.linears = linears or {}
        self.dropout, self.dropped = dropout, dropped

    def step(self, z: Tensor, memory: Tensor, at: Nodes) -> tuple[Tensor, Tensor | None, Gates]:
        """Nodes of one arity a. z: (nodes, width [+ a·n]); memory: (nodes, a, *self.memory) of the children.

        Returns the states (nodes, n), the memories (nodes, *self.memory) or None, and gates for a trace.
        """
        raise NotImplementedError

    # -- only for cells that also have ``up`` and ``down`` -----------------------------------------------------------------

    linear_buffers: Mapping[str, tuple[str, str]] = MappingProxyType({})  # of each linear map: the buffers of its x and dz

    if TYPE_CHECKING:  # no method here: whether a cell has them is what counts
        up: Callable[[Level], None]
        down: Callable[[Level], None]

    @property
    def is_by_hand(self) -> bool:
        """Whether ``up`` and ``down`` are there and no subclass has changed anything of the step since."""
        for kind in type(self).__mro__:
            if "up" in vars(kind):
                return True
            if kind is Cell or set(vars(kind)) - _HARMLESS:
                return False
        return False

    def kept(self) -> dict[str, tuple[int, ...]]:
        """What a node keeps between ``up`` and ``down`` beside z, h and memory: name -> shape."""
        return {}

    def up_views(self, all_: Buffers) -> dict[str, Tensor]:
        """Further views of buffers that ``up`` needs by level."""
        del all_
        return {}

    def gate_views(self, z: Tensor) -> dict[str, Tensor]:
        """Names for the columns of z; ``down`` finds the same of dz, with a d before the name."""
        raise NotImplementedError

    def down_views(self, all_: Buffers) -> dict[str, Tensor]:
        """What ``down`` needs by level and can be had for all nodes at once, buffers for it to write among them."""
        del all_
        return {}

    def slopes(self, all_: Buffers) -> Tensor:
        """(inner, columns of z) The derivatives of gates by their pre-activations; by default u's and then logistic ones."""
        return gate_slopes(all_)

    def settings(self) -> dict[str, Any]:
        """The arguments of ``__init__``, so that a stored cell can be made again."""
        raise NotImplementedError(f"{type(self).__name__} cannot be stored: it has no settings()")

    def extra_repr(self) -> str:
        known = {} if type(self).settings is Cell.settings else self.settings()
        return ", ".join(f"{name}={value!r}" for name, value in known.items())

    def forget_gates(self, z: Tensor) -> Tensor:
        """The last columns of z, (nodes, a, n), as gates between 0 and 1."""
        return z[:, self.width :].sigmoid().unflatten(1, (-1, self.hidden))
