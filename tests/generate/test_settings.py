"""Settings of a corpus: presets as documented, and errors for settings that make no sense."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from small_corpus import SMALL
from treesmu.generate.settings import CorpusSettings, corpus_settings, row_quotas


def test_presets_are_as_documented():
    paper, hard, quick = (corpus_settings(name) for name in ("paper", "hard", "quick"))
    assert paper.train_size + paper.validation_size == 41_894
    assert (paper.correct_share, paper.depths, paper.per_depth) == (0.56, (1, 13), 10_000)
    assert (paper.negatives, paper.first_occurrence) == (("mutation",), True)
    assert paper.families == ("algebra", "numbers", "trigonometry")
    assert (hard.negatives, hard.test_negatives) == (("near-miss",), ("near-miss", "mutation"))
    assert (quick.negatives, len(quick.families)) == (("near-miss",), 7)
    assert corpus_settings("hard", train_size=1_000_000).train_size == 1_000_000


def test_published_has_the_sizes_and_the_share_of_the_paper():
    settings = corpus_settings("published")
    assert (settings.way, settings.labels, settings.closed) == ("pools", "derived", ())
    sizes: Counter[str] = Counter()
    for split in ("train", "validation"):
        for (depth, kind), count in row_quotas(settings, split, settings.negatives).items():
            sizes["all"] += count
            sizes["shallow"] += count * (depth <= 7)
            sizes["correct"] += count * (kind == "correct")
            assert 1 <= depth <= 13
    assert sizes["all"] == 41_894
    assert sizes["shallow"] == pytest.approx(27_207, abs=1)
    assert sizes["correct"] == pytest.approx(0.56 * 41_894, abs=1)
    test = row_quotas(settings, "test", settings.test_negatives)
    assert {test[d, kind] for d in range(1, 20) for kind in ("correct", "mutation")} == {5_000}


def test_pools_have_few_correct_equations_of_depth_1():
    slots = row_quotas(corpus_settings("published"), "train", ("mutation",))
    assert slots[1, "correct"] < 0.2 * slots[1, "mutation"]
    assert slots[5, "correct"] > slots[5, "mutation"]


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"families": ("algebra",)}, "pools have identities of their own"),
        ({"axiom_files": (Path("mine.txt"),)}, "pools have identities of their own"),
        ({"negatives": ("near-miss",)}, "those of pools are mutations"),
        ({"numeric": 0.1}, "no numeric equations"),
        ({"closed": ("typo",)}, "lopsided"),
        ({"wrong_causes": ("typo",)}, "half-line"),
        ({"labels": "guessed"}, "derived"),
    ],
)
def test_settings_that_pools_do_not_have_are_refused(changes, complaint):
    with pytest.raises(ValueError, match=complaint):
        corpus_settings("published", **changes)


@pytest.mark.parametrize("changes", [{"labels": "derived"}, {"closed": ("padding",)}])
def test_settings_of_pools_are_refused_for_chains(changes):
    with pytest.raises(ValueError, match="settings of pools; take the preset published"):
        corpus_settings("paper", **changes)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"families": ("geometry",)}, "unknown family 'geometry'"),
        ({"families": ()}, "no identities"),
        ({"depths": (0, 3)}, "depths 0-3: expected 1 <= A <= B <= 30"),
        ({"test_depths": (5, 3)}, "test_depths 5-3"),
        ({"depths": (1, 31)}, "depths 1-31"),
        ({"negatives": ("typo",)}, "near-miss"),
        ({"numeric": 0.5}, "less than 0.5"),
        ({"correct_share": 1.0}, "less than 1"),
        ({"colour": "red"}, "colour"),
        ({"seed": -1}, "seed"),
        pytest.param({"negatives": ()}, "negatives"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes, complaint):
    with pytest.raises(ValueError, match=complaint):
        CorpusSettings(**{**SMALL, **changes})


def test_an_unknown_preset_is_named_with_those_known():
    with pytest.raises(ValueError, match="unknown preset 'huge'; known: quick, paper, hard, published"):
        corpus_settings("huge")
