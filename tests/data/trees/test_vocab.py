"""A vocabulary numbers any functions and leaves, survives JSON, and names what it does not know."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pyarrow as pa
import pytest

from treesmu.data.trees.vocab import NUMBER, Vocab, decimal_value
from treesmu.expr import FUNCTIONS, VARIABLES, leaf


def test_the_default_has_the_29_functions_and_real_leaves() -> None:
    vocab = Vocab.default()
    assert vocab.functions == tuple(f.name for f in sorted(FUNCTIONS, key=lambda f: f.arity))
    assert [vocab.arity(f.name) for f in FUNCTIONS] == [f.arity for f in FUNCTIONS]
    assert vocab.equality == "Equality"
    assert {*VARIABLES, "-10", "0", "12", "1/2", "-1/2", "2/5", "pi", "e"} <= set(vocab.leaves)
    assert [leaf(token).token for token in vocab.leaves] == list(vocab.leaves)


def test_ids_are_places() -> None:
    vocab = Vocab(("not", "and"), (1, 2), ("p", "q"))
    assert [vocab.function_id(name) for name in vocab.functions] == [0, 1]
    assert [vocab.leaf_id(name) for name in vocab.leaves] == [0, 1]


def test_a_decimal_is_a_number_unless_it_is_a_leaf() -> None:
    vocab = Vocab.from_tokens(["x", "0.5"], numbers=False)
    assert vocab.leaf_id("0.5") == 1
    numbers = Vocab(vocab.functions, vocab.arities, vocab.leaves, vocab.equality, numbers=True)
    assert (numbers.leaf_id("0.5"), numbers.number_value("0.5")) == (1, None)
    assert (numbers.leaf_id("-0.25"), numbers.number_value("-0.25")) == (numbers.number_id, -0.25)
    assert numbers.number_id == 2
    with pytest.raises(ValueError, match=r"unknown leaf '0\.7'; known: x, 0\.5$"):
        vocab.leaf_id("0.7")


@pytest.mark.parametrize("token", ["1", "1/2", "x", "1e5", ".5", "5.", "nan", "inf", "1.5.2", "", "٣.٥", "9" * 400 + ".0"])
def test_what_is_no_decimal_has_no_value(token: str) -> None:
    assert decimal_value(token) is None


@pytest.mark.parametrize(
    "vocab", [Vocab.default(), Vocab(("and", "or"), (3, 2), (",", "and", "ü")), Vocab(("f",), (9,), ("x",), variadic=True)]
)
def test_json_gives_the_same_vocabulary_back(vocab: Vocab) -> None:
    assert Vocab.from_dict(json.loads(json.dumps(vocab.to_dict(), sort_keys=True))) == vocab


def test_a_vocabulary_stored_before_there_were_variadic_ones_still_loads() -> None:
    old = {"functions": [["and", 2], ["not", 1]], "leaves": ["p", "q"], "equality": "iff", "numbers": False}
    assert Vocab.from_dict(old) == Vocab(("not", "and"), (1, 2), ("p", "q"), "iff")


def test_functions_are_kept_in_the_order_of_arity_and_else_as_given() -> None:
    vocab = Vocab(("if", "and", "not", "or", "maybe"), (3, 2, 1, 2, 1), ())
    assert vocab.functions == ("not", "maybe", "and", "or", "if")
    assert vocab.arities == (1, 1, 2, 2, 3)
    assert [vocab.arity(name) for name in ("if", "and", "not")] == [3, 2, 1]
    assert Vocab(vocab.functions, vocab.arities, ()) == vocab


def test_the_order_of_functions_of_one_arity_matters() -> None:
    assert Vocab(("f", "g"), (1, 1), ()) != Vocab(("g", "f"), (1, 1), ())
    assert Vocab(("f", "g"), (1, 2), ()) == Vocab(("g", "f"), (2, 1), ())


def test_variadic_vocabularies_are_others() -> None:
    assert Vocab(("f",), (2,), ("x",), variadic=True) != Vocab(("f",), (2,), ("x",))


# -- from nested tuples ------------------------------------------------------------------------------------------------


def test_from_trees_every_label_with_children_is_a_function() -> None:
    vocab = Vocab.from_trees([("and", ("not", "p"), ("q",)), "r", ("not", ("and", "q", 1))])
    assert vocab == Vocab(("not", "and"), (1, 2), ("p", "q", "r", "1"))


def test_from_trees_the_largest_number_of_arguments_is_the_arity() -> None:
    vocab = Vocab.from_trees([("MAX", "2", ("MIN", "4", "7", "1")), ("MIN", "4")])
    assert (vocab.functions, vocab.arities, vocab.leaves) == (("MAX", "MIN"), (2, 3), ("2", "4", "7", "1"))
    assert vocab.variadic


def test_from_trees_a_label_may_be_a_function_here_and_a_leaf_there() -> None:
    vocab = Vocab.from_trees([("f", "f", "x")])
    assert (vocab.functions, vocab.leaves, vocab.variadic) == (("f",), ("f", "x"), False)


def test_from_trees_decimals_are_numbers_if_so_asked() -> None:
    trees = [("add", 0.5, ("add", "x", "1.25")), ("add", 1e-9, 2)]
    assert Vocab.from_trees(trees, numbers=True) == Vocab(("add",), (2,), ("x", "2"), numbers=True)
    assert Vocab.from_trees(trees).leaves == ("0.5", "x", "1.25", "0.000000001", "2")


def test_from_trees_depth_is_no_limit() -> None:
    tree: object = "x"
    for _ in range(5000):
        tree = ("f", tree)
    assert Vocab.from_trees([tree]) == Vocab(("f",), (1,), ("x",))
    with pytest.raises(ValueError, match=r"tree 1: a tree is \(label, child, child, \.\.\.\) .* not \(None, \('f', "):
        Vocab.from_trees(["x", (None, tree)])


def test_from_no_trees_comes_an_empty_vocabulary() -> None:
    assert Vocab.from_trees([]) == Vocab((), (), ())


# -- refusals ----------------------------------------------------------------------------------------------------------


def test_from_tokens_finds_the_leaves_in_order() -> None:
    vocab = Vocab.from_tokens("MAX3 5 7 MIN2 5 0.5 9".split(), functions={"MAX3": 3, "MIN2": 2})
    assert (vocab.functions, vocab.arities, vocab.leaves) == (("MIN2", "MAX3"), (2, 3), ("5", "7", "9"))


@pytest.mark.parametrize("as_array", [list, pa.array, lambda rows: pa.chunked_array([rows[:1], rows[1:]])])
def test_from_a_corpus_finds_its_leaves(as_array: object) -> None:
    rows = ["Equality Add x 17 Add 17 x", "Equality sin 0.3 y"]
    assert Vocab.from_prefix(as_array(rows)).leaves == ("17", "x", "y")  # type: ignore[operator]


def test_unknown_names_are_named_beside_what_is_known() -> None:
    with pytest.raises(ValueError, match=r"unknown function 'Sinus'; known: exp, sin, .*, \.\.\. \(29 in all\)"):
        Vocab.default().function_id("Sinus")
    with pytest.raises(ValueError, match=r"unknown leaf '1/7'; known: x, y, .* in all\), and decimals"):
        Vocab.default().leaf_id("1/7")


@pytest.mark.parametrize(
    ("functions", "arities", "leaves", "message"),
    [
        (("f", "f"), (1, 1), (), "the function 'f' is in the vocabulary twice"),
        (("f",), (1,), ("x", "y", "x"), "the leaf 'x' is in the vocabulary twice"),
        (("f",), (0,), (), "arity of at least 1"),
        (("f",), (1, 2), (), "arity of at least 1"),
        ((), (), (NUMBER,), "cannot be a leaf"),
        (("=",), (2,), (), "cannot be the equality and an ordinary function"),
    ],
)
def test_a_contradictory_vocabulary_is_refused(
    functions: tuple[str, ...], arities: tuple[int, ...], leaves: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Vocab(functions, arities, leaves, equality="=")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Vocab(None, (), ()), "the functions of a vocabulary are a tuple of strings, not None"),
        (lambda: Vocab((), None, ()), "the arities of a vocabulary are a tuple of whole numbers, not None"),
        (lambda: Vocab((), (), 3), "the leaves of a vocabulary are a tuple of strings, not 3"),
        (lambda: Vocab((), (), (), equality=3), "the equality of a vocabulary is the name of a function, or None, not 3"),
        (lambda: Vocab((), (), (), numbers=None), "numbers must be True or False, not None"),
        (lambda: Vocab((), (), (), variadic="x"), "variadic must be True or False, not 'x'"),
        (lambda: Vocab.from_trees(None), "from_trees takes a list of trees: from_trees([tree]), not None"),
        (lambda: Vocab.from_trees(("f", "x")), "from_trees takes a list of trees: from_trees([tree]), not ('f', 'x')"),
        (lambda: Vocab.from_tokens(None), "tokens must be a list of strings, not None"),
        (lambda: Vocab.from_tokens(["a"], 3), "functions must be a dictionary of names to arities, such as {'MAX': 2}, not 3"),
    ],
)
def test_an_odd_argument_is_one_line_that_names_it(make: Callable[[], object], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=f"^{re.escape(said)}$"):
        make()
