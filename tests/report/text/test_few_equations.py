"""Studies with one seed: their figures show numbers and claim nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reproduced import run_name
from sections import section_of
from treesmu.report.figures.figure import Figure
from treesmu.report.section import Section

CONCLUSION = re.compile(r"\d\.\d|\d%|falls|\bpoints\b|higher|lower|significant|ordered as")
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


def far_apart(path: Path, name: str, seeds: int) -> Section:
    """Return a study in which one of two runs is much better than the other, with every seed."""
    variants, right = {}, {}
    for (which, variant), percent in zip(VARIANTS[name].items(), (90, 50), strict=True):
        model, recipe = which.split("/")
        for seed in range(1, seeds + 1):
            run = run_name("paper", model, recipe, seed, "5-13" if name == "localism" else "1-7")
            variants[run], right[run] = variant, percent + seed * seed % 5
    return section_of(path, name, right, variants, dict.fromkeys(variants, ROWS) if name == "stack_size" else None)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_title_states_a_conclusion_only_if_several_seeds_show_it(tmp_path: Path, name: str) -> None:
    """However many equations are tested: 1,000 at every depth here."""
    titles = {}
    for seeds in (1, 4):
        section = far_apart(tmp_path / str(seeds), name, seeds)
        titles[seeds] = [part.title for part in section.parts if isinstance(part, Figure)]
        said = [sentence for sentence in section.conclusions if " changes " in sentence or "compared with" in sentence]
        assert all(("may be due to chance" in sentence) == (seeds == 1) for sentence in said)
    assert not any(map(CONCLUSION.search, titles[1]))
    if name != "localism":  # there, all depths have the same accuracy
        assert any(map(CONCLUSION.search, titles[4]))
