"""The rooms of the house and who may enter which: docs/design.md as a test."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import treesmu

SOURCE = Path(treesmu.__file__).parent
MAY_USE = {  # room: the other rooms that it may import
    "expr": set(),
    "generate": {"expr"},
    "data": {"expr"},
    "models": {"expr", "data"},
    "tasks": {"expr", "models", "data"},
    "engine": set(),
    "config": {"data"},
    "checkpoint": {"data"},
    "runfolder": {"data", "config"},
    "parallel": {"data"},
    "batches": {"expr", "data", "tasks", "config", "parallel"},
    "train": {"data", "models", "tasks", "config", "checkpoint", "runfolder", "parallel", "batches"},
    "experiments": {"expr", "generate", "data", "models", "tasks", "config", "train", "runfolder", "engine"},
    "report": {"data"},
    "cli": {
        *("expr", "generate", "data", "models", "tasks", "config", "train", "runfolder", "parallel", "engine"),
        *("experiments", "report"),
    },
}


def _rooms_used(file: Path) -> set[str]:
    """The rooms of treesmu that a file imports, wherever in it."""
    package = ("treesmu", *file.relative_to(SOURCE).parent.parts)
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = ".".join(package[: len(package) - node.level + 1]) + "." if node.level else ""
            module = start + (node.module or "")
            names = [f"{module.rstrip('.')}.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("treesmu.")}
    return found


def _room(file: Path) -> str:
    first = file.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


def test_rooms_use_only_what_they_may():
    wrong = []
    for file in sorted(SOURCE.rglob("*.py")):
        room = _room(file)
        if room in ("__init__", "__main__"):
            continue
        used = {r for r in _rooms_used(file) if (SOURCE / r).is_dir() or (SOURCE / f"{r}.py").exists()} - {room}
        wrong += [f"{file.relative_to(SOURCE)} uses {r}" for r in used - MAY_USE[room]]
    assert wrong == []


def test_expressions_do_not_load_torch_or_mpmath():
    code = "import sys, treesmu; print([m for m in ('torch', 'mpmath', 'sympy', 'pyarrow', 'matplotlib') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_the_command_line_does_not_load_torch_before_a_model_is_needed():
    code = "import sys, treesmu.cli; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "False"


def test_the_report_does_not_load_torch():
    code = "import sys, treesmu.report.write; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "False"
