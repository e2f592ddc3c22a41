"""The loss without autograd sets the gradients that autograd would: all heads, with pairs, decimals and absent functions."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from samples import EXACT, FIXED, FIXED_TREES, SAMPLES, compiles, encoder_of
from treesmu.data import Forest
from treesmu.models.head import HEADS
from treesmu.models.model import Model
from treesmu.models.normalise import Norm
from treesmu.tasks.subexpressions import Pairs, pair_loss
from treesmu.tasks.verify import verification_loss

pytestmark = compiles


def equations(count: int, vocab: str = "fixed") -> Forest:
    of, trees = SAMPLES[vocab]
    return Forest.from_trees([("=", trees[i], trees[i + 1]) for i in range(count)], of)


def model_of(head: str = "dot", norm: Norm = "none", vocab: str = "fixed") -> Model:
    torch.manual_seed(0)
    encoder = encoder_of(("smu", {"stack": 2}), SAMPLES[vocab][0], compiled=True)
    encoder.norm = norm
    return Model("tree-smu", encoder, HEADS[head]().double())


def drawn(forest: Forest, seed: int) -> tuple[torch.Tensor, Pairs]:
    """Return random labels and pairs of nodes."""
    rng = np.random.default_rng(seed)
    places = rng.integers(0, forest.size, (2, 12))
    label = torch.from_numpy(rng.integers(0, 2, len(forest.roots)).astype(np.float32))
    return label, Pairs(*places, rng.integers(0, 2, 12).astype(np.float32))


def wanted(model: Model, forest: Forest, label: torch.Tensor, pairs: Pairs) -> tuple[float, list[torch.Tensor | None]]:
    """Return the loss and the gradients, by autograd."""
    model.zero_grad()
    states = model.encoder.nodes(forest)
    logits = model.compare(model.encoder.at_roots(states, forest))
    loss = 0.25 * verification_loss(logits, label) + 0.5 * pair_loss(states, pairs, model.head)
    loss.backward()
    return loss.item(), [None if p.grad is None else p.grad.clone() for p in model.parameters()]


def assert_same(model: Model, forests: list[Forest]) -> None:
    """Compare the compiled loss with autograd, one forest after the other with the same buffers."""
    from treesmu.tasks.compiled_loss import CompiledLoss

    compiled = CompiledLoss(model)
    for seed, forest in enumerate(forests):
        label, pairs = drawn(forest, seed)
        loss, gradients = wanted(model, forest, label, pairs)
        assert compiled.serves(forest)
        compared = [(forest.roots, label.numpy(), 0.25), (np.stack(pairs[:2], 1), pairs.label, 0.5)]
        assert compiled.gradients(forest, compared) == pytest.approx(loss, rel=1e-12)
        for (name, parameter), gradient in zip(model.named_parameters(), gradients, strict=True):
            assert (parameter.grad is None) == (gradient is None), name
            if gradient is not None and parameter.grad is not None:
                torch.testing.assert_close(parameter.grad, gradient, **EXACT, msg=lambda said, name=name: f"{name}: {said}")


@pytest.mark.parametrize("norm", ["none", "unit", "layer"])
@pytest.mark.parametrize("head", HEADS)
def test_every_head_and_normalisation_equals_autograd(head: str, norm: Norm) -> None:
    assert_same(model_of(head, norm), [equations(len(FIXED_TREES) - 1)])
    assert_same(model_of(head, norm, "variadic"), [equations(5, "variadic")])


def test_gradients_of_functions_and_decimals_that_come_and_go_equal_autograd() -> None:
    """What an earlier batch left in the buffers is not seen: weights of absent functions have gradients of 0."""
    plain = Forest.from_trees([("=", ("neg", ("a",)), ("b",))], FIXED)
    everything = equations(len(FIXED_TREES) - 1)
    assert_same(model_of(), [everything, plain, plain, everything, plain])
    model = model_of()
    assert_same(model, [plain])
    assert model.encoder.leaves.numbers is not None
    assert all(p.grad is None for p in model.encoder.leaves.numbers.parameters())


def test_weights_that_are_replaced_are_noticed() -> None:
    from treesmu.tasks.compiled_loss import CompiledLoss

    model, forest = model_of(), equations(3)
    compiled, (label, pairs) = CompiledLoss(model), drawn(forest, 1)
    compiled.gradients(forest, [(forest.roots, label.numpy(), 0.25)])
    for module in model.encoder.wiring.modules():
        for name, parameter in list(module._parameters.items()):
            if parameter is not None:
                setattr(module, name, torch.nn.Parameter(parameter.detach() + 0.1))
    loss, _ = wanted(model, forest, label, pairs)
    compared = [(forest.roots, label.numpy(), 0.25), (np.stack(pairs[:2], 1), pairs.label, 0.5)]
    assert compiled.gradients(forest, compared) == pytest.approx(loss, rel=1e-12)


def test_only_models_that_compare_two_states_by_our_heads_are_known() -> None:
    from treesmu.tasks.compiled_loss import CompiledLoss

    class OtherHead(type(model_of().head)):  # type: ignore[misc]
        pass

    class OtherModel(Model):
        def compare(self, sides: torch.Tensor) -> torch.Tensor:
            return super().compare(sides) + 1

    known = model_of()
    assert CompiledLoss.knows(known)
    assert not CompiledLoss.knows(Model("tree-smu", known.encoder, OtherHead()))
    assert not CompiledLoss.knows(OtherModel("tree-smu", known.encoder, known.head))
    assert not CompiledLoss.knows(Model("tree-smu", encoder_of(("smu", {}), inputs=2), known.head))


def test_trees_of_leaves_alone_and_plain_trees_are_left_to_autograd() -> None:
    from treesmu.tasks.compiled_loss import CompiledLoss

    compiled = CompiledLoss(model_of())
    assert compiled.serves(equations(2))
    assert not compiled.serves(Forest.from_trees([("=", ("a",), ("b",))], FIXED))
    assert not compiled.serves(Forest.from_trees([("neg", ("a",))], FIXED))
