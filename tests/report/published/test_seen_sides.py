"""What the paper's systematicity is beside ours with and without sides that are seen in training."""

from __future__ import annotations

from pathlib import Path

import pytest

from published_study import FILES, counts, results_of, run_of
from treesmu.report.published.seen_sides import describe_place, sides_family, sides_sentences
from treesmu.report.statistics.family import Outcome

HIGHER, LOWER, OPEN, ONE = Outcome.HIGHER, Outcome.LOWER, Outcome.NOT_SHOWN, Outcome.ONE_SEED


@pytest.mark.parametrize(
    ("helps", "beside_new", "beside_seen", "said"),
    [
        (HIGHER, OPEN, LOWER, ", which is below the former and not significantly different from the latter"),
        (HIGHER, HIGHER, LOWER, ", which is between both: a test set with fewer seen sides would have it"),
        (HIGHER, LOWER, LOWER, ", which is below both: seen sides do not explain it"),
        (OPEN, LOWER, LOWER, ", which is below both: seen sides do not explain it"),
        (HIGHER, HIGHER, HIGHER, ", which is above both"),
        (OPEN, OPEN, LOWER, ""),
        (HIGHER, OPEN, OPEN, ""),
        (ONE, ONE, ONE, ""),
    ],
)
def test_seen_sides_explain_the_papers_number_only_if_all_three_differences_are_shown(
    helps: Outcome, beside_new: Outcome, beside_seen: Outcome, said: str
) -> None:
    assert describe_place(helps, beside_new, beside_seen) == said


def test_the_papers_number_is_compared_with_both_accuracies(tmp_path: Path) -> None:
    percents = ((70, 8), (71, 9), (70, 9))  # on new sides, and how much each seen side adds
    done = {
        run_of("published", "tree-smu", seed): {"tests": {"published": counts(percent, seen)}}
        for seed, (percent, seen) in enumerate(percents, 1)
    }
    study = results_of(tmp_path, done, without=FILES)
    family = sides_family(study)
    assert [one.outcome for one in family] == [HIGHER, HIGHER, OPEN]  # seen and new; the paper's and new; the paper's and seen
    assert sides_sentences(study, family) == [
        "Tree-SMU at depth 1-7, trained on published, tested by the paper's protocol: 83.3 ± 1.3% on equations with a side of "
        "the training set, 70.3 ± 0.6% on the others, which are 33.3%; the paper has 83.3%."
    ]
