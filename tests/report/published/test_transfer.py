"""Transfer between two corpora that are like the paper's."""

from __future__ import annotations

from pathlib import Path

from published_study import analysis_of, results_of, run_of
from treesmu.report.published.transfer import OTHER, OWN, transfer_family, transfer_sentences


def test_own_and_other_tests_are_compared_for_each_model(tmp_path: Path) -> None:
    done = {}
    for seed, noise in ((1, 0), (2, 1), (3, 3)):
        done[run_of("original", "tree-smu", seed)] = analysis_of({"original-other": 80 + noise, "published": 60})
        done[run_of("published", "tree-smu", seed)] = analysis_of({"original-other": 65 + noise, "published": 81})
    study = results_of(tmp_path, done)
    family = transfer_family(study)
    (own,) = family[f"{OWN}, depth 8-19, tested by the paper's protocol"]
    first, second = family[f"{OTHER}, depth 8-19, tested by the paper's protocol"]
    assert [round(100 * one.difference.mean, 1) for one in (own, first, second)] == [-0.3, -15.0, -21.0]
    assert own.where == "Tree-SMU"
    (sentence,) = (text for text in transfer_sentences(study, family) if "8-19" in text)
    assert sentence.startswith(
        "Tree-SMU, depth 8-19, tested by the paper's protocol: trained and tested on published instead of"
    )


def test_one_corpus_has_no_transfer(tmp_path: Path) -> None:
    study = results_of(tmp_path, {run_of("published", "tree-smu"): analysis_of({"published": 60})})
    assert transfer_sentences(study, transfer_family(study)) == []
