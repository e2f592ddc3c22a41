"""``treesmu data`` as a person meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpora import ROWS, write_corpus
from typer.testing import CliRunner, Result

from treesmu.cli.data import data_app
from treesmu.data import DataError
from treesmu.data.dataset import Dataset


def run(*arguments: object) -> Result:
    return CliRunner().invoke(data_app, [str(a) for a in arguments])


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "corpus")


def test_show_prints_the_rows_that_are_asked_for(corpus: Path) -> None:
    done = run("show", corpus, "--label", 1, "--depths", "2-3", "--kind", "rewrite", "--kind", "numeric")
    assert done.exit_code == 0
    assert done.stdout.splitlines() == ["correct     2  rewrite  x + y = y + x", "correct     2  numeric  sin(2.5) = 0.6"]
    rows = json.loads(run("show", corpus, "--split", "train", "--count", 3, "--json").stdout)
    assert [row["split"] for row in rows] == ["train"] * 3


def test_show_chooses_rows_by_the_seed(corpus: Path) -> None:
    first, again, other = (run("show", corpus, "--count", 4, "--seed", seed).stdout for seed in (1, 1, 2))
    assert first == again != other


def test_stats_prints_tables_probes_and_writes_figures(corpus: Path, tmp_path: Path) -> None:
    done = run("stats", corpus, "--probe", "--figures", tmp_path / "figures")
    assert done.exit_code == 0
    for title in ("24 equations by depth", "How they were made", "Functions", "Leaves", "Leak probes"):
        assert title in done.stdout
    assert len(list((tmp_path / "figures").iterdir())) == 6
    found = json.loads(run("stats", corpus, "--split", "test", "--depths", "4", "--json").stdout)
    assert [row["rows"] for row in found["depth"]] == [4]


def test_audit_of_right_labels_is_exit_code_0(corpus: Path) -> None:
    done = run("audit", corpus, "--jobs", 1)
    assert (done.exit_code, done.stdout.splitlines()[-1].split(", ")[-1]) == (0, "0 contradictions")


def test_audit_prints_a_wrong_label_and_is_exit_code_1(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus", [*ROWS, ("cos(2x) = 2 cos(x)^2 + 1", 1, "rewrite")])
    done = run("audit", corpus, "--split", "test", "--jobs", 1)
    assert done.exit_code == 1
    assert f"{corpus}, test row 8: label 1, but left " in done.stdout
    assert "cos(2*x) = 2*cos(x)^2 + 1" in done.stdout
    done = run("audit", corpus, "--split", "test", "--jobs", 1, "--json")
    assert done.exit_code == 1
    assert len(json.loads(done.stdout)["contradictions"]) == 1


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl", ".json"])
def test_convert_there_and_back_keeps_equations_and_labels(suffix: str, corpus: Path, tmp_path: Path) -> None:
    assert run("convert", corpus, tmp_path / f"copy{suffix}").exit_code == 0
    assert run("convert", tmp_path / f"copy{suffix}", tmp_path / "back.parquet").exit_code == 0
    first, last = Dataset.read(corpus), Dataset.read(tmp_path / "back.parquet")
    assert list(zip(last.prefix.to_pylist(), last.label.tolist(), strict=True)) == list(
        zip(first.prefix.to_pylist(), first.label.tolist(), strict=True)
    )


def test_filters_that_leave_nothing_say_what_there_is(corpus: Path) -> None:
    error = run("show", corpus, "--depths", "8-13").exception
    assert isinstance(error, DataError)
    assert str(error) == f"{corpus}: no row is like that; there are depths 2-4, kinds mutation, near-miss, numeric, rewrite"


def test_a_probe_of_a_file_is_an_error(corpus: Path) -> None:
    error = run("stats", corpus / "test.parquet", "--probe").exception
    assert isinstance(error, DataError)
    assert "not a corpus folder" in str(error)


def test_bad_usage_is_exit_code_2(corpus: Path) -> None:
    assert run("show", corpus, "--depths", "deep").exit_code == 2
    assert run("audit").exit_code == 2


@pytest.mark.parametrize("command", ["show", "stats", "audit", "convert"])
def test_every_command_has_help(command: str) -> None:
    done = run(command, "--help")
    assert done.exit_code == 0
    assert "--depths" in done.stdout
