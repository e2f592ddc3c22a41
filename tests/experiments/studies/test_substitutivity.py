"""Substitutivity: the figure, its numbers, and the agreement after a substitution."""

from __future__ import annotations

from planned_runs import analyses_of
from treesmu.experiments.reproduce import Reproduction


def test_substitutivity_has_the_figure_its_numbers_and_the_agreement(every_study: Reproduction) -> None:
    ((run, found),) = analyses_of(every_study, "substitutivity")
    assert found["classes"][0] == "1"  # the tiny corpus has no expression of value 0
    assert {row["class"] for row in found["expressions"]} == set(range(len(found["classes"])))
    assert all(len(row["place"]) == 2 and 1 <= row["height"] <= 3 for row in found["expressions"])
    assert -1 <= found["silhouette"] <= 1
    assert 0 <= found["purity"] <= 1
    assert found["fresh"]["silhouette"] != found["silhouette"]
    assert set(found["replaced"]) == {"equations", "agreement", "accuracy_before", "accuracy_after", "by_depth"}
    assert run.settings.subexpressions
