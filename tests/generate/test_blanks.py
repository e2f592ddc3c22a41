"""Candidates have equal classes and counts by class; the answer of every blank is a candidate."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from treesmu.expr import FUNCTIONS, Expr, check, equation, from_prefix, leaf, node, parse
from treesmu.expr.numeric import equal_classes as value_classes
from treesmu.expr.numeric.sample_points import SamplePoints
from treesmu.generate import blanks as module
from treesmu.generate.blanks import FILLER_LEAVES, BlankColumns, CandidateColumns, make_blanks, make_candidates, train_counts
from treesmu.generate.columns import EquationColumns

UNARY, BINARY = ([f for f in FUNCTIONS if f.arity == n] for n in (1, 2))

TOGETHER = [
    "0, sin(0), 0*x, y*0, x*0, 1 + -1, acos(1), sin(pi), tan(pi), 0^2, sqrt(0), log(1, 2), acosh(1)",
    "1, 1^x, x^0, y^0, 0^0, cos(0), exp(0), 1*1, 2*(1/2), 3*(1/3), 1/3*3, log(3, 3), (-1)^-2",
    "-1, cos(pi), sec(pi), log(2, 1/2), -1/2 + -1/2, (-1)^3",
    "4, 2 + 2, 2*2, 2^2, (-2)^2, (1/2)^-2, 1 + 3",
    "e, exp(1), e^1",
    "1/2*pi, asin(1), acos(0)",
    "1/3*pi, acos(1/2), asec(2)",
    "x, x + 0, 0 + x, 1*x, x^1",
    "x + x, 2*x, x*2",
    "x*x, x^2",
    "x + y, y + x",
    "exp(x), e^x",
    "0^x, log(1, x)",  # for positive x; at 0 and 1 they differ in domain, but these are isolated points
]
ALONE = [
    *("acos(10)", "acos(2)", "csc(pi)", "tanh(10)", "0^-1", "sqrt(-1)", "log(x, 1)", "(-1)^x", "log(1, 1)"),
    *("log(x, x)", "log(y, y)"),  # 1, but for positive x only
    *("sqrt(x)", "x^y", "y^x", "x^x", "x^-1", "sin(x)", "sin(y)", "log(x, y)", "10^10", "sinh(10)", "cosh(10)"),
]


@pytest.fixture(scope="module")
def found() -> CandidateColumns:
    return make_candidates()


@pytest.fixture(scope="module")
def class_of(found: CandidateColumns) -> dict[str, int]:
    return dict(zip(found.prefix, found.class_id, strict=True))


def prefix(text: str) -> str:
    return " ".join(parse(text).prefix())


def words(line: str) -> list[str]:
    """Return the parts of a line between commas that are outside of parentheses."""
    parts = [""]
    for c in line:
        if c == "," and parts[-1].count("(") == parts[-1].count(")"):
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts]


def tree(rng: Random, depth: int) -> Expr:
    """Return a random expression of this depth; some of its leaves are not among those of candidates."""
    if depth == 0:
        return leaf(rng.choice([*FILLER_LEAVES, "u", "7", "2.5"]))
    deep, other = tree(rng, depth - 1), tree(rng, rng.randrange(min(3, depth)))
    f = rng.choice(rng.choice((UNARY, BINARY)))
    return node(f, deep) if f.arity == 1 else node(f, *rng.sample((deep, other), 2))


def table(equations: list[tuple[Expr, int]]) -> EquationColumns:
    """Return rows with these labels, without checking them."""
    rows = EquationColumns()
    for i, (e, label) in enumerate(equations):
        rows.prefix.append(" ".join(e.prefix()))
        rows.infix.append(str(e))
        rows.label.append(label)
        rows.depth.append(e.depth)
        rows.size.append(e.size)
        rows.chain.append(1000 + i)
    return rows


# -- candidates --------------------------------------------------------------------------------------------------------


def test_every_leaf_and_every_function_of_leaves_is_a_candidate_once(found):
    n = len(FILLER_LEAVES)
    assert (len(UNARY), len(BINARY)) == (25, 4)
    assert len(found) == len(set(found.prefix)) == n + 25 * n + 4 * n * n == 1938
    assert found.prefix[:n] == list(FILLER_LEAVES)
    assert {"sin x", "Add x y", "Add y x", "log 2 e"} <= set(found.prefix)


def test_columns_agree_with_the_tree(found):
    for p, text, height in zip(found.prefix, found.infix, found.height, strict=True):
        e = from_prefix(p.split())
        assert (parse(text), e.depth) == (e, height)


@pytest.mark.parametrize("line", TOGETHER, ids=lambda line: words(line)[0])
def test_what_is_equal_everywhere_is_one_class(class_of, line):
    assert len({class_of[prefix(text)] for text in words(line)}) == 1


def test_classes_worked_by_hand_are_different_from_each_other(class_of):
    firsts = [class_of[prefix(words(line)[0])] for line in TOGETHER]
    assert len(set(firsts)) == len(TOGETHER)


@pytest.mark.parametrize("text", ALONE)
def test_a_candidate_without_an_equal_or_a_real_value_is_alone_in_its_class(found, class_of, text):
    assert found.class_id.count(class_of[prefix(text)]) == 1


def test_classes_are_numbered_by_first_occurrence(found):
    assert list(dict.fromkeys(found.class_id)) == list(range(max(found.class_id) + 1))


def test_classes_do_not_depend_on_the_points(found, monkeypatch):
    monkeypatch.setattr(value_classes, "_POINTS", SamplePoints(seed=7, count=120))
    assert make_candidates() == found


def test_first_of_different_classes_are_not_equal_constants(found):
    first = {c: p for p, c in zip(reversed(found.prefix), reversed(found.class_id), strict=True)}
    constants = [e for p in first.values() if (e := from_prefix(p.split())).is_constant]
    values = value_classes._values(constants)[:, 0]
    order = [i for i in np.argsort(values).tolist() if not np.isnan(values[i])]
    for i, j in pairwise(order):
        assert check(equation(constants[i], constants[j])).label == "incorrect"


def test_close_values_that_the_check_refutes_are_separated(monkeypatch):
    """If all values were close, the check alone would still find the classes."""
    exprs = [parse(t) for t in ("x", "x*x", "x^2", "0 + x", "2", "1 + 1")]
    monkeypatch.setattr(value_classes, "_match_close", lambda _values, pool: dict.fromkeys(pool[1:], pool[0]))
    assert value_classes.equal_classes(exprs) == [0, 1, 1, 0, 2, 2]


# -- counts ------------------------------------------------------------------------------------------------------------


def counts_by_prefix(found: CandidateColumns, equations: list[str]) -> dict[str, int]:
    return dict(zip(found.prefix, train_counts([prefix(e) for e in equations], found), strict=True))


def test_counts_worked_by_hand(found):
    counts = counts_by_prefix(found, ["x + 1 = 1 + x", "sin(x + 1)*2 = (x + x)*sin(0)"])
    assert counts["x"] == 5  # three times in the second equation
    assert counts["1"] == 3
    assert counts["Add x 1"] == counts["Add 1 x"] == 3  # one class: two in the first equation, one in the second
    assert counts["Add x x"] == counts["Mul 2 x"] == 1
    assert counts["0"] == counts["sin 0"] == 2  # 0 itself, and sin(0)
    assert counts["2"] == counts["Add 1 1"] == 1
    assert counts["sin x"] == counts["y"] == counts["Mul x 1"] - counts["x"] == 0


def test_functions_of_larger_arguments_and_unknown_leaves_are_not_counted(found):
    counts = counts_by_prefix(found, ["sin(sin(x)) = u + 2.5", "sin(x + sin(y)) = x*(y + 2)", "x = 7", "sin(7) = x"])
    assert (counts["sin x"], counts["sin y"], counts["Add y 2"], counts["x"], counts["y"], counts["2"]) == (1, 1, 1, 5, 2, 1)
    assert sum(counts[p] for p in ("Add x y", "Mul x y", "sin 0", "Add x 2", "5")) == 0


def test_counts_are_those_of_a_walk_over_the_trees(found):
    rng = Random("counts")
    rows = [" ".join(equation(tree(rng, 5), tree(rng, 7)).prefix()) for _ in range(300)]
    total = dict.fromkeys(found.class_id, 0)
    class_of = dict(zip(found.prefix, found.class_id, strict=True))
    for row in rows:
        for _, part in from_prefix(row.split()).paths():
            if part.depth <= 1 and (c := class_of.get(" ".join(part.prefix()))) is not None:
                total[c] += 1
    assert train_counts(iter(rows), found) == [total[c] for c in found.class_id]
    assert sum(total.values()) > 1000


def test_no_equations_no_counts(found):
    assert train_counts([], found) == [0] * len(found)


def test_counts_do_not_depend_on_the_chunks(found, monkeypatch):
    rows = [prefix("x + 1 = 1 + x"), prefix("sin(x) = cos(y)")] * 5
    whole = train_counts(rows, found)
    monkeypatch.setattr(module, "_CHUNK", 3)
    assert train_counts(rows, found) == whole


# -- blanks ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rows() -> EquationColumns:
    rng = Random("rows")
    return table(
        [
            (equation(tree(rng, rng.randrange(6, d)), tree(rng, d - 1)), rng.randrange(2))
            for d in range(7, 15)
            for _ in range(60)
        ]
    )


@pytest.fixture(scope="module")
def blanks(rows: EquationColumns, found: CandidateColumns) -> BlankColumns:
    return make_blanks(rows, found, 20, (8, 13), Random("blanks"))


def test_each_depth_has_the_number_of_blanks_asked_for_in_different_equations(rows, blanks):
    assert blanks.depth == [d for d in range(8, 14) for _ in range(20)]
    assert len(set(blanks.prefix)) == len(blanks) == 120
    correct = {p for p, label in zip(rows.prefix, rows.label, strict=True) if label == 1}
    assert set(blanks.prefix) <= correct


def test_filling_the_answer_gives_back_the_equation(blanks):
    for p, text, question, path, answer in zip(
        blanks.prefix, blanks.infix, blanks.question, blanks.path, blanks.answer, strict=True
    ):
        asked, filler = parse(question), from_prefix(answer.split())
        place = tuple(int(i) for i in path.split("."))
        assert asked.at(place) is leaf("_")
        assert [e.token for e in asked.preorder()].count("_") == 1
        assert asked.replace(place, filler) == from_prefix(p.split()) == parse(text)


def test_answers_are_candidates_of_the_height_given(found, blanks):
    height_of = dict(zip(found.prefix, found.height, strict=True))
    assert [height_of[a] for a in blanks.answer] == blanks.height
    assert set(blanks.height) == {0, 1}


def test_other_columns_are_those_of_the_equation(rows, blanks):
    facts = {p: f for p, *f in zip(rows.prefix, rows.infix, rows.depth, rows.size, rows.chain, strict=True)}
    for p, *mine in zip(blanks.prefix, blanks.infix, blanks.depth, blanks.size, blanks.chain, strict=True):
        assert mine == facts[p]


def test_same_seed_same_blanks(rows, found, blanks):
    assert make_blanks(rows, found, 20, (8, 13), Random("blanks")) == blanks
    assert make_blanks(rows, found, 20, (8, 13), Random("others")) != blanks


def test_places_are_chosen_evenly(found):
    """x + sin(y) = 2: x, y, sin(y) and 2 may be blanked, the sum and the equation not."""
    rows = table([(parse("x + sin(y) = 2"), 1)] * 4000)
    made = make_blanks(rows, found, 4000, (3, 3), Random(0))
    counts = {q: made.question.count(q) for q in set(made.question)}
    assert set(counts) == {"_ + sin(y) = 2", "x + sin(_) = 2", "x + _ = 2", "x + sin(y) = _"}
    assert all(900 < n < 1100 for n in counts.values())


def test_there_are_fewer_blanks_where_there_are_fewer_equations(found):
    equations = [("sin(sin(x)) = sin(sin(x))", 1), ("sin(sin(x)) = cos(sin(x))", 0), ("sin(sin(7)) = sin(sin(7))", 1)]
    rows = table([(parse(e), label) for e, label in equations])
    made = make_blanks(rows, found, 5, (2, 4), Random(0))
    assert made.infix == ["sin(sin(x)) = sin(sin(x))"]  # the second is incorrect; the third contains no candidate
    assert len(make_blanks(rows, found, 0, (2, 4), Random(0))) == 0
