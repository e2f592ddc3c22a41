"""Which functions and leaves a model was trained on, and which symbols of other equations are not among them."""

from __future__ import annotations

import pyarrow as pa
import pytest

from treesmu.data import Vocab
from treesmu.data.augment.trained_symbols import TrainedSymbols
from treesmu.expr import parse

VOCAB = Vocab.default()
TRAINING = ["sin(x) + y = y + sin(x)", "x*2 = 0.25"]


def prefixes(*texts: str) -> list[str]:
    return [" ".join(parse(text).prefix()) for text in texts]


@pytest.fixture
def trained() -> TrainedSymbols:
    return TrainedSymbols.of(prefixes(*TRAINING), VOCAB)


def test_the_symbols_are_those_of_the_training_equations_with_one_name_for_all_decimals(trained: TrainedSymbols) -> None:
    assert set(trained.functions) == {"sin", "Add", "Mul"}
    assert set(trained.leaves) == {"x", "y", "2", "<number>"}
    assert TrainedSymbols.of(pa.array(prefixes(*TRAINING)), VOCAB) == trained
    assert TrainedSymbols.from_dict(trained.to_dict()) == trained


def test_symbols_of_several_sets_of_equations_are_joined_in_the_order_of_the_vocabulary(trained: TrainedSymbols) -> None:
    other = TrainedSymbols.of(prefixes("cos(z) = 3"), VOCAB)
    together = TrainedSymbols.of(prefixes(*TRAINING, "cos(z) = 3"), VOCAB)
    assert trained.joined(other, VOCAB) == other.joined(trained, VOCAB) == together
    assert TrainedSymbols((), ()).joined(other, VOCAB) == other


def test_where_variables_are_permuted_all_of_the_vocabulary_are_trained() -> None:
    found = TrainedSymbols.of(prefixes(*TRAINING), VOCAB, renamed=True)
    assert {"x", "y", "z", "w", "u", "v", "a", "b", "c", "d", "2"} <= set(found.leaves)
    assert "3" not in found.leaves


def test_where_variables_are_read_as_numbers_they_train_each_other_and_decimals() -> None:
    found = TrainedSymbols.of(prefixes("sin(x) = 2"), VOCAB, numbers=True)
    assert {"x", "y", "d", "<number>", "2"} <= set(found.leaves)
    assert "3" not in found.leaves


@pytest.mark.parametrize(
    ("text", "untrained"),
    [
        ("x + y = sin(2*x)", ()),
        ("x = 0.75", ()),
        ("cos(x) = 3*log(x, 2)", ("cos", "3", "log")),
        ("z = z", ("z",)),
        ("theta + phi = 2", ()),  # read as x + y
        ("theta + x + y = 2", ("theta",)),  # theta is read as z, which did not occur
        ("cos(x) = 17/19", ()),  # cannot be read at all, which is said elsewhere
    ],
)
def test_symbols_that_did_not_occur_are_found_in_trees_and_in_prefix_strings(
    text: str, untrained: tuple[str, ...], trained: TrainedSymbols
) -> None:
    assert trained.untrained_in_exprs([parse("x = x"), parse(text)], VOCAB) == [(), untrained]
    assert trained.untrained_in_texts(prefixes("x = x", text), VOCAB) == [(), untrained]
    assert trained.untrained_in_texts(pa.array(prefixes("x = x", text)), VOCAB) == [(), untrained]


def test_decimals_are_untrained_where_training_had_none() -> None:
    trained = TrainedSymbols.of(prefixes("x = 2"), VOCAB)
    assert trained.untrained_in_exprs([parse("x = 0.75")], VOCAB) == [("0.75",)]
