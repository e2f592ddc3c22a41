"""Studies with one seed and few test equations: their figures show numbers and claim no trend."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reproduced import run_name
from sections import section_of
from treesmu.report.figures.figure import Figure
from treesmu.report.section import Section

CONCLUSION = re.compile(r"\d\.\d|\d%|falls|\bpoints\b|less accurate|ordered as")
ROWS = {"by_depth": {"3": {"rows_in_use": 1.0}, "13": {"rows_in_use": 4.0}}}
VARIANTS = {
    "productivity": {"tree-lstm/paper": "", "tree-smu/paper": ""},
    "localism": {"tree-lstm/paper": "", "tree-smu/paper": ""},
    "stack_size": {"tree-smu/treesmu,stack=1": "1", "tree-smu/treesmu,stack=7": "7"},
    "stack_operations": {"tree-smu/treesmu": "push, pop, no-op", "tree-smu/treesmu,order=queue": "queue"},
    "model_size": {"tree-smu/treesmu,hidden=25": "25", "tree-smu/treesmu,hidden=100": "100"},
    "ablation": {"tree-smu/treesmu": "whole", "tree-smu/treesmu,head=dot": "head"},
    "data_size": {"tree-smu/treesmu,rows=2000": "2000", "tree-smu/treesmu,rows=16000": "16000"},
}


def far_apart(path: Path, name: str, equations: int) -> Section:
    """Return a study in which one of two runs is much better than the other."""
    variants = {}
    for which, variant in VARIANTS[name].items():
        model, recipe = which.split("/")
        variants[run_name("paper", model, recipe, 1, "5-13" if name == "localism" else "1-7")] = variant
    right = dict(zip(variants, (90, 50), strict=True))
    return section_of(path, name, right, variants, dict.fromkeys(variants, ROWS) if name == "stack_size" else None, equations)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_title_states_a_conclusion_only_if_there_are_enough_test_equations(tmp_path: Path, name: str) -> None:
    titles = {}
    for equations in (100, 1000):
        section = far_apart(tmp_path / str(equations), name, equations)
        titles[equations] = [part.title for part in section.parts if isinstance(part, Figure)]
        assert all("may be due to chance" in sentence for sentence in section.conclusions if " changes " in sentence)
    assert not any(map(CONCLUSION.search, titles[100]))
    assert any(map(CONCLUSION.search, titles[1000]))
