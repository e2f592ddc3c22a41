"""Settings of a corpus: presets as documented, and errors for settings that make no sense."""

from __future__ import annotations

import pytest

from small_corpus import SMALL
from treesmu.generate.settings import CorpusSettings, corpus_settings


def test_presets_are_as_documented():
    paper, hard, quick = (corpus_settings(name) for name in ("paper", "hard", "quick"))
    assert paper.train_size + paper.validation_size == 41_894
    assert (paper.correct_share, paper.depths, paper.per_depth) == (0.56, (1, 13), 10_000)
    assert (paper.negatives, paper.first_occurrence) == (("mutation",), True)
    assert paper.families == ("algebra", "numbers", "trigonometry")
    assert (hard.negatives, hard.test_negatives) == (("near-miss",), ("near-miss", "mutation"))
    assert (quick.negatives, len(quick.families)) == (("near-miss",), 7)
    assert corpus_settings("hard", train_size=1_000_000).train_size == 1_000_000


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
    with pytest.raises(ValueError, match="unknown preset 'huge'; known: quick, paper, hard"):
        corpus_settings("huge")
