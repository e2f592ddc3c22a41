"""A cell of a user's own in one file: treesmu train CORPUS --model my-cell --plugin my_cell.py --out RUN."""

import treesmu
from treesmu.models import Cell


class MyCell(Cell):
    """h = drop(g * tanh(u) + (1 - g) * mean of the children's memories); the memory of a node is h."""

    def __init__(self, hidden: int = 50, dropout: float = 0.0) -> None:
        super().__init__(hidden, width=2 * hidden, memory=(hidden,), dropout=dropout)

    def step(self, z, memory, at):
        u, g = z.chunk(2, dim=1)  # (nodes, n) each
        g = g.sigmoid()
        h = at.drop(g * u.tanh() + (1 - g) * memory.mean(1))  # memory: (nodes, arity, n)
        return h, h, {"g": g}  # the state, the memory, what a trace shows


treesmu.register("my-cell", MyCell)
