"""Published figures have a source that says what differs."""

from __future__ import annotations

from treesmu.report.published.other_trees import PUBLISHED, published_of


def test_every_figure_has_a_source_with_a_year() -> None:
    for kind, figures in PUBLISHED.items():
        assert "(20" in figures.source, kind
    assert published_of("listops", "tree-lstm") == "98.7"
    assert published_of("arithmetic", "tree-lstm") is None


def test_figures_by_depth_are_summed_up_with_their_depths() -> None:
    assert published_of("logic", "lstm") == "69 to 88 at 7-12"
    assert published_of("logic", "tree-smu") is None
    for figures in PUBLISHED.values():
        assert all(0 < value < 100 for some in figures.by_depth.values() for value in some.values())
