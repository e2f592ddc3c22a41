"""``treesmu generate``: in a process of its own where that matters, else in that of the test."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import in_process
import treesmu
from copied_process import run_copy
from in_process import Done

TINY = "--train-size 60 --validation-size 12 --per-depth 6 --depths 2-4 --test-depths 3-5 --jobs 1".split()
PATIENCE = 600  # seconds; only guards against hanging


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "treesmu", "generate", *map(str, arguments)]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: in_process.treesmu(capsys, "generate", *arguments)


def contents(folder: Path) -> dict[str, str]:
    return {p.name: hashlib.sha256(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir())}


# -- output ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Done]:
    out = tmp_path_factory.mktemp("made") / "corpora" / "tiny"  # its parent is made too
    return out, run_copy("generate", out, "--seed", 5, *TINY)


def test_a_corpus_is_made_and_the_next_command_is_printed(made):
    out, done = made
    assert (done.returncode, done.stderr) == (0, "")
    summary, following = done.stdout.splitlines()
    assert summary.startswith("0 blanks, 1,938 candidates, 18 test, ")
    assert summary.endswith(f"-> {out}")
    assert following == f"next: treesmu data show {out}    treesmu data stats {out} --probe"
    assert [p.name for p in out.parent.iterdir()] == ["tiny"]
    names = "README.md blanks.parquet candidates.parquet manifest.json test.parquet train.parquet validation.parquet"
    assert list(contents(out)) == names.split()


def test_the_options_reach_the_corpus(made):
    out, _ = made
    settings = json.loads((out / "manifest.json").read_text())["settings"]
    wanted = {"seed": 5, "train_size": 60, "validation_size": 12, "per_depth": 6, "depths": [2, 4], "test_depths": [3, 5]}
    assert {name: settings[name] for name in wanted} == wanted
    assert set(pq.read_table(out / "test.parquet")["depth"].to_pylist()) == {3, 4, 5}
    assert set(pq.read_table(out / "train.parquet")["depth"].to_pylist()) <= {2, 3, 4}


def test_the_next_command_works(made, capsys: pytest.CaptureFixture[str]):
    out, _ = made
    shown = in_process.treesmu(capsys, "data", "show", out)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert len(shown.stdout.splitlines()) > 5


def test_same_seed_same_bytes_for_any_number_of_jobs(made, tmp_path: Path):
    out, _ = made
    options = [o if o != "1" else "2" for o in TINY]
    assert options != TINY
    assert run_copy("generate", tmp_path / "again", "--seed", 5, *options).returncode == 0
    assert contents(tmp_path / "again") == contents(out)


def test_json_is_the_manifest(run: Any, tmp_path: Path):
    done = run(tmp_path / "out", *TINY, "--json", "--preset", "paper", "--negatives", "near-miss, mutation", "--numeric", 0.2)
    assert (done.returncode, done.stderr) == (0, "")
    manifest = json.loads(done.stdout)
    assert manifest == json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert (manifest["version"], manifest["preset"], manifest["seed"]) == (treesmu.__version__, "paper", 0)
    assert manifest["settings"]["negatives"] == ["near-miss", "mutation"]
    assert manifest["settings"]["families"] == ["algebra", "numbers", "trigonometry"]


def test_the_labels_leaks_and_test_pools_of_published_are_options(run: Any, tmp_path: Path):
    options = ["--labels", "checked", "--close", "padding, functions", "--test-pools", "same"]
    done = run(tmp_path / "out", *TINY, "--json", "--preset", "published", *options)
    assert done.returncode == 0
    settings = json.loads(done.stdout)["settings"]
    assert settings["test_pools"] == "same"
    assert (settings["way"], settings["labels"], settings["closed"]) == ("pools", "checked", ["padding", "functions"])


def test_families_and_own_axioms_can_be_chosen(run: Any, tmp_path: Path):
    (tmp_path / "mine.txt").write_text("atan(x) + atan(-x) = 0\n")
    done = run(tmp_path / "out", *TINY, "--families", "numbers", "--axioms", tmp_path / "mine.txt")
    assert done.returncode == 0
    tokens = {t for p in pq.read_table(tmp_path / "out" / "train.parquet")["prefix"].to_pylist() for t in p.split()}
    assert "atan" in tokens
    assert not tokens & {"sinh", "exp", "asinh", "log"}


def test_an_empty_folder_may_be_given(run: Any, tmp_path: Path):
    (tmp_path / "out").mkdir()
    assert run(tmp_path / "out", *TINY).returncode == 0
    assert (tmp_path / "out" / "manifest.json").exists()


# -- wrong input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--preset", "huge"], "unknown preset 'huge'; known: quick, paper, hard, published"),
        (["--labels", "derived"], "labels, test_pools and closed leaks are settings of pools; take the preset published"),
        (["--preset", "published", "--close", "leaks"], "closed.0: "),
        (["--preset", "published", "--families", "algebra"], "families: pools have identities of their own"),
        (["--families", "algebra,geometry"], "unknown family 'geometry'; known: algebra, "),
        (["--families", ""], "no identities: name at least one family or one file of identities"),
        (["--depths", "7-1"], "depths '7-1': expected A-B with A <= B, such as 1-7"),
        (["--depths", "deep"], "depths 'deep': expected A-B"),
        (["--depths", "0-3"], "depths 0-3: expected 1 <= A <= B <= 30"),
        (["--test-depths", "3-40"], "test_depths 3-40: expected 1 <= A <= B <= 30"),
        (["--negatives", "wrong"], "negatives.0: Input should be 'near-miss', 'mutation', 'slip' or 'filler', not 'wrong'"),
        (["--numeric", "0.7"], "Invalid value for '--numeric': "),
        (["--train-size", "0"], "Invalid value for '--train-size': "),
        (["--per-depth", "many"], "Invalid value for '--per-depth': "),
        (["--seed", "-1"], "Invalid value for '--seed': "),
        (["--colour"], "No such option: --colour"),
        (["--axioms", "missing.txt"], "axioms missing.txt: cannot be read: No such file or directory"),
        (["--axioms", "bad.txt"], "bad.txt, line 2: expected ')' before '='"),
        (["--axioms", "empty.txt"], "empty.txt contains no identity"),
        (["--axioms", "latin.txt"], "axioms latin.txt: byte 0 is not UTF-8 text"),
        (["--negatives", ""], "negatives"),
    ],
)
def test_bad_input_is_one_message_and_exit_code_2(
    run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, arguments: list[str], complaint: str
):
    (tmp_path / "bad.txt").write_text("x + y = y + x\nsin(x = 2\n")
    (tmp_path / "empty.txt").write_text("# nothing yet\n")
    (tmp_path / "latin.txt").write_bytes(b"\xff\xfe = 1\n")
    before = sorted(tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    done = run("out", *TINY, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"treesmu: {complaint}")
    assert "Traceback" not in done.stderr
    if "bad.txt" not in arguments:  # which shows the position in further lines
        assert len(done.stderr.splitlines()) == 1
    assert sorted(tmp_path.iterdir()) == before


def test_a_missing_folder_name_is_reported(run: Any):
    done = run()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "treesmu: Missing argument 'out' (see: treesmu generate --help)\n"


def test_an_existing_corpus_is_refused_and_left_untouched(run: Any, tmp_path: Path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "precious.txt").write_text("years of work")
    done = run(out, *TINY)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"treesmu: {out} exists already; choose another folder, or remove it first\n"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]
    assert [(p.name, p.read_text()) for p in out.iterdir()] == [("precious.txt", "years of work")]


@pytest.mark.parametrize("where", ["file", "file/out", "file/below/out"])
def test_a_path_where_no_folder_can_be_made_is_reported_in_one_line(run: Any, tmp_path: Path, where: str):
    (tmp_path / "file").write_text("a file")
    done = run(tmp_path / where, *TINY)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert str(tmp_path / "file") in done.stderr
    assert (tmp_path / "file").read_text() == "a file"
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /proc")
def test_a_folder_that_cannot_be_written_is_one_line(run: Any):
    done = run("/proc/treesmu/out", *TINY)  # not even root makes a folder there
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "treesmu: /proc/treesmu/out: cannot be written: No such file or directory\n"


def test_an_unknown_engine_is_refused_and_nothing_is_left(run: Any, tmp_path: Path):
    done = run(tmp_path / "out", *TINY, "--engine", "abacus")
    assert done.returncode != 0
    assert done.stderr == "treesmu: unknown engine 'abacus'; known: local, ray\n"
    assert list(tmp_path.iterdir()) == []


def test_the_current_folder_is_refused_at_once(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)  # its place is taken by a finished folder, so a shell in it would be nowhere
    in_process.assert_refused(run(".", *TINY), f"{tmp_path} exists already; choose another folder")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="needs ulimit")
def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path):
    whole = ["sh", "-c", 'ulimit -f 2 && exec "$@"', "sh", *command("out", *TINY)]  # no file above a few kB
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(whole, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=tmp_path, env=env)
    assert done.returncode in (1, 2)
    assert done.stderr.startswith("treesmu: out: cannot be written: ")
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
