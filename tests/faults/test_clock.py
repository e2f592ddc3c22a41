"""A clock that is set back changes nothing: no code compares times of day, and files are not compared by their age."""

from __future__ import annotations

import ast
import os
import shutil
from pathlib import Path

import pytest

import treesmu
from faults.commands import Commands
from faults.counting import Fault
from faults.small_commands import TRAIN, words
from faults.whole_files import require_same

OF_THE_CLOCK = {"time", "now", "utcnow", "today", "st_mtime", "st_mtime_ns", "getmtime", "st_ctime", "getctime"}
ALLOWED = {"experiments/plan.py": {"now"}}  # when a reproduction was begun: shown, never compared


def test_no_code_asks_for_the_time_of_day_or_the_age_of_a_file() -> None:
    source, found = Path(treesmu.__file__).parent, []
    for file in sorted(source.rglob("*.py")):
        name = str(file.relative_to(source))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            is_use = isinstance(node, ast.Attribute) and node.attr in OF_THE_CLOCK - ALLOWED.get(name, set())
            if is_use and not (isinstance(node.value, ast.Name) and node.value.id == "clock"):
                found.append(f"{name}, line {node.lineno}: {node.attr}")
    assert found == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.xdist_group("faults")
def test_a_run_that_is_killed_and_resumed_with_the_clock_set_back_ends_with_the_same_bytes(commands: Commands) -> None:
    assert commands.run(words(TRAIN, "back"), Fault(at=25, signals=("SIGKILL",), is_clock_set_back=True)).is_killed
    for file in (commands.folder / "back").iterdir():
        os.utime(file, (4e9, 4e9))  # written in 2096, as a clock that was wrong then has it
    resumed = commands.run(words(TRAIN, "back"), Fault(is_clock_set_back=True))
    assert resumed.code == 0, resumed.stderr
    require_same(commands.folder / "back", commands.whole(TRAIN)[1])
    shutil.rmtree(commands.folder / "back")
