"""Verification of whole data sets: probabilities, measures and the loss."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from corpora import ROWS, equations
from treesmu.data import DataError, Dataset, Vocab
from treesmu.expr import parse
from treesmu.models import Model, build
from treesmu.tasks import verify
from treesmu.tasks.measures import verification_measures
from treesmu.tasks.verify import (
    confirmed_rows,
    evaluate_verification,
    probabilities,
    readable_rows,
    verification_loss,
)


@pytest.fixture
def model() -> Model:
    torch.manual_seed(1)
    return build("tree-lstm", Vocab.default(), {"hidden": 5, "dropout": 0.5})


def test_the_measures_are_those_of_the_model_without_dropout(model: Model) -> None:
    labels = [label for _, label, _ in ROWS]
    model.train()
    found, probability = evaluate_verification(model, Dataset.of(equations(), labels))
    assert model.training
    assert probability == pytest.approx(model.verify(equations()), abs=1e-6)
    assert found["overall"] == verification_measures(probability, np.array(labels))
    assert sum(row["equations"] for row in found["by_depth"].values()) == len(ROWS)


def test_rows_without_a_label_get_a_probability_and_are_not_measured(model: Model) -> None:
    found, probability = evaluate_verification(model, Dataset.of(equations(), [1, -1, 0, -1, 1, -1, 0, -1]))
    assert len(probability) == 8
    assert (found["overall"]["equations"], found["overall"]["correct"]) == (4, 2)


def test_a_model_whose_values_are_not_finite_is_refused(model: Model) -> None:
    for weight in model.parameters():
        weight.data.fill_(torch.nan)
    with pytest.raises(DataError, match=r"^the model's values are not finite for 8 of 8 equations; train it again"):
        evaluate_verification(model, Dataset.of(equations(), [label for _, label, _ in ROWS]))


def test_only_rows_are_confirmed_whose_label_is_that_of_the_numeric_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "CHECKED", 3)  # several parts
    texts = ["x = x", "x = x + 1", "sqrt(x^2) = x", "x = x", "x = 2*x", "sqrt(x^2) = x", "x = x", "1/0 = 1"]
    labels = [1, 0, 1, 0, 1, 0, -1, 1]
    found = confirmed_rows(Dataset.of([parse(text) for text in texts], labels))
    assert found.texts() == ["x = x", "x = x + 1"]
    assert found.row.tolist() == [0, 1]


def test_no_batches_give_no_probabilities(model: Model) -> None:
    assert probabilities(model, []).shape == (0,)


def test_the_loss_is_summed_and_its_gradient_is_probability_minus_label() -> None:
    logits = torch.tensor([0.0, 2.0, -1.0], dtype=torch.float64, requires_grad=True)
    label = torch.tensor([1.0, 0.0, 0.0])
    loss = verification_loss(logits, label)
    loss.backward()
    wanted = torch.nn.functional.softplus(torch.tensor([-0.0, 2.0, -1.0], dtype=torch.float64)).sum()
    torch.testing.assert_close(loss.detach(), wanted)
    torch.testing.assert_close(logits.grad, logits.detach().sigmoid() - label.double())


def test_rows_that_the_model_cannot_read_are_left_out_with_the_reason(model: Model) -> None:
    data = Dataset.of([parse("x = x"), parse("7/13 = x"), parse("theta = 1")], [1, 0, 0])
    rows, reasons = readable_rows(model, data)
    assert (rows.texts(), rows.row.tolist()) == (["x = x", "theta = 1"], [0, 2])
    assert reasons == ["memory, row 1: 7/13 is not in the vocabulary"]
    assert readable_rows(model, rows) == (rows, [])
    with pytest.raises(DataError, match=r"^the model can read none of the 1 equations: memory, row 1: 7/13 is not in"):
        readable_rows(model, data.take(np.array([1])))


def test_an_equation_that_the_model_cannot_read_is_reported_with_its_source(model: Model) -> None:
    with pytest.raises(DataError, match=r"^memory: row 0: unknown leaf or function '7/13'"):
        evaluate_verification(model, Dataset.of([parse("7/13 = x")], [0]))


def test_variables_that_the_vocabulary_does_not_know_are_read_under_names_that_it_knows(model: Model) -> None:
    from treesmu.expr import parse

    strange, known = (Dataset.of([parse(text)], [0]) for text in ("theta + 1 = phi", "x + 1 = y"))
    assert evaluate_verification(model, strange) == evaluate_verification(model, known)
