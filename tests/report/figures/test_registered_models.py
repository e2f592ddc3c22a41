"""Models that a user has registered are in every table, figure and conclusion in which Tree-SMU is one of several models."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from every_study import FIXED, RUNS
from treesmu.report.figures.palette import OTHER_COLOURS
from treesmu.report.folder import Folder
from treesmu.report.studies import section

TABLES = ("productivity", "learning", "localism", "substitutivity", "step-by-step", "overgeneralisation", "completion")
VARIANTS = ("sample-efficiency", "model-size", "ablation", "data-size", "unheard-of")
LINES = ("accuracy-by-depth", "localism-by-depth", "step-by-step", "overgeneralisation", "completion-by-depth")
ALONG = ("sample-efficiency", "sample-efficiency-by-depth", "model-size", "data-size", "data-size-by-depth")
MAPS_AND_DOTS = ("substitutivity", "ablation", "summary")


@pytest.mark.parametrize("name", [*TABLES, *VARIANTS, "models"])
def test_tables(every: Path, name: str) -> None:
    rows = list(csv.DictReader((every / "tables" / f"{name}.csv").read_text().splitlines()))
    models = [row["model"] for row in rows]
    assert models.count("my-cell") == models.count("Tree-SMU") > 0


@pytest.mark.parametrize("name", [*LINES, *ALONG, *MAPS_AND_DOTS])
def test_figures(every: Path, name: str) -> None:
    lines = (every / "figures" / f"{name}.csv").read_text().splitlines()
    text = "\n".join(line for line in lines if "(paper)" not in line)
    assert text.count("my-cell") == text.count("Tree-SMU") > 0
    picture = (every / "figures" / f"{name}.svg").read_text()
    assert "my-cell" in picture
    if name not in ("substitutivity", "data-size-by-depth", "sample-efficiency-by-depth"):  # coloured by value, or paler
        assert OTHER_COLOURS[0].lower() in picture


@pytest.mark.parametrize("name", [name for name in RUNS if name not in (*FIXED, "productivity", "unheard_of")])
def test_conclusions(every: Path, name: str) -> None:
    study = Folder(every).study(name)
    assert study is not None
    sentences = section(study, every).conclusions
    assert any("my-cell" in sentence for sentence in sentences)
    assert any("Tree-SMU" in sentence for sentence in sentences)
