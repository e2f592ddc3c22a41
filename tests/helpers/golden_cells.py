"""Encoders of one number per state, whose values can be worked out by hand."""

from __future__ import annotations

from math import log
from typing import Any

import torch
from torch import nn

from samples import How
from treesmu.data import Forest, Vocab
from treesmu.models import TreeEncoder

GOLDEN = Vocab(("f", "g"), (1, 2), ("x",))
LN3 = log(3)  # s(ln 3) = 3/4, s(0) = 1/2, s(-ln 3) = 1/4, tanh(ln 3 / 2) = 1/2


def golden(cell: Any, unary: list[float], binary: list[float], how: How) -> TreeEncoder:
    """Return an encoder whose pre-activations are constants, but z_u of the binary function is 2 h_l - h_r.

    The leaf's state is 1/4.
    """
    encoder = TreeEncoder(cell, GOLDEN, **how).double()
    for parameter in encoder.parameters():
        nn.init.zeros_(parameter)
    with torch.no_grad():
        encoder.leaves.embedding.weight.fill_(0.25)
        encoder.wiring.gates["1"].bias[0] = torch.tensor(unary, dtype=torch.float64)
        encoder.wiring.gates["2"].bias[0] = torch.tensor(binary, dtype=torch.float64)
        encoder.wiring.gates["2"].weight[0, :, 0] = torch.tensor([2.0, -1.0])
    return encoder


def roots(encoder: TreeEncoder, *trees: Any) -> list[float]:
    """Return the states of the roots."""
    return encoder(Forest.from_trees(trees, GOLDEN))[:, 0].tolist()


def stacks(encoder: TreeEncoder, *trees: Any) -> list[list[float]]:
    """Return the stacks of the roots, the top first."""
    forest = Forest.from_trees(trees, GOLDEN)
    return encoder.trace(forest)["memory"][forest.roots[:, 0], :, 0].tolist()


def memories(encoder: TreeEncoder, *trees: Any) -> list[float]:
    """Return the memories of the roots, for a cell whose memory is a vector."""
    forest = Forest.from_trees(trees, GOLDEN)
    return encoder.trace(forest)["memory"][forest.roots[:, 0], 0].tolist()


F, FF, FFF = ("f", "x"), ("f", ("f", "x")), ("f", ("f", ("f", "x")))
G = ("g", FF, F)
