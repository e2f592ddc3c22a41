"""The transformer computes its formulas."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from sequence_encoders import TEXTS, VOCAB, batch_of, check_same, encoder_of
from sequence_reference import plain_transformer, states_of
from treesmu.models.build import build


def test_a_batch_equals_one_side_at_a_time_in_value_and_gradient() -> None:
    encoder = encoder_of("transformer")
    check_same(encoder, encoder(batch_of(encoder)), states_of(encoder, plain_transformer))


@pytest.mark.parametrize("name", ["transformer", "tree-transformer"])
def test_layers_start_with_weights_of_their_own(name: str) -> None:
    first, second = encoder_of(name).transformer.layers
    assert not torch.equal(first.linear1.weight, second.linear1.weight)


def test_an_odd_size_has_positions_too() -> None:
    encoder = build("transformer", VOCAB, {"hidden": 55}).encoder
    assert encoder(batch_of(encoder)).shape == (len(TEXTS), 2, 55)


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"hidden": 50, "heads": 4}, "50 is not divisible by 4 heads; choose one of 1, 2, 5, 10, 25, 50"),
        ({"heads": 0}, "not divisible by 0 heads"),
    ],
)
def test_heads_divide_the_hidden_size(settings: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        build("transformer", VOCAB, settings)
