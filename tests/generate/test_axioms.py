"""The shipped identities are true, cover every function and are not repeated; errors in a user's file are reported."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

import treesmu
from paper_functions import PAPER_FUNCTIONS
from treesmu.expr import Expr, distinct, equation, op, parse
from treesmu.generate.axioms import FAMILIES, Axiom, AxiomError, axioms_of, collect_axioms, functions_of, read_axioms, read_file
from treesmu.generate.chains.grow import Grower
from treesmu.generate.rewrite import compile_axiom

SHIPPED = collect_axioms(FAMILIES)
HOME = {  # where the identities of each family of functions are
    "arithmetic": "algebra",
    "trigonometric": "trigonometry",
    "inverse": "inverse",
    "hyperbolic": "hyperbolic",
    "inverse hyperbolic": "inverse_hyperbolic",
    "exponential": "exponential",
}


def functions_in(axiom: Axiom) -> set[str]:
    return {e.op.name for e in distinct([axiom.left, axiom.right]) if e.op is not None}


def signature(axiom: Axiom) -> frozenset[Expr]:
    """Return a key that is the same for an identity with other names or swapped sides."""
    return frozenset((axiom.equation.canonical(), equation(axiom.right, axiom.left).canonical()))


# -- what ships --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
def test_every_identity_is_correct(family):
    axioms = axioms_of(family)
    verdicts = treesmu.check_many([a.equation for a in axioms])
    assert [(str(a.equation), v.label) for a, v in zip(axioms, verdicts, strict=True) if v.label != "correct"] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_every_identity_is_correct_at_other_points(family):
    verdicts = treesmu.check_many([a.equation for a in axioms_of(family)], seed=1)
    assert {v.label for v in verdicts} == {"correct"}


def test_the_check_would_notice_an_axiom_that_holds_on_a_part_of_the_line():
    """Identities that the files say are left out are not correct, so the tests above can fail."""
    partial = (
        "sin(x) = sqrt(1 - cos(x)^2); sqrt(x^2) = x; asin(sin(x)) = x; acosh(cosh(x)) = x; "
        "atan(x) + acot(x) = pi/2; sqrt(x^2*y) = x*sqrt(y); 2*asin(x) = acos(1 - 2*x^2)"
    )
    assert "correct" not in {v.label for v in treesmu.check_many(partial.split("; "))}


@pytest.mark.parametrize("function", PAPER_FUNCTIONS, ids=lambda f: f.name)
def test_every_function_has_several_identities_with_content(function):
    general = [a for a in SHIPPED if not a.is_padding and not a.equation.is_constant and function.name in functions_in(a)]
    assert len(general) >= 5
    assert any(a.family == HOME[function.family] for a in general)


def test_every_function_is_introduced_and_removed_by_some_rewrite():
    """Otherwise a function would accumulate, or never occur."""
    made, gone = Counter[str](), Counter[str]()
    for rewrite in (r for a in SHIPPED for r in compile_axiom(a)):
        before, after = (Counter(e.op.name for e in side.preorder() if e.op) for side in (rewrite.pattern, rewrite.result))
        made.update((after - before).keys())
        gone.update((before - after).keys())
    assert set(made) == set(gone) >= {f.name for f in PAPER_FUNCTIONS}


def test_no_identity_twice_up_to_names_and_sides():
    counts = Counter(signature(a) for a in SHIPPED)
    assert [[str(e) for e in found] for found, n in counts.items() if n > 1] == []


def test_no_identity_is_trivial():
    assert [str(a.equation) for a in SHIPPED if a.left is a.right] == []


def test_every_padding_identity_is_marked_as_such():
    """An identity is padding if one side is a variable and the other only adds 1*, 0+, ^1, -- or a function and its inverse."""
    for text in ("x + 0 = x", "1*x = x", "x^1 = x", "x = ln(exp(x))", "x = sinh(asinh(x))", "x = tan(atan(x))"):
        (axiom,) = [a for a in SHIPPED if a.equation in (parse(text), equation(parse(text).right, parse(text).left))]
        assert axiom.is_padding
    assert not any(a.is_padding for a in axioms_of("trigonometry") + axioms_of("numbers"))


def test_numbers_are_facts_without_variables():
    assert all(a.equation.is_constant for a in axioms_of("numbers"))


def test_families_are_chosen_and_joined_in_order():
    assert collect_axioms(("algebra", "numbers")) == axioms_of("algebra") + axioms_of("numbers")
    assert {f.name for f in functions_of(collect_axioms(("algebra", "numbers")))} == {"Add", "Mul", "Pow"}
    assert functions_of(SHIPPED) >= frozenset(PAPER_FUNCTIONS)


def test_the_papers_domain_has_no_inverse_or_hyperbolic_functions():
    used = {f.family for f in functions_of(collect_axioms(("algebra", "numbers", "trigonometry")))}
    assert used == {"arithmetic", "trigonometric"}


def test_an_unknown_family_is_named_with_those_known():
    with pytest.raises(AxiomError, match=r"unknown family 'geometry'; known: algebra, numbers, trigonometry"):
        axioms_of("geometry")


# -- a user's file ----------------------------------------------------------------------------------------------------


def test_a_users_file_is_read(tmp_path: Path):
    file = tmp_path / "mine.txt"
    file.write_text(
        "# mine\n\nsin(5x) = 16 sin(x)^5 - 20 sin(x)^3 + 5 sin(x)  # a remark\nx -> ln(e^x)\n# padding\nx + 0 = x\n"
    )
    text = read_file(file)
    first, second, third = read_axioms(text, str(file), "mine")
    assert first.equation is parse("sin(5x) = 16 sin(x)^5 - 20 sin(x)^3 + 5 sin(x)")
    assert (second.left, second.right) == (parse("x"), parse("ln(e^x)"))
    assert [a.both_ways for a in (first, second, third)] == [True, False, True]
    assert [a.is_padding for a in (first, second, third)] == [False, False, True]
    assert {a.family for a in (first, second, third)} == {"mine"}
    assert collect_axioms(("numbers",), (("mine", text),)) == (*axioms_of("numbers"), first, second, third)


def test_a_users_file_alone_is_enough_to_grow_equations():
    axioms = collect_axioms((), (("mine", "sin(2x) = 2 sin(x) cos(x)\ncos(2x) = 2cos(x)^2 - 1"),))
    assert {f.name for f in functions_of(axioms)} == {"Add", "Mul", "Pow", "sin", "cos"}
    assert all(v.label == "correct" for v in treesmu.check_many([Grower(axioms, Random(i)).start() for i in range(20)]))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("x = x + 0\nsin(x)\n", ", line 2: expected '=' or '->'"),
        ("# a\n\nsin(x = 2\n", ", line 3: expected ')'"),
        ("x + 0 -> \n", ", line 1: "),
        ("-> x\n", ", line 1: "),
        ("x = y = z\n", ", line 1: "),
        ("x = foo(x)\n", ", line 1: "),
        ("x + y = y + x\nx -> y -> z\n", ", line 2: "),
        pytest.param("x = 1 -> y\n", ", line 1: "),
        pytest.param("x + _ = 1\n", ", line 1: "),
        ("", " contains no identity"),
        ("# only\n\n   # remarks\n", " contains no identity"),
    ],
)
def test_a_bad_line_is_named_with_file_and_line(tmp_path: Path, content: str, complaint: str):
    file = tmp_path / "mine.txt"
    file.write_text(content)
    with pytest.raises(AxiomError) as caught:
        read_file(file)
    assert str(caught.value).startswith(f"{file}{complaint}")


def test_an_unreadable_file_is_named_with_the_reason(tmp_path: Path):
    (tmp_path / "latin.txt").write_bytes("größe = 1\n".encode("latin-1"))
    for name, reason in (
        ("missing.txt", "cannot be read: No such file or directory"),
        (".", "cannot be read: Is a directory"),
        ("latin.txt", "byte 2 is not UTF-8 text; save it as UTF-8"),
    ):
        with pytest.raises(AxiomError) as caught:
            read_file(tmp_path / name)
        assert str(caught.value) == f"axioms {tmp_path / name}: {reason}"


def test_an_arrow_is_used_one_way_only_and_an_equation_both_ways():
    arrow, both = read_axioms("x^2 -> 4^log(x, 2)\nsin(-x) = -sin(x)", "mine", "mine")
    assert [(r.pattern, r.result) for r in compile_axiom(arrow)] == [(parse("x^2"), parse("4^log(x, 2)"))]
    assert [(r.pattern, r.result) for r in compile_axiom(both)] == [
        (parse("sin(-x)"), parse("-sin(x)")),
        (parse("-sin(x)"), parse("sin(-x)")),
    ]
    assert op("log") in functions_of((arrow,))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("sin(2x) = 2 sin(x)", "sin(2*x) = 2*sin(x) is not an identity (incorrect: different at 24 points; at x = "),
        ("sqrt(x^2) = x", "sqrt(x^2) = x is not an identity (undecided: equal at "),
        ("exp(x) -> 1 + x", "exp(x) -> 1 + x is not an identity (incorrect: different at "),
        ("ln(-x^2) = x", "ln(-x^2) = x is not an identity (undecided: "),
    ],
)
def test_an_equation_that_is_not_an_identity_is_refused_with_file_line_and_counterexample(
    tmp_path: Path, line: str, complaint: str
):
    file = tmp_path / "mine.txt"
    file.write_text(f"sin(-x) = -sin(x)\n# a comment\n\n{line}\n", encoding="utf-8")
    with pytest.raises(AxiomError) as refused:
        read_file(file)
    assert str(refused.value).startswith(f"{file}, line 4: {complaint}")
    assert "\n" not in str(refused.value)
