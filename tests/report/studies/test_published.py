"""The section on data as published: its parts and what it concludes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from published_study import FILES, analysis_of, results_of, run_of, write_study
from treesmu.report.folder import Folder
from treesmu.report.section import Section
from treesmu.report.studies import section
from treesmu.report.text.limits import describe_limits
from treesmu.report.write import write_report

ON_ORIGINAL = {"original": 88, "original-other": 80, "published-same": 86, "published": 76, "hard": 52, "gold": 70}
ON_PUBLISHED = {"original": 84, "original-other": 75, "published-same": 86, "published": 78, "hard": 53, "gold": 88}


def analyses(corpora: dict[str, dict[str, int]]) -> dict[str, Any]:
    return {
        run_of(corpus, model, seed): analysis_of({test: value + seed + lead for test, value in percents.items()}, seen=2)
        for corpus, percents in corpora.items()
        for model, lead in (("lstm", -9), ("tree-rnn", -4), ("tree-lstm", -1), ("tree-smu", 1))
        for seed in (1, 2, 3)
    }  # every difference is the same with all seeds, from which nothing is claimed: the test is not defined


BOTH = {"original": ON_ORIGINAL, "published": ON_PUBLISHED}


def section_of(path: Path, *arguments: Any, **changes: Any) -> Section:
    return section(results_of(path, *arguments, **changes), path)


def test_the_section_has_every_part_and_every_conclusion(tmp_path: Path) -> None:
    found = section_of(tmp_path, analyses(BOTH))
    assert [part.name for part in found.parts] == [
        "published", "from-published-to-fair", "lead", "transfer", "seen-sides", "gold",
    ]  # fmt: skip
    assert found.conclusions[0] == (
        "Trained on original, tested by the paper's protocol: Tree-SMU 85.0 ± 1.0% (paper 83.3%) at depth 1-7 and 85.0 ± 1.0% "
        "(paper 79.6%) at depth 8-19; Tree-LSTM 83.0 ± 1.0% (paper 83.1%) at depth 1-7 and 83.0 ± 1.0% (paper 77.6%) at depth "
        "8-19."
    )
    said = "\n".join(found.conclusions)
    assert said.count("The lead of Tree-SMU over Tree-LSTM at depth 8-19") == 4
    assert said.count("The paper's order LSTM < Tree-RNN < Tree-LSTM < Tree-SMU at depth 8-19") == 4
    assert [family.question for family in found.families] == [
        "lead of Tree-SMU",
        "the paper's order",
        "from the paper's data to fair data",
        "transfer between corpora",
        "sides that are seen in training",
    ]
    assert "Tree-SMU at depth 8-19, from the paper's data to fair data: original 85.0 ± 1.0%, published 83.0 ± 1.0%." in said
    assert found.conclusions[-1] == (
        "Of the authors' equations that the numeric check confirms, Tree-SMU calls correct, by training corpus: 75.0 ± 1.0% "
        "(original), 93.0 ± 1.0% (published)."
    )


def test_both_corpora_are_compared_on_their_own_test_and_on_each_others(tmp_path: Path) -> None:
    said = section_of(tmp_path, analyses(BOTH)).conclusions
    models = "LSTM, Tree-RNN, Tree-LSTM and Tree-SMU, depth 8-19, tested"
    none = "significantly higher in 0 and significantly lower in 0 of"
    other = "trained on one of them and tested on the other, instead of trained there,"
    for way, own, ends in (("in the same way", "−2.0", "−4.0 to +0.0"), ("by the paper's protocol", "−2.0", "−5.0 to −2.0")):
        both = f"{own} points, {none} 4 cases; {other} {ends} points, {none} 8 cases."
        assert f"{models} {way}: trained and tested on published instead of original, {both}" in said


def test_the_papers_systematicity_is_compared_with_ours_on_seen_and_new_sides(tmp_path: Path) -> None:
    said = "\n".join(section_of(tmp_path, analyses(BOTH)).conclusions)
    assert (
        "Tree-SMU at depth 1-7, trained on published, tested in the same way: 92.0 ± 1.0% on equations with a side of the "
        "training set, 89.0 ± 1.0% on the others, which are 33.3%; the paper has 83.3%" in said
    )


def test_without_files_the_section_has_our_own_data_and_says_what_is_missing(tmp_path: Path) -> None:
    found = section_of(tmp_path, analyses({"published": ON_PUBLISHED}), without=FILES)
    assert "gold" not in [part.name for part in found.parts]
    said = "\n".join(found.conclusions)
    assert "original" not in said
    assert "Trained on published, tested by the paper's protocol: Tree-SMU 83.0" in said
    missing = "Without the corpus original: original.json was not given; name its folder with --files."
    assert missing in describe_limits(Folder(tmp_path))


@pytest.mark.parametrize("models", [("majority",), ("tree-smu",)])
def test_a_section_with_few_results_has_what_there_is(tmp_path: Path, models: tuple[str, ...]) -> None:
    done = {run_of("published", model): analysis_of({"published": 60, "hard": 50}) for model in models}
    found = section_of(tmp_path, done)
    assert "published" in [part.name for part in found.parts]
    assert not any("lead" in sentence for sentence in found.conclusions)


def test_the_report_is_written_with_its_tables_and_the_figure(tmp_path: Path) -> None:
    written = write_report(write_study(tmp_path, analyses(BOTH)))
    assert written.report is not None
    page = written.report.read_text()
    assert 'id="figure-from-published-to-fair"' in page
    assert "study of productivity" not in page
    assert "Results of the studies" in page
    assert {file.name for file in written.tables} >= {"published.md", "lead.tex", "transfer.csv", "seen-sides.md", "gold.md"}
