"""A tree is written as in the authors' files, all their spellings are read, and what is not a tree is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from treesmu.data import Example, Spelling
from treesmu.data.corpus.authors import dumps, loads
from treesmu.expr.notation.parse import parse
from treesmu.expr.ops import FUNCTIONS
from treesmu.expr.tree import leaf, node

# sin(x) + 1 = 1, written by hand. Its tree:  Equality(Add(sin(x), 1), 1)
SMALL = Spelling(
    values=",,,var_0,#,#,#,1,#,#,1,#,#",
    node_count="6",
    variables=(("var_0", 0),),
    depths="3,2,1,0,#,#,#,0,#,#,0,#,#",
    numbers="0,1,2,3,#,#,#,4,#,#,5,#,#",
    functions="Equality,Add,sin,Symbol,#,#,#,One,#,#,One,#,#",
)


def one_leaf(function: str, value: str) -> Spelling:
    variables = ((value, int(value[4:])),) if function == "Symbol" else ()
    return Spelling(f"{value},#,#", "1", variables, "0,#,#", "0,#,#", f"{function},#,#")


def test_a_tree_is_spelled_and_read_as_by_hand() -> None:
    assert Spelling.of(parse("sin(x) + 1 = 1")) == SMALL
    assert SMALL.tree() is parse("sin(x) + 1 = 1")
    assert SMALL.node_numbers() == ["0", "1", "2", "3", "4", "5"]


def test_all_functions_are_spelled_and_read() -> None:
    expressions = [node(f, *[leaf("x"), leaf("2")][: f.arity]) for f in FUNCTIONS]
    assert [Spelling.of(e).tree() for e in expressions] == expressions


# -- leaves ------------------------------------------------------------------------------------------------------------

SPELLINGS = [
    ("Symbol", "var_0", "x"), ("Symbol", "var_9", "d"), ("Symbol", "var_10", "x_10"), ("Symbol", "var_123", "x_123"),
    ("Integer", "0", "0"), ("Integer", "1", "1"), ("Integer", "-1", "-1"), ("Integer", "10", "10"), ("Integer", "+3", "3"),
    ("Rational", "2/5", "2/5"), ("Rational", "-1/2", "-1/2"), ("Rational", "0", "0"), ("Rational", "1/2", "1/2"),
    ("Rational", "2/4", "1/2"),
    ("One", "1", "1"), ("NegativeOne", "-1", "-1"), ("Half", "1/2", "1/2"), ("Pi", "pi", "pi"),
    ("Exp1", "E", "e"), ("Exp1", "e", "e"), ("Infinity", "oo", "inf"), ("Infinity", "inf", "inf"), ("NaN", "nan", "nan"),
    ("Float", "0.7", "0.7"), ("Float", "0.70", "0.70"), ("Number", "0.7", "0.7"), ("Number", "-3.25", "-3.25"),
    ("Number", ".5", "0.5"), ("Number", "-.5", "-0.5"), ("Number", "2.", "2.0"), ("Number", "2", "2.0"),
    ("Number", "1e-05", "0.00001"), ("Float", "1.5E+3", "1500.0"), ("Number", "-0", "-0.0"), ("Number", "007.5", "7.5"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "value", "token"), SPELLINGS)
def test_every_spelling_of_a_leaf_is_the_leaf_of_its_value_and_comes_back(function: str, value: str, token: str) -> None:
    spelling = one_leaf(function, value)
    assert spelling.tree() is leaf(token)
    ((back,),) = loads(dumps([[Example(leaf(token), "-1", spelling=spelling)]]))
    assert (back.spelling or Spelling.of(back.equation)) == spelling


@pytest.mark.parametrize(
    ("token", "function", "value"),
    [
        ("x", "Symbol", "var_0"), ("y", "Symbol", "var_1"), ("d", "Symbol", "var_9"), ("x_12", "Symbol", "var_12"),
        ("-1", "NegativeOne", "-1"), ("1", "One", "1"), ("1/2", "Half", "1/2"), ("pi", "Pi", "pi"), ("e", "Exp1", "E"),
        ("inf", "Infinity", "oo"), ("nan", "NaN", "nan"), ("0", "Integer", "0"), ("-2", "Integer", "-2"),
        ("2/5", "Rational", "2/5"), ("0.25", "Number", "0.25"), ("0.7", "Float", "0.7"),
    ],
)  # fmt: skip
def test_our_leaves_are_written_with_the_authors_names(token: str, function: str, value: str) -> None:
    assert Spelling.of(leaf(token)) == one_leaf(function, value)


@pytest.mark.parametrize("value", ["1/0", "0.5", "", "one", "1e5"])
@pytest.mark.parametrize("function", ["Integer", "Rational"])
def test_an_integer_or_rational_is_one(function: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"unknown leaf: {function} with the value {value!r}"):
        one_leaf(function, value).tree()


@pytest.mark.parametrize("value", ["", ".", "e5", "1/2", "nan", "1_000.5", "1e999999999"])
def test_a_decimal_is_a_finite_number_of_digits(value: str) -> None:
    with pytest.raises(ValueError, match=f"unknown leaf: Number with the value {re.escape(repr(value))}"):
        one_leaf("Number", value).tree()


# -- what is no tree ---------------------------------------------------------------------------------------------------

BAD: dict[str, tuple[dict[str, Any], str]] = {  # what is changed in SMALL, and the error message
    "unequal": ({"numbers": "0,1,2,3,#,#,#,4,#,#,5,#"}, "func has 13 entries, but vars, depth, nodeNum have 13, 13, 12"),
    "absent in one": ({"values": SMALL.values.replace("var_0", "#")}, "entry 3 is '#' in some of func, vars, depth, nodeNum"),
    "function": ({"functions": SMALL.functions.replace("sin", "sine")}, "entry 2: unknown function 'sine'; known: Add, Mul,"),
    "symbol": ({"values": SMALL.values.replace("var_0", "theta")}, "entry 3: unknown leaf: Symbol with the value 'theta'"),
    "constant": ({"values": SMALL.values.replace("1", "2")}, "entry 10: One with the value '2' instead of '1'"),
    "value": ({"values": "," + ",1" + SMALL.values[2:]}, "entry 2: sin has the value '1' in vars, but only leaves have one"),
    "number": ({"numbers": "0,1,2,a,#,#,#,4,#,#,5,#,#"}, "entry 3 of nodeNum is 'a', not a number"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "message"), BAD.values(), ids=BAD)
def test_a_bad_entry_is_named_with_its_fault(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(message)) as caught:
        SMALL._replace(**changes).tree()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("functions", "message"),
    [
        ("", "the tree is cut off: at least 2 more entries"),
        ("#", "the tree is cut off"),
        ("Equality,One,#,#,One,#", "the tree is cut off: at least 1 more"),
        ("One,#,#,One,#,#", "the tree is complete after 3 entries, but func has 6"),
        ("Add,One,#,#,#", "entry 0: Add takes two children"),
        ("sin,One,#,#,One,#,#", "entry 0: sin takes a left child and no right one"),
        ("sin,#,One,#,#", "entry 0: sin takes a left child and no right one"),
        ("One,One,#,#,#", "entry 0: One is a leaf and takes no children, not 1"),
        ("sin,Equality,One,#,#,One,#,#,#", "entry 0: an equation cannot be a part of an expression"),
    ],
)
def test_lists_that_are_no_tree_are_refused(functions: str, message: str) -> None:
    entries = functions.split(",")
    spelling = Spelling(
        values=",".join({"#": "#", "One": "1"}.get(f, "") for f in entries),
        node_count="1",
        variables=(),
        depths=",".join({"#": "#", "Equality": "1"}.get(f, "0") for f in entries),
        numbers=",".join("#" if f == "#" else str(i) for i, f in enumerate(entries)),
        functions=functions,
    )
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        spelling.tree()
