"""The section of substitutivity."""

from __future__ import annotations

from pathlib import Path

from every_study import ANALYSES
from reproduced import run_name
from sections import section_of, table_of
from treesmu.report.formats import markdown


def test_numbers_of_equations_that_differ_between_seeds_are_a_mean(tmp_path: Path) -> None:
    names = [run_name("hard", "tree-smu", "paper", seed) for seed in (1, 2)]
    one, two = ({"replaced": ANALYSES["substitutivity"]["replaced"] | {"equations": n}} for n in (1000, 1200))
    analyses = {name: ANALYSES["substitutivity"] | changed for name, changed in zip(names, (one, two), strict=True)}
    found = section_of(tmp_path, "substitutivity", dict.fromkeys(names, 60), analyses=analyses)
    assert "| 1,100 ± 141 | 87.5 ± 0.0 |" in markdown(table_of(found, "substitutivity"))
