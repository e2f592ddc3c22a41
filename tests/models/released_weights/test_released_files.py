"""The weights that the authors released give their logits and ranks.

The files are not in the repository. Where shared/reference lies beside it, every logit of its expected.json is compared,
and the ranks of every 60th blank; with TREESMU_FULL=1 those of all 835 (a few minutes).
"""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from paths import REFERENCE
from samples import by_hand_or_compiled
from treesmu.data import Example, read_authors
from treesmu.expr import Expr
from treesmu.models.model import Model
from treesmu.models.released_weights import import_weights

RELEASED = {  # the names in expected.json
    "tree-rnn-h45": "exp_vanilla_drop0.1_hidden45_45678-model-66.checkpoint",
    "tree-lstm-h50": "exp_lstm_drop0.1_hidden50_12093-model-68.checkpoint",
    "tree-smu-h50": "exp_gatedpushpop_normalize_no_op_50_0.1_12345-model-97.checkpoint",
}


class Released(NamedTuple):
    """The contents of shared/reference."""

    expected: dict[str, list[dict[str, Any]]]
    blanks: dict[str, list[Example]]  # by file
    candidates: list[Example]

    def filled(self, row: dict[str, Any], candidate: int) -> Expr:
        example = self.blanks[row["file"]][row["index"]]
        assert example.blank is not None
        return example.equation.replace(example.blank, self.candidates[candidate].equation)


@pytest.fixture(scope="module")
def released() -> Released:
    if not (REFERENCE / "expected.json").exists():
        pytest.skip("the authors' weights are not here (shared/reference, beside the repository)")
    expected = json.loads((REFERENCE / "expected.json").read_text())
    files = {row["file"] for row in expected["tree-rnn-h45"]}
    return Released(expected, {name: flat(name) for name in files}, flat("candidate_classes.json"))


def flat(name: str) -> list[Example]:
    return [example for group in read_authors(REFERENCE / name) for example in group]


@by_hand_or_compiled
@pytest.mark.parametrize("name", RELEASED)
def test_every_logit_of_the_released_weights(name: str, compiled: bool, released: Released) -> None:
    rows = released.expected[name]
    equations = [released.filled(row, row[f"{which}_candidate"]) for row in rows for which in ("gold", "wrong")]
    expected = [row[f"{which}_logit"] for row in rows for which in ("gold", "wrong")]
    assert len(expected) == 2 * 835
    model, _ = import_weights(REFERENCE / RELEASED[name])
    model.encoder.compiled = compiled
    np.testing.assert_allclose(model.logits(equations), expected, rtol=0, atol=1e-4)
    np.testing.assert_allclose(model.double().logits(equations), expected, rtol=0, atol=1e-8)


@by_hand_or_compiled
@pytest.mark.parametrize("name", RELEASED)
def test_ranks_of_the_released_weights(name: str, compiled: bool, released: Released) -> None:
    rows = released.expected[name][:: 1 if os.environ.get("TREESMU_FULL") else 60]
    model = import_weights(REFERENCE / RELEASED[name])[0].double()
    model.encoder.compiled = compiled
    found = [ranks(scores_of_all(model, released, row), released.candidates, row["gold_candidate"]) for row in rows]
    assert found == [(row["rank_raw"], row["rank_class"], row["rank_collapse"]) for row in rows]
    assert len(found) >= 14


def scores_of_all(model: Model, released: Released, row: dict[str, Any]) -> NDArray[np.float64]:
    """Return the logits of the equation of a blank with each candidate; identical trees are computed once."""
    before, after = " ".join(released.blanks[row["file"]][row["index"]].question.prefix()).split("_")
    fillers = [" ".join(candidate.equation.prefix()) for candidate in released.candidates]
    place = {filler: i for i, filler in enumerate(dict.fromkeys(fillers))}
    plan = model.encoder.plan([f"{before}{filler}{after}" for filler in place])
    with model.evaluation_mode():
        (scores,) = [model(batch).numpy(force=True) for batch in model.batches(plan, len(plan))]
    return scores[[place[filler] for filler in fillers]]


def ranks(scores: NDArray[np.float64], candidates: list[Example], gold: int) -> tuple[int, int, int]:
    """Return the raw, class and collapse rank of the answer, by descending score; ties keep the order of the candidates."""
    order = np.argsort(-scores, kind="stable").tolist()
    classes = [candidates[i].class_ for i in order]
    first = classes.index(candidates[gold].class_)
    return order.index(gold) + 1, first + 1, len(set(classes[: first + 1]))
