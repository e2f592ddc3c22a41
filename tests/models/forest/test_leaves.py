"""The states of leaves: rows of an embedding, and a network for decimals."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from treesmu.data import Forest, Vocab
from treesmu.models.forest.leaves import LeafStates, NumberEncoder

VOCAB = Vocab(("neg",), (1,), ("a", "b"), numbers=True)


def test_a_decimal_goes_through_two_layers() -> None:
    # n = 1: s(2·s(4·0.5 - 2) - 1) = s(2·s(0) - 1) = s(0) = 1/2; for 0: s(2·s(-2) - 1) = s(-0.7615942).
    network = NumberEncoder(1)
    with torch.no_grad():
        for layer, (weight, bias) in ((network.linear1, (4.0, -2.0)), (network.linear2, (2.0, -1.0))):
            layer.weight.fill_(weight)
            layer.bias.fill_(bias)
    assert network(torch.tensor([0.5, 0.0])).flatten().tolist() == pytest.approx([0.5, 0.3183003], rel=1e-6)


def test_known_leaves_are_rows_of_the_table_and_decimals_go_through_the_network() -> None:
    torch.manual_seed(1)
    leaves = LeafStates(VOCAB, 3)
    forest = Forest.from_trees(["b", "0.25", "a", "-4.5", "b"], VOCAB)
    states = leaves(forest)[forest.roots[:, 0]]
    table, (quarter, negative) = leaves.embedding.weight, leaves.numbers(torch.tensor([0.25, -4.5]))  # type: ignore[misc]
    for found, expected in zip(states, (table[1], quarter, table[0], negative, table[1]), strict=True):
        torch.testing.assert_close(found, expected)


def test_only_the_leaves_of_a_forest_have_gradients() -> None:
    leaves = LeafStates(VOCAB, 3)
    leaves(Forest.from_trees(["b", "b"], VOCAB)).sum().backward()
    assert leaves.embedding.weight.grad is not None
    assert leaves.embedding.weight.grad.tolist() == [[0.0] * 3, [1.0] * 3]  # b once: both trees share it


def test_without_decimals_there_is_no_network() -> None:
    leaves = LeafStates(Vocab(("neg",), (1,), ("a", "b")), 3)
    assert [name for name, _ in leaves.named_parameters()] == ["embedding.weight"]
    assert isinstance(leaves.embedding, nn.Embedding)
