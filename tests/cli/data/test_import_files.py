"""``treesmu data import``: a CSV file with bad lines becomes a corpus, and every bad line is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from in_process import assert_refused, treesmu
from own_files import write_csv
from treesmu.data import Dataset


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Any:
    return lambda *arguments: treesmu(capsys, "data", "import", *arguments, "--out", tmp_path / "out")


def test_every_bad_line_is_named_and_the_rest_is_a_corpus(call: Any, tmp_path: Path) -> None:
    expected = write_csv(tmp_path / "mine.csv", 60, bad=True)
    done = call(tmp_path / "mine.csv")
    assert done.returncode == 0
    for line, reason in expected.items():
        assert f"treesmu: mine.csv, line {line}: {reason}" in done.stderr
    assert "treesmu: 10 bad lines left out\n" in done.stderr
    first, counts, following = done.stdout.splitlines()
    assert first == "mine.csv: 60 equations (equation equation, label label)"
    rows = {split: len(Dataset.read(tmp_path / "out", split)) for split in ("train", "validation", "test")}
    assert counts == ", ".join(f"{n} {split}" for split, n in rows.items()) + f" -> {tmp_path / 'out'}"
    assert following.startswith(f"next: treesmu data show {tmp_path / 'out'}")
    assert sum(rows.values()) == 60


def test_the_next_command_can_be_copied_whatever_the_name(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    write_csv(tmp_path / "my equations: θ & φ.csv", 20)
    done = treesmu(capsys, "data", "import", tmp_path / "my equations: θ & φ.csv", "--out", tmp_path / "new corpus")
    *_, following = done.stdout.splitlines()
    assert following.startswith(f"next: treesmu data show '{tmp_path / 'new corpus'}' ")
    assert len(Dataset.read(tmp_path / "new corpus", "all")) == 20


def test_bad_lines_can_be_refused_and_only_some_listed(call: Any, tmp_path: Path) -> None:
    expected = write_csv(tmp_path / "mine.csv", 60, bad=True)
    done = call(tmp_path / "mine.csv", "--bad-lines", "refuse", "--limit-listed", "3")
    assert (done.returncode, done.stdout) == (2, "")
    *listed, more, last = done.stderr.splitlines()
    assert [line.split(": ", 2)[1] for line in listed] == [f"mine.csv, line {number}" for number in list(expected)[:3]]
    assert (more, last) == (
        "treesmu: and 7 more",
        "treesmu: 10 bad lines; correct them, or leave them out: --bad-lines skip",
    )
    assert not (tmp_path / "out").exists()


def test_json_is_the_manifest_and_options_are_kept_in_it(call: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.tsv").write_text("nr\tlinks\trechts\tgut\n" + "".join(f"{i}\tx + {i}\t{i} + x\t0\n" for i in range(9)))
    done = call(
        tmp_path / "mine.tsv", "--equation", "links,rechts", "--label", "gut", "--check", "--disagreements", "correct",
        "--seed", "3", "--json",
    )  # fmt: skip
    manifest = json.loads(done.stdout)
    assert manifest == json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["settings"] == {
        "seed": 3, "validation": 0.1, "test": 0.1, "equation": "links,rechts", "label": "gut", "check": True,
        "disagreements": "correct", "bad_lines": "skip", "overlap": "keep", "listed": 20,
    }  # fmt: skip
    assert (
        "mine.tsv, line 2: the label is incorrect, but the check says correct (equal at 24 points): x + 0 = 0 + x"
        in done.stderr
    )
    assert "9 labels contradicted by the check" in done.stderr
    assert (Dataset.read(tmp_path / "out", "all").label == 1).all()


def test_wrong_use_is_one_line_and_leaves_nothing(call: Any, tmp_path: Path) -> None:
    write_csv(tmp_path / "mine.csv", 20)
    for arguments, message in [
        ((tmp_path / "none.csv",), "none.csv: there is no such file or folder"),
        ((tmp_path / "mine.csv", "--label", "no"), "mine.csv: there is no column 'no'; there are: equation, label"),
        ((tmp_path / "mine.csv", "--bad-lines", "no"), "--bad-lines no: unknown; known: skip, refuse"),
        ((tmp_path / "mine.csv", "--validation", "0.7", "--test", "0.7"), "shares from 0, together below 1"),
    ]:
        assert_refused(call(*arguments), message)
        assert [p.name for p in tmp_path.iterdir()] == ["mine.csv"]
    (tmp_path / "out").write_text("precious")
    assert_refused(call(tmp_path / "mine.csv"), "out exists already; choose another folder, or remove it first")
    assert (tmp_path / "out").read_text() == "precious"


def test_an_interruption_leaves_nothing(call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_csv(tmp_path / "mine.csv", 20)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("treesmu.importing.corpus.assign_splits", interrupt)
    assert call(tmp_path / "mine.csv").returncode == 130
    assert [p.name for p in tmp_path.iterdir()] == ["mine.csv"]
