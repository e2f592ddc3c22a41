"""Corpora made of files: what is in which split, and what is said where a file is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treesmu.data import Dataset
from treesmu.data.corpus.authors import Example, by_depth, write_authors
from treesmu.data.corpus.manifest import changed_files
from treesmu.engine.in_process import InProcess
from treesmu.experiments.file_corpus import FileCorpus, FileCorpusSettings, MissingFileError
from treesmu.expr import check, parse

SHALLOW = [f"{k}*x = x*{k}" for k in range(2, 42)]
DEEP = [f"sin(cos(sin(cos(sin(cos(sin(cos({k}*x)))))))) = y" for k in range(5)]


def write_equations(path: Path, equations: list[str]) -> Path:
    """Write equations in the authors' JSON; those with = y are called incorrect."""
    write_authors(path, by_depth((parse(text), not text.endswith("= y")) for text in equations))
    return path


def make(folder: Path, out: Path, **settings: object) -> dict[str, set[str]]:
    """Write a corpus of files, and return the equations of each split that it has."""
    out.mkdir()
    FileCorpus(FileCorpusSettings(**settings), [folder]).write(out, InProcess().in_order)
    return {file.stem: set(Dataset.read(file).texts()) for file in sorted(out.glob("*.parquet"))}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "files"
    path.mkdir()
    write_equations(path / "equations.json", [*SHALLOW, *DEEP, SHALLOW[0]])
    write_equations(path / "other-1.json", [SHALLOW[0], DEEP[0], "x + 0 = x"])
    write_equations(path / "other-2.json", ["x*1 = x"])
    return path


def texts(equations: list[str]) -> set[str]:
    return {str(parse(text)) for text in equations}


def test_equations_of_the_depths_of_training_are_divided_at_random_and_all_others_are_for_the_test(
    folder: Path, tmp_path: Path
) -> None:
    found = make(folder, tmp_path / "out", files=["equations.json"])
    assert {name: len(some) for name, some in found.items()} == {"train": 32, "validation": 4, "test": 4 + len(DEEP)}
    assert set.union(*found.values()) == texts(SHALLOW + DEEP)
    assert sum(map(len, found.values())) == len(SHALLOW + DEEP)  # no equation is in two splits, or twice in one
    assert texts(DEEP) < found["test"]
    assert changed_files(tmp_path / "out") == []
    labels = dict(zip((data := Dataset.read(tmp_path / "out", "test")).texts(), data.label.tolist(), strict=True))
    assert {labels[text] for text in texts(DEEP)} == {0}


def test_the_seed_decides_on_the_splits_and_the_same_seed_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    first, again, other = (
        make(folder, tmp_path / n, files=["equations.json"], seed=s) for n, s in (("a", 1), ("b", 1), ("c", 2))
    )
    assert first == again != other
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


def test_test_files_are_all_for_the_test_without_equations_of_training(folder: Path, tmp_path: Path) -> None:
    alone = make(folder, tmp_path / "alone", test_files=["other-*.json"])
    assert alone == {"test": texts([SHALLOW[0], DEEP[0], "x + 0 = x", "x*1 = x"])}
    both = make(folder, tmp_path / "both", files=["equations.json"], test_files=["other-*.json"])
    assert sum(map(len, both.values())) == len(SHALLOW + DEEP) + 2
    assert texts(["x + 0 = x", "x*1 = x"]) < both["test"]


def test_blanks_become_confirmed_equations_and_the_same_with_wrong_answers(tmp_path: Path) -> None:
    true = ["sin(x)^2 + cos(x)^2 = 1", "x + 2 = 2 + x"]
    blanks = [Example(parse(text), "1", (0, 0)) for text in (*true, "y + 3 = 4 + y")]  # the last one does not hold
    write_authors(tmp_path / "my_blank_0.json", [blanks])
    make(tmp_path, tmp_path / "out", blank_files=["*_blank_*.json"])
    data = Dataset.read(tmp_path / "out", "test")
    rows = dict(zip(data.texts(), zip(data.label.tolist(), data.kind.tolist(), strict=True), strict=True))
    assert {text for text, (label, _) in rows.items() if label} == texts(true)
    wrong = [text for text, (label, kind) in rows.items() if (label, kind) == (0, "wrong answer")]
    assert len(wrong) == len(true)
    assert {check(parse(text)).label for text in wrong} == {"incorrect"}


def test_what_the_plan_says_changes_with_the_files(folder: Path) -> None:
    def content() -> str:
        return json.dumps(FileCorpus(FileCorpusSettings(files=("equations.json",)), [folder]).content())

    before = content()
    assert content() == before
    write_equations(folder / "equations.json", SHALLOW)
    assert content() != before


def test_a_missing_file_is_named_with_the_folders_that_were_searched(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"^no\.json is not in .*files, .*empty$"):
        FileCorpus(FileCorpusSettings(files=("no.json",)), [folder, tmp_path / "empty"])
    with pytest.raises(MissingFileError, match=r"^no\*\.json was not given; name its folder with --files$"):
        FileCorpus(FileCorpusSettings(test_files=("no*.json",)), [])


def test_a_share_of_such_a_corpus_cannot_be_planned(folder: Path) -> None:
    with pytest.raises(ValueError, match="equations of depth 1-7 needs a corpus that is generated"):
        FileCorpus(FileCorpusSettings(files=("equations.json",)), [folder]).rows((1, 7))


@pytest.mark.parametrize("name", ["../secret.json", "/etc/*", "a/../../*.json"])
def test_files_outside_the_given_folders_are_refused(folder: Path, name: str) -> None:
    (folder.parent / "secret.json").write_text("[]")
    with pytest.raises(ValueError, match="is not the name of a file in a folder that is given with --files"):
        FileCorpus(FileCorpusSettings(files=(name,)), [folder])
