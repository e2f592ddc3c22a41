"""A plugin whose model never answers about more than three different sines: it sleeps, or computes for ever about five."""

import time

import treesmu
from treesmu.models import Cell


class SleepyCell(Cell):
    """h = tanh(z), but with four nodes of one height it sleeps, and with five it computes, for a very long time."""

    def __init__(self, hidden: int = 4) -> None:
        super().__init__(hidden, width=hidden)

    def step(self, z, memory, at):  # noqa: ARG002 (the signature of a cell)
        while len(z) > 4:
            z = z.tanh()
        if len(z) > 3:
            time.sleep(3600)
        return z.tanh(), None, {}


treesmu.register("sleepy-cell", SleepyCell)
