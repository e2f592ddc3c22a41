"""Readouts: the heads of models of trees, from the state of a tree, of two trees or of a node to logits or a number."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from treesmu.errors import DataError
from treesmu.task_names import READOUTS

from ..head import make_head
from ..normalise import Norm
from .answer_kind import AnswerKind


class Linear(nn.Module):
    r"""One affine map: :math:`W h + b`."""

    def __init__(self, hidden: int, outputs: int) -> None:
        super().__init__()
        self.linear = nn.Linear(hidden, outputs)

    def forward(self, states: Tensor) -> Tensor:
        """Return (..., outputs) from (..., n)."""
        out: Tensor = self.linear(states)
        return out


class Network(nn.Module):
    r"""A hidden layer of n columns: :math:`W_2\, \mathrm{relu}(W_1 h + b_1) + b_2`."""

    def __init__(self, hidden: int, outputs: int, inputs: int | None = None) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(inputs or hidden, hidden), nn.Linear(hidden, outputs)

    def forward(self, states: Tensor) -> Tensor:
        """Return (..., outputs) from (..., n)."""
        out: Tensor = self.second(self.first(states).relu())
        return out


class PairLinear(Linear):
    r"""One affine map of :math:`[h_1; h_2; |h_1 - h_2|; h_1 \odot h_2]`."""

    def __init__(self, hidden: int, outputs: int) -> None:
        super().__init__(4 * hidden, outputs)

    def forward(self, states: Tensor) -> Tensor:
        """Return (rows, outputs) from (rows, 2, n)."""
        return super().forward(both(states))


class PairNetwork(Network):
    r"""A hidden layer on :math:`[h_1; h_2; |h_1 - h_2|; h_1 \odot h_2]`, as is usual for entailment."""

    def __init__(self, hidden: int, outputs: int) -> None:
        super().__init__(hidden, outputs, 4 * hidden)

    def forward(self, states: Tensor) -> Tensor:
        """Return (rows, outputs) from (rows, 2, n)."""
        return super().forward(both(states))


class PairLogit(nn.Module):
    """One logit of two states (head.py), as the logits of two classes: 0 and the logit."""

    def __init__(self, head: nn.Module) -> None:
        super().__init__()
        self.head = head

    def forward(self, states: Tensor) -> Tensor:
        """Return (rows, 2) from (rows, 2, n)."""
        logit = self.head(states[:, 0], states[:, 1])
        return torch.stack([torch.zeros_like(logit), logit], dim=1)


def both(states: Tensor) -> Tensor:
    """Return what two states (rows, 2, n) have in common and what not, (rows, 4n)."""
    first, second = states.unbind(1)
    return torch.cat([first, second, (first - second).abs(), first * second], dim=1)


def make_readout(name: str, answer_kind: AnswerKind, hidden: int, norm: Norm) -> nn.Module:
    """Return a readout with initial weights; one that does not fit the kind of answers is a DataError."""
    if name not in READOUTS:
        raise DataError(f"unknown readout {name!r}; known: {', '.join(READOUTS)}")
    if name in ("dot", "distance"):
        if answer_kind.task != "compare" or answer_kind.outputs != 2:
            what = f"the task {answer_kind.task}" + f" with {answer_kind.outputs} classes" * (answer_kind.task == "compare")
            raise DataError(f"readout {name} compares two trees in two classes; {what} needs linear or network")
        return PairLogit(make_head(name, norm))
    if answer_kind.task == "compare":
        return (PairLinear if name == "linear" else PairNetwork)(hidden, answer_kind.outputs)
    return (Linear if name == "linear" else Network)(hidden, answer_kind.outputs)
