"""A planner plans as the model's encoder would, and travels between processes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from corpora import equations
from treesmu.data import CorpusPlan, Dataset, SequencePlan, Vocab
from treesmu.data.augment.node_values import NodeValues
from treesmu.data.augment.planned_rows import Planner

VOCAB = Vocab.default()
ROWS = Dataset.of(equations(), [1, 0] * 4)


def test_trees_with_and_without_values():
    plan = CorpusPlan.from_prefix(ROWS.prefix, VOCAB)
    plain, valued = Planner(VOCAB).plan(ROWS), Planner(VOCAB, has_values=True).plan(ROWS)
    for found in (plain, valued):
        assert found.rows is ROWS
        assert np.array_equal(found.plan.children, plan.children)
    assert plain.values is None
    assert np.array_equal(valued.values.code, NodeValues.of(plan).code)


@pytest.mark.parametrize("form", ["parentheses", "tree"])
def test_sequences(form):
    found = Planner(VOCAB, form=form).plan(ROWS)
    assert found.plan.text(0) == SequencePlan.from_prefix(ROWS.prefix, VOCAB, form).text(0)
    assert found.values is None


def test_an_encoder_of_a_users_own_plans_itself():
    assert Planner(VOCAB, is_deferred=True).plan(ROWS) == (ROWS, None, None)


def test_planners_and_plans_travel():
    planner = pickle.loads(pickle.dumps(Planner(VOCAB, has_values=True)))
    found = pickle.loads(pickle.dumps(planner.plan(ROWS)))
    assert found.rows.prefix.to_pylist() == ROWS.prefix.to_pylist()
    assert found.plan.prefix(0) == ROWS.prefix[0].as_py()
    assert found.plan.batch([0]).roots.shape == (1, 2)
