"""A faulty file in the authors' format is reported in one line, and a failed write leaves the old file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from authors_files import SMALL, blanked, changed, text_of
from treesmu.data import DataError, Example, Spelling, by_depth, read_authors, write_authors
from treesmu.data.corpus.authors import dumps
from treesmu.expr.notation.parse import parse

BAD = {
    "no object": ([1, 2], "the example is not an object"),
    "no label": ({"equation": SMALL["equation"]}, "the example has no 'label'"),
    "no lists": ({"equation": {"variables": {}, "vars": "", "numNodes": "1", "depth": ""}, "label": "1"},
                 "the equation has no 'nodeNum' and no 'func'"),
    "equation is text": ({**SMALL, "equation": "x = 1"}, "'equation' is 'x = 1', not an object"),
    "depth is a number": (changed(depth=3), "'depth' is 3, not text"),
    "further key": ({**SMALL, "range": "0"}, "the example has the unknown key 'range', which would be lost; remove it"),
    "variables": (changed(variables={"var_0": "0"}), "'variables' does not map every variable to a number"),
    "label": ({**SMALL, "label": "2"}, "unknown label '2'; known: '1', '0', '-1'"),
    "tree": (changed(depth="3,2,2,#,0,#,#,0,#,#,0,#,#"), "entry 3 is '#' in some of func, vars, depth, nodeNum"),
    "blank": (blanked("6"), "blankNodeNum is '6', a number that no nodes have in nodeNum"),
    "two blanks": (blanked("4", nodeNum="0,1,2,3,#,#,#,4,#,#,4,#,#"), "blankNodeNum is '4', a number that 2 nodes have"),
}  # fmt: skip


@pytest.mark.parametrize(("record", "message"), BAD.values(), ids=BAD)
def test_a_bad_example_is_named_with_its_place_and_fault(record: object, message: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_text(text_of(SMALL, record))
    with pytest.raises(DataError, match=re.escape(f"{file}: depth list 1, example 1: {message}")) as caught:
        read_authors(file)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON: Expecting value: line 1 column 1"),
        (b"[[}", "not JSON: Expecting value: line 1 column 3"),
        (b"[" * 100_000, "not JSON: maximum recursion depth"),
        (b'{"equation": 1}', "not a list of lists of examples; the outer index is the depth"),
        (b"[[], {}]", "not a list of lists of examples; the outer index is the depth"),
        (b"[\xff]", "not UTF-8 text (byte 1); is it a JSON file?"),
    ],
)
def test_a_file_that_is_none_is_refused_by_name(content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(content)
    with pytest.raises(DataError, match=re.escape(f"{file}: {message}")):
        read_authors(file)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"missing\.json: cannot be read: No such file"):
        read_authors(tmp_path / "missing.json")
    with pytest.raises(DataError, match="cannot be read: Is a directory"):
        read_authors(tmp_path)


@pytest.mark.parametrize(
    ("example", "message"),
    [
        (Example(parse("theta = t"), "1"), "the variable 'theta' has no number in the authors' files; call .canonical() first"),
        (Example(parse("x_3 = 1"), "1"), "the variable 'x_3' has no number"),
        (Example(parse("_ + 1 = 1"), "1"), "store blanks filled; give the filled equation and the path of its blank"),
        (Example(parse("x = 1"), "1", blank=(0, 0)), "the path of the blank, (0, 0), leads out of the tree"),
        (Example(parse("x = 1"), "1", spelling=Spelling.of(parse("y = 1"))), "the spelling is that of another equation"),
    ],
)
def test_what_the_files_cannot_hold_is_refused_with_its_place(example: Example, message: str) -> None:
    with pytest.raises(DataError, match=re.escape("text: depth list 1, example 0: ") + ".*" + re.escape(message)):
        dumps([[], [example]])


def test_canonical_is_the_remedy_for_other_variables() -> None:
    assert '"vars": ",var_0,#,#,var_1,#,#"' in dumps([[Example(parse("theta = t").canonical(), "1")]])


def test_an_unknown_label_is_refused_at_once() -> None:
    with pytest.raises(DataError, match="unknown label 'yes'"):
        by_depth([(parse("x = 1"), "yes")])


# -- writing -----------------------------------------------------------------------------------------------------------


def test_failed_writing_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "out.json"
    file.write_text("old")
    with pytest.raises(DataError, match=r"out\.json: depth list 0, example 0: the variable 'theta'"):
        write_authors(file, [[Example(parse("theta = 1"), "1")]])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(DataError, match=r"out\.json: cannot be written: No space left on device"):
        write_authors(file, [[Example(parse("x = 1"), "1")]])
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    assert file.read_text() == "old"


def test_writing_replaces_the_file_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    file.write_text("old")
    write_authors(file, by_depth([(parse("sin(x) + 1 = 1"), False)]))
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    assert read_authors(file)[3] == [Example(parse("sin(x) + 1 = 1"), "0")]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be written: No such file or directory"):
        write_authors(tmp_path / "none" / "out.json", [])
