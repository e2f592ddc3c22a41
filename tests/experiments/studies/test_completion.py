"""Completion: the first blanks of each depth are ranked, next to the prior."""

from __future__ import annotations

import numpy as np

from planned_runs import analyses_of
from treesmu.data import Blanks
from treesmu.experiments.reproduce import Reproduction
from treesmu.experiments.studies.completion import _first_of_each_depth
from treesmu.expr import parse


def test_completion_is_reported_by_depth_and_with_the_prior(every_study: Reproduction) -> None:
    ((_, found),) = analyses_of(every_study, "completion")
    assert set(found["by_depth"]) == {"8", "9"}
    assert found["by_depth"]["8"]["blanks"] == 2
    assert 0 <= found["weight"] <= 1  # fitted on blanks in validation equations
    for ranks in (found["overall"], found["overall"]["prior"], found["overall"]["with_prior"]):
        assert all(len(ranks[name]["top"]) == 10 for name in ("raw", "class", "collapse", "true"))


def test_the_first_blanks_of_each_depth_are_kept_in_their_order() -> None:
    equations = tuple(parse(text) for text in ("sin(x + y) = z", "x = y", "sin(y + x) = z", "x = z", "sin(z + x) = y"))
    blanks = Blanks("here", equations, ((1,),) * 5, np.array([10, 11, 12, 13, 14]))
    kept = _first_of_each_depth(blanks, 2)
    assert blanks.depth.tolist() == [3, 1, 3, 1, 3]
    assert kept.row.tolist() == [10, 11, 12, 13]
    assert kept.equations == equations[:4]
    assert _first_of_each_depth(blanks, 1).row.tolist() == [10, 11]
