"""The fastest implementation that is possible is chosen: compiled, else by hand, else autograd."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
import torch
from torch import Tensor

from one_device import second_device
from samples import FIXED, FOREST, compiles, encoder_of
from treesmu.models import Cell, TreeEncoder, TreeLSTM, TreeRNN, TreeSMU
from treesmu.models.forest.autograd import AutogradPass
from treesmu.models.forest.by_hand import HandWrittenPass
from treesmu.models.forest.implementation import MANY_NODES, Implementation, choose, pass_class


def test_the_fastest_implementation_that_a_cell_has_is_chosen() -> None:
    assert choose(TreeLSTM(3)) is Implementation.COMPILED
    assert choose(TreeLSTM(3), compiled=False) is Implementation.BY_HAND
    assert choose(TreeLSTM(3), by_hand=False) is Implementation.AUTOGRAD


def test_every_implementation_has_a_class() -> None:
    names = {kind: pass_class(kind).__name__ for kind in Implementation}
    assert names == {
        Implementation.AUTOGRAD: AutogradPass.__name__,
        Implementation.BY_HAND: HandWrittenPass.__name__,
        Implementation.COMPILED: "CompiledPass",
    }


@compiles
def test_an_encoder_compiles_always_or_never_or_for_large_forests() -> None:
    few, many = MANY_NODES - 1, MANY_NODES
    encoders = {compiled: TreeEncoder(TreeSMU(3), FIXED, compiled=compiled) for compiled in (None, True, False)}
    found = {compiled: [encoder.implementation(nodes).value for nodes in (few, many)] for compiled, encoder in encoders.items()}
    assert found == {None: ["by hand", "compiled"], True: ["compiled"] * 2, False: ["by hand"] * 2}
    assert TreeEncoder(TreeSMU(3), FIXED, by_hand=False, compiled=True).implementation(many) is Implementation.AUTOGRAD
    with pytest.raises(ValueError, match="compiled must be True or False, not 1"):
        TreeEncoder(TreeSMU(3), FIXED, compiled=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_computed_by_hand(dtype: torch.dtype) -> None:
    encoder = TreeEncoder(TreeLSTM(3), FIXED, compiled=True).to(dtype)
    assert encoder.implementation(MANY_NODES) is Implementation.BY_HAND
    states = encoder(FOREST)
    assert states.dtype == dtype
    assert states.isfinite().all()


def test_another_device_is_computed_by_hand() -> None:
    wanted = encoder_of(("smu", {}), compiled=False)
    with second_device() as device:
        encoder = encoder_of(("smu", {}), compiled=True)
        encoder.load_state_dict(wanted.state_dict())
        encoder.to(device)
        assert encoder.implementation(MANY_NODES) is Implementation.BY_HAND
        found = encoder(FOREST).detach().cpu()
    assert torch.equal(found, wanted(FOREST))


class _Doubled(TreeLSTM):
    def step(self, z: Tensor, memory: Tensor, at: Any) -> Any:
        h, c, gates = super().step(z, memory, at)
        return 2 * h, c, gates


class _Refused(TreeLSTM):
    hand_written = None


class _OfAnotherCell(TreeLSTM):
    hand_written = TreeRNN.hand_written


@pytest.mark.filterwarnings("ignore:.*autograd differentiates it")
@pytest.mark.parametrize("cell", [_Doubled, _Refused, _OfAnotherCell])
def test_a_subclass_that_may_compute_something_else_is_not_compiled(cell: type[Cell]) -> None:
    encoder = TreeEncoder(cell(3), FIXED, compiled=True)  # type: ignore[call-arg]
    assert encoder.implementation(MANY_NODES) is Implementation.AUTOGRAD


@compiles
def test_a_subclass_that_repeats_the_promise_is_compiled() -> None:
    class Repeated(TreeSMU):
        hand_written = TreeSMU.hand_written

    torch.manual_seed(1)
    encoder = TreeEncoder(Repeated(3), FIXED, compiled=True).double()
    assert encoder.implementation(0) is Implementation.COMPILED
    found = encoder(FOREST)
    encoder.by_hand = False
    torch.testing.assert_close(found, encoder(FOREST), rtol=1e-12, atol=1e-12)


@pytest.mark.filterwarnings("ignore:.*autograd differentiates it")
def test_a_function_of_the_step_that_is_replaced_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = TreeEncoder(TreeLSTM(3), FIXED, compiled=True)
    assert encoder.implementation(0) is Implementation.COMPILED
    encoder.cell.forget_gates = torch.ones_like
    assert encoder.implementation(0) is Implementation.AUTOGRAD
    monkeypatch.setattr(TreeSMU, "_normalised", lambda _, actions: actions)
    assert TreeEncoder(TreeSMU(3), FIXED, compiled=True).implementation(0) is Implementation.AUTOGRAD


RUN = """if True:
    import sys
    {before}
    import torch
    from treesmu.data import Forest, Vocab
    from treesmu.models import TreeEncoder, TreeSMU
    vocab = Vocab(("neg", "add"), (1, 2), ("a",))
    encoder = TreeEncoder(TreeSMU(3), vocab, compiled=True)
    encoder(Forest.from_trees([("add", ("neg", "a"), "a")], vocab)).sum().backward()
    print(encoder.implementation(0).value, "numba" in sys.modules and sys.modules["numba"] is not None)
"""


@pytest.mark.parametrize(
    ("before", "switch"), [("sys.modules['numba'] = None", "1"), ("", "0")], ids=["without Numba", "switched off"]
)
def test_without_numba_or_switched_off_it_is_computed_by_hand(before: str, switch: str) -> None:
    command = [sys.executable, "-c", RUN.format(before=before)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | {"TREESMU_COMPILED": switch})
    assert (done.stdout, done.stderr) == ("by hand False\n", "")


def test_numba_is_not_imported_for_small_forests() -> None:
    code = RUN.format(before="").replace(", compiled=True", "")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "by hand False\n"
