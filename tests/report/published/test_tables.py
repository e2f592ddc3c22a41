"""The tables of data as published."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from published_study import EACH, FILES, analysis_of, results_of, run_of
from reproduced import run_name
from treesmu.report.numbers import Spread
from treesmu.report.paper import PaperValue
from treesmu.report.published.tables import gold_table, paper_table, sides_table, transfer_table
from treesmu.report.table import Compared, Table

ON_ORIGINAL = {"original": 90, "original-other": 80, "published-same": 86, "published": 76, "hard": 52, "gold": 70}
ON_PUBLISHED = {"original": 85, "original-other": 75, "published-same": 91, "published": 79, "hard": 53, "gold": 88}


@pytest.fixture
def analyses() -> dict[str, Any]:
    found = {run_of("original", "tree-smu", seed): analysis_of(ON_ORIGINAL, seen=2) for seed in (1, 2)}
    return found | {run_of("published", model): analysis_of(ON_PUBLISHED, seen=2) for model in ("majority", "tree-smu")}


def column(table: Table, title: str) -> list[Any]:
    place = [one.title for one in table.columns].index(title)
    return [row[place] for row in table.rows]


def test_the_papers_numbers_are_beside_the_mean_over_depths_of_its_protocol(tmp_path: Path, analyses: dict[str, Any]) -> None:
    table = paper_table(results_of(tmp_path, analyses))
    assert [row[:2] for row in table.rows] == [("original", "Tree-SMU"), ("published", "Tree-SMU"), ("published", "Majority")]
    ours = column(table, "paper's protocol, 8-19, over depths %")
    assert isinstance(ours[0], Compared)
    assert (ours[0].paper, ours[0].ours.values) == (PaperValue(79.57, 0.16), (pytest.approx(0.82), pytest.approx(0.82)))
    assert isinstance(same := column(table, "same way, 1-7, over equations %")[0], Spread)
    assert same.mean == pytest.approx(0.92)
    assert column(table, "seeds") == [2, 1, 1]
    assert not any("Without the corpus" in note for note in table.notes)


def test_the_table_says_which_corpora_are_missing(tmp_path: Path, analyses: dict[str, Any]) -> None:
    ours = {name: found for name, found in analyses.items() if name.startswith("published")}
    table = paper_table(results_of(tmp_path, ours, without=FILES))
    assert [row[0] for row in table.rows] == ["published", "published"]
    assert "Without the corpus original: original.json was not given; name its folder with --files." in table.notes


def test_transfer_has_the_training_corpus_in_rows_and_the_test_set_in_columns(tmp_path: Path, analyses: dict[str, Any]) -> None:
    table = transfer_table(results_of(tmp_path, analyses))
    assert [row[:3] for row in table.rows] == [
        ("Tree-SMU", depths, corpus) for depths in ("1-7", "8-19") for corpus in ("original", "published")
    ]
    assert [one.title for one in table.columns[3:]] == [
        "original %", "original-other %", "published-same %", "published %", "hard %",
    ]  # fmt: skip
    shown = [[round(100 * cell.mean) for cell in row[3:] if isinstance(cell, Spread)] for row in table.rows]
    assert shown == [[92, 82, 88, 78, 54], [87, 77, 93, 81, 55]] * 2
    assert "for original and published-same over equations." in " ".join(table.notes)


def test_accuracy_is_shown_by_the_number_of_seen_sides(tmp_path: Path, analyses: dict[str, Any]) -> None:
    table = sides_table(results_of(tmp_path, analyses))
    assert [row[:4] for row in table.rows][:2] == [
        ("original", "in the same way", "Tree-SMU", "1-7"),
        ("original", "in the same way", "Tree-SMU", "8-19"),
    ]
    assert column(table, "no side: of the equations %") == [pytest.approx(1 / 3)] * 8
    means = [[round(100 * cell.mean) for cell in row[5::2] if isinstance(cell, Spread)] for row in table.rows]
    assert means[::2] == [[90, 92, 94], [80, 82, 84], [91, 93, 95], [79, 81, 83]]
    assert "The paper has at depth 1-7: Tree-LSTM 83.06±0.01, Tree-SMU 83.29±0.01." in table.notes


def test_models_of_all_depths_are_shown_with_the_gold_equations_only(tmp_path: Path, analyses: dict[str, Any]) -> None:
    """In the other tables, depth 8-19 is deeper than all training equations."""
    whole = run_name("published", "tree-smu", "paper", 1, "all")
    study = results_of(tmp_path, analyses | {whole: analysis_of(dict.fromkeys(ON_PUBLISHED, 95))})
    assert [row[:2] for row in gold_table(study, "gold").rows] == [
        ("original", "Tree-SMU"), ("published", "Tree-SMU"), ("published, all depths", "Tree-SMU"),
    ]  # fmt: skip
    assert [row[0] for row in paper_table(study).rows] == ["original", "published", "published"]
    assert len(transfer_table(study).rows) == 4


def test_gold_equations_and_wrong_answers_are_shown_apart(tmp_path: Path, analyses: dict[str, Any]) -> None:
    counts = analyses[run_of("published", "tree-smu")]["tests"]["gold"]
    counts["right"] = [EACH if label else EACH // 4 for label in counts["label"]]
    table = gold_table(results_of(tmp_path, analyses), "gold")
    assert [row[:2] for row in table.rows] == [("original", "Tree-SMU"), ("published", "Tree-SMU")]
    assert [round(100 * cell.mean) for cell in column(table, "gold called correct %")] == [72, 100]
    assert [round(100 * cell.mean) for cell in column(table, "wrong answers called incorrect %")] == [72, 25]
    assert table.notes[0].startswith("5,700 equations of the authors' blanks")
