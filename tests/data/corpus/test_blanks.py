"""Blanks and candidates are read from a corpus, from the authors' files and from a list; errors name what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from treesmu.data import Blanks, Candidates, DataError, Dataset, Example, Spelling, write_authors
from treesmu.data.corpus.blanks import holds_blanks, path_of_blank
from treesmu.expr import parse


def prefix(text: str) -> str:
    return " ".join(parse(text).prefix())


def write_table(file: Path, **columns: Any) -> Path:
    file.parent.mkdir(exist_ok=True)
    pq.write_table(pa.table(columns), file)
    return file


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    equations = ["x + x = 2*x", "sin(x)^2 + cos(x)^2 = 1"]
    write_table(folder / "blanks.parquet", prefix=[prefix(e) for e in equations], path=["0.1", "0.0.0"])
    fillers = ["x", "1*x", "sin(x)"]
    write_table(
        folder / "candidates.parquet", prefix=[prefix(e) for e in fillers], **{"class": [4, 4, 7]}, train_count=[9, 9, 2]
    )
    return folder


def test_a_corpus_has_both(corpus: Path) -> None:
    blanks, candidates = Blanks.read(corpus), Candidates.read(corpus)
    assert [str(e) for e in blanks.questions()] == ["x + _ = 2*x", "_^2 + cos(x)^2 = 1"]
    assert blanks.depth.tolist() == [2, 4]
    assert [str(e) for e in candidates.fillers] == ["x", "1*x", "sin(x)"]
    assert candidates.class_of.tolist() == [0, 0, 1]
    assert candidates.count is not None
    assert candidates.count.tolist() == [9, 9, 2]
    assert blanks.answers(candidates).tolist() == [0, 2]
    assert [str(e) for e in Blanks.read(corpus / "blanks.parquet").select((3, 9)).questions()] == ["_^2 + cos(x)^2 = 1"]
    assert blanks.select((3, 9)).row.tolist() == [1]
    assert len(blanks.select((5, 9))) == 0


def test_a_list_of_ones_own_has_classes_by_value(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("# of mine\nx\n\n2\n1 + 1\nx^1\nsqrt(-1)\n")
    found = Candidates.read(tmp_path / "mine.txt")
    assert [str(e) for e in found.fillers] == ["x", "2", "1 + 1", "x^1", "sqrt(-1)"]
    assert found.class_of.tolist() == [0, 1, 1, 0, 2]
    assert found.count is None


def spelled(text: str, **changes: str) -> Spelling:
    """The authors' candidates are ours, with other names for leaves."""
    own = Spelling.of(parse(text))
    functions = ",".join(changes.get(word, word) for word in own.functions.split(","))
    return own._replace(functions=functions)


def test_the_answer_is_the_candidate_that_is_spelled_alike(tmp_path: Path) -> None:
    """One and Integer 1 are one leaf, but two candidates."""
    one = parse("1")
    candidates = [
        Example(parse("x"), "-1", class_="x"),
        Example(one, "-1", class_="1"),
        Example(one, "-1", class_="1", spelling=spelled("1", One="Integer")),
    ]
    text = "x*1 = x"
    blanks = [
        Example(parse(text), "1", blank=(0, 1)),
        Example(parse(text), "1", blank=(0, 1), spelling=spelled(text, One="Integer")),
        Example(parse("x^1 = x"), "1", blank=(1,)),
        Example(parse("x + y = y + x"), "1", blank=(1, 0)),
    ]
    write_authors(tmp_path / "candidates.json", [candidates])
    write_authors(tmp_path / "some_blank_0.json", [blanks[:3]])
    write_authors(tmp_path / "some_blank_1.json", [blanks[3:]])
    found = Candidates.read(tmp_path / "candidates.json")
    assert found.class_of.tolist() == [0, 1, 1]
    assert Blanks.read(tmp_path / "some_blank_0.json").answers(found).tolist() == [1, 2, 0]
    both = Blanks.read(tmp_path)  # all files of the folder
    assert both.answers(found).tolist() == [1, 2, 0, -1]
    assert both.select((2, 2)).answers(found).tolist() == [1, 2, 0, -1]
    assert both.row.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(("text", "path"), [("_ = 1", (0,)), ("x + sin(_)*2 = y", (0, 1, 0, 0)), ("x_1 = x^_", (1, 1))])
def test_the_path_of_a_blank(text: str, path: tuple[int, ...]) -> None:
    assert path_of_blank(parse(text)) == path


# -- what is wrong -----------------------------------------------------------------------------------------------------


def refused(read: Any, path: Path) -> str:
    with pytest.raises(DataError) as caught:
        read(path)
    text = str(caught.value)
    assert "\n" not in text
    assert str(path.parent) in text
    return text


def test_bad_files_of_blanks_are_named(tmp_path: Path) -> None:
    file = tmp_path / "bad.parquet"
    good = prefix("x + x = 2*x")
    assert "there is no such file" in refused(Blanks.read, file)
    assert "unknown kind of file" in refused(Blanks.read, tmp_path / "bad.csv")
    for columns, said in [
        ({"prefix": [good]}, "there is no column 'path'; needed are prefix, path"),
        ({"prefix": [good], "path": ["0.7"]}, "row 0: '0.7' is not a path to a part of x + x = 2*x"),
        ({"prefix": [good], "path": ["left"]}, "row 0: 'left' is not a path"),
        ({"prefix": [good], "path": [None]}, "row 0: None is not a path"),
        ({"prefix": [good, "Add x"], "path": ["0", "0"]}, "row 1: Add lacks an argument"),
        ({"prefix": [None], "path": ["0"]}, "row 0: "),
    ]:
        assert said in refused(Blanks.read, write_table(file, **columns))
    file.write_text("no table")
    assert "not a Parquet file" in refused(Blanks.read, file)
    write_authors(tmp_path / "equations.json", [[Example(parse("x = x"), "1")]])
    assert "not all examples have a blank" in refused(Blanks.read, tmp_path / "equations.json")


def test_bad_files_of_candidates_are_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    assert "cannot be read: No such file or directory" in refused(Candidates.read, file)
    for content, said in [
        ("", "no candidates; give at least one expression"),
        ("x\nsin(", "line 2: "),
        ("x\nx = y\n", "x = y is an equation, and cannot fill a blank; leave it out"),
        ("x + _\n", "x + _ is an expression with _, and cannot fill a blank; leave it out"),
    ]:
        file.write_text(content)
        assert said in refused(Candidates.read, file)
    file.write_bytes(b"\xff\xfe")
    assert "byte 0 is not UTF-8 text" in refused(Candidates.read, file)
    json_file = tmp_path / "some.json"
    json_file.write_text(json.dumps([[]]))
    assert "no candidates" in refused(Candidates.read, json_file)
    write_authors(json_file, [[Example(parse("x"), "-1")]])
    assert "not all examples have a 'class'" in refused(Candidates.read, json_file)
    table = write_table(tmp_path / "c.parquet", prefix=["x"])
    assert "there is no column 'class'" in refused(Candidates.read, table)


def test_paths_that_hold_blanks_are_told_from_files_of_equations(corpus: Path, tmp_path: Path) -> None:
    blank, plain = tmp_path / "40k_test_blank_0.json", tmp_path / "plain.json"
    write_authors(blank, [[Example(parse("x = 1"), "1", blank=(0,))]])
    write_authors(plain, [[Example(parse("x = 1"), "1")]])
    Dataset.of([parse("x = 1")], [0]).write(tmp_path / "plain.parquet")
    assert all(map(holds_blanks, (corpus, corpus / "blanks.parquet", corpus / "candidates.parquet", blank, tmp_path)))
    assert not any(map(holds_blanks, (plain, tmp_path / "plain.parquet", tmp_path / "none.parquet", tmp_path / "a.csv")))


def test_bad_blanks_can_be_skipped(tmp_path: Path) -> None:
    file = tmp_path / "40k_test_blank_0.json"
    write_authors(file, [[Example(parse("x = 1"), "1", blank=(0,)), Example(parse("y = 1"), "1", blank=(1,))]])
    file.write_text(file.read_text().replace('"blankNodeNum": "1"', '"blankNodeNum": "77"'))
    said: list[str] = []
    for path in (file, tmp_path):
        assert Blanks.read(path, said.append).questions() == [parse("y = _")]
    assert said == [f"{file}: depth list 0, example 0: blankNodeNum is '77', a number that no nodes have in nodeNum"] * 2
    with pytest.raises(DataError, match="blankNodeNum is '77'"):
        Blanks.read(file)
