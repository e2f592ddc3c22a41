"""The tree transformer computes its formulas; its positions are stacks of branches."""

from __future__ import annotations

from math import sqrt

import pytest
import torch
from torch.nn.functional import pad

from sequence_encoders import VOCAB, batch_of, check_same, encoder_of
from sequence_reference import plain_transformer, states_of
from treesmu.models.build import build
from treesmu.models.sequences.transformer import TransformerEncoder
from treesmu.models.sequences.tree_transformer import TreeTransformerEncoder


def test_a_batch_equals_one_side_at_a_time_in_value_and_gradient() -> None:
    encoder = encoder_of("tree-transformer")
    check_same(encoder, encoder(batch_of(encoder)), states_of(encoder, plain_transformer))


def small_tree_transformer(depth: int, p: float = 0.5) -> TreeTransformerEncoder:
    encoder = TreeTransformerEncoder(VOCAB, hidden=10, depth=depth).double()
    with torch.no_grad():
        encoder.raw_decay.copy_(torch.tensor([p]).double().atanh())
    return encoder


def test_stacks_of_branches_worked_by_hand() -> None:
    paths = torch.tensor([[-1, -1, -1], [1, -1, -1], [0, 1, -1], [1, 1, 0]])
    root = sqrt(0.75)  # of 1 - p²
    wanted = [
        [0, 0, 0, 0, 0, 0],
        [0, root, 0, 0, 0, 0],
        [root, 0, 0, root / 2, 0, 0],
        [0, root, 0, root / 2, root / 4, 0],
    ]
    found = small_tree_transformer(depth=3).stacks(paths)
    torch.testing.assert_close(found, torch.tensor(wanted).double(), rtol=0, atol=1e-7)
    cut = small_tree_transformer(depth=2).stacks(paths)
    torch.testing.assert_close(cut, torch.tensor(wanted).double()[:, :4], rtol=0, atol=1e-7)
    padded = small_tree_transformer(depth=5).stacks(paths)
    torch.testing.assert_close(padded, pad(torch.tensor(wanted).double(), (0, 4)), rtol=0, atol=1e-7)


def test_without_decay_a_position_is_the_last_branch_only() -> None:
    encoder = small_tree_transformer(depth=3, p=0.0)
    found = encoder.stacks(torch.tensor([[1, 0, 1]]))
    assert found.tolist() == [[0, 1, 0, 0, 0, 0]]
    found.sum().backward()
    assert encoder.raw_decay.grad is not None
    assert encoder.raw_decay.grad.item() == pytest.approx(1)  # d/dp of 1 + p + p²


def test_tree_positions_are_about_as_long_as_sinusoids() -> None:
    encoder = TreeTransformerEncoder(VOCAB, hidden=100, depth=20)
    batch = batch_of(encoder, ["sin " * 15 + "x"])
    assert encoder.positions(batch)[-1].norm().item() == pytest.approx(sqrt(50), rel=0.25)
    waves = TransformerEncoder(VOCAB, hidden=100).positions(batch)
    assert waves.norm(dim=1).tolist() == pytest.approx([sqrt(50)] * 16)


def test_a_position_has_at_least_one_level() -> None:
    with pytest.raises(ValueError, match="depth, the number of levels in a position, must be at least 1, not 0"):
        build("tree-transformer", VOCAB, {"depth": 0})
