"""Batches hold what the settings ask for: every equation once per epoch, copies, pairs, renamed variables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from small_runs import first_batch, small
from treesmu.data.augment.value_targets import POINTS
from treesmu.data.trees.point_forest import PointForest
from treesmu.expr import check_many, from_prefix
from treesmu.expr.numeric.values import ValueTable
from treesmu.models.head import DistanceHead, DotHead
from treesmu.training import batches
from treesmu.training.batches import Batches
from treesmu.training.distributed import ProcessGroup
from treesmu.training.random_streams import rng_for
from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer

pytestmark = pytest.mark.usefixtures("one_thread")


def test_the_parts_of_a_recipe_can_be_switched_off_one_by_one(corpus: Path, tmp_path: Path) -> None:
    few: dict[str, Any] = {"cell": {"hidden": 6}, "substitutes": 300}
    trainer, whole = first_batch(corpus, tmp_path, TrainSettings.of("treesmu-1", **few))
    assert (trainer.settings.batch, trainer.settings.learning_rate, trainer.settings.schedule) == (128, 4e-3, "linear")
    assert isinstance(trainer.model.head, DistanceHead)
    assert trainer.model.encoder.norm == "unit"
    assert whole.pairs is not None
    assert trainer.data.versions == 4  # 300 copies of 96 equations: 3 of each, and itself
    assert len(whole.label) == 96  # of 128: there are no more
    parts: dict[str, Any] = {"head": "dot", "norm": "none", "subexpressions": 0, "rename": False, "batch": 32, "substitutes": 0}
    for part, off in parts.items():
        trainer, one = first_batch(corpus, tmp_path, TrainSettings.of("treesmu-1", **{**few, part: off}))
        assert isinstance(trainer.model.head, DotHead if part == "head" else DistanceHead)
        assert trainer.model.encoder.norm == ("none" if part == "norm" else "unit")
        assert (one.pairs is None) == (part == "subexpressions")
        assert len(one.label) == (32 if part == "batch" else 96)
        assert trainer.data.versions == (1 if part == "substitutes" else 4)


def test_without_renaming_and_copies_a_batch_is_what_the_corpus_has(corpus: Path, tmp_path: Path) -> None:
    for rename in (False, True):
        trainer, one = first_batch(corpus, tmp_path, small("treesmu-1", substitutes=0, rename=rename))
        plain = trainer.data.plan.batch(trainer.batches.rows(0)[0])
        assert np.array_equal(plain.leaf, one.inputs.leaf) == (not rename)


def test_copies_are_seen_in_place_of_their_equations_and_have_their_labels(corpus: Path, tmp_path: Path) -> None:
    trainer = Trainer(corpus, tmp_path / "run", small("treesmu-1", rename=False, substitutes=2000, batch=96))
    rows = trainer.batches.rows(0)[0]
    original = trainer.data.train.prefix.to_pylist()
    seen, verdicts = [], {1: "correct", 0: "incorrect"}
    for epoch in range(3):
        one = trainer.batches.prepare(epoch, 0, rows)
        texts = [" ".join(prefix_of(tree)) for tree in one.inputs.unbatch()]
        labels = [verdicts[int(label)] for label in one.label.tolist()]
        assert labels == [verdicts[int(label)] for label in trainer.data.train.label[rows]]
        assert [verdict.label for verdict in check_many([from_prefix(text.split()) for text in texts])] == labels
        assert one.nodes == sum(len(text.split()) for text in texts)
        seen.append(texts)
    assert seen[0] != seen[1] != seen[2]  # another version each time
    assert any(text in original for text in seen[0])
    assert any(text not in original for text in seen[0])


def prefix_of(tree: tuple[Any, ...]) -> list[str]:
    return [str(tree[0]), *(word for child in tree[1:] for word in prefix_of(child))]


@pytest.mark.parametrize("model", ["tree-smu", "lstm", "tree-transformer"])
def test_renaming_exchanges_variables_and_nothing_else(model: str, corpus: Path, tmp_path: Path) -> None:
    trainer = Trainer(corpus, tmp_path / "run", small(model=model, cell={"hidden": 5}))
    vocab, seen = trainer.model.vocab, set()
    for step in range(5):
        names = batches.permute_variables(vocab, rng_for(1, step))
        seen.add(tuple(names.tolist()))
        assert sorted(names.tolist()) == list(range(len(vocab.leaves)))
        moved = {vocab.leaves[i] for i in np.flatnonzero(names != np.arange(len(names)))}
        assert moved <= set("xyzwuvabcd")
        # The renamed batch gives what the renamed equations give.
        new = {vocab.leaves[i]: vocab.leaves[k] for i, k in enumerate(names.tolist())}
        texts = [" ".join(new.get(word, word) for word in text.split()) for text in trainer.data.train.prefix.to_pylist()[:9]]
        rows = np.arange(9)
        trainer.model.eval()
        with torch.no_grad():
            renamed = trainer.model(trainer.data.plan.batch(rows).renamed(names))
            wanted = trainer.model(trainer.model.encoder.plan(texts).batch(rows))
        torch.testing.assert_close(renamed, wanted, atol=1e-5, rtol=0)
    assert len(seen) == 5


def test_targets_are_the_values_of_the_nodes_under_their_new_names(corpus: Path, tmp_path: Path) -> None:
    trainer, one = first_batch(corpus, tmp_path, small(values=1.0, rename=True))
    assert one.targets is not None
    forest = one.inputs
    assert one.targets.shape == (forest.size, POINTS.count)
    trees = [from_prefix(prefix_of(tree)) for tree in forest.unbatch()]
    for side, name in enumerate(("left", "right")):
        wanted = ValueTable(POINTS).values([getattr(tree, name) for tree in trees]).plain
        found = one.targets[torch.from_numpy(forest.roots[:, side])].numpy()
        is_known = np.isfinite(found)
        assert is_known.any()
        np.testing.assert_allclose(found[is_known], np.clip(np.arcsinh(wanted[is_known]), -5, 5), rtol=1e-5, atol=1e-6)
    assert one.target_weight == pytest.approx(1 / int(one.targets.isfinite().sum()))
    assert trainer.batches.prepare(0, 1, trainer.batches.rows(0)[0]).inputs is not forest


@pytest.mark.parametrize(("pairs", "rows"), [(2.0, 20), (0.0, 7), (0.0, 2)])
def test_every_target_of_a_batch_belongs_to_one_process(pairs: float, rows: int, corpus: Path, tmp_path: Path) -> None:
    trainer, _ = first_batch(corpus, tmp_path, small(values=1.0, subexpressions=pairs, rename=True))
    chosen = np.arange(rows)
    whole = trainer.batches.prepare(0, 0, chosen)
    wanted = dict(zip(whole.inputs.nodes.tolist(), whole.targets.tolist(), strict=True))  # type: ignore[union-attr]
    found = []
    for rank in range(3):
        part = Batches(trainer.data, trainer.settings, ProcessGroup(rank, 3)).prepare(0, 0, chosen)
        assert part.targets is not None
        assert part.target_weight == pytest.approx(3 * whole.target_weight)
        has_targets = part.targets.isfinite().any(1)
        for node, targets in zip(
            part.inputs.nodes[has_targets.numpy()].tolist(), part.targets[has_targets].tolist(), strict=True
        ):
            assert targets == wanted[node]
            found.append(node)
    assert sorted(found) == sorted(wanted)  # all values of this corpus are defined


def test_every_batch_is_read_at_points_of_its_own(corpus: Path, tmp_path: Path) -> None:
    trainer, one = first_batch(corpus, tmp_path, small("treesmu", points=3))
    rows = trainer.batches.rows(0)
    again, other = trainer.batches.prepare(0, 0, rows[0]), trainer.batches.prepare(1, 0, rows[0])
    forest = one.inputs
    assert isinstance(forest, PointForest)
    np.testing.assert_array_equal(forest.number, again.inputs.number)
    assert not np.array_equal(forest.number, other.inputs.number, equal_nan=True)
    assert one.targets is not None
    assert one.targets.shape == (len(forest.at), 3)  # of the nodes before they were taken to points
    leaves, is_number = forest.at[: (forest.at[:, 0] < len(forest.leaf)).sum()], forest.leaf == forest.vocab.number_id
    values = np.where(is_number, forest.number, np.nan)[leaves]  # (plain leaves, points)
    is_variable = np.isfinite(values).all(axis=1)
    assert is_variable.any()
    np.testing.assert_allclose(one.targets[: len(leaves)].numpy()[is_variable], np.arcsinh(values[is_variable]), rtol=1e-5)


def test_targets_change_nothing_else_in_a_batch(corpus: Path, tmp_path: Path) -> None:
    few: dict[str, Any] = {"substitutes": 300, "batch": 30}
    _, without = first_batch(corpus, tmp_path, small("treesmu-1", **few))
    _, one = first_batch(corpus, tmp_path, small("treesmu-1", values=1.0, **few))
    assert (without.targets, without.target_weight) == (None, 0.0)
    assert np.array_equal(without.inputs.leaf, one.inputs.leaf)
    assert without.pairs is not None
    assert one.pairs is not None
    assert all(np.array_equal(a, b) for a, b in zip(without.pairs, one.pairs, strict=True))


def test_every_equation_is_seen_once_per_epoch_in_a_new_order(corpus: Path, tmp_path: Path) -> None:
    trainer = Trainer(corpus, tmp_path / "run", small(batch=7))
    first, second = trainer.batches.rows(0), trainer.batches.rows(1)
    assert [len(rows) for rows in first] == [7] * 13 + [5]
    assert len(first) == trainer.batches.steps
    for rows in (first, second):
        assert sorted(np.concatenate(rows).tolist()) == list(range(96))
    assert not np.array_equal(first[0], second[0])
    assert [p.rows for p in trainer.batches.epoch(0, 11)] == [7, 7, 5]
