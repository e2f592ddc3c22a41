"""Recipes are sets of settings, every setting can be given, and an invalid one is reported in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from treesmu import registry
from treesmu.data import DataError
from treesmu.models import Cell
from treesmu.training.fresh_model import check_model
from treesmu.training.settings import RECIPES, TrainSettings, merge_settings, read_settings


def test_the_defaults_are_the_papers() -> None:
    settings = TrainSettings.of()
    assert settings == TrainSettings()
    assert (settings.model, settings.recipe, settings.head, settings.norm) == ("tree-smu", "paper", "dot", "none")
    assert (settings.learning_rate, settings.weight_decay, settings.batch, settings.epochs) == (1e-3, 1e-5, 32, 100)
    assert (settings.subexpressions, settings.rename, settings.schedule) == (0, False, "constant")
    assert (settings.points, settings.values, settings.warmup, settings.average, settings.cell) == (0, 0, 0, 0, {})


def test_our_recipe_reads_variables_as_numbers_and_needs_no_names_and_no_copies() -> None:
    settings = TrainSettings.of("treesmu")
    assert (settings.points, settings.values, settings.subexpressions, settings.pairs) == (8, 5.0, 2.0, 400)
    assert (settings.rename, settings.substitutes, settings.cell) == (False, 0, {"depth": 2, "expansion": 2})
    assert (settings.head, settings.norm, settings.batch, settings.warmup, settings.clip) == ("distance", "layer", 64, 400, 1.0)


@pytest.mark.parametrize("recipe", ["paper", "treesmu-1", "treesmu-symbols"])
def test_variables_are_symbols_in_all_other_recipes(recipe: str) -> None:
    assert TrainSettings.of(recipe).points == 0


@pytest.mark.parametrize("recipe", [recipe for recipe in RECIPES if recipe != "paper"])
def test_given_settings_override_the_parts_of_a_recipe(recipe: str) -> None:
    settings = TrainSettings.of(recipe)
    assert {name: getattr(settings, name) for name in RECIPES[recipe]} == RECIPES[recipe]
    for name, value in RECIPES[recipe].items():
        if name == "cell":
            continue
        plain = getattr(TrainSettings(), name)
        assert plain != value
        other = TrainSettings.of(recipe, **{name: plain})
        assert getattr(other, name) == plain
        assert other.model_copy(update={name: value}) == settings


def test_a_stream_has_no_copies_and_parts_of_50000_equations_unless_said_otherwise() -> None:
    for recipe in RECIPES:
        settings = TrainSettings.of(recipe, stream=True)
        assert (settings.rows, settings.substitutes) == (50_000, 0)
        assert TrainSettings.of(**settings.model_dump(mode="json")) == settings
    assert TrainSettings.of(stream=True, rows=7).rows == 7
    assert TrainSettings.of().rows is None


@pytest.mark.parametrize("given", ["near-miss:2, mutation,textbook:0.5", {"near-miss": 2, "mutation": 1.0, "textbook": 0.5}])
def test_a_mixture_is_a_table_or_a_text(given: Any) -> None:
    settings = TrainSettings.of(stream=True, mixture=given, exclude=["held_out.txt"])
    assert settings.mixture == {"near-miss": 2.0, "mutation": 1.0, "textbook": 0.5}
    assert settings.exclude == (Path("held_out.txt"),)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"mixture": "slip"}, "mixture is a setting of a stream; add --stream"),
        ({"exclude": ["a.txt"]}, "exclude is a setting of a stream; add --stream"),
        ({"stream": True, "substitutes": 5}, "substitutes: a stream has no copies"),
        ({"stream": True, "model": "majority"}, "stream: the model majority counts"),
        ({"stream": True, "mixture": "slip:much"}, "setting mixture.slip: Input should be a valid number"),
    ],
)
def test_settings_that_do_not_fit_a_stream_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        TrainSettings.of(**given)


def test_the_cell_of_a_recipe_is_merged_with_the_one_given() -> None:
    assert TrainSettings.of("treesmu-symbols").cell == {"depth": 2, "expansion": 4}
    settings = TrainSettings.of("treesmu-symbols", cell={"hidden": 20, "expansion": 3})
    assert settings.cell == {"depth": 2, "expansion": 3, "hidden": 20}
    assert TrainSettings.of("treesmu-symbols", cell={"depth": 1}).cell["depth"] == 1
    assert TrainSettings.of(**settings.model_dump(mode="json")) == settings
    assert RECIPES["treesmu-symbols"]["cell"] == {"depth": 2, "expansion": 4}  # not changed by the merging


def test_every_tree_model_can_be_built_with_every_recipe() -> None:
    for recipe in RECIPES:
        for model in registry.BUILT_IN:
            if registry.is_tree_model(model):
                check_model(TrainSettings.of(recipe, model=model))


def test_a_cell_of_a_user_gets_the_settings_of_a_recipe_that_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    class Plain(Cell):
        def __init__(self, hidden: int = 4, expansion: int = 2) -> None:
            super().__init__(hidden, width=hidden, expansion=expansion)

    class TakesAll(Cell):
        def __init__(self, **others: Any) -> None:
            super().__init__(4, width=4, **others)

    monkeypatch.setattr(registry, "_entries", dict(registry._entries))
    registry.register("plain", Plain)
    registry.register("takes-all", TakesAll)
    assert TrainSettings.of("treesmu-symbols", model="plain").cell == {"expansion": 4}
    assert TrainSettings.of("treesmu-symbols", model="takes-all").cell == {"depth": 2, "expansion": 4}


@pytest.mark.parametrize("depths", ["2-7", " 2 - 7 ", [2, 7], (2, 7)])
def test_depths_can_be_text_or_a_pair(depths: Any) -> None:
    assert TrainSettings.of(depths=depths).depths == (2, 7)
    assert TrainSettings.of(depths="5").depths == (5, 5)


def test_settings_of_older_files_say_unit_instead_of_norm(tmp_path: Path) -> None:
    (tmp_path / "old.toml").write_text('recipe = "treesmu-1"\nunit = false\n', encoding="utf-8")
    assert TrainSettings.of(**read_settings(tmp_path / "old.toml")) == TrainSettings.of("treesmu-1", norm="none")
    assert TrainSettings(unit=True) == TrainSettings(norm="unit")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"norm": "batch"}, "setting norm: Input should be 'none', 'unit' or 'layer'"),
        ({"recipe": "soup"}, "unknown recipe 'soup'; known: paper, treesmu"),
        ({"recipe": 3}, "unknown recipe 3; known: paper, treesmu"),
        ({"model": "oracle"}, "unknown model 'oracle'; known: tree-smu, "),
        ({"colour": 1}, "unknown setting 'colour'; known: model, recipe, cell, "),
        ({"batch": 0}, "setting batch: Input should be greater than or equal to 1"),
        ({"epochs": "many"}, "setting epochs: Input should be a valid integer"),
        ({"learning_rate": 0}, "setting learning_rate: Input should be greater than 0"),
        ({"learning_rate": float("nan")}, "setting learning_rate: Input should be a finite number"),
        ({"head": "hydra"}, "setting head: Input should be 'dot' or 'distance'"),
        ({"cell": 5}, "setting cell: expected a table of settings, such as hidden and stack, not int"),
        ({"start_from": 5}, "setting start_from: Input is not a valid path"),
        ({"epochs": 10**10}, "setting epochs: Input should be less than or equal to 1000000000"),
        ({"batch": 10**10}, "setting batch: Input should be less than or equal to 1000000000"),
        ({"rows": 10**10}, "setting rows: Input should be less than or equal to 1000000000"),
        ({"depths": [1, 10**10]}, "setting depths.1: Input should be less than or equal to 1000000000"),
        ({"depths": "7-1"}, "depths: expected A-B with A <= B, such as 1-7, not 7-1"),
        ({"depths": "deep"}, "setting depths: Input should be a valid tuple"),
        ({"model": "lstm", "recipe": "treesmu"}, "the recipe treesmu is for tree models (tree-smu, tree-lstm, "),
        (
            {"model": "lstm", "recipe": "treesmu-symbols"},
            "the recipe treesmu-symbols is for tree models (tree-smu, tree-lstm, ",
        ),
        ({"model": "lstm", "points": 1}, "points is for tree models; lstm has no states of sub-expressions"),
        ({"points": -1}, "setting points: Input should be greater than or equal to 0"),
        ({"points": 1025}, "setting points: Input should be less than or equal to 1024"),
        ({"model": "lstm", "values": 1}, "values is for tree models; lstm has no states of sub-expressions"),
        ({"values": -1}, "setting values: Input should be greater than or equal to 0"),
        ({"average": 1}, "setting average: Input should be less than 1"),
        ({"warmup": 0.5}, "setting warmup: Input should be a valid integer"),
        ({"schedule": "square"}, "setting schedule: Input should be 'constant', 'linear' or 'cosine'"),
        ({"model": "lstm", "subexpressions": 1}, "subexpressions is for tree models; lstm has no states of sub-expressions"),
    ],
)
def test_a_bad_setting_is_one_line(given: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError) as error:
        TrainSettings.of(**given)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_settings_survive_json() -> None:
    settings = TrainSettings.of("treesmu", depths=(1, 7), cell={"hidden": 8, "dropout": 0.1}, rows=100)
    assert TrainSettings.of(**settings.model_dump(mode="json")) == settings


def test_a_toml_file_sets_what_it_names(tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    file.write_text('recipe = "treesmu-1"\nepochs = 5\ndepths = "1-7"\n[cell]\nhidden = 20\nstack = 3\n')
    found = merge_settings(read_settings(file), {"epochs": 9, "cell": {"stack": 4}})
    settings = TrainSettings.of(**found)
    assert (settings.recipe, settings.batch, settings.epochs, settings.depths) == ("treesmu-1", 128, 9, (1, 7))
    assert settings.cell == {"hidden": 20, "stack": 4}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"epochs = ", "not a TOML file: Invalid value (at end of document)"),
        (b"\xff\xfe", "byte 0 is not UTF-8 text; save it as UTF-8"),
        (b"epochs = " + b"9" * 5000, "not a TOML file: Exceeds the limit"),
        (b"epochs = 0x" + b"f" * 5000, "not a TOML file: Exceeds the limit"),
        (b"colour = 1", "unknown setting 'colour'; known: model, "),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_a_bad_toml_file_is_named(content: bytes | None, message: str, tmp_path: Path) -> None:
    file = tmp_path / "run.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(DataError) as error:
        read_settings(file)
    assert str(error.value).startswith(f"{file}: {message}")


def test_settings_are_merged_without_changing_any() -> None:
    first, second = {"cell": {"hidden": 1}, "batch": 2}, {"cell": {"stack": 3}}
    assert merge_settings(first, second) == {"cell": {"hidden": 1, "stack": 3}, "batch": 2}
    for wrong in ((first, {"cell": 7}), ({"cell": 7}, second)):
        with pytest.raises(DataError, match="setting cell: expected a table of settings, such as hidden and stack, not int"):
            merge_settings(*wrong)
    assert (first, second) == ({"cell": {"hidden": 1}, "batch": 2}, {"cell": {"stack": 3}})
