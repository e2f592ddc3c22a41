"""The logit of an equation from the states of its sides, by hand."""

from __future__ import annotations

import pytest
import torch

from treesmu.data import Vocab
from treesmu.models.build import build
from treesmu.models.head import HEADS, DistanceHead, DotHead, PointsHead, make_head
from treesmu.models.normalise import Norm

LEFT, RIGHT = torch.tensor([[1.0, 2.0], [0.0, 0.0]]), torch.tensor([[3.0, -1.0], [3.0, 4.0]])


def test_the_dot_product_of_the_sides() -> None:
    head = DotHead()
    assert head(LEFT, RIGHT).tolist() == [1.0, 0.0]
    with torch.no_grad():
        head.bias.fill_(-0.5)
    assert head(LEFT, RIGHT).tolist() == [0.5, -0.5]


def test_the_distance_of_the_sides() -> None:
    head = DistanceHead()  # starts with b = s = 1
    assert head(LEFT, RIGHT).tolist() == pytest.approx([1 - 13, 1 - 25], rel=1e-4)
    with torch.no_grad():
        head.raw_scale.fill_(-800.0)
    assert head(LEFT, RIGHT).tolist() == [1.0, 1.0]  # the scale is never negative


@pytest.mark.parametrize(("norm", "scale"), [("none", 1.0), ("unit", 1.0), ("layer", 0.048587)])
def test_the_distance_head_starts_with_a_scale_for_the_length_of_states(norm: Norm, scale: float) -> None:
    head = make_head("distance", norm)
    assert isinstance(head, DistanceHead)
    assert torch.nn.functional.softplus(head.raw_scale).item() == pytest.approx(scale, rel=1e-4)
    assert isinstance(make_head("dot", norm), DotHead)


def test_a_built_model_has_the_head_for_its_norm() -> None:
    model = build("tree-rnn", Vocab.default(), {"hidden": 4}, "distance", "layer")
    assert model.head.raw_scale.item() == -3


def test_the_logit_at_points_is_the_mean_weighted_by_whether_both_sides_are_defined() -> None:
    head = PointsHead(DotHead(), 2)
    left, right = torch.tensor([1.0, 2.0, 0.0, 5.0]), torch.tensor([3.0, -1.0, 4.0, 0.0])  # two points of n = 2
    with torch.no_grad():
        head.head.bias.fill_(-0.5)
    assert head(left, right).item() == pytest.approx((0.5 - 0.5) / 2, abs=1e-6)  # at first, all points count alike
    with torch.no_grad():
        head.defined.weight.copy_(torch.tensor([[0.0, -100.0]]))  # a second number above 0 means undefined
        head.defined.bias.fill_(50.0)
    assert head(left, right).item() == pytest.approx(0, abs=1e-3)  # neither point counts: 2 and 5 on the left
    left[1] = 0.0
    assert head(left, right).item() == pytest.approx(2.5, rel=2e-3)  # only the first point counts
    assert head(left.expand(3, 4), right.expand(3, 4)).shape == (3,)


def test_a_model_with_points_has_a_head_for_points() -> None:
    model = build("tree-rnn", Vocab.default(), {"hidden": 4}, "distance", "layer", points=3)
    assert isinstance(model.head, PointsHead)
    assert isinstance(model.head.head, DistanceHead)
    assert model.head.hidden == 4


@pytest.mark.parametrize("name", HEADS)
def test_a_head_takes_any_number_of_dimensions_and_treats_both_sides_alike(name: str) -> None:
    head = HEADS[name]()
    left, right = torch.randn(2, 3, 4), torch.randn(2, 3, 4)
    assert head(left, right).shape == (2, 3)
    torch.testing.assert_close(head(left, right), head(right, left))
    torch.testing.assert_close(head(left, right)[1], head(left[1], right[1]))
