"""A compiled pass gives the numbers of the hand-written one: for large forests, on threads, in both precisions.

That it equals autograd and the recursive formulas for all settings is tested with those: tests/models/cells/test_cells.py.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import Tensor

from pass_numbers import numbers_of
from samples import EXACT, FEW, FIXED, FIXED_TREES, FOREST, SAMPLES, SETTINGS, Setting, compiles, encoder_of, few, name_of
from treesmu.data import Forest
from treesmu.models import TreeEncoder, TreeLSTM
from treesmu.models.compiled import forest_pass
from treesmu.models.compiled.forest_pass import CompiledPass
from treesmu.models.compiled.threads import instead_of_pytorch
from treesmu.models.compiled.workspace import WORKSPACES
from treesmu.models.forest.by_hand import HandWrittenPass
from treesmu.models.forest.layout import Layout
from treesmu.models.normalise import Norm

pytestmark = compiles
# Levels of hundreds of nodes, in several chunks.
MANY = {name: Forest.from_trees(trees * 60, vocab, share=False) for name, (vocab, trees) in SAMPLES.items()}
NORMS: list[Norm] = ["none", "unit", "layer"]


def assert_near(found: list[Tensor], wanted: list[Tensor], error: float) -> None:
    """Compare tensors relative to the largest number of each."""
    for ours, others in zip(found, wanted, strict=True):
        torch.testing.assert_close(ours, others, rtol=0, atol=error * max(1.0, others.abs().max().item()))


@pytest.mark.parametrize("setting", SETTINGS, ids=name_of)
def test_every_setting_equals_the_hand_written_pass(setting: Setting) -> None:
    """Both vocabularies, all normalisations; inputs at inner nodes and dropout with some of them."""
    for number, (vocab, trees) in enumerate(SAMPLES.values()):
        forest = Forest.from_trees(trees, vocab)
        for norm in NORMS:
            for has_extras in (True, False):
                torch.manual_seed(number)
                encoder = encoder_of(setting, vocab, inputs=2 * has_extras)
                found = numbers_of(CompiledPass, encoder, forest, norm, has_extras)
                assert_near(found, numbers_of(HandWrittenPass, encoder, forest, norm, has_extras), 1e-12)


@few
def test_single_precision_equals_the_hand_written_pass(setting: Setting) -> None:
    for vocab, trees in SAMPLES.values():
        encoder = encoder_of(setting, vocab, hidden=9, inputs=2).float()
        forest = Forest.from_trees(trees, vocab)
        for norm in NORMS:
            found = numbers_of(CompiledPass, encoder, forest, norm)
            assert all(tensor.dtype == torch.float32 for tensor in found)
            assert_near(found, numbers_of(HandWrittenPass, encoder, forest, norm), 1e-5)


@pytest.mark.parametrize("vocab", SAMPLES)
@few
def test_large_forests_in_chunks_equal_the_hand_written_pass(setting: Setting, vocab: str) -> None:
    encoder = encoder_of(setting, SAMPLES[vocab][0], inputs=2)
    wanted = numbers_of(HandWrittenPass, encoder, MANY[vocab], "layer")
    assert_near(numbers_of(CompiledPass, encoder, MANY[vocab], "layer"), wanted, 1e-12)


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("vocab", SAMPLES)
@few
def test_any_number_of_threads_gives_the_same_numbers(
    setting: Setting, vocab: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = encoder_of(setting, SAMPLES[vocab][0], inputs=2)
    alone = numbers_of(CompiledPass, encoder, MANY[vocab], "unit")
    monkeypatch.setattr(forest_pass, "NODES_PER_THREAD", 1)
    torch.set_num_threads(threads)
    with instead_of_pytorch():
        assert _pass_over(MANY[vocab], encoder).threads == threads
        assert_near(numbers_of(CompiledPass, encoder, MANY[vocab], "unit"), alone, 1e-13)
    assert _pass_over(MANY[vocab], encoder).threads == 1


def _pass_over(forest: Forest, encoder: TreeEncoder) -> CompiledPass:
    return CompiledPass(encoder.cell, encoder.wiring, Layout(forest, torch.device("cpu")), encoder.leaves(forest).detach())


def test_small_forests_do_not_wake_a_thread() -> None:
    torch.set_num_threads(2)
    with instead_of_pytorch():
        assert _pass_over(FOREST, encoder_of(("lstm", {}))).threads == 1


@few
def test_a_pass_that_keeps_nothing_gives_the_same_states_and_memories(setting: Setting) -> None:
    encoder = encoder_of(setting)
    layout, leaf_states = Layout(MANY["fixed"], torch.device("cpu")), encoder.leaves(MANY["fixed"]).detach()
    passes = [CompiledPass(encoder.cell, encoder.wiring, layout, leaf_states, norm="unit") for _ in range(2)]
    kept, unkept = passes[0].up(), passes[1].up(is_kept=False)
    assert torch.equal(kept, unkept)
    assert not encoder.cell.memory or torch.equal(passes[0].memories, passes[1].memories)
    assert not kept[len(kept) :].any()


def test_passes_that_are_under_way_together_do_not_disturb_each_other() -> None:
    """Their memory comes from one pool, and the gradients of the first are asked for last."""
    encoder = encoder_of(("smu", {"stack": 2}), compiled=True)
    forests = [FOREST, MANY["fixed"], Forest.from_trees(FIXED_TREES[:3], FIXED)]
    alone = []
    for forest in forests:
        encoder(forest).square().sum().backward()
        alone.append([p.grad.clone() for p in encoder.wiring.parameters() if p.grad is not None])
        encoder.zero_grad()
    losses = [encoder(forest).square().sum() for forest in forests]
    for loss, wanted in reversed(list(zip(losses, alone, strict=True))):
        loss.backward()
        found = [p.grad for p in encoder.wiring.parameters()]
        assert all(torch.equal(a, b) for a, b in zip(found, wanted, strict=True) if a is not None)
        encoder.zero_grad()


def test_the_workspace_of_a_pass_is_used_again() -> None:
    encoder = encoder_of(("smu", {"stack": 2}), compiled=True)
    encoder(FOREST).sum().backward()
    before = list(WORKSPACES.free)
    encoder(FOREST).sum().backward()
    with torch.no_grad():
        encoder(FOREST)
    assert WORKSPACES.free == before


def test_results_are_not_changed_by_later_passes() -> None:
    encoder = encoder_of(("lstm", {}), compiled=True)
    first = encoder.nodes(FOREST)
    kept = first.detach().clone()
    for _ in range(3):
        encoder.nodes(MANY["fixed"]).sum().backward()
    assert torch.equal(first, kept)


@pytest.mark.parametrize("change", [copy.deepcopy, lambda encoder: encoder.float().double()], ids=["copied", "converted"])
def test_an_encoder_that_was_copied_or_converted_uses_its_own_weights(change: Any) -> None:
    encoder = encoder_of(("lstm", {}), compiled=True)
    encoder(FOREST)
    changed = change(encoder)
    with torch.no_grad():
        for parameter in changed.parameters():
            parameter.mul_(0.5)
    found = changed(FOREST)
    changed.compiled = False
    torch.testing.assert_close(found, changed(FOREST), **EXACT)


def test_one_function_and_one_node_are_enough() -> None:
    encoder = encoder_of(FEW[0], compiled=True)
    forest = Forest.from_trees([("neg", "a")], FIXED)
    found = encoder(forest)
    encoder.compiled = False
    torch.testing.assert_close(found, encoder(forest), **EXACT)


def test_a_cell_without_a_compiled_step_is_refused_by_this_pass() -> None:
    class Refused(TreeLSTM):
        hand_written = None

    encoder = TreeEncoder(Refused(3), FIXED)
    with pytest.raises(ValueError, match="Refused has no compiled step"):
        CompiledPass(encoder.cell, encoder.wiring, Layout(FOREST, torch.device("cpu")), encoder.leaves(FOREST))
