"""An encoder runs any cell over any forest, and refuses what does not fit it."""

from __future__ import annotations

import pytest
import torch

from nested import chain
from samples import (
    EQUATIONS,
    EXACT,
    FIXED,
    FIXED_TREES,
    FOREST,
    How,
    Setting,
    compiles,
    each_implementation,
    each_way,
    encoder_of,
    few,
    gradients,
)
from treesmu.data import CorpusPlan, DataError, Forest, Vocab
from treesmu.expr import parse
from treesmu.models import TreeEncoder, TreeLSTM, TreeSMU


@each_implementation
@few
def test_a_tree_has_a_state_and_an_equation_two(setting: Setting, how: How) -> None:
    encoder = encoder_of(setting, **how)
    plain, sides = encoder(FOREST), encoder(EQUATIONS)
    assert plain.shape == (len(FIXED_TREES), 3)
    assert sides.shape == (len(FIXED_TREES) - 1, 2, 3)
    assert torch.equal(plain, encoder.nodes(FOREST)[FOREST.roots[:, 0]])
    assert torch.equal(sides, encoder.nodes(EQUATIONS)[EQUATIONS.roots])
    torch.testing.assert_close(sides[:, 0], plain[:-1], **EXACT)
    torch.testing.assert_close(sides[:, 1], plain[1:], **EXACT)


@each_implementation
@few
def test_a_tree_has_the_same_state_in_any_company(setting: Setting, how: How) -> None:
    encoder = encoder_of(setting, **how)
    together = encoder(FOREST)
    alone = torch.cat([encoder(Forest.from_trees([tree], FIXED)) for tree in FIXED_TREES])
    torch.testing.assert_close(together, alone, **EXACT)
    backwards = encoder(Forest.from_trees(FIXED_TREES[::-1], FIXED, share=False)).flip(0)
    torch.testing.assert_close(together, backwards, **EXACT)


def test_leaves_alone_and_no_trees_at_all_have_states() -> None:
    encoder = encoder_of(("smu", {}))
    leaves = encoder(Forest.from_trees(["a", "c", "a", "0.5"], FIXED))
    assert torch.equal(leaves[:3], encoder.leaves.embedding.weight[[0, 2, 0]])
    plan = CorpusPlan.from_prefix(["= a b", "= neg a b"], FIXED)
    assert encoder(plan.batch([])).shape == (0, 2, 3)


def test_equations_of_mathematics_come_from_a_plan_or_from_expressions() -> None:
    encoder = TreeEncoder(TreeSMU(hidden=4), Vocab.default())
    exprs = [parse("sin(x)^2 + cos(x)^2 = 1"), parse("2*sin(0.7) = sin(x)*x")]
    states = encoder(encoder.plan([" ".join(e.prefix()) for e in exprs]).batch([0, 1]))
    assert states.shape == (2, 2, 4)
    assert torch.equal(states, encoder(Forest.from_exprs(exprs)))


@compiles
@few
def test_without_gradients_the_states_are_the_same(setting: Setting) -> None:
    encoder = encoder_of(setting)
    for _ in each_way(encoder):
        wanted = encoder(FOREST)
        with torch.no_grad():
            assert torch.equal(encoder(FOREST), wanted)
            assert not encoder(FOREST).requires_grad
        with torch.inference_mode():
            assert torch.equal(encoder(FOREST), wanted)


@compiles
def test_a_chain_5000_deep_goes_forward_and_back() -> None:
    encoder = encoder_of(("lstm", {}), hidden=2)
    forest = Forest.from_trees([chain("neg", 5000, ("a",)), "b"], FIXED)
    found = []
    for _ in each_way(encoder):
        states = encoder(forest)
        found.append([states, *gradients(states, torch.ones_like(states), encoder)])
    assert len(found[0][0]) == 2
    for others in found[1:]:
        torch.testing.assert_close(found[0], others, rtol=1e-9, atol=1e-12)


def test_what_an_encoder_does_not_know_is_named_beside_what_it_knows() -> None:
    encoder = encoder_of(("lstm", {}))
    with pytest.raises(DataError, match="tree 0: unknown function 'sinus'; known: neg, not, pair, two, three, five"):
        encoder(Forest.from_trees([("sinus", "a")], encoder.vocab))
    with pytest.raises(DataError, match="tree 1: unknown leaf 'x'; known: a, b, c, d, and decimals"):
        encoder(Forest.from_trees(["a", ("neg", "x")], encoder.vocab))
    with pytest.raises(
        DataError, match=r"row 0: unknown leaf or function 'sinus'; known functions: neg, .* known leaves: a, b"
    ):
        encoder.plan(["sinus a"])


FEWER, MORE, ORDER = (
    Vocab(FIXED.functions, FIXED.arities, tuple(leaves), "=", numbers=True) for leaves in ("a", "abcdefgh", "badc")
)


@pytest.mark.parametrize(
    ("ask", "vocab"),
    [(ask, vocab) for ask in ("nodes", "forward", "trace") for vocab in (FEWER, ORDER, MORE)],
)
def test_a_forest_of_another_vocabulary_is_refused(ask: str, vocab: Vocab) -> None:
    encoder = encoder_of(("lstm", {}))
    for trees in ([("neg", vocab.leaves[-1])], [vocab.leaves[-1]]):
        with pytest.raises(DataError, match=r"made with another vocabulary than the encoder's; make it with encoder\.vocab"):
            getattr(encoder, ask)(Forest.from_trees(trees, vocab))


def test_an_equal_vocabulary_is_as_good_as_the_same() -> None:
    encoder = encoder_of(("lstm", {}))
    again = Vocab.from_dict(FIXED.to_dict())
    assert torch.equal(encoder(FOREST), encoder(Forest.from_trees(FIXED_TREES, again)))


@pytest.mark.parametrize("ask", ["nodes", "forward", "trace"])
def test_inputs_of_a_wrong_shape_are_refused(ask: str) -> None:
    size = FOREST.size
    with_inputs = getattr(encoder_of(("lstm", {}), inputs=2), ask)
    for shape in ((size, 3), (size + 1, 2), (size,)):
        with pytest.raises(
            ValueError, match=rf"inputs of nodes: expected a tensor \({size}, 2\), as the encoder was made for, not \("
        ):
            with_inputs(FOREST, torch.zeros(shape, dtype=torch.float64))
    with pytest.raises(ValueError, match=r"expected a tensor \(.*, 2\), as the encoder was made for, not none"):
        with_inputs(FOREST)
    without = getattr(encoder_of(("lstm", {})), ask)
    with pytest.raises(ValueError, match=r"expected none, as the encoder was made for, not \("):
        without(FOREST, torch.zeros(size, 2, dtype=torch.float64))


def test_an_encoder_says_what_it_takes() -> None:
    encoder = encoder_of(("lstm", {}))
    with pytest.raises(TypeError, match="takes a Forest, not list"):
        encoder([("neg", "a")])
    with pytest.raises(TypeError, match="a cell and a vocabulary"):
        TreeEncoder(FIXED, TreeLSTM(3))
    with pytest.raises(ValueError, match="inputs must be the size"):
        TreeEncoder(TreeLSTM(3), FIXED, inputs=-1)


@each_implementation
def test_inputs_of_another_dtype_are_converted(how: How) -> None:
    forest = Forest.from_trees([("two", "a", ("neg", "b"))], FIXED, share=False)
    x = torch.randn(forest.size, 2, dtype=torch.float32)
    encoder = TreeEncoder(TreeLSTM(3), FIXED, inputs=2, **how).double()
    torch.testing.assert_close(encoder.nodes(forest, x), encoder.nodes(forest, x.double()))


@each_implementation
def test_inputs_that_need_gradients_are_no_obstacle_without_them(how: How) -> None:
    encoder = encoder_of(("lstm", {}), inputs=2, **how)
    inputs = torch.randn(FOREST.size, 2, dtype=torch.float64, requires_grad=True)
    wanted = encoder(FOREST, inputs)
    with torch.no_grad():
        assert torch.equal(encoder(FOREST, inputs), wanted)


@each_implementation
def test_actions_that_underflow_are_no_nan(how: How) -> None:
    encoder = TreeEncoder(TreeSMU(2), FIXED, **how).float()
    with torch.no_grad():
        encoder.wiring.gates["1"].bias.fill_(-200)
    assert encoder(Forest.from_trees([("neg", ("neg", "a"))], FIXED)).isfinite().all()


@each_implementation
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@few
def test_what_is_not_finite_shows_in_the_states(setting: Setting, dtype: torch.dtype, how: How) -> None:
    encoder = encoder_of(setting, **how).to(dtype)
    forest = Forest.from_trees([("neg", ("neg", "a")), ("not", ("not", "b"))], FIXED)
    assert encoder(forest).isfinite().all()
    with torch.no_grad():
        encoder.leaves.embedding.weight[0] = torch.nan
    assert encoder(forest).isnan().any(1).tolist() == [True, False]
    with torch.no_grad():
        encoder.leaves.embedding.weight[0] = 0
        for name, parameter in encoder.wiring.named_parameters():
            if name.endswith("bias"):
                parameter.fill_(torch.nan)
    assert encoder(forest).isnan().any(1).all()


def test_a_forest_and_a_cell_say_what_they_are() -> None:
    assert repr(Forest.from_trees([("neg", "a")], FIXED)) == "Forest(1 trees, 2 nodes, 1 of them leaves)"
    assert "hidden=3" in repr(TreeLSTM(3))
    assert Forest.from_trees([("neg", "a")], FIXED).labels == ["a", "neg"]
