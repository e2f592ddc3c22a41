"""Files that pages show and no command of theirs uses: scripts for Slurm and settings of studies."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from corpora import write_small_corpus
from documents import Block, blocks
from paths import ROOT
from treesmu.experiments.preset import Preset

pytestmark = pytest.mark.xdist_group("documentation")
MACHINES = ROOT / "docs" / "how-to" / "many-machines.md"
SCRIPTS = [block for block in blocks(MACHINES) if block.language == "bash"]


def write(block: Block, folder: Path) -> Path:
    file = folder / block.title
    file.write_text(block.text, encoding="utf-8")
    return file


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda block: block.title)
def test_the_syntax_of_a_script_is_right(script: Block, tmp_path: Path) -> None:
    done = subprocess.run(["bash", "-n", write(script, tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_task_of_the_job_array_trains_its_model_and_seed_and_can_be_repeated(tmp_path: Path) -> None:
    (script,) = (block for block in SCRIPTS if block.title == "array.sh")
    (tmp_path / "corpora").mkdir()
    write_small_corpus(tmp_path / "corpora" / "paper")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    command = f'treesmu() {{ "{sys.executable}" -m treesmu "$@"; }}\n'
    (tmp_path / ".venv" / "bin" / "activate").write_text(command, encoding="utf-8")
    begins = "treesmu: runs/tree-lstm/seed-12345: there is no run to resume; a new one begins\n"
    for said in (begins, ""):  # the second time, it is complete
        done = subprocess.run(
            ["bash", write(script, tmp_path), "--epochs", "1", "--hidden", "4"],
            cwd=tmp_path, env={**os.environ, "SLURM_ARRAY_TASK_ID": "4"}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, said)
    assert [path.parent.relative_to(tmp_path) for path in tmp_path.rglob("test.json")] == [Path("runs/tree-lstm/seed-12345")]


def test_the_preset_of_the_page_on_studies_is_valid() -> None:
    page = ROOT / "docs" / "explanation" / "studies.md"
    (block,) = (block for block in blocks(page) if block.title == "mine.toml")
    assert list(Preset("mine", block.text, block.title).studies) == ["localism"]
