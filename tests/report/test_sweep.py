"""The report of a sweep: its numbers are those of sweep.json."""

from __future__ import annotations

import copy
import csv
import json
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from treesmu.errors import DataError
from treesmu.experiments.tuning.space import Parameter
from treesmu.report.figures.figure import Dots, Figure, Lines
from treesmu.report.sweep import outcome_figure, trials_table, write_sweep

HIDDEN, HEADS, RENAME = (3, 10, 20), ("dot", "distance"), (True, False)
NAMES = ("cell.hidden", "head", "rename")


def parameter(name: str, *values: Any, ends: list[float] | None = None) -> dict[str, Any]:
    return Parameter(name, tuple(values), ends).to_json()


def trial(number: int, values: dict[str, Any], accuracy: float, state: str = "complete") -> dict[str, Any]:
    facts = {"validation_accuracy": accuracy, "epochs": 4, "parameters": 1000 + number, "test_accuracy": None}
    return {"number": number, "values": values, "state": state, **facts}


def sweep(space: list[dict[str, Any]], trials: list[dict[str, Any]], wanted: int | None = None) -> dict[str, Any]:
    settings = {"model": "tree-smu", "recipe": "paper", "epochs": 4, "seed": 3}
    request = {"sampler": "grid", "space": space, "settings": settings}
    return {"request": request, "wanted": len(trials) if wanted is None else wanted, "trials": trials}


def grid() -> dict[str, Any]:
    """Return twelve trials, of which two were stopped; the best is tested."""
    space = [parameter("cell.hidden", *HIDDEN), parameter("head", *HEADS), parameter("rename", *RENAME)]
    points = [dict(zip(NAMES, values, strict=True)) for values in product(HIDDEN, HEADS, RENAME)]
    accuracies = [0.51, 0.62, 0.73, 0.54, 0.815, 0.66, 0.57, 0.78, 0.59, 0.6, 0.99, 0.3]
    states = ["complete"] * 10 + ["pruned"] * 2
    trials = [trial(k, *found) for k, found in enumerate(zip(points, accuracies, states, strict=True))]
    trials[4]["test_accuracy"] = 0.7125
    return sweep(space, trials, wanted=14)


def write(folder: Path, content: Any) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "sweep.json").write_text(json.dumps(content))
    return folder


def lines(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as text:
        return list(csv.DictReader(text))


def drawn(content: dict[str, Any]) -> Figure:
    figure = outcome_figure(content)
    assert figure is not None
    return figure


# -- numbers -----------------------------------------------------------------------------------------------------------


def test_the_table_has_every_trial_the_best_first(tmp_path: Path) -> None:
    content = grid()
    write_sweep(write(tmp_path, content))
    rows = lines(tmp_path / "tables" / "trials.csv")
    assert list(rows[0]) == ["trial", "hidden", "head", "rename", "parameters", "epochs", "validation %", "test %"]
    complete, stopped = ([one for one in content["trials"] if (one["state"] == "complete") is is_so] for is_so in (True, False))
    order = [one for some in (complete, stopped) for one in sorted(some, key=lambda one: -one["validation_accuracy"])]
    assert [int(row["trial"]) for row in rows] == [one["number"] for one in order]
    for row, one in zip(rows, order, strict=True):
        values = one["values"]
        assert (row["hidden"], row["head"]) == (str(values["cell.hidden"]), values["head"])
        assert row["rename"] == json.dumps(values["rename"])
        assert (int(row["parameters"]), int(row["epochs"])) == (one["parameters"], one["epochs"])
        assert float(row["validation %"]) == pytest.approx(100 * one["validation_accuracy"], abs=1e-9)
    assert [row["test %"] for row in rows] == ["71.25"] + [""] * 11
    text = (tmp_path / "tables" / "trials.md").read_text()
    assert "**Tree-SMU, sampler grid: 12 of 14 trials**" in text
    assert "Recipe paper, up to 4 epochs, seed 3." in text


def test_the_figure_has_the_numbers_of_the_trials_that_were_not_stopped(tmp_path: Path) -> None:
    content = grid()
    write_sweep(write(tmp_path, content))
    complete = [one for one in content["trials"] if one["state"] == "complete"]
    rows = lines(tmp_path / "figures" / "sweep.csv")

    def points(panel: str, name: str) -> dict[float, float]:
        return {float(row["x"]): float(row["y"]) for row in rows if (row["panel"], row["name"]) == (panel, name)}

    def of(name: str, value: Any) -> list[float]:
        return [100 * one["validation_accuracy"] for one in complete if one["values"][name] == value]

    assert points("the sweep", "each") == pytest.approx({k: 100 * complete[k]["validation_accuracy"] for k in range(10)})
    best = [51, 62, 73, 73, 81.5, 81.5, 81.5, 81.5, 81.5, 81.5]
    assert points("the sweep", "best so far") == pytest.approx(dict(enumerate(best)))
    assert points("hidden", "best") == pytest.approx({x: max(of("cell.hidden", x)) for x in HIDDEN})
    assert points("hidden", "median") == pytest.approx({x: median(of("cell.hidden", x)) for x in HIDDEN})
    each = [(float(row["x"]), float(row["y"])) for row in rows if (row["panel"], row["name"]) == ("hidden", "each")]
    assert sorted(each) == sorted((x, round(y, 9)) for x in HIDDEN for y in of("cell.hidden", x))
    for name, values in {"head": HEADS, "rename": RENAME}.items():  # no numbers: a dot each
        found = {row["name"]: float(row["x"]) for row in rows if row["panel"] == name}
        assert found == pytest.approx({str(value).lower(): median(of(name, value)) for value in values})
    assert not [row for row in rows if row["y"] == "99"]  # was stopped


def test_r2_is_no_percentage() -> None:
    content = json.loads(json.dumps(grid()).replace("_accuracy", "_r2"))
    content["request"]["settings"]["task"] = "regress"
    table, figure = trials_table(content), drawn(content)
    assert [(column.title, column.digits, column.scale) for column in table.columns[-2:]] == [
        ("validation R²", 3, 1),
        ("test R²", 3, 1),
    ]
    assert figure.title.startswith("The best of 12 trials has a validation R² of 0.815: hidden = 10")
    history, hidden, head, _ = figure.panels
    assert isinstance(history, Lines)
    assert isinstance(hidden, Lines)
    assert isinstance(head, Dots)
    assert (history.y_label, hidden.y_label, head.x_label) == ("validation R²", "validation R²", "median validation R²")
    assert (history.series[0].y[-1], history.y_range) == (0.815, pytest.approx((0.4, 1.0)))
    assert (head.digits, head.x_range) == (3, pytest.approx((0.5, 0.8)))


def test_the_title_names_the_best_and_the_note_what_is_not_shown() -> None:
    figure = drawn(grid())
    wanted = "The best of 12 trials has a validation accuracy of 81.5%: hidden = 10, head = dot, rename = true"
    assert (figure.title, figure.note) == (wanted, "Each grey dot is a trial. 2 trials stopped early not shown.")
    assert [type(panel) for panel in figure.panels] == [Lines, Lines, Dots, Dots]


def test_the_earliest_of_equals_is_in_the_title() -> None:
    trials = [trial(k, {"batch": 10 + k}, 0.5) for k in (2, 0, 1)]
    assert drawn(sweep([parameter("batch", 10, 11, 12)], trials)).title.endswith("batch = 10")


# -- ranges ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ends", "is_log", "ticks"),
    [
        ([1e-4, 1e-2], True, (1e-4, 1e-3, 1e-2)),
        ([0.0, 0.5], False, (0.0, 0.25, 0.5)),
        ([16, 128], False, (16, 72, 128)),
        ([2, 30], True, (10,)),
        ([0.003, 0.03], True, (0.01,)),
    ],
)
def test_a_range_is_drawn_from_end_to_end(ends: list[float], is_log: bool, ticks: tuple[float, ...], tmp_path: Path) -> None:
    xs = [ends[0], ends[0] + (ends[1] - ends[0]) / 3, ends[1]]
    content = sweep([parameter("setting", ends=ends)], [trial(k, {"setting": x}, 0.5 + k / 10) for k, x in enumerate(xs)])
    panel = drawn(content).panels[1]
    assert isinstance(panel, Lines)
    assert panel.is_log is is_log
    assert panel.ticks == pytest.approx(ticks)
    assert panel.cloud == tuple((float(x), 100 * (0.5 + k / 10)) for k, x in enumerate(xs))
    assert [(series.x, series.y) for series in panel.series] == [((xs[2],), pytest.approx((70.0,)))]
    assert len(write_sweep(write(tmp_path, content)).figures) == 4


def test_the_ends_of_a_range_are_written_also_where_no_trial_is_near(tmp_path: Path) -> None:
    content = sweep([parameter("batch", ends=[16, 127])], [trial(k, {"batch": 60 + k}, 0.5) for k in range(3)])
    write_sweep(write(tmp_path, content))
    picture = (tmp_path / "figures" / "sweep.svg").read_text()
    assert all(f">{tick}</text>" in picture for tick in (16, 71, 127))


# -- files -------------------------------------------------------------------------------------------------------------


def test_every_kind_of_file_is_written(tmp_path: Path) -> None:
    written = write_sweep(write(tmp_path, grid()))
    assert {file.name for file in written.figures} == {"sweep.svg", "sweep.pdf", "sweep.png", "sweep.csv"}
    assert {file.name for file in written.tables} == {"trials.md", "trials.csv", "trials.tex"}
    assert (written.report, written.missing) == (None, ["2 of 14 trials not finished."])
    assert (tmp_path / "figures" / "sweep.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "figures" / "sweep.png").read_bytes().startswith(b"\x89PNG")
    picture = (tmp_path / "figures" / "sweep.svg").read_text()
    for text in ("The best of 12 trials has a validation accuracy of 81.5%", "distance", "best so far", "median"):
        assert text in picture


def test_the_same_sweep_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_sweep(write(tmp_path / name, grid()))
    files = sorted(file.relative_to(tmp_path / "one") for file in (tmp_path / "one").rglob("*") if file.is_file())
    assert len(files) == 1 + 3 + 4
    assert [file for file in files if (tmp_path / "one" / file).read_bytes() != (tmp_path / "other" / file).read_bytes()] == []


@pytest.mark.parametrize(
    ("space", "values"),
    [
        (parameter("batch", 10), 10),
        (parameter("head", "dot", "distance"), "distance"),
        (parameter("rename", True, False), False),
        (parameter("learning_rate", ends=[1e-4, 1e-2]), 0.00123456789),
        (parameter("cell.dropout", ends=[0.0, 0.5]), 0.2),
    ],
)
def test_a_sweep_may_have_one_trial(space: dict[str, Any], values: Any, tmp_path: Path) -> None:
    content = sweep([space], [trial(0, {space["name"]: values}, 0.5)])
    written = write_sweep(write(tmp_path, content))
    assert (len(written.tables), len(written.figures), written.missing) == (3, 4, [])
    assert drawn(content).title.startswith("The best of 1 trial has a validation accuracy of 50.0%: ")


def test_if_all_trials_were_stopped_there_is_a_table_and_no_figure(tmp_path: Path) -> None:
    content = grid()
    for one in content["trials"]:
        one["state"] = "pruned"
    written = write_sweep(write(tmp_path, content))
    assert (len(written.tables), written.figures) == (3, [])
    assert not (tmp_path / "figures").exists()
    assert len(trials_table(content).rows) == 12


def test_without_finished_trials_nothing_is_written(tmp_path: Path) -> None:
    written = write_sweep(write(tmp_path, sweep([parameter("batch", 10)], [], wanted=1)))
    assert (written.tables, written.figures, written.missing) == ([], [], ["1 of 1 trial not finished."])
    assert [file.name for file in tmp_path.iterdir()] == ["sweep.json"]


@pytest.mark.parametrize("key", ["request", "trials", "wanted"])
def test_a_damaged_summary_is_named(key: str, tmp_path: Path) -> None:
    damaged: list[Any] = [{}, {name: value for name, value in grid().items() if name != key}]
    damaged += [copy.deepcopy(grid()) | {key: value} for value in (None, [1], "text")]
    for content in damaged:
        with pytest.raises(DataError, match=r"sweep\.json: not written by treesmu sweep"):
            write_sweep(write(tmp_path, content))
    for text in ("{", "[]", '"text"', "[" * 100_000):
        (tmp_path / "sweep.json").write_text(text)
        with pytest.raises(DataError, match=r"sweep\.json: damaged, not a JSON object; copy the folder of the sweep again"):
            write_sweep(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["sweep.json"]
