"""Reading what a person typed: the library's parser, within limits, with the place of a fault."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from treesmu.expr import Expr, parse
from treesmu.web import limits
from treesmu.web.reading import describe, read_complete, read_equation, read_question, read_text
from treesmu.web.refusal import Refusal


def _refused(read: Callable[[str], Expr], text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        read(text)
    assert caught.value.status == 400
    return caught.value


@pytest.mark.parametrize("text", ["sin(x)^2 + cos(x)^2 = 1", r"\frac{1}{2} x", "x + _ = 2"])
def test_the_expression_is_the_one_that_the_library_parses(text: str) -> None:
    assert read_text(text) is parse(text)


def test_a_description_has_every_notation() -> None:
    e = parse("sin(x) + y = _")
    assert describe(e).model_dump() == {
        "expression": "sin(x) + y = _",
        "latex": e.latex(),
        "mathml": e.mathml(),
        "prefix": ["Equality", "Add", "sin", "x", "y", "_"],
        "depth": 3,
        "size": 6,
        "is_equation": True,
        "has_blank": True,
        "variables": ["x", "y"],
        "problem": None,
    }


@pytest.mark.parametrize(
    ("text", "position", "length", "message"),
    [
        ("sin(x + 1 = 2", 10, 1, "expected ')' before '='"),
        ("1 + foo(x)", 4, 3, "unknown function 'foo'"),
        ("", 0, 1, "nothing to read"),
        ("x +", 3, 1, "expected"),
    ],
)
def test_a_fault_has_its_place(text: str, position: int, length: int, message: str) -> None:
    error = _refused(read_text, text).answer.error
    assert (error.position, error.length) == (position, length)
    assert error.message.startswith(message)


def test_an_expression_with_too_many_nodes_is_refused() -> None:
    read_text("sin(" * (limits.DEPTH - 1) + "x" + ")" * (limits.DEPTH - 1))
    assert "nodes; the limit is" in str(_refused(read_text, "(" + "x*x+" * 100 + "x)^2"))


def test_an_expression_that_is_too_deep_is_refused() -> None:
    assert "depth" in str(_refused(read_text, "sin(" * (limits.DEPTH + 1) + "x" + ")" * (limits.DEPTH + 1)))


def test_a_blank_is_refused_where_none_may_be() -> None:
    assert "blank" in str(_refused(read_complete, "x + _"))
    assert read_complete("x + 1") is parse("x + 1")


def test_only_an_equation_can_be_verified() -> None:
    assert "not an equation" in str(_refused(read_equation, "x + 1"))
    assert "blank" in str(_refused(read_equation, "x = _"))


def test_a_question_is_an_equation_with_a_blank() -> None:
    assert "not an equation" in str(_refused(read_question, "x + _"))
    assert "no blank" in str(_refused(read_question, "x = x"))
    assert read_question("x = _") is parse("x = _")
