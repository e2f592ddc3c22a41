"""The commands and the Python code in the README and in docs/ do what the text says."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import treesmu
from paths import HELPERS, ROOT
from treesmu.data import CorpusPlan, Dataset, Vocab

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_first_commands_print_what_the_readme_shows():
    block = README.split("```\n$ treesmu verify ", 1)[1].split("```")[0]
    commands = [part.partition("\n") for part in f"verify {block}".split("$ treesmu ")]
    assert [command.split()[0] for command, _, _ in commands] == ["verify", "complete"]
    for command, _, shown in commands:
        arguments = shlex.split(command.replace("\\", "\\\\"))
        done = subprocess.run([sys.executable, "-m", "treesmu", *arguments], capture_output=True, text=True, check=True)
        (text, numbers), (wanted_text, wanted) = _apart(done.stdout), _apart(shown)
        assert text == wanted_text
        assert numbers == pytest.approx(wanted, abs=0.11)  # rounding depends on the processor


def _apart(output: str) -> tuple[list[str], list[float]]:
    """Return the text and the model's probabilities in it."""
    parts = re.split(r" +([\d.]+)%", output)
    return parts[::2], [float(number) for number in parts[1::2]]


def test_the_lines_of_python_on_expressions_are_true():
    e = treesmu.parse(r"\sin^2\theta + \cos^2\theta = 1")
    assert (str(e), e.depth) == ("sin(theta)^2 + cos(theta)^2 = 1", 4)
    assert treesmu.parse(str(e)) is e
    assert treesmu.check(e).label == "correct"
    assert treesmu.check("sqrt(x^2) = x").counterexample is not None


def test_the_lines_of_python_on_corpora_run(tmp_path: Path):
    options = ["--train-size", "60", "--validation-size", "20", "--per-depth", "4", "--jobs", "1"]
    subprocess.run(
        [sys.executable, "-m", "treesmu", "generate", str(tmp_path / "quick"), *options], capture_output=True, check=True
    )
    test = Dataset.read(tmp_path / "quick", split="test").select(depths=(8, 13))
    plan = CorpusPlan.from_prefix(test.prefix, Vocab.default())
    assert len(plan.batch([0, 1, 2]).groups) > 3


def _page_on_models(folder: Path) -> list[str]:
    """Write the page's gated.py to a folder, and return the other blocks of Python."""
    page = (ROOT / "docs" / "explanation" / "models.md").read_text(encoding="utf-8")
    blocks = [part.split("```")[0] for part in page.split("```python\n")[1:]]
    (gated,) = (block for block in blocks if 'treesmu.register("gated"' in block)
    (folder / "gated.py").write_text(gated, encoding="utf-8")
    return [block for block in blocks if block is not gated]


def test_the_python_of_the_page_on_models_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    blocks = _page_on_models(tmp_path)
    assert len(blocks) == 4
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for block in blocks:
        exec(compile(block, "docs/explanation/models.md", "exec"), {"__name__": "page"})
    del sys.modules["gated"]  # one of the blocks imports it


def test_the_plugin_of_the_page_on_models_prints_nothing_into_json(tmp_path: Path):
    _page_on_models(tmp_path)
    options = ["--no-model", "--json", "--plugin", str(tmp_path / "gated.py")]
    command = [sys.executable, "-m", "treesmu", "verify", "x = x", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)[0]["label"] == "correct"


def test_the_lines_of_python_on_tree_networks_run():
    block = next(part.split("```")[0] for part in README.split("```python\n")[1:] if "TreeEncoder" in part)
    names: dict[str, object] = {}
    exec(compile(block, "README.md", "exec"), names)
    assert names["encoder"](names["forest"]).shape == (2, 50)  # type: ignore[operator]


def test_the_cell_in_the_readme_is_the_one_that_is_trained_in_a_test():
    block = next(part.split("```")[0] for part in README.split("```python\n")[1:] if "treesmu.register" in part)
    assert (HELPERS / "my_cell.py").read_text(encoding="utf-8").endswith(block)


def test_every_document_that_is_linked_is_there():
    root = ROOT
    for file in (root / "README.md", *(root / "docs").rglob("*.md")):
        for part in file.read_text(encoding="utf-8").split("](")[1:]:
            target, _, heading = part.split(")")[0].partition("#")
            assert "://" in target or (file.parent / target).exists(), f"{file.name}: {target}"
            if heading and "://" not in target:
                there = (file.parent / target).read_text(encoding="utf-8").splitlines()
                headings = {
                    re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-") for line in there if line.startswith("#")
                }
                assert heading in headings, f"{file.name}: {target}#{heading}"
