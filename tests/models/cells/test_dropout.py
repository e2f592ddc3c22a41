"""Dropout: the same by hand and by autograd, off outside of training, and with its mean kept."""

from __future__ import annotations

import pytest
import torch

from samples import (
    EXACT,
    FIXED,
    FIXED_TREES,
    SAMPLES,
    How,
    Setting,
    compiles,
    each_implementation,
    each_way,
    encoder_of,
    few,
    gradients,
)
from treesmu.data import Forest


@compiles
@pytest.mark.parametrize("vocab", SAMPLES)
@few
def test_dropout_is_the_same_in_all_implementations(setting: Setting, vocab: str) -> None:
    known, trees = SAMPLES[vocab]
    encoder = encoder_of(setting, known, dropout=0.4, inputs=2, norm="unit")
    for share in (True, False):
        forest = Forest.from_trees(trees, known, share)
        inputs = torch.randn(forest.size, 2, dtype=torch.float64, requires_grad=True)
        weight = torch.randn(forest.size, 3, dtype=torch.float64)
        found = []
        for _ in each_way(encoder):
            torch.manual_seed(7)
            states = encoder.nodes(forest, inputs)
            found.append([states, *gradients(states, weight, encoder, inputs)])
        for others in found[1:]:
            torch.testing.assert_close(found[0], others, **EXACT)


@compiles
@few
def test_nothing_is_dropped_outside_of_training(setting: Setting) -> None:
    encoder = encoder_of(setting, dropout=0.4)
    without = encoder_of(setting)
    without.load_state_dict(encoder.state_dict())
    forest = Forest.from_trees(FIXED_TREES, FIXED)
    for name in each_way(encoder):
        encoder.train()
        assert not torch.equal(encoder(forest), encoder(forest))  # every time other values are dropped
        assert torch.equal(encoder.eval()(forest), without(forest)) or name != "by hand"
        torch.testing.assert_close(encoder(forest), without(forest), **EXACT)


@each_implementation
@few
def test_identical_sub_trees_drop_the_same_when_they_are_one_node(setting: Setting, how: How) -> None:
    encoder = encoder_of(setting, dropout=0.4, hidden=20, **how)
    twice = [("two", ("neg", "a"), "b")] * 2
    left, right = encoder(Forest.from_trees(twice, FIXED))
    assert torch.equal(left, right)
    left, right = encoder(Forest.from_trees(twice, FIXED, share=False))
    assert not torch.equal(left, right)


RATE = 0.3
DROPPED = {  # what dropout is applied to: a ratio of values in the trace, at nodes above leaves
    "smu": lambda t: t["memory"][:, 0] / (t["push"] * t["u"]),
    "lstm": lambda t: t["memory"] / (t["i"] * t["u"]),
    "stack-rnn": lambda t: t["memory"][:, 0] / (t["push"] * t["u"]),
}


@pytest.mark.parametrize("kind", DROPPED)
def test_what_is_pushed_is_dropped_or_scaled_and_its_mean_is_kept(kind: str) -> None:
    encoder = encoder_of((kind, {}), dropout=RATE, hidden=4)
    forest = Forest.from_trees([("two", "a", "b")] * 3000, FIXED, share=False)
    trace = {name: rows[len(forest.leaf) :] for name, rows in encoder.trace(forest).items()}
    kept = DROPPED[kind](trace)
    wanted = torch.tensor([0.0, 1 / (1 - RATE)], dtype=torch.float64)
    assert torch.isclose(kept.unsqueeze(-1), wanted, rtol=1e-12).any(-1).all()
    assert kept.mean().item() == pytest.approx(1, abs=0.03)
    gates = encoder.eval().trace(forest)
    for name in {"u", "o", "i", "f", "push", "pop", "no_op"} & set(trace):  # nothing else is dropped
        torch.testing.assert_close(trace[name][:, :2] if name == "f" else trace[name], gates[name][len(forest.leaf) :])


@pytest.mark.parametrize("layers", [1, 2])
def test_every_layer_of_a_tree_rnn_is_dropped_and_its_mean_is_kept(layers: int) -> None:
    encoder = encoder_of(("rnn", {"layers": layers}), dropout=RATE, hidden=4)
    forest = Forest.from_trees([("two", "a", "b")] * 3000, FIXED, share=False)
    first = (lambda: encoder(forest)) if layers == 1 else (lambda: encoder.trace(forest)["first"][len(forest.leaf) :])
    dropped = first()
    plain = (encoder.eval(), first())[1]
    ratio = dropped / plain
    assert torch.isclose(ratio.unsqueeze(-1), torch.tensor([0.0, 1 / (1 - RATE)]).double(), rtol=1e-6).any(-1).all()
    assert ratio.mean().item() == pytest.approx(1, abs=0.03)
    if layers == 2:
        assert (encoder.train()(forest) == 0).double().mean().item() == pytest.approx(RATE, abs=0.03)
