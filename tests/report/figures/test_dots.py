"""Dot plots: variants around a reference, all cells, and our results next to the paper's."""

from __future__ import annotations

import pytest

from finished_runs import finished_run, seed_group
from treesmu.report.figures.dots import cells_figure, paper_figure, variants_figure
from treesmu.report.figures.figure import Dots, Figure
from treesmu.report.figures.palette import COLOURS
from treesmu.report.runs import Condition

WHOLE = seed_group("hard", "treesmu", "tree-smu", finished_run(80, 70), variant="whole")
HEAD = seed_group("hard", "treesmu", "tree-smu", finished_run(78, 50), variant="head")
LIKE_PAPER = seed_group("paper", "paper", "tree-smu", finished_run(84, 78), finished_run(82, 80), is_paper_like=True)


def panels_of(figure: Figure | None) -> list[Dots]:
    assert figure is not None
    panels = [panel for panel in figure.panels if isinstance(panel, Dots)]
    assert len(panels) == len(figure.panels)
    return panels


def test_variants_are_shown_around_the_reference() -> None:
    figure = variants_figure([WHOLE, HEAD], "n", "A title", lambda group: f"the {group.variant}", "whole")
    assert figure.note == "Dotted line: the whole. One seed, therefore no bars."
    first, second = panels_of(figure)
    assert first.title == "systematicity: hard corpus, recipe treesmu"
    assert second.title == "productivity: hard corpus, recipe treesmu"
    assert [(dot.label, dot.value, dot.sd) for dot in second.rows] == [("the whole", 70.0, None), ("the head", 50.0, None)]
    assert (first.level, second.level) == (80.0, 70.0)


def test_all_panels_have_the_same_span_around_their_dots() -> None:
    first, second = panels_of(variants_figure([WHOLE, HEAD], "n", "t", lambda group: group.variant, "whole"))
    assert first.x_range == (pytest.approx(79 - 0.68 * 20), pytest.approx(79 + 0.68 * 20))  # 20 points: the wider panel's
    assert second.x_range == (pytest.approx(60 - 0.68 * 20), pytest.approx(60 + 0.68 * 20))
    alone, _ = panels_of(variants_figure([WHOLE], "n", "t", lambda group: group.variant, "whole"))
    assert alone.x_range == (pytest.approx(80 - 0.68 * 8), pytest.approx(80 + 0.68 * 8))  # small differences are not magnified


def test_cells_stand_below_their_condition_in_the_papers_order() -> None:
    rnn = seed_group("paper", "paper", "tree-rnn", finished_run(70, 60), is_paper_like=True)
    lstm = seed_group("paper", "paper", "lstm", finished_run(70, 60), is_paper_like=True)  # not a cell
    mine = seed_group("hard", "treesmu", "my-cell", finished_run(90, 80))
    first, second = panels_of(
        cells_figure({Condition("paper", "paper"): [LIKE_PAPER, lstm, rnn], Condition("hard", "treesmu"): [mine]})
    )
    assert (first.title, second.title) == ("systematicity: test depth 1-7", "productivity: test depth 8-19")
    assert [(dot.label, dot.value, dot.paper) for dot in second.rows] == [
        ("paper corpus, paper's recipe", None, None),
        ("Tree-RNN", 60.0, 68.95),
        ("Tree-SMU", 79.0, 79.57),
        ("hard corpus, recipe treesmu", None, None),
        ("my-cell", 80.0, None),  # the paper's numbers belong to its own data and recipe
    ]
    assert second.rows[2].sd == pytest.approx(2**0.5)
    assert second.rows[2].colour == COLOURS["tree-smu"]
    assert cells_figure({Condition("paper", "paper"): [lstm]}) is None


def test_the_paper_stands_beside_models_trained_as_in_it() -> None:
    first, second = panels_of(paper_figure([LIKE_PAPER], "A title"))
    assert [(dot.value, dot.paper) for dot in first.rows + second.rows] == [(83.0, 83.29), (79.0, 79.57)]
    assert first.x_range == second.x_range == (40, 100)
