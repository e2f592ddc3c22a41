"""A hand-written gradient holds only for the class that declares it: a subclass is run by autograd, or declares it again."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from samples import FIXED, FOREST
from treesmu.models import Cell, StackTreeRNN, TreeEncoder, TreeLSTM, TreeRNN, TreeSMU
from treesmu.models.forest.implementation import Implementation

BUILT_IN = (TreeSMU, TreeLSTM, TreeRNN, StackTreeRNN)


class _Sigmoid(TreeRNN):
    """A cell that changes what the inherited step computes, only by an attribute."""

    def __init__(self) -> None:
        super().__init__(hidden=3)
        self.activation = "sigmoid"


class _OwnStep(TreeLSTM):
    def step(self, z: Tensor, memory: Tensor, at: Any) -> Any:
        h, c, gates = super().step(z, memory, at)
        return 2 * h, c, gates


class _OwnPart(TreeLSTM):
    def forget_gates(self, z: Tensor) -> Tensor:
        return torch.ones_like(super().forget_gates(z))


class _OwnConstructor(TreeLSTM):
    def __init__(self) -> None:
        super().__init__(hidden=3)


class _Doubled:
    def step(self, z: Tensor, memory: Tensor, at: Any) -> Any:
        h, own, gates = super().step(z, memory, at)  # type: ignore[misc]
        return 2 * h, own, gates


class _Mixed(_Doubled, TreeSMU):
    pass


class _Nothing(StackTreeRNN):
    pass


class _Repeated(TreeLSTM):
    """A cell with the inherited step and another default size."""

    hand_written = TreeLSTM.hand_written

    def __init__(self, hidden: int = 4) -> None:
        super().__init__(hidden)


class _BelowRepeated(_Repeated):
    pass


class _Refused(TreeLSTM):
    hand_written = None


WITHOUT_PROMISE: list[Callable[[], Cell]] = [
    _Sigmoid,
    lambda: _OwnStep(3),
    lambda: _OwnPart(3),
    _OwnConstructor,
    lambda: _Mixed(3),
    lambda: _Nothing(3),
    lambda: _BelowRepeated(3),
]


def encoder_of(cell: Cell, **options: Any) -> TreeEncoder:
    torch.manual_seed(0)
    return TreeEncoder(cell, FIXED, **options).double()


def gradients(encoder: TreeEncoder) -> list[Tensor]:
    torch.manual_seed(1)
    states = encoder.nodes(FOREST)
    (states * torch.randn_like(states)).sum().backward()
    return [parameter.grad for parameter in encoder.parameters() if parameter.grad is not None]


def assert_gradients_equal_those_of_autograd(encoder: TreeEncoder) -> None:
    by_hand = gradients(encoder)
    encoder.by_hand = False
    encoder.zero_grad()
    for a, b in zip(by_hand, gradients(encoder), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("cell", BUILT_IN)
def test_built_in_cells_are_computed_by_hand(cell: type[Cell]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert encoder_of(cell(3)).implementation(0) is Implementation.BY_HAND  # type: ignore[call-arg]
    assert encoder_of(cell(3), by_hand=False).implementation(10**6) is Implementation.AUTOGRAD  # type: ignore[call-arg]


@pytest.mark.filterwarnings("ignore:.*autograd differentiates it")
@pytest.mark.parametrize("make", WITHOUT_PROMISE, ids=lambda make: getattr(make, "__name__", "cell"))
def test_a_subclass_gets_the_gradient_of_its_own_step(make: Callable[[], Cell]) -> None:
    encoder = encoder_of(make())
    assert encoder.implementation(10**6) is Implementation.AUTOGRAD
    by_autograd = encoder_of(make(), by_hand=False)
    assert all(torch.equal(a, b) for a, b in zip(gradients(encoder), gradients(by_autograd), strict=True))


@pytest.mark.filterwarnings("ignore:.*autograd differentiates it")
def test_an_attribute_that_changes_the_step_changes_its_gradient() -> None:
    """The hand-written gradient of tanh, silently inherited, would be wrong by more than the largest true entry."""
    changed, declared = encoder_of(_Sigmoid()), encoder_of(TreeRNN(3, activation="sigmoid"))
    for a, b in zip(gradients(changed), gradients(declared), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("cell", "name", "value"), [(TreeRNN(3), "activation", "sigmoid"), (TreeSMU(3), "normalise", "softmax")]
)
def test_a_setting_that_is_changed_later_counts_for_values_and_gradients(cell: Cell, name: str, value: str) -> None:
    encoder = encoder_of(cell)
    before = encoder.nodes(FOREST)
    setattr(encoder.cell, name, value)
    assert not torch.allclose(encoder.nodes(FOREST), before)
    assert_gradients_equal_those_of_autograd(encoder)


def test_the_subclass_is_named_once_with_the_remedy() -> None:
    class Slower(TreeLSTM):
        pass

    encoder = encoder_of(Slower(3))
    with pytest.warns(UserWarning, match=r"Slower may change the step of TreeLSTM.*hand_written = TreeLSTM\.hand_written"):
        encoder.nodes(FOREST)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        encoder.nodes(FOREST)
        encoder_of(Slower(3)).nodes(FOREST)


def test_a_subclass_can_repeat_the_promise_or_refuse_it() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert encoder_of(_Repeated()).implementation(0) is Implementation.BY_HAND
        assert encoder_of(_Refused(3)).implementation(10**6) is Implementation.AUTOGRAD
    encoder = encoder_of(_Repeated())
    assert_gradients_equal_those_of_autograd(encoder)


@pytest.mark.filterwarnings("ignore:.*autograd differentiates it")
def test_a_step_that_is_replaced_on_the_object_counts() -> None:
    encoder = encoder_of(TreeLSTM(3))
    original = encoder.cell.step

    def doubled(z: Tensor, memory: Tensor, at: Any) -> Any:
        h, c, gates = original(z, memory, at)
        return 2 * h, c, gates

    before = encoder.nodes(FOREST)
    encoder.cell.step = doubled
    assert encoder.implementation(10**6) is Implementation.AUTOGRAD
    assert not torch.allclose(before, encoder.nodes(FOREST))


class _OwnStepAndDeclaration(TreeLSTM):
    hand_written = TreeLSTM.hand_written

    def step(self, z: Tensor, memory: Tensor, at: Any) -> Any:
        h, c, gates = super().step(z, memory, at)
        return 2 * h, c, gates


class _DeclarationOfAnotherCell(TreeLSTM):
    hand_written = TreeRNN.hand_written


@pytest.mark.filterwarnings("ignore:.*autograd differentiates it")
@pytest.mark.parametrize("cell", [_OwnStepAndDeclaration, _DeclarationOfAnotherCell])
def test_a_declaration_for_other_functions_does_not_count(cell: type[Cell]) -> None:
    encoder = encoder_of(cell(3))  # type: ignore[call-arg]
    assert encoder.implementation(10**6) is Implementation.AUTOGRAD


@pytest.mark.filterwarnings("ignore:.*autograd differentiates it")
def test_any_function_of_the_step_that_is_replaced_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = encoder_of(TreeLSTM(3))
    encoder.cell.forget_gates = torch.ones_like
    assert encoder.implementation(10**6) is Implementation.AUTOGRAD
    monkeypatch.setattr(TreeSMU, "_normalised", lambda _, actions: actions)
    assert encoder_of(TreeSMU(3)).implementation(10**6) is Implementation.AUTOGRAD
    monkeypatch.setattr(Cell, "forget_gates", lambda _, z: z)
    assert encoder_of(StackTreeRNN(3)).implementation(10**6) is Implementation.AUTOGRAD


def test_a_declaration_that_is_no_hand_written_step_is_refused() -> None:
    class Wrong(TreeLSTM):
        hand_written = True  # type: ignore[assignment]

    with pytest.raises(TypeError, match="must be a subclass of HandWritten or None, not True"):
        encoder_of(Wrong(3)).nodes(FOREST)


@pytest.mark.parametrize(
    ("cell", "name", "value", "message"),
    [
        (TreeSMU(3), "top", 2, "settings of a TreeSMU that shape its weights are fixed"),
        (TreeSMU(3), "order", "queue", "are fixed"),
        (TreeSMU(3), "no_op", False, "are fixed"),
        (StackTreeRNN(3), "stack", 3, "are fixed"),
        (TreeRNN(3), "layers", 1, "are fixed"),
        (TreeSMU(3), "normalise", "banana", "normalise must be sum or softmax"),
        (TreeRNN(3), "activation", "relu", "activation must be sigmoid or tanh"),
    ],
)
def test_a_setting_that_is_changed_later_to_what_cannot_be_is_refused(cell: Cell, name: str, value: Any, message: str) -> None:
    encoder = encoder_of(cell)
    encoder.nodes(FOREST)
    setattr(encoder.cell, name, value)
    with pytest.raises(ValueError, match=message):
        encoder.nodes(FOREST)


@pytest.mark.parametrize("cell", BUILT_IN)
def test_cells_can_be_copied_and_pickled(cell: type[Cell]) -> None:
    encoder = encoder_of(cell(3))  # type: ignore[call-arg]
    for other in (copy.deepcopy(encoder), pickle.loads(pickle.dumps(encoder))):
        assert other.implementation(0) is Implementation.BY_HAND
        assert torch.equal(other.nodes(FOREST), encoder.nodes(FOREST))
