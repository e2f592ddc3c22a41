"""Files become a corpus like any other: without leaks, with checksums, the same bytes for the same seed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from own_files import run_import, write_csv
from treesmu.data import Blanks, Candidates, Dataset, by_depth, write_authors
from treesmu.data.corpus.manifest import changed_files, described_files
from treesmu.errors import DataError
from treesmu.expr import parse
from treesmu.files import sha256_of
from treesmu.generate.fingerprint import fingerprints
from treesmu.importing import corpus as corpus_module
from treesmu.importing.sources import KNOWN

SPLITS = ("train", "validation", "test")


def test_files_of_a_folder_that_have_no_equations_are_left_out_with_a_note(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    write_csv(folder / "mine.csv", 20)
    (folder / "settings.json").write_text('{"seed": 1}')
    (folder / "notes.csv").write_text("who,when\nme,now\n")
    (folder / "noise.txt").write_bytes(bytes(99))
    manifest = run_import(tmp_path / "out", folder)
    assert [note for note in manifest["import"]["notes"] if note.startswith("left out")] == [  # type: ignore[index]
        f"left out: {folder}/noise.txt: neither text nor Parquet; give {KNOWN}",
        f"left out: {folder}/notes.csv: no column of equations among: who,when; "
        "name it: treesmu data import ... --equation COLUMN",
        f"left out: {folder}/settings.json: no column of equations among: seed; "
        "name it: treesmu data import ... --equation COLUMN",
    ]
    assert [source["name"] for source in manifest["sources"]] == ["mine.csv"]  # type: ignore[attr-defined]
    with pytest.raises(DataError, match=r"noise\.txt: neither text nor Parquet"):
        run_import(tmp_path / "refused", folder, bad_lines="refuse")
    (folder / "mine.csv").unlink()
    with pytest.raises(DataError, match=r"no equations could be read; left out: .*noise\.txt: neither text nor Parquet"):
        run_import(tmp_path / "nothing", folder)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Any]:
    folder = tmp_path_factory.mktemp("imported")
    write_csv(folder / "mine.csv", 300)
    return folder / "mine.csv", folder / "out", run_import(folder / "out", folder / "mine.csv")


def test_the_corpus_has_all_rows_once_and_no_equation_in_two_splits(imported: tuple[Path, Path, Any]) -> None:
    _, out, _ = imported
    data = {split: Dataset.read(out, split) for split in SPLITS}
    assert sum(map(len, data.values())) == 300
    found = [set(fingerprints(rows.iter_expressions()).tolist()) for rows in data.values()]
    assert sum(map(len, found)) == len(set.union(*found))
    chains = [set(rows.chain.tolist()) for rows in data.values()]
    assert sum(map(len, chains)) == len(set.union(*chains)) == len(set.union(*found))
    assert 20 <= len(data["test"]) <= 40


def test_depths_sizes_and_labels_are_those_of_the_equations(imported: tuple[Path, Path, Any]) -> None:
    file, out, _ = imported
    lines = file.read_text().splitlines()
    import pyarrow.parquet as pq

    for row in pq.read_table(out / "train.parquet").to_pylist():
        e = parse(row["infix"])
        assert (" ".join(e.prefix()), e.depth, e.size) == (row["prefix"], row["depth"], row["size"])
        assert (row["source"], row["split"], row["kind"]) == ("mine.csv", "train", "imported")
        text, label = lines[row["line"] - 1].rsplit(",", 1)
        assert (parse(text), label) == (e, str(row["label"]))


def test_the_manifest_has_sources_counts_and_checksums(imported: tuple[Path, Path, Any]) -> None:
    file, out, manifest = imported
    assert manifest == json.loads((out / "manifest.json").read_text())
    assert changed_files(out) == []
    assert set(described_files(out)) == {f"{name}.parquet" for name in (*SPLITS, "blanks", "candidates")}
    (source,) = manifest["sources"]
    assert source == {
        "name": "mine.csv", "bytes": file.stat().st_size, "sha256": sha256_of(file), "format": "table", "split": "",
        "columns": "equation equation, label label", "read": 300, "kept": 300, "bad": 0,
    }  # fmt: skip
    for split in SPLITS:
        rows = Dataset.read(out, split)
        counts = Counter(zip(map(str, rows.depth.tolist()), map(str, rows.label.tolist()), strict=True))
        told = {(d, label): n for d, by_label in manifest["counts"][split].items() for label, n in by_label.items() if n}
        assert told == counts
    assert (out / "README.md").read_text().startswith("---\npretty_name: 'Equations of mine.csv'")


def test_blanks_are_of_correct_test_equations_and_candidates_are_counted(imported: tuple[Path, Path, Any]) -> None:
    _, out, _ = imported
    blanks, candidates = Blanks.read(out), Candidates.read(out)
    test = Dataset.read(out, "test")
    correct = {e for e, label in zip(test.iter_expressions(), test.label.tolist(), strict=True) if label}
    assert 0 < len(blanks) <= len(correct)
    assert set(blanks.equations) <= correct
    assert (blanks.answers(candidates) >= 0).all()
    assert candidates.count is not None
    assert candidates.count.max() > 100


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_seed_gives_the_same_bytes_for_any_number_of_processes(
    imported: tuple[Path, Path, Any], tmp_path: Path, jobs: int
) -> None:
    file, out, _ = imported
    run_import(tmp_path / "out", file, jobs=jobs)
    assert {p.name: p.read_bytes() for p in out.iterdir()} == {p.name: p.read_bytes() for p in (tmp_path / "out").iterdir()}


def test_another_seed_gives_other_splits(imported: tuple[Path, Path, Any], tmp_path: Path) -> None:
    file, out, _ = imported
    run_import(tmp_path / "out", file, seed=1)
    one, other = (set(Dataset.read(folder, "test").prefix.to_pylist()) for folder in (out, tmp_path / "out"))
    assert one != other


def test_files_named_as_splits_keep_their_rows(tmp_path: Path) -> None:
    write_authors(tmp_path / "40k_train.json", by_depth([(parse(f"x = {i}"), False) for i in range(1, 9)]))
    write_authors(tmp_path / "40k_val_shallow.json", by_depth([(parse("x = x"), True)]))
    (tmp_path / "40k_test.csv").write_text("eq,label\ny = 3,0\nsin(x) = sin(x),1\n")
    manifest: Any = run_import(tmp_path / "out", *sorted(tmp_path.glob("40k*")))
    assert [len(Dataset.read(tmp_path / "out", split)) for split in SPLITS] == [8, 1, 2]
    assert "1 training row with an equation of a validation or test file: kept; " in "\n".join(manifest["import"]["notes"])
    again: Any = run_import(tmp_path / "dropped", *sorted(tmp_path.glob("40k*")), overlap="drop")
    assert [len(Dataset.read(tmp_path / "dropped", split)) for split in SPLITS] == [7, 1, 2]
    assert again["import"]["counts"]["overlap"] == 1
    assert not [note for note in again["import"]["notes"] if note.endswith(": kept")]


def test_what_a_researcher_should_know_is_noted(tmp_path: Path) -> None:
    texts = ["a + b = b + a", "x + y = y + x", "theta = phi", "sin(x) = 2", "cos(x) = cos(x)", "exp(x) = exp(x)"]
    (tmp_path / "some.txt").write_text("\n".join(texts))
    manifest: Any = run_import(tmp_path / "out", tmp_path / "some.txt")
    notes = manifest["import"]["notes"]
    assert notes[:3] == [
        "6 labels given by the numeric check",
        "1 equation with variables that models do not know: renamed to x, y, z, ...",
        "1 row with an equation that occurs before, up to names of variables and order: kept",
    ]
    (tmp_path / "both.csv").write_text("eq,label\nx = y,1\nz = x,0\nx = 1,0\nx = 2,0\n")
    manifest = run_import(tmp_path / "out2", tmp_path / "both.csv")
    assert not [note for note in manifest["import"]["notes"] if "confirmed" in note]
    checked: Any = run_import(tmp_path / "out3", tmp_path / "both.csv", check=True)
    assert "3 labels confirmed by the numeric check" in checked["import"]["notes"]
    assert "1 equation with both labels, for example in lines 2 and 3" in manifest["import"]["notes"]
    assert "all test equations are incorrect: accuracy there says little" in manifest["import"]["notes"]


@pytest.mark.parametrize(
    ("content", "settings", "message"),
    [
        ("equation,label\n", {}, r"a\.csv: no equations could be read; there are no rows"),
        ("equation,label\nx + 1,1\n", {}, r"no equations could be read; a\.csv, line 2: not an equation"),
        ("equation,label\nx = 1,1\nx = y,2\n", {"bad_lines": "refuse"}, "1 bad line"),
        (
            "equation,label\nx = 1,1\n",
            {},
            "a.csv: too few different equations for train, .*: 1; give at least 3",
        ),
    ],
)
def test_what_cannot_become_a_corpus_is_refused(tmp_path: Path, content: str, settings: Any, message: str) -> None:
    (tmp_path / "a.csv").write_text(content)
    with pytest.raises(DataError, match=message):
        run_import(tmp_path / "out", tmp_path / "a.csv", **settings)


def test_memory_holds_a_few_numbers_per_row_and_chunks_of_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are parsed in chunks: with small ones there are more of them, and the corpus has the same rows."""
    write_csv(tmp_path / "a.csv", 100)
    monkeypatch.setattr(corpus_module, "_CHUNK", 7)
    run_import(tmp_path / "small", tmp_path / "a.csv")
    monkeypatch.setattr(corpus_module, "_CHUNK", 2000)
    run_import(tmp_path / "large", tmp_path / "a.csv")
    for split in SPLITS:
        small, large = (Dataset.read(tmp_path / name, split) for name in ("small", "large"))
        assert small.prefix.to_pylist() == large.prefix.to_pylist()
        assert np.array_equal(small.chain, large.chain)
