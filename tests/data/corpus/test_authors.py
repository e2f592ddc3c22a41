"""The authors' JSON files are read and written again byte for byte, and a faulty file is reported in one line."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paths import REFERENCE
from treesmu.data import DataError, Example, Spelling, by_depth, read_authors, write_authors
from treesmu.data.corpus.authors import dumps, loads
from treesmu.expr import VARIABLES, Expr, equation, leaf, node
from treesmu.expr.notation.parse import parse
from treesmu.expr.ops import ADD, FUNCTIONS, op

FILES = ("40k_test_blank_0.json", "40k_test_blank_8.json", "40k_test_blank_14.json", "candidate_classes.json")

# sin(x) + 1 = 1, written by hand. Its tree:  Equality(Add(sin(x), 1), 1)
SMALL: dict[str, Any] = {
    "equation": {
        "vars": ",,,var_0,#,#,#,1,#,#,1,#,#",
        "numNodes": "6",
        "variables": {"var_0": 0},
        "depth": "3,2,1,0,#,#,#,0,#,#,0,#,#",
        "nodeNum": "0,1,2,3,#,#,#,4,#,#,5,#,#",
        "func": "Equality,Add,sin,Symbol,#,#,#,One,#,#,One,#,#",
    },
    "label": "0",
}


def text_of(*records: object) -> str:
    return json.dumps([[], list(records)], indent=4, separators=(", ", ": "))


def changed(**stored: object) -> dict[str, Any]:
    """Return SMALL with some fields of its equation replaced."""
    return {**SMALL, "equation": {**SMALL["equation"], **stored}}


def read_one(record: object) -> Example:
    ((), (example,)) = loads(text_of(record))
    return example


# -- the authors' own files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILES)
def test_released_files_come_back_byte_for_byte(name: str, tmp_path: Path) -> None:
    if not (REFERENCE / name).exists():
        pytest.skip(f"the authors' {name} is not here (shared/reference, beside the repository)")
    examples = read_authors(REFERENCE / name)
    write_authors(tmp_path / name, examples)
    assert (tmp_path / name).read_bytes() == (REFERENCE / name).read_bytes()
    assert all(example.equation.depth == depth for depth, group in enumerate(examples) for example in group)


def test_released_candidates_are_1470_of_which_1216_are_distinct() -> None:
    if not (REFERENCE / FILES[3]).exists():
        pytest.skip("the authors' candidates are not here (shared/reference, beside the repository)")
    candidates = [example for group in read_authors(REFERENCE / FILES[3]) for example in group]
    assert len(candidates) == 1470
    assert len({candidate.equation for candidate in candidates}) == 1216
    assert all(candidate.class_ is not None and candidate.correct is None for candidate in candidates)


# -- one example at a time ---------------------------------------------------------------------------------------------


def test_an_equation_in_our_own_spelling_reads_as_its_tree_and_needs_no_spelling() -> None:
    assert read_one(SMALL) == Example(parse("sin(x) + 1 = 1"), "0")


def test_our_own_equation_is_written_as_by_hand() -> None:
    assert dumps([[], [Example(parse("sin(x) + 1 = 1"), "0")]]) == text_of(SMALL)


def test_layout_of_the_file_is_that_of_the_authors() -> None:
    lines = text_of(SMALL).split("\n")
    assert lines[:5] == ["[", "    [], ", "    [", "        {", '            "equation": {']
    assert lines[5] == '                "vars": ",,,var_0,#,#,#,1,#,#,1,#,#", '
    assert dumps(loads(text_of(SMALL))) == "\n".join(lines)
    assert dumps([]) == "[]"


@pytest.mark.parametrize(("label", "correct"), [("1", True), ("0", False), ("-1", None)])
def test_labels_are_true_false_or_unknown(label: str, correct: bool | None) -> None:
    assert read_one({**SMALL, "label": label}).correct is correct


def test_what_is_not_as_we_would_write_it_is_kept_and_comes_back() -> None:
    record = {
        "equation": {
            "vars": ",,var_1,#,#,1,#,#,,var_0,#,#,var_1,#,#",
            "numNodes": "9",  # wrong: 7
            "variables": {"var_0": 0, "var_1": 1},  # not by first occurrence
            "depth": "2,1,0,#,#,0,#,#,1,0,#,#,0,#,#",
            "nodeNum": "0,1,3,#,#,4,#,#,2,5,#,#,6,#,#",  # level by level
            "func": "Equality,Add,Symbol,#,#,Integer,#,#,Mul,Symbol,#,#,Symbol,#,#",
        },
        "label": "1",
    }
    examples = loads(text_of(record))
    assert examples[1][0].equation is parse("y + 1 = x*y")
    assert examples[1][0].spelling is not None
    assert dumps(examples) == text_of(record)


def test_variables_may_have_other_names_in_the_dictionary() -> None:
    text = text_of(changed(variables={"theta": 0, "pi": 1}))
    assert dumps(loads(text)) == text


# -- blanks and candidates ---------------------------------------------------------------------------------------------


def blanked(number: str, **stored: object) -> dict[str, Any]:
    record = changed(**stored)
    return {"equation": record["equation"], "blankNodeNum": number, "label": "1"}


def test_a_blank_is_the_sub_tree_with_its_number() -> None:
    text = text_of(blanked("2"))
    examples = loads(text)
    example = examples[1][0]
    assert example.blank == (0, 0)
    assert example.question is parse("_ + 1 = 1")
    assert example.answer is parse("sin(x)")
    assert dumps(examples) == text


def test_a_blank_is_looked_up_by_number_and_not_by_position() -> None:
    text = text_of(blanked("2", nodeNum="0,1,3,5,#,#,#,4,#,#,2,#,#"))  # level by level: 2 is the right side
    examples = loads(text)
    assert examples[1][0].blank == (1,)
    assert examples[1][0].question is parse("sin(x) + 1 = _")
    assert dumps(examples) == text


def test_a_blank_of_ours_is_written_with_its_preorder_number() -> None:
    examples = [[], [Example(parse("sin(x) + 1 = 1"), "1", blank=(0, 1))]]
    assert dumps(examples) == text_of(blanked("4"))


def test_the_whole_tree_may_be_the_blank() -> None:
    assert read_one(blanked("0")).question is leaf("_")


def test_without_a_blank_there_is_no_question() -> None:
    with pytest.raises(DataError, match="no blank"):
        _ = read_one(SMALL).question


def test_a_candidate_has_a_class() -> None:
    stored = {"vars": ",var_2,#,#,#", "numNodes": "2", "variables": {"var_2": 2}, "depth": "1,0,#,#,#"}
    stored |= {"nodeNum": "0,1,#,#,#", "func": "sin,Symbol,#,#,#"}
    text = text_of({"equation": stored, "class": "21", "label": "-1"})
    assert loads(text) == [[], [Example(parse("sin(z)"), "-1", class_="21")]]
    assert dumps(loads(text)) == text


# -- our own equations -------------------------------------------------------------------------------------------------

leaves = st.sampled_from(
    [*VARIABLES, "x_10", "0", "1", "-1", "2", "-17", "1/2", "-3/4", "pi", "e", "inf", "nan", "0.7", "-0.250"]
)
expressions = st.recursive(
    leaves.map(leaf),
    lambda inner: st.builds(
        lambda f, a, b: node(f, *(a, b)[: f.arity]), st.sampled_from(FUNCTIONS), inner, inner
    ),
    max_leaves=20,
)  # fmt: skip


@given(expressions, expressions, st.sampled_from([True, False, None]), st.data())
def test_any_equation_of_ours_comes_back(left: Expr, right: Expr, label: bool | None, data: st.DataObject) -> None:
    examples = by_depth([(equation(left, right), label), (left, None)])
    place = data.draw(st.sampled_from([path for path, _ in equation(left, right).paths()]))
    examples[-1][-1] = replace(examples[-1][-1], blank=place, class_="7")
    assert loads(dumps(examples)) == examples


@given(expressions, expressions, st.randoms(use_true_random=False))
def test_any_numbering_comes_back(left: Expr, right: Expr, random: Any) -> None:
    e = equation(left, right)
    ours = Spelling.of(e)
    numbers = [str(i) for i in range(e.size)]
    random.shuffle(numbers)
    nodes = iter(numbers)
    shuffled = ",".join("#" if n == "#" else next(nodes) for n in ours.numbers.split(","))
    text = dumps([[Example(e, "1", spelling=ours._replace(numbers=shuffled))]])
    ((example,),) = loads(text)
    assert example.equation is e
    assert dumps([[example]]) == text


def test_lists_are_indexed_by_depth() -> None:
    deep, flat, other = parse("sin(cos(x)) = x"), parse("x = y"), parse("x = 1")
    groups = by_depth([(deep, True), (flat, False), (other, "-1")])
    assert groups == [[], [Example(flat, "0"), Example(other, "-1")], [], [Example(deep, "1")]]
    assert by_depth([]) == []


def test_depth_ten_thousand_is_no_limit() -> None:
    e = leaf("x")
    for _ in range(10_000):
        e = node(ADD, leaf("1"), node(op("sin"), e))
    example = Example(equation(e, leaf("x")), "1", blank=(0, 1))
    ((back,),) = loads(dumps([[example]]))
    assert back == example
    assert back.answer is e.right


# -- errors ------------------------------------------------------------------------------------------------------------

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
    "tree": (changed(depth="3,2,2,0,#,#,#,0,#,#,0,#,#"), "entry 2: the stored depth of sin is '2'; in the tree it is 1"),
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
