"""``treesmu data`` in the process of the test."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from corpora import ROWS, write_corpus, write_manifest, write_split
from in_process import assert_refused, treesmu
from process_groups import PATIENCE, at_work, members, wait_until_gone
from treesmu.cli.data import data_app
from treesmu.data import DataError
from treesmu.data.corpus.dataset import Dataset
from treesmu.data.inspect.audit import CHUNK


def run(*arguments: object) -> Result:
    return CliRunner().invoke(data_app, [str(a) for a in arguments])


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "corpus")


def test_show_prints_the_selected_rows(corpus: Path) -> None:
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
    for title in ("24 equations by depth", "Equations by kind", "Functions", "Leaves", "Leak probes"):
        assert title in done.stdout
    assert len(list((tmp_path / "figures").iterdir())) == 6
    found = json.loads(run("stats", corpus, "--split", "test", "--depths", "4", "--json").stdout)
    assert [row["rows"] for row in found["depth"]] == [4]


def test_stats_of_two_are_printed_side_by_side(corpus: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    run("convert", corpus, other, "--split", "train")
    done = run("stats", corpus, "--beside", other)
    assert done.exit_code == 0
    for title in ("Median nodes of the smaller and the larger side", "Labels by the numeric check", str(other)):
        assert title in done.stdout
    found = json.loads(run("stats", corpus, "--beside", other, "--json").stdout)
    assert found["rows"][0] == {"figure": "equations", str(corpus): 24, str(other): 8}


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


def test_audit_prints_a_wrong_depth_and_is_exit_code_1(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text('{"infix": "x = x", "label": 1, "depth": 7, "size": 3}\n')
    done = run("audit", path)
    assert done.exit_code == 1
    assert f"{path}, row 0: label 1, but the stored depth is 7; that of the tree is 1\n  x = x\n" in done.stdout


def test_audit_compares_the_files_with_the_manifest(corpus: Path) -> None:
    write_manifest(corpus)
    assert run("audit", corpus, "--jobs", 1, "--rows", 2).exit_code == 0
    write_split(corpus / "train.parquet", ROWS[:6])
    done = run("audit", corpus, "--jobs", 1, "--rows", 2)
    assert done.exit_code == 1
    assert done.stdout.startswith(f"{corpus / 'train.parquet'}: is not the file of manifest.json (sha256 ")
    assert done.stdout.endswith("0 contradictions\n")
    assert len(json.loads(run("audit", corpus, "--rows", 2, "--json").stdout)["files"]) == 1
    refused = run("audit", corpus / "train.parquet", "--rows", 2).exception
    assert isinstance(refused, DataError)
    assert "train.parquet: is not the file of manifest.json (sha256 " in str(refused)


def test_audit_reports_a_damaged_file(corpus: Path) -> None:
    write_manifest(corpus)
    content = (corpus / "train.parquet").read_bytes()
    (corpus / "train.parquet").write_bytes(content[:-100])
    done = run("audit", corpus)
    assert done.exit_code == 1
    assert f"{corpus / 'train.parquet'}: is not the file of manifest.json" in done.stdout
    assert "0 rows" in done.stdout  # nothing of it is read
    (corpus / "manifest.json").unlink()  # without it, nothing but the file itself tells that it is damaged
    error = run("audit", corpus).exception
    assert isinstance(error, DataError)
    assert "train.parquet: not a Parquet file" in str(error)


# -- interrupted -------------------------------------------------------------------------------------------------------


@contextmanager
def auditing(corpus: Path) -> Iterator[subprocess.Popen[bytes]]:
    """An audit in the middle of its work, with two workers."""
    write_corpus(corpus, ROWS * CHUNK)  # more than one task
    with at_work(["data", "audit", corpus, "--rows", 2 * CHUNK], 2, corpus.parent, subprocess.PIPE) as process:
        yield process


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_workers_end_with_a_killed_audit(corpus: Path) -> None:
    with auditing(corpus) as process:
        assert len(members(process.pid)) > 2
        process.kill()
        wait_until_gone(process.pid)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_ctrl_c_ends_an_audit_in_one_line(corpus: Path) -> None:
    with auditing(corpus) as process:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes of the command
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out, err) == (130, b"", b"treesmu: interrupted\n")
        wait_until_gone(process.pid)


# -- conversion and wrong usage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl", ".csv", ".tsv", ".json"])
def test_convert_there_and_back_keeps_equations_and_labels(suffix: str, corpus: Path, tmp_path: Path) -> None:
    done = run("convert", corpus, tmp_path / f"copy{suffix}")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.endswith(f" equations -> {tmp_path / f'copy{suffix}'}\n")
    assert run("convert", tmp_path / f"copy{suffix}", tmp_path / "back.parquet").exit_code == 0
    first, last = Dataset.read(corpus), Dataset.read(tmp_path / "back.parquet")
    assert list(zip(last.prefix.to_pylist(), last.label.tolist(), strict=True)) == list(
        zip(first.prefix.to_pylist(), first.label.tolist(), strict=True)
    )


def test_an_empty_selection_says_what_the_data_has(corpus: Path) -> None:
    error = run("show", corpus, "--depths", "8-13").exception
    assert isinstance(error, DataError)
    assert (
        str(error)
        == f"{corpus}: no row matches these options; the data has depths 2-4, kinds mutation, near-miss, numeric, rewrite"
    )


def test_a_probe_of_a_file_uses_the_splits_of_its_import(corpus: Path) -> None:
    error = run("stats", corpus / "test.parquet", "--probe").exception
    assert isinstance(error, DataError)
    assert "imported/test.parquet-" in str(error)
    assert "a probe needs correct and incorrect equations" in str(error)  # the file has eight


def test_bad_usage_is_exit_code_2(capsys: pytest.CaptureFixture[str], corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for arguments, message in (
        (("show", corpus, "--depths", "deep"), "treesmu: depths 'deep': expected A-B with A <= B, such as 1-7"),
        (("audit",), "treesmu: Missing argument 'path' (see: treesmu data audit --help)"),
        (("stats", tmp_path / "empty"), f"treesmu: {tmp_path / 'empty'}: a folder without files of equations; "),
    ):
        done = treesmu(capsys, "data", *arguments)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert done.stderr.startswith(message)


def test_data_alone_prints_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    done = treesmu(capsys, "data")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: treesmu data ")
    assert "Import, show, count, re-check and convert equations." in done.stdout
    assert "convert" in done.stdout


@pytest.mark.parametrize("command", ["show", "stats", "audit", "convert"])
def test_every_command_has_help(command: str) -> None:
    done = run(command, "--help")
    assert done.exit_code == 0
    assert "--depths" in done.stdout


def test_convert_never_overwrites_a_file_not_even_of_its_own_corpus(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (corpus / "test.parquet").read_bytes()
    done = treesmu(capsys, "data", "convert", corpus, corpus / "test.parquet", "--label", 1)
    assert_refused(done, "test.parquet exists already; choose another name, or remove it first")
    assert (corpus / "test.parquet").read_bytes() == before
