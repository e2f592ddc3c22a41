"""Presets that take a moment, and other helpers of the tests of experiments."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from treesmu.experiments.probes.equal_rewrites import EqualRewrites
from treesmu.expr import parse

CORPUS_AND_RECIPES = """
[corpora.tiny]
preset = "hard"
seed = 1
depths = [1, 9]
train_size = 160
validation_size = 30
test_depths = [1, 9]
per_depth = 8
blanks_per_depth = 2

[training.paper]
epochs = 2
cell = { hidden = 5 }

[training.treesmu]
epochs = 3
points = 2
pairs = 40
cell = { hidden = 5 }
"""


def tiny_preset(**studies: dict[str, Any]) -> str:
    """Return a preset of these studies on a tiny corpus."""
    parts = [CORPUS_AND_RECIPES]
    for name, settings in studies.items():
        lines = [f"{key} = {_as_toml(value)}" for key, value in {"corpora": ["tiny"], **settings}.items()]
        parts.append("\n".join([f"[studies.{name}]", *lines, ""]))
    return "\n".join(parts)


def _as_toml(value: Any) -> str:
    return json.dumps(value).replace('": ', '" = ')  # tables in one line are the only difference


PAPER, TREESMU = {"recipes": ["paper"]}, {"recipes": ["treesmu"]}
FLIPPED = {"models": ["tree-smu"], "outer": "Mul", "shares": [0.5]}
TINY = tiny_preset(
    published={"models": ["majority", "lstm", "tree-lstm", "tree-smu"], "tests": ["tiny"], "per_depth": 5},
    productivity={"models": ["majority", "lstm", "tree-lstm", "tree-smu"]},
    localism={**PAPER, "models": ["tree-rnn"]},
    substitutivity={**TREESMU, "models": ["tree-smu"], "classes": 4, "per_class": 8},
    step_by_step={**PAPER, "models": ["lstm", "tree-smu"]},
    overgeneralisation={**TREESMU, **FLIPPED},
    completion={**PAPER, "models": ["tree-smu"], "search": 5},
    sample_efficiency={**PAPER, "models": ["tree-smu"], "shares": [0.5, 1.0]},
    stack_size={**PAPER, "sizes": [2, 4]},
    stack_operations={**PAPER, "variants": ["push, pop, no-op", "queue"]},
    model_size={**PAPER, "models": ["tree-lstm"], "sizes": [4]},
    ablation={"parts": ["head"]},
    variants={"variants": {"larger stack": {"cell": {"stack": 3}}}},
    data_size={"sizes": [40], "seen": 80},
)
TINY += """
[corpora.lists]
trees = "listops"
train = 40
validation = 8
test = 2
train_depths = [1, 2]
test_depths = [1, 3]

[training.trees]
epochs = 1
cell = { hidden = 5 }

[studies.elsewhere]
corpora = ["lists"]
models = ["tree-smu"]
"""
SMALLER = tiny_preset(overgeneralisation=FLIPPED, stack_size={**PAPER, "sizes": [2]})


def start_reproduction(folder: Path, jobs: int, *options: str) -> subprocess.Popen[str]:
    """treesmu reproduce into folder/out, in a process of its own."""
    (folder / "smaller.toml").write_text(SMALLER)
    command = [sys.executable, "-m", "treesmu", "reproduce", "--preset", "smaller.toml", "--out", "out", "--jobs", str(jobs)]
    return subprocess.Popen([*command, *options], cwd=folder, stderr=subprocess.PIPE, text=True)


TIMES = ("seconds", "equations_per_second", "nodes_per_second")


def outcome(out: Path, rooms: tuple[str, ...]) -> dict[str, Any]:
    """Return the files of a reproduction in these folders, by name, without what depends on the clock."""
    found: dict[str, Any] = {}
    for file in sorted(file for room in rooms for file in (out / room).rglob("*")):
        name = str(file.relative_to(out))
        if file.name == "metrics.jsonl":
            lines = [json.loads(line) for line in file.read_text().splitlines()]
            found[name] = [{key: value for key, value in line.items() if key not in TIMES} for line in lines]
        elif file.is_file() and file.name != "resume.safetensors" and file.suffix != ".part":  # .part: of a killed process
            found[name] = file.read_bytes()
    return found


def rewrites_of(*equations: str) -> EqualRewrites:
    """Return the rewrites of equations in infix notation."""
    return EqualRewrites.from_prefix([" ".join(parse(e).prefix()) for e in equations])
