"""The search space of a sweep: parsed from the command line, checked, and named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from treesmu import registry
from treesmu.data import DataError
from treesmu.experiments.tuning.space import LONGEST_NAME, Parameter, apply_values, grid, paper_space, values_name
from treesmu.training.fresh_model import fresh_model
from treesmu.training.settings import TrainSettings
from user_cell import loaded_plugin

SEARCHED = [model for model in registry.BUILT_IN if model != "majority"]

# -- the paper's grid --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", SEARCHED)
def test_the_papers_grid_has_a_third_axis_where_there_is_a_stack(model: str) -> None:
    points = grid(paper_space(model))
    has_stack = model in ("tree-smu", "stack-tree-rnn")
    assert len(points) == (6 * 5 * 7 if has_stack else 6 * 5)
    assert len({values_name(point) for point in points}) == len(points)
    assert points[0] == {"cell.hidden": 50, "cell.dropout": 0.0} | ({"cell.stack": 1} if has_stack else {})
    assert points[-1] == {"cell.hidden": 120, "cell.dropout": 0.25} | ({"cell.stack": 14} if has_stack else {})


@pytest.mark.parametrize("model", SEARCHED)
def test_every_value_of_the_papers_grid_makes_a_model(model: str) -> None:
    for parameter in paper_space(model):
        for value in parameter.values:
            made = fresh_model(TrainSettings.of(**apply_values({"model": model}, {parameter.name: value})))
            assert (made.build_arguments or {})["settings"][parameter.name.removeprefix("cell.")] == value


def test_the_papers_grid_of_a_plugins_cell_has_the_settings_that_it_declares(tmp_path: Path) -> None:
    with loaded_plugin(tmp_path) as name:
        assert [parameter.name for parameter in paper_space(name)] == ["cell.hidden"]


def test_the_majority_class_has_nothing_to_search() -> None:
    with pytest.raises(DataError, match=r"^majority has no settings to search$"):
        paper_space("majority")


# -- from a line -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cell.hidden=50,100", Parameter("cell.hidden", (50, 100))),
        ("cell.dropout=0.0,0.15,1e-3", Parameter("cell.dropout", (0.0, 0.15, 0.001))),
        ("rename=true,false", Parameter("rename", (True, False))),
        ("head=dot,distance", Parameter("head", ("dot", "distance"))),
        (" head = dot , distance ", Parameter("head", ("dot", "distance"))),
        ("batch=32", Parameter("batch", (32,))),
        ("batch=16..128", Parameter("batch", ends=(16, 128))),
        ("learning_rate=1e-4..1e-2", Parameter("learning_rate", ends=(0.0001, 0.01))),
        ("cell.dropout=0..0.5", Parameter("cell.dropout", ends=(0, 0.5))),
    ],
)
def test_a_parameter_is_given_as_values_or_a_range(text: str, found: Parameter) -> None:
    read = Parameter.read(text)
    assert read == found
    assert [type(value) for value in read.values] == [type(value) for value in found.values]  # True is not 1
    assert [type(end) for end in read.ends or ()] == [type(end) for end in found.ends or ()]


@pytest.mark.parametrize(
    "text",
    [
        "", "batch", "batch=", "=5", "batch=1,,2", "batch=1,", 'head=""', "batch=1..", "batch=..2", "batch=1..2..3",
        "batch=low..high", "rename=false..true", "batch=1..2,3", "learning_rate=NaN,1", "learning_rate=1e-3..Infinity",
        "batch=[1]", 'batch={"a":1}', "rows=null,5", f"batch=1..1{'0' * 400}", f"batch=1{'0' * 400}",
    ],
)  # fmt: skip
def test_anything_else_is_an_error_of_one_line_with_an_example(text: str) -> None:
    with pytest.raises(DataError) as error:
        Parameter.read(text)
    said = "expected NAME=A,B,C or NAME=LOW..HIGH, such as cell.hidden=50,100 or learning_rate=1e-4..1e-2"
    assert str(error.value) == f"{text!r}: {said}"


@pytest.mark.parametrize("text", ["batch=32,16,32", "learning_rate=0.1,0.10", "cell.stack=1,1.0"])
def test_a_value_that_is_given_twice_is_an_error(text: str) -> None:
    with pytest.raises(DataError, match=f"^{re.escape(repr(text))}: a value is given more than once$"):
        Parameter.read(text)


@pytest.mark.parametrize("text", ["batch=128..16", "batch=16..16", "learning_rate=1e-2..1e-4"])
def test_a_range_begins_below_its_end(text: str) -> None:
    with pytest.raises(DataError, match=r"the first number must be below the second$"):
        Parameter.read(text)


@pytest.mark.parametrize(
    ("text", "is_log", "is_integer"),
    [
        ("batch=16..128", False, True),
        ("batch=16..160", True, True),
        ("cell.dropout=0..0.5", False, False),
        ("learning_rate=1e-4..1e-2", True, False),
        ("weight_decay=0.0..1.0", False, False),
        ("clip=1..10.0", True, False),
    ],
)
def test_a_range_over_a_power_of_ten_is_logarithmic(text: str, is_log: bool, is_integer: bool) -> None:
    parameter = Parameter.read(text)
    assert (parameter.is_log, parameter.is_integer) == (is_log, is_integer)
    fractions = [value for value in parameter.examples if value != round(float(value))]
    assert bool(fractions) is not is_integer  # what such a range may choose is among what is checked


# -- points ------------------------------------------------------------------------------------------------------------


def test_a_grid_is_every_combination_the_last_changing_fastest() -> None:
    space = [Parameter("cell.hidden", (4, 5)), Parameter("head", ("dot", "distance")), Parameter("rename", (True, False))]
    points = grid(space)
    assert points[:3] == [
        {"cell.hidden": 4, "head": "dot", "rename": True},
        {"cell.hidden": 4, "head": "dot", "rename": False},
        {"cell.hidden": 4, "head": "distance", "rename": True},
    ]
    assert len({values_name(point) for point in points}) == len(points) == 8


def test_a_grid_has_no_ranges() -> None:
    with pytest.raises(DataError, match=r"^batch: a grid needs values, A,B,C; a range is for --sampler tpe$"):
        grid([Parameter.read("cell.hidden=4,5"), Parameter.read("batch=16..128")])


def test_values_are_merged_into_settings() -> None:
    base = {"batch": 20, "cell": {"hidden": 4, "stack": 3}}
    found = apply_values(base, {"cell.hidden": 5, "cell.dropout": 0.1, "batch": 30})
    assert found == {"batch": 30, "cell": {"hidden": 5, "stack": 3, "dropout": 0.1}}
    assert base == {"batch": 20, "cell": {"hidden": 4, "stack": 3}}


def test_a_point_is_named_by_its_values() -> None:
    assert values_name({"cell.hidden": 50, "cell.dropout": 0.1, "rename": True}) == "hidden=50,dropout=0.1,rename=true"
    assert values_name({"head": "a/b"}) == "head=a_b"  # one folder


def test_a_long_name_is_cut_and_stays_unique() -> None:
    names = [values_name({f"cell.setting-{k}": 0.1234567890123456 + last * (k == 19) for k in range(20)}) for last in (0, 1)]
    assert len(set(names)) == 2
    assert {len(name) for name in names} == {LONGEST_NAME}
