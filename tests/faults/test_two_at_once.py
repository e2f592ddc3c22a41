"""Two commands into one folder at once: one works and the other stops with one line, or both give a whole result.

The first command stops itself in the middle (SIGSTOP at a counted event), the second one runs meanwhile.
"""

from __future__ import annotations

import os
import random
import shutil

import pytest

from faults.commands import Commands
from faults.counting import Fault
from faults.small_commands import GENERATE, IMPORT, NAMES, REPRODUCE, SWEEP, TRAIN, words
from faults.whole_files import require_same, require_whole, unfinished

BUSY = "another process is using this folder"
TAKEN = "exists already"

pytestmark = [pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"), pytest.mark.xdist_group("faults")]


@pytest.mark.parametrize("command", [GENERATE, IMPORT, TRAIN, SWEEP, REPRODUCE], ids=NAMES.get)
def test_two_at_once_give_one_whole_result_and_one_line(commands: Commands, command: str) -> None:
    whole, expected = commands.whole(command)
    at = random.Random(command).randint(whole.events // 3, whole.events * 2 // 3)
    with commands.started(words(command, "both"), Fault(at=at, signals=("SIGSTOP",))) as first:
        first.wait_until_stopped()
        second = commands.run(words(command, "both"))
        first.go_on()
        ended = first.wait()
    require_whole(commands.folder / "both")
    codes, lines = sorted((ended.code, second.code)), (ended.stderr + second.stderr).splitlines()
    # A reproduction that is writing its report has finished all else: then the other one may write the same report.
    assert codes == [0, 2] or (command == REPRODUCE and codes == [0, 0]), (ended, second)
    assert sum(BUSY in line or TAKEN in line for line in lines) == codes.count(2), lines
    assert "Traceback" not in ended.stderr + second.stderr
    assert unfinished(commands.folder) == []
    require_same(commands.folder / "both", expected)
    shutil.rmtree(commands.folder / "both")


def test_a_lock_does_not_survive_its_process(commands: Commands) -> None:
    with commands.started(words(TRAIN, "locked"), Fault(at=12, signals=("SIGSTOP",))) as first:
        first.wait_until_stopped()
        assert BUSY in commands.run(words(TRAIN, "locked")).stderr
        first.kill()
        assert commands.run(words(TRAIN, "locked")).code == 0
    shutil.rmtree(commands.folder / "locked")
