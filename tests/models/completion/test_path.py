"""Computing only the path above a blank gives the states of the whole filled trees, for every tree model and setting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from nested import Tree, trees_with
from samples import (
    FEW,
    FIXED,
    FUNCTIONS,
    SAMPLES,
    SETTINGS,
    VARIADIC,
    How,
    Setting,
    by_hand_or_compiled,
    each_implementation,
    encoder_of,
    name_of,
)
from treesmu.data import Forest, Vocab
from treesmu.models import Cell, TreeEncoder
from treesmu.models.completion import path as module
from treesmu.models.completion.path import FillerPaths
from treesmu.models.normalise import Norm

EXACT = {"rtol": 0, "atol": 1e-10}
FILLERS = {
    "fixed": [
        ("a",),
        ("0.5",),
        ("neg", ("a",)),
        ("pair", ("a",), ("b",)),
        ("neg", ("a",)),
        ("two", ("not", ("c",)), ("7.25",)),
    ],
    "variadic": [("b",), ("-2.25",), ("MAX", ("a",)), ("MIN", ("a",), ("b",), ("c",)), ("b",)],
}


def paths(tree: Tree) -> Iterator[tuple[int, ...]]:
    """Return every path of a tree."""
    yield ()
    for i, child in enumerate(tree[1:]):
        yield from ((i, *path) for path in paths(child))


def replaced(tree: Tree, path: tuple[int, ...], new: Tree) -> Tree:
    if not path:
        return new
    return (*tree[: path[0] + 1], replaced(tree[path[0] + 1], path[1:], new), *tree[path[0] + 2 :])


def along(encoder: TreeEncoder, tree: Tree, path: tuple[int, ...], fillers: list[Tree]) -> Tensor:
    """Return the states (fillers, n), computed by the path only."""
    vocab = encoder.vocab
    paths, forest = FillerPaths(encoder, Forest.from_trees(fillers, vocab)), Forest.from_trees([tree], vocab)
    steps = paths.steps(forest, encoder.states_and_memories(forest), int(forest.roots[0, 0]), path)
    with torch.no_grad():
        return torch.cat([states.clone() for states in paths.up(steps, paths.implementation(1))])[paths.place]


def whole(encoder: TreeEncoder, tree: Tree, path: tuple[int, ...], fillers: list[Tree]) -> Tensor:
    with torch.no_grad():
        return encoder(Forest.from_trees([replaced(tree, path, filler) for filler in fillers], encoder.vocab))


def assert_same(encoder: TreeEncoder, trees: list[Tree], fillers: list[Tree], every: int = 1) -> None:
    places = [(tree, path) for tree in trees for path in paths(tree)][::every]
    found = [along(encoder, tree, path, fillers) for tree, path in places]
    filled = [replaced(tree, path, filler) for tree, path in places for filler in fillers]
    with torch.no_grad():
        expected = encoder(Forest.from_trees(filled, encoder.vocab))
    torch.testing.assert_close(torch.cat(found), expected, **EXACT)


EACH = [(setting, kind) for k, setting in enumerate(SETTINGS) for j, kind in enumerate(SAMPLES) if k % len(SAMPLES) == j]


@by_hand_or_compiled
@pytest.mark.parametrize(("setting", "kind"), EACH, ids=lambda one: one if isinstance(one, str) else name_of(one))
def test_the_path_alone_gives_the_state_of_the_filled_tree(setting: Setting, kind: str, compiled: bool) -> None:
    vocab, trees = SAMPLES[kind]
    assert_same(encoder_of(setting, vocab, compiled=compiled), trees, FILLERS[kind], every=5)


@pytest.mark.parametrize("norm", ["none", "unit", "layer"])
@each_implementation
@pytest.mark.parametrize("setting", FEW, ids=name_of)
def test_also_without_up_and_with_normalised_states(setting: Setting, how: How, norm: Norm) -> None:
    for kind, (vocab, trees) in SAMPLES.items():
        encoder = encoder_of(setting, vocab, dropout=0.5, norm=norm, **how).eval()
        assert_same(encoder, trees, FILLERS[kind], every=7)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), setting=st.sampled_from(FEW))
def test_any_fixed_tree(data: st.DataObject, setting: Setting) -> None:
    leaves = st.sampled_from([("a",), ("b",), ("0.5",)])
    trees = trees_with(FUNCTIONS, leaves, 8)
    tree, fillers = data.draw(trees), data.draw(st.lists(trees, min_size=1, max_size=4))
    torch.manual_seed(2)
    encoder = encoder_of(setting, FIXED)
    path = data.draw(st.sampled_from(list(paths(tree))))
    torch.testing.assert_close(along(encoder, tree, path, fillers), whole(encoder, tree, path, fillers), **EXACT)


class OnlyAStep(Cell):
    """A cell as a user may define it."""

    def __init__(self, hidden: int) -> None:
        super().__init__(hidden, width=2 * hidden, memory=(hidden,))

    def step(self, z: Tensor, memory: Tensor, at: Any) -> Any:
        del at
        u, g = z.chunk(2, dim=1)
        h = g.sigmoid() * u.tanh() + (1 - g.sigmoid()) * memory.mean(1)
        return h, h, {}


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_cell_of_ones_own(kind: str) -> None:
    vocab, trees = SAMPLES[kind]
    assert_same(TreeEncoder(OnlyAStep(3), vocab).double(), trees, FILLERS[kind], every=3)


@pytest.mark.parametrize("setting", FEW, ids=name_of)
def test_fillers_go_up_in_portions(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.FillerPaths, "_rows", lambda _self, _columns: 2)
    vocab, trees = SAMPLES["fixed"]
    assert_same(encoder_of(setting, vocab), trees, FILLERS["fixed"], every=9)


@pytest.mark.parametrize("setting", FEW, ids=name_of)
def test_float32_gives_the_same_to_its_digits(setting: Setting) -> None:
    vocab, trees = SAMPLES["fixed"]
    encoder = encoder_of(setting, vocab).float()
    tree = trees[5]
    path = max(paths(tree), key=len)
    found = along(encoder, tree, path, FILLERS["fixed"])
    torch.testing.assert_close(found, whole(encoder, tree, path, FILLERS["fixed"]), rtol=0, atol=1e-5)


def test_equal_fillers_are_computed_once() -> None:
    paths = FillerPaths(encoder_of(("lstm", {})), Forest.from_trees(FILLERS["fixed"], FIXED))
    assert len(paths) == 5
    assert paths.place[2] == paths.place[4]


def test_a_child_that_is_not_there_is_zeros() -> None:
    encoder = encoder_of(("smu", {"stack": 2}), VARIADIC)
    forest = Forest.from_trees([("MAX", ("a",))], VARIADIC)
    h, memory = encoder.states_and_memories(forest)
    assert memory is not None
    assert (len(h), len(memory)) == (forest.size + 1, forest.size + 1)
    assert not h[-1].any()
    assert not memory[-1].any()


def test_inputs_of_inner_nodes_are_refused() -> None:
    vocab = Vocab(("f",), (1,), ("a",))
    encoder = encoder_of(("rnn", {}), vocab, inputs=2)
    with pytest.raises(ValueError, match="cannot be filled"):
        FillerPaths(encoder, Forest.from_trees([("a",)], vocab))
