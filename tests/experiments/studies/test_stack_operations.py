"""Stack operations: each variant is a model with settings of its cell."""

from __future__ import annotations

import pytest

from planned_runs import runs_of
from treesmu.data import DataError


def test_stack_operations_are_there_on_and_off() -> None:
    cells = {run.variant: run.settings.cell for run in runs_of("stack_operations", 'recipes = ["paper"]')}
    assert cells["push, pop, no-op"] == {}
    assert cells["push, pop"] == {"no_op": False}
    assert cells["push, no-op"] == {"pop": False}
    assert cells["queue"] == {"order": "queue"}


def test_a_variant_may_be_another_model() -> None:
    models = {run.variant: run.settings.model for run in runs_of("stack_operations")}
    beside = {variant for variant, model in models.items() if model == "stack-tree-rnn"}
    assert beside == {"beside the cell", "beside the cell, push, pop"}
    assert {models[variant] for variant in models.keys() - beside} == {"tree-smu"}


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(DataError, match="unknown variant 'heap'; known: push, pop, no-op; push, pop; "):
        runs_of("stack_operations", 'variants = ["heap"]')
