"""The section of completion."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reproduced import run_name
from sections import figure_of, section_of
from treesmu.report.figures.figure import Lines


def ranks(class_: float, collapse: float) -> dict[str, Any]:
    shares = {"raw": 0.0, "class": class_, "collapse": collapse, "true": 0.0}
    return {rank: {"top": [share] * 10} for rank, share in shares.items()}


def test_models_are_compared_with_the_prior_by_the_rank_in_which_the_prior_can_score(tmp_path: Path) -> None:
    """Its first fillers all have one value, so that by class a model that is worse than the prior would look better."""
    name = run_name("hard", "tree-smu", "paper", 1)
    overall = {"blanks": 20, **ranks(0.3, 0.4), "prior": ranks(0.2, 0.6)}
    found = section_of(tmp_path, "completion", {name: 60}, analyses={name: {"overall": overall, "by_depth": {"8": overall}}})
    assert found.conclusions == (
        "The right value is among the first five of Tree-SMU for 40.0% (hard corpus, paper's recipe).",
        "The prior, a ranking by how often a value occurs in the training set, which ignores the equation: 60.0% (hard corpus, "
        "paper's recipe). Tree-SMU compared with the prior: −20.0 (hard corpus, paper's recipe) points; one seed, so this may "
        "be due to chance.",
    )
    drawn = figure_of(found, "completion-by-depth")
    assert drawn.title == "Answered blanks by depth"  # one seed
    lines = [line for panel in drawn.panels if isinstance(panel, Lines) for line in panel.series]
    assert {line.label: line.y for line in lines} == {"Tree-SMU": (40.0,), "prior": (60.0,)}


def test_the_ranking_with_the_prior_has_a_row_a_line_and_a_sentence(tmp_path: Path) -> None:
    name = run_name("hard", "tree-smu", "paper", 1)
    overall = {"blanks": 20, **ranks(0.3, 0.4), "prior": ranks(0.2, 0.6), "with_prior": ranks(0.7, 0.9)}
    found = section_of(tmp_path, "completion", {name: 60}, analyses={name: {"overall": overall, "by_depth": {"8": overall}}})
    assert found.conclusions[-1] == (
        "Tree-SMU with the prior, its default ranking for completion: 90.0% (hard corpus, paper's recipe)."
    )
    drawn = figure_of(found, "completion-by-depth")
    lines = [line for panel in drawn.panels if isinstance(panel, Lines) for line in panel.series]
    assert {line.label: line.y for line in lines} == {"Tree-SMU": (40.0,), "Tree-SMU with prior": (90.0,), "prior": (60.0,)}


def test_the_title_compares_models_with_the_prior_if_several_seeds_show_it(tmp_path: Path) -> None:
    analyses = {}
    for seed, share in ((1, 0.40), (2, 0.42), (3, 0.41)):
        overall = {"blanks": 20, **ranks(0.3, share), "prior": ranks(0.2, 0.6)}
        analyses[run_name("hard", "tree-smu", "paper", seed)] = {"overall": overall, "by_depth": {"8": overall}}
    found = section_of(tmp_path, "completion", dict.fromkeys(analyses, 60), analyses=analyses)
    title = "Answered blanks by depth: the share of blanks (compared with the prior) is higher in 0 and lower in 1 of 1 case"
    assert figure_of(found, "completion-by-depth").title == title
