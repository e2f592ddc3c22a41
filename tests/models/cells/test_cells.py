"""Every cell computes what its formulas say: values and gradients, batched or one node at a time, in all implementations."""

from __future__ import annotations

import copy

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from nested import Tree, trees_with, variadic_trees
from reference import Reference
from samples import (
    EXACT,
    FIXED,
    FIXED_TREES,
    FUNCTIONS,
    SETTINGS,
    VARIADIC,
    VARIADIC_TREES,
    How,
    Setting,
    compiled_or_not,
    compiles,
    each_implementation,
    each_way,
    encoder_of,
    few,
    gradients,
    name_of,
)
from treesmu.data import Forest, Vocab
from treesmu.models import TreeEncoder
from treesmu.models.normalise import Norm


def check_against_reference(encoder: TreeEncoder, trees: list[Tree], ways: tuple[str, ...]) -> None:
    """Compare the states of all nodes, and all gradients of a random function of them, shared or not. ways: implementations."""
    shared = torch.from_numpy(Forest.from_trees(trees, encoder.vocab).preorder())
    inputs = None  # of every place; the same for identical sub-trees, so that they can be one node
    if encoder.inputs:
        inputs = torch.randn(int(shared.max()) + 1, encoder.inputs, dtype=torch.float64)[shared].requires_grad_()
    wanted = Reference(encoder).states(trees, inputs)
    weight = torch.randn_like(wanted)
    wanted_gradients = gradients(wanted, weight, encoder, inputs)
    for share in (True, False):
        forest = Forest.from_trees(trees, encoder.vocab, share)
        places = torch.from_numpy(forest.preorder())
        own = None
        if inputs is not None:  # of every node
            own = torch.empty(forest.size, encoder.inputs, dtype=torch.float64)
            own[places] = inputs.detach()
            own.requires_grad_()
        for _ in each_way(encoder, ways):
            states = encoder.nodes(forest, own)
            torch.testing.assert_close(states[places], wanted, **EXACT)
            found = gradients(states[places], weight, encoder, own)
            for (name, _), ours, reference in zip(encoder.named_parameters(), found, wanted_gradients, strict=False):
                torch.testing.assert_close(ours, reference, **EXACT, msg=lambda text, name=name: f"gradient of {name}: {text}")
            if own is not None:
                of_nodes = torch.zeros_like(own).index_add_(0, places, wanted_gradients[-1])
                torch.testing.assert_close(found[-1], of_nodes, **EXACT)


@compiled_or_not
@pytest.mark.parametrize("setting", SETTINGS, ids=name_of)
def test_every_setting_equals_the_recursive_reference(setting: Setting, ways: tuple[str, ...]) -> None:
    check_against_reference(encoder_of(setting, FIXED), FIXED_TREES, ways)
    check_against_reference(encoder_of(setting, VARIADIC, inputs=2, norm="unit"), VARIADIC_TREES, ways)


@pytest.mark.parametrize(("inputs", "norm"), [(0, "unit"), (2, "none"), (2, "unit"), (0, "layer"), (2, "layer")])
@compiled_or_not
@few
def test_node_inputs_and_normalised_states_equal_the_recursive_reference(
    setting: Setting, ways: tuple[str, ...], inputs: int, norm: Norm
) -> None:
    check_against_reference(encoder_of(setting, FIXED, inputs=inputs, norm=norm), FIXED_TREES, ways)


@compiled_or_not
@few
def test_variadic_functions_equal_the_recursive_reference(setting: Setting, ways: tuple[str, ...]) -> None:
    check_against_reference(encoder_of(setting, VARIADIC), VARIADIC_TREES, ways)


leaves = st.sampled_from([("a",), ("b",), ("0.5",)])
corpora = st.one_of(
    st.tuples(st.just(FIXED), st.lists(trees_with(FUNCTIONS, leaves, 12), min_size=1, max_size=4)),
    st.tuples(st.just(VARIADIC), st.lists(variadic_trees("MAX MIN", leaves, 5, 12), min_size=1, max_size=4)),
)


@compiled_or_not
@settings(deadline=None, max_examples=25)
@given(corpora, st.sampled_from(SETTINGS), st.sampled_from(["none", "unit", "layer"]), st.sampled_from([0, 2]))
def test_any_trees_equal_the_recursive_reference(
    ways: tuple[str, ...], corpus: tuple[Vocab, list[Tree]], setting: Setting, norm: Norm, inputs: int
) -> None:
    torch.manual_seed(1)  # for each example
    vocab, trees = corpus
    check_against_reference(encoder_of(setting, vocab, hidden=2, inputs=inputs, norm=norm), trees, ways)


@few
def test_states_of_unit_length_have_length_1_everywhere(setting: Setting) -> None:
    states = encoder_of(setting, norm="unit").nodes(Forest.from_trees(FIXED_TREES, FIXED))
    torch.testing.assert_close(states.norm(dim=1), torch.ones(len(states), dtype=torch.float64), **EXACT)


@compiles
def test_a_state_of_zeros_cannot_be_scaled_and_stays() -> None:
    encoder = encoder_of(("rnn", {"layers": 1, "activation": "tanh"}), norm="unit")
    for parameter in encoder.wiring.parameters():
        nn.init.zeros_(parameter)
    forest = Forest.from_trees([("neg", ("neg", "a"))], FIXED)
    for _ in each_way(encoder):
        states = encoder.nodes(forest)
        assert not states[1:].any()
        assert all(g.isfinite().all() for g in gradients(states, torch.ones_like(states), encoder))


SMALL = Vocab(("f", "g"), (1, 2), ("a",), numbers=True)
SMALL_VARIADIC = Vocab(("f", "g"), (1, 2), ("a",), numbers=True, variadic=True)
SMALL_TREES = [("g", ("f", ("g", "a", "0.5")), ("f", "a"))]


class AllNodes(nn.Module):
    """Return the states of all nodes as a function of every parameter and the inputs."""

    def __init__(self, encoder: TreeEncoder, forest: Forest) -> None:
        super().__init__()
        self.encoder, self.forest = encoder, forest
        self.names, self.values = zip(*self.named_parameters(), strict=True)

    def forward(self, inputs: Tensor | None) -> Tensor:
        return self.encoder.nodes(self.forest, inputs)

    def of(self, inputs: Tensor | None, *values: Tensor) -> Tensor:
        return torch.func.functional_call(self, dict(zip(self.names, values, strict=True)), (inputs,))


@pytest.mark.parametrize(("inputs", "norm"), [(0, "none"), (1, "unit"), (1, "layer")])
@each_implementation
@few
def test_gradients_are_those_of_finite_differences(setting: Setting, how: How, inputs: int, norm: Norm) -> None:
    vocab = SMALL if norm == "none" else SMALL_VARIADIC
    forest = Forest.from_trees([*SMALL_TREES, ("g", "a")] if vocab.variadic else SMALL_TREES, vocab)
    run = AllNodes(encoder_of(setting, vocab, hidden=2, inputs=inputs, norm=norm, **how), forest)
    x = torch.randn(forest.size, inputs, dtype=torch.float64, requires_grad=True) if inputs else None
    # Entry by entry where the gradient is hand-written; otherwise, or with normalised states, in a random direction: faster.
    assert torch.autograd.gradcheck(run.of, (x, *run.values), fast_mode=norm != "none" or not how["by_hand"])


@each_implementation
@few
def test_float32_is_near_float64(setting: Setting, how: How) -> None:
    double = encoder_of(setting, hidden=8, norm="unit", **how)
    single = copy.deepcopy(double).float()
    forest = Forest.from_trees(FIXED_TREES, FIXED)
    found, wanted = single.nodes(forest), double.nodes(forest)
    assert found.dtype == torch.float32
    torch.testing.assert_close(found.double(), wanted, rtol=1e-5, atol=1e-6)
    weight = torch.randn_like(wanted)
    for ours, exact in zip(gradients(found, weight.float(), single), gradients(wanted, weight, double), strict=True):
        torch.testing.assert_close(ours.double(), exact, rtol=1e-4, atol=1e-5)
