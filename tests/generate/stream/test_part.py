"""A part of a stream has exactly its rows, checked, balanced, from every source, and nothing that is held out."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import treesmu
from streams import MIXTURE
from treesmu.data import CorpusPlan, DataError, Dataset, Vocab
from treesmu.data.augment.planned_rows import PlannedRows, Planner
from treesmu.generate.fingerprint import prefix_fingerprints
from treesmu.generate.stream.held_out import HeldOut
from treesmu.generate.stream.part import make_part
from treesmu.generate.stream.settings import SOURCES, stream_settings

VOCAB = Vocab.default()
NOTHING = HeldOut.of([])
KINDS = {
    "near-miss": {"rewrite", "near-miss"},
    "slip": {"rewrite", "slip"},
    "mutation": {"rewrite", "mutation"},
    "filler": {"rewrite", "filler"},
    "published": {"rewrite", "mutation"},
    "textbook": {"rewrite", "slip"},
    "numeric": {"numeric"},
}


def part(folder: Path, number: int = 0, held_out: HeldOut = NOTHING, rows: int = 120, **given: object) -> PlannedRows:
    settings = stream_settings(folder, **{"seed": 1, "rows": rows, "depths": (1, 5), "mixture": MIXTURE, **given})  # type: ignore[arg-type]
    return make_part(settings, Planner(VOCAB), held_out, number)


@pytest.fixture(scope="module")
def mixed(folder: Path) -> PlannedRows:
    return part(folder)


def test_a_part_has_its_rows_of_its_depths_half_of_them_correct(mixed):
    rows = mixed.rows
    assert len(rows) == 120
    assert rows.label.mean() == pytest.approx(0.5, abs=0.02)
    assert set(rows.depth.tolist()) <= set(range(1, 6))
    assert set(rows.kind.tolist()) == set().union(*KINDS.values())
    by_depth = Counter(zip(rows.depth.tolist(), rows.label.tolist(), strict=True))
    assert all(abs(by_depth[d, 0] - by_depth[d, 1]) <= 4 for d in range(1, 6))  # the depth does not reveal the label


def test_labels_are_those_of_the_check(mixed):
    verdicts = treesmu.check_many(mixed.rows.expressions())
    assert {(int(label), v.label) for label, v in zip(mixed.rows.label, verdicts, strict=True) if v.label != "undecided"} == {
        (0, "incorrect"),
        (1, "correct"),
    }


def test_the_columns_are_those_of_a_data_set_and_the_plan_is_that_of_its_equations(mixed):
    again = Dataset.of(mixed.rows.expressions(), mixed.rows.label)
    for name in ("depth", "size", "label"):
        assert getattr(mixed.rows, name).tolist() == getattr(again, name).tolist()
        assert getattr(mixed.rows, name).dtype == getattr(again, name).dtype
    plan = CorpusPlan.from_prefix(again.prefix, VOCAB)
    assert np.array_equal(mixed.plan.children, plan.children)


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_can_fill_a_part_alone(folder, source):
    rows = part(folder, rows=41, mixture={source: 1.0}, depths=(1, 4)).rows
    assert len(rows) == 41
    assert set(rows.kind.tolist()) == KINDS[source]
    assert abs(2 * int(rows.label.sum()) - 41) <= 3


def test_sources_have_their_weights(folder):
    kinds = Counter(part(folder, rows=80, mixture={"slip": 3.0, "numeric": 1.0}).rows.kind.tolist())
    assert kinds["numeric"] == 20
    assert kinds["rewrite"] + kinds["slip"] == 60


def test_a_part_depends_on_its_number_the_seed_and_the_settings_and_on_nothing_else(folder, mixed):
    part(folder, 7)  # what was made before in the process has no effect
    assert pickle.dumps(part(folder)) == pickle.dumps(mixed)
    texts = set(mixed.rows.prefix.to_pylist())
    for other in (part(folder, 1), part(folder, seed=2)):
        assert len(texts & set(other.rows.prefix.to_pylist())) < 0.2 * len(texts)  # a few short ones


def test_no_equation_is_twice_in_a_part(folder, mixed):
    assert len(set(mixed.rows.prefix.to_pylist())) == 120
    grown = part(folder, mixture={"near-miss": 1.0, "published": 1.0}).rows
    assert len(set(prefix_fingerprints(grown.prefix).tolist())) == 120


def test_held_out_equations_are_left_out(folder, mixed):
    rows = part(folder, held_out=HeldOut.of([mixed.rows])).rows
    assert len(rows) == 120
    assert not set(prefix_fingerprints(rows.prefix).tolist()) & set(prefix_fingerprints(mixed.rows.prefix).tolist())


def test_leaves_that_the_vocabulary_lacks_are_left_out(folder):
    few = Vocab.from_tokens([*"xyzw", *map(str, range(-3, 4))])
    rows = make_part(stream_settings(folder, 0, 60, (2, 4), MIXTURE), Planner(few), NOTHING, 0).rows
    leaves = {token for text in rows.prefix.to_pylist() for token in text.split()} - {"Equality", *few.functions}
    assert all(few.number_value(token) is not None for token in leaves - set(few.leaves))
    assert any("." in token for token in leaves)  # decimals need no leaf


def test_a_part_that_cannot_be_filled_says_so(folder):
    with pytest.raises(
        DataError, match=r"part 2 of the stream has \d+ different equations of depth 1-1, not 3,000; give fewer --rows"
    ):
        part(folder, 2, rows=3000, depths=(1, 1), mixture={"near-miss": 1.0})


def test_what_one_source_cannot_give_comes_from_the_others(folder):
    rows = part(folder, rows=20, depths=(1, 1), mixture={"near-miss": 1.0, "numeric": 1.0}).rows
    assert len(rows) == 20
    assert "numeric" not in rows.kind  # sin(2.5) = 0.598 has the depth 2
