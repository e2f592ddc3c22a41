"""A function is one row: docs/how-to/new-function.md is followed in a copy of the sources, from the row to a trained model."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from documents import Block, blocks
from paths import ROOT

PAGE = ROOT / "docs" / "how-to" / "new-function.md"
SMALL = {  # options that make a command of the page small enough for a test
    "generate": "--train-size 99 --validation-size 30 --per-depth 4 --depths 1-4 --test-depths 1-4 --families algebra --jobs 1",
    "train": "--epochs 1 --hidden 8",
    "complete": "--height 0",
}
IN_PYTHON = r"""
import treesmu
e = treesmu.parse(r"\operatorname{erf}(-x) = -Erf[x]")
assert str(e) == "erf(-x) = -erf(x)" and treesmu.parse(e.latex()) is e
assert treesmu.check(e).label == "correct"
assert [treesmu.check(text).label for text in ("erf(x) = 1", "erf(x^2 + 9) = 1", "erf(x) = tanh(x)")] == ["incorrect"] * 3
assert "<mi>erf</mi>" in e.mathml()
"""


def page_blocks(language: str) -> list[Block]:
    return [block for block in blocks(PAGE) if block.language == language]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the row of the page at the end of the table."""
    copy = tmp_path_factory.mktemp("sources")
    shutil.copytree(ROOT / "src" / "treesmu", copy / "treesmu")
    table = copy / "treesmu" / "expr" / "ops.py"
    text, (row,) = table.read_text(encoding="utf-8"), page_blocks("python")
    changed = text.replace("\n)\n# fmt: on\n", f"\n{row.text})\n# fmt: on\n")
    changed = changed.replace("\nimport numpy", "\nimport scipy.special\nimport numpy")
    assert changed.count("erf") > text.count("erf")
    table.write_text(changed, encoding="utf-8")
    return copy


def run(sources: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(sources), "OMP_NUM_THREADS": "1", "TREESMU_COMPILED": "0"}
    return subprocess.run([sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_function_of_one_row_is_parsed_checked_and_printed(sources: Path, tmp_path: Path) -> None:
    done = run(sources, tmp_path, "-c", IN_PYTHON)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_every_command_of_the_page_works_with_the_row(sources: Path, tmp_path: Path) -> None:
    (axioms,) = page_blocks("text")
    (tmp_path / axioms.title).write_text(axioms.text, encoding="utf-8")
    outputs = {}
    for command in [command for block in page_blocks("console") for command in block.commands()]:
        name, *words = command.words[1:]
        done = run(sources, tmp_path, "-m", "treesmu", name, *words, *SMALL.get(name, "").split())
        fails = command.shown.startswith("treesmu: ")  # an old model does not know the function
        assert (done.returncode, done.stderr) == ((2, command.shown) if fails else (0, done.stderr)), command.words
        outputs[name, len(outputs)] = done.stdout
    first = next(iter(outputs.values())).splitlines()
    assert [line.split()[0] for line in first] == ["correct", "incorrect"]
    corpus = run(sources, tmp_path, "-m", "treesmu", "data", "show", "corpora/erf", "--count", "120")
    assert "erf(" in corpus.stdout
