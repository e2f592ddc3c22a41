"""Small encoders of sequences, and batches for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from treesmu.data import SequenceBatch, Vocab
from treesmu.models.build import build
from treesmu.models.sequences.base import SequenceEncoder

VOCAB = Vocab.default()
SMALL: dict[str, dict[str, Any]] = {  # and not the defaults
    "lstm": {"hidden": 6, "layers": 2, "dropout": 0.25},
    "transformer": {"hidden": 6, "layers": 2, "heads": 3, "feedforward": 7, "dropout": 0.25},
    "tree-transformer": {"hidden": 6, "layers": 2, "heads": 2, "feedforward": 7, "dropout": 0.25, "depth": 3},
}
TEXTS = [  # of several lengths, deeper than the depth above, with repeated sides and decimals
    "Equality Add x Mul y sin 0.7 Add 0.7 -0.25",
    "Equality x x",
    "Equality sin cos tan exp Pow x 1/2 x",
    "Equality Add Add Add Add x 1 2 3 y Add x Add y Add z Add w Add x 0.70",
    "Equality Mul Add x y Add x y Add x y",
    "Equality log pi e Pow sin x 2",
]
ROWS = np.arange(len(TEXTS))


def encoder_of(name: str, **other: Any) -> Any:
    return build(name, VOCAB, {**SMALL[name], "dropout": 0.0, **other}).encoder.double()


def batch_of(encoder: SequenceEncoder, texts: list[str] | None = None, share: bool = True) -> SequenceBatch:
    plan = encoder.plan(TEXTS if texts is None else texts)
    return plan.batch(range(len(plan)), share)


def gradients(encoder: SequenceEncoder, states: Tensor) -> dict[str, Tensor]:
    """The gradients of a sum in which every entry of every state has another weight."""
    weights = torch.linspace(-1, 2, states.numel(), dtype=states.dtype).view_as(states)
    names, parameters = zip(*encoder.named_parameters(), strict=True)
    found = torch.autograd.grad((states * weights).sum(), parameters, allow_unused=True, retain_graph=True)
    return {n: torch.zeros_like(p) if g is None else g for n, p, g in zip(names, parameters, found, strict=True)}


def check_same(encoder: SequenceEncoder, found: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-10)
    torch.testing.assert_close(gradients(encoder, found), gradients(encoder, expected), rtol=0, atol=1e-10)
