"""Stack size: rows in use are those of the sides with a norm."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from planned_runs import analyses_of, runs_of
from treesmu.data import Dataset, Forest
from treesmu.experiments.probes.trained_model import load_trained
from treesmu.experiments.reproduce import Reproduction
from treesmu.experiments.studies.stack_size import IN_USE, StackSize
from treesmu.models import save


@pytest.mark.parametrize("p", [2, 5])  # the default of the cell, and another
def test_a_variant_is_what_it_is_called_whatever_the_preset_says_of_cells(p: int) -> None:
    for run in runs_of("stack_size", training=f"[training.paper]\ncell = {{ stack = {p} }}"):
        assert run.settings.cell.get("stack", 2) == int(run.variant)


def test_rows_in_use_are_those_of_the_sides_with_a_norm(every_study: Reproduction) -> None:
    """Compared with the trace of one equation at a time."""
    for run, found in analyses_of(every_study, "stack_size"):
        model = load_trained(every_study.run_folder(run).path)
        test = Dataset.read(every_study.corpus("tiny"), "test").select((3, 9))
        expected: dict[str, list[int]] = {}
        for e in test.expressions():
            memory = model.encoder.trace(forest := Forest.from_exprs([e]))["memory"]
            for root in forest.roots[0]:
                expected.setdefault(str(e.depth), []).append(int((memory[root].norm(dim=1) > IN_USE).sum()))
        assert found["stack"] == int(run.variant)
        assert {d: row["rows_in_use"] for d, row in found["by_depth"].items()} == {
            d: pytest.approx(np.mean(counts)) for d, counts in expected.items()
        }
        assert all(row["equations"] == 8 and len(row["norm"]) == found["stack"] for row in found["by_depth"].values())


def test_a_stack_that_nothing_is_pushed_to_is_not_in_use(every_study: Reproduction, tmp_path: Path) -> None:
    (run, _), *_ = analyses_of(every_study, "stack_size")
    model = load_trained(every_study.run_folder(run).path)
    with torch.no_grad():
        for parameter in model.encoder.wiring.parameters():
            parameter.zero_()  # u = 0
    save(model, tmp_path / "model.safetensors")
    found = StackSize(corpora=("tiny",)).analyse(run, tmp_path, {"tiny": every_study.corpus("tiny")})
    assert {row["rows_in_use"] for row in found["by_depth"].values()} == {0.0}
