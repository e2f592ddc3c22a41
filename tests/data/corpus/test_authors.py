"""The authors' JSON files are read and written again byte for byte."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authors_files import SMALL, blanked, changed, read_one, text_of
from paths import REFERENCE
from treesmu.data import DataError, Example, Spelling, by_depth, read_authors, write_authors
from treesmu.data.corpus.authors import dumps, iter_equations, loads
from treesmu.expr import VARIABLES, Expr, equation, leaf, node
from treesmu.expr.notation.parse import parse
from treesmu.expr.ops import ADD, FUNCTIONS, op

FILES = ("40k_test_blank_0.json", "40k_test_blank_8.json", "40k_test_blank_14.json", "candidate_classes.json")


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


def test_depths_by_level_as_their_generator_stores_them_are_read_and_come_back() -> None:
    by_level = "0,1,2,3,#,#,#,22,#,#,1,#,#"  # counted from the root, and one that is neither
    example = read_one(changed(depth=by_level))
    assert (example.equation, example.equation.depth) == (parse("sin(x) + 1 = 1"), 3)
    assert dumps([[], [example]]) == text_of(changed(depth=by_level))


def test_bad_examples_can_be_skipped_and_are_named() -> None:
    said: list[str] = []
    groups = loads(text_of(SMALL, 7, {**SMALL, "label": "1"}, changed(func="Equality")), "some.json", said.append)
    assert [x.label for x in groups[1]] == ["0", "1"]
    assert said == [
        "some.json: depth list 1, example 1: the example is not an object",
        "some.json: depth list 1, example 3: func has 1 entries, but vars, depth, nodeNum have 13, 13, 13",
    ]


def test_equations_to_import_need_no_other_fields_than_func_vars_and_label() -> None:
    least = {"equation": {name: SMALL["equation"][name] for name in ("func", "vars")}, "label": 1, "remark": "mine"}
    good, bad = iter_equations([[least, {"equation": {"func": "One,#,#"}, "label": "1"}]])
    assert good == (parse("sin(x) + 1 = 1"), 1)
    assert str(bad) == "depth list 0, example 1: the equation has no 'vars'"


def test_variables_may_have_other_names_in_the_dictionary() -> None:
    text = text_of(changed(variables={"theta": 0, "pi": 1}))
    assert dumps(loads(text)) == text


# -- blanks and candidates ---------------------------------------------------------------------------------------------


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
