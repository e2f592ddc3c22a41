"""A plugin whose model never answers about more than three different sines, and answers about less at once."""

import time

import treesmu
from treesmu.models import Cell


class SleepyCell(Cell):
    """h = tanh(z), after a very long sleep if there are more than three nodes of one height."""

    def __init__(self, hidden: int = 4) -> None:
        super().__init__(hidden, width=hidden)

    def step(self, z, memory, at):  # noqa: ARG002 (the signature of a cell)
        if len(z) > 3:
            time.sleep(3600)
        return z.tanh(), None, {}


treesmu.register("sleepy-cell", SleepyCell)
