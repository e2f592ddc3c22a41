"""The results that are committed: made from their record by the code as it is now."""

from __future__ import annotations

import csv
import re
import tarfile
from pathlib import Path

import pytest

from treesmu.report.write import write_report

MEASURES = ("systematicity", "productivity")
RESULTS = Path(__file__).parents[1] / "results" / "paper"


@pytest.fixture(scope="module")
def made_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    with tarfile.open(RESULTS / "record.tar.xz") as record:
        record.extractall(folder, filter="data")
    write_report(folder)
    return folder


def without_pictures(page: str) -> str:
    return re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)


def test_every_number_of_the_results_comes_from_the_record(made_again: Path) -> None:
    files = {file.relative_to(RESULTS) for kind in ("tables", "figures") for file in (RESULTS / kind).glob("*.csv")}
    assert files == {
        file.relative_to(made_again) for kind in ("tables", "figures") for file in (made_again / kind).glob("*.csv")
    }
    assert [file for file in sorted(files) if (RESULTS / file).read_bytes() != (made_again / file).read_bytes()] == []
    page, again = ((folder / "report.html").read_text(encoding="utf-8") for folder in (RESULTS, made_again))
    assert without_pictures(page) == without_pictures(again)


def headline() -> list[str]:
    """The rows of the README's table: accuracy at depth 1-7 and 8-19 by corpus and recipe, then the paper's own."""
    with (RESULTS / "tables" / "productivity.csv").open(encoding="utf-8", newline="") as file:
        found = {(row["corpus"], row["recipe"], row["model"]): row for row in csv.DictReader(file)}
    conditions = [(corpus, recipe) for corpus in ("paper", "hard") for recipe in ("paper", "treesmu")]
    lines = []
    for model in dict.fromkeys(model for _, _, model in found):
        cells = [_cell(found.get((*condition, model)), measure) for condition in conditions for measure in MEASURES]
        printed = [found["paper", "paper", model][f"{measure} % of the paper"] or "–" for measure in MEASURES]
        lines.append(f"| {' | '.join([model, *cells, *printed])} |")
    return lines


def _cell(row: dict[str, str] | None, measure: str) -> str:
    if row is None:
        return "–"
    mean, sd = row[f"{measure} %"], row[f"{measure} % sd"]
    return f"{float(mean):.1f}" + (f" ± {float(sd):.1f}" if sd else "")


def test_the_headline_of_the_readme_is_in_the_results() -> None:
    readme = (RESULTS.parents[1] / "README.md").read_text(encoding="utf-8")
    assert [line for line in headline() if line not in readme] == []
