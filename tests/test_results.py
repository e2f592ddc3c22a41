"""The results that are committed: made from their record by the code as it is now."""

from __future__ import annotations

import csv
import re
import tarfile
from pathlib import Path

import pytest

from paths import ROOT
from treesmu.experiments.preset import Preset
from treesmu.experiments.reproduce import Reproduction
from treesmu.report.write import write_report

MEASURES = ("systematicity", "productivity")
RESULTS = ROOT / "results"
ALL = sorted(folder.name for folder in RESULTS.iterdir())


def without_pictures(page: str) -> str:
    return re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)


def numbers(folder: Path) -> dict[str, bytes]:
    """Every table, and the numbers behind every figure."""
    files = [*folder.glob("tables/*.csv"), *folder.glob("figures/*.csv")]
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def unpack_record(name: str, folder: Path) -> None:
    with tarfile.open(RESULTS / name / "record.tar.xz") as record:
        record.extractall(folder, filter="data")


@pytest.mark.usefixtures("no_drawings")
@pytest.mark.parametrize("name", ALL)
def test_every_number_of_the_results_comes_from_the_record(name: str, tmp_path: Path) -> None:
    unpack_record(name, tmp_path)
    write_report(tmp_path)
    there, again = numbers(RESULTS / name), numbers(tmp_path)
    assert there.keys() == again.keys()
    assert [file for file in sorted(there) if there[file] != again[file]] == []
    page, made = ((folder / "report.html").read_text(encoding="utf-8") for folder in (RESULTS / name, tmp_path))
    assert without_pictures(page) == without_pictures(made)


@pytest.mark.parametrize("name", ALL)
def test_the_preset_still_plans_the_runs_of_the_results(name: str, tmp_path: Path) -> None:
    unpack_record(name, tmp_path)
    planned = Reproduction(Preset.read(name), tmp_path, resume=True)  # refuses runs that were trained with other settings
    missing = [run.name for run in planned.runs if not planned.run_folder(run).test.exists()]
    assert [run for run in missing if "norm=none" not in run] == []  # treesmu 0.1 called these unit=False
    assert len(missing) < len(planned.runs)


def headline(measure: str) -> list[str]:
    """The rows of a table in docs/results.md: accuracy by corpus and recipe, then the paper's own."""
    with (RESULTS / "paper" / "tables" / "productivity.csv").open(encoding="utf-8", newline="") as file:
        found = {(row["corpus"], row["recipe"], row["model"]): row for row in csv.DictReader(file)}
    conditions = [(corpus, recipe) for corpus in ("paper", "hard") for recipe in ("paper", "treesmu-1")]
    lines = []
    for model in dict.fromkeys(model for _, _, model in found):
        cells = [_cell(found.get((*condition, model)), measure) for condition in conditions]
        printed = found["paper", "paper", model][f"{measure} % of the paper"] or "–"
        lines.append(f"| {' | '.join([model, *cells, printed])} |")
    return lines


def _cell(row: dict[str, str] | None, measure: str) -> str:
    if row is None:
        return "–"
    mean, sd = row[f"{measure} %"], row[f"{measure} % sd"]
    return f"{float(mean):.1f}" + (f" ± {float(sd):.1f}" if sd else "")


def test_the_headline_tables_are_in_the_results() -> None:
    tables = (ROOT / "docs" / "results.md").read_text(encoding="utf-8").split("\n\n")
    shown = [table.splitlines()[2:] for table in tables if table.startswith("| ")]  # without the heading
    assert shown == [headline(measure) for measure in MEASURES]


def test_the_figures_of_the_readme_are_those_of_the_results() -> None:
    """What its summary says of Tree-SMU and Tree-LSTM at depth 8-19."""
    found = {line.split(" | ")[0]: line.removesuffix(" |").split(" | ")[1:] for line in headline("productivity")}
    smu, lstm = ([float(cell.split(" ")[0]) for cell in found[f"| {model}"]] for model in ("Tree-SMU", "Tree-LSTM"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    with (RESULTS / "published" / "tables" / "published.csv").open(encoding="utf-8", newline="") as file:
        column = "paper's protocol, 8-19, over depths %"
        like_the_paper = {(row["corpus"], row["model"]): float(row[column]) for row in csv.DictReader(file)}
    for sentence in (
        f"Tree-SMU has {like_the_paper['original', 'Tree-SMU']:.1f}% at depth 8-19 on equations of the authors' generator",
        f"{like_the_paper['published', 'Tree-SMU']:.1f}% on our preset `published` (the paper: {smu[4]}%)",
        f"{smu[0]}% (Tree-LSTM {lstm[0]}%) at depth 8-19",
        f"our recipe `treesmu-1` adds {smu[1] - smu[0]:.0f} points",
        f"the harder corpus costs {smu[0] - smu[2]:.0f}",
    ):
        assert sentence in readme
