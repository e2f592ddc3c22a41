"""Names and colours of models."""

from __future__ import annotations

from treesmu.registry import names
from treesmu.report.figures.palette import (
    COLOURS,
    NAMES,
    OTHER_COLOURS,
    assign_colours,
    compared_cells,
    model_name,
    model_style,
)


def test_every_built_in_model_has_a_name_and_a_colour() -> None:
    assert set(NAMES) == set(COLOURS)
    assert set(NAMES) <= set(names())


def test_registered_models_have_colours_of_their_own_in_a_fixed_order() -> None:
    models = [f"cell-{k}" for k in range(len(OTHER_COLOURS))]
    found = assign_colours(["tree-smu", *models, *models])
    assert len({found[model] for model in (*NAMES, *models)}) == len(NAMES) + len(models)
    assert assign_colours([*models, "one-more"])["one-more"] == found["cell-0"]  # the colours are repeated


def test_a_registered_model_is_shown_by_its_name_as_a_cell() -> None:
    assert (model_name("my-cell"), model_style("my-cell")) == ("my-cell", "-")
    assert compared_cells(["lstm", "my-cell", "tree-smu", "tree-rnn", "my-cell"]) == ["tree-rnn", "tree-smu", "my-cell"]
