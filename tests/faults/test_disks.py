"""Full disks, disks that fail and disks that become read-only: one line, what was there before is intact, resume works."""

from __future__ import annotations

import errno
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from faults.commands import Commands, Ended
from faults.counting import Fault
from faults.small_commands import IMPORT, NAMES, SWEEP, TRAIN, words
from faults.small_disk import SmallDisk, small_disk, why_no_mount
from faults.whole_files import finished_parts, require_same, require_whole, unfinished

NEW_RUN = "there is no run to resume; a new one begins"  # not an error
FAULTS = int(os.environ.get("TREESMU_DISKS", "20"))
TIMES = {IMPORT: -(-8 * FAULTS // 20), TRAIN: -(-9 * FAULTS // 20), SWEEP: -(-3 * FAULTS // 20)}  # drawing a sweep takes long

pytestmark = [pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"), pytest.mark.xdist_group("faults")]


def run(commands: Commands, command: str, out: object, fault: Fault | None = None) -> Ended:
    return commands.run(words(command, out), fault)


def require_one_line(ended: Ended, codes: tuple[int, ...]) -> str:
    """Check that a command has failed with one line, and return it."""
    assert ended.code in codes, ended
    lines = [line for line in ended.stderr.splitlines() if NEW_RUN not in line]
    errors = [line for line in lines if line.startswith("treesmu: ")]
    assert "Traceback" not in ended.stderr, ended.stderr
    assert len(errors) == 1, ended.stderr
    return errors[0]


@pytest.fixture(scope="module", params=[IMPORT, TRAIN, SWEEP], ids=NAMES.get)
def command(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def check_recovery(commands: Commands, command: str, out: Path, expected: dict[str, object]) -> None:
    """Repeat the command without a fault, and compare."""
    ended = run(commands, command, out)
    assert ended.code == 0, ended.stderr
    assert unfinished(out.parent) == []
    require_same(out, expected)
    shutil.rmtree(out)


def require_intact(out: Path, before: dict[str, bytes]) -> None:
    """Check that every file is whole, and that nothing is lost that was finished before."""
    require_whole(out)
    now = finished_parts(out)
    assert {name: now.get(name) for name in before} == before


def test_errors_of_the_disk_at_counted_operations_are_one_line_each(commands: Commands, command: str) -> None:
    rng, out, expected = random.Random(command), commands.folder / "failing", commands.whole(command)[1]
    for turn in range(TIMES[command]):
        number = (errno.EIO, errno.EROFS, errno.ENOSPC)[turn % 3]
        at = rng.randint(1, commands.whole(command)[0].events)
        before = finished_parts(out)
        ended = run(commands, command, out, Fault(at=at, errno=number, stays=rng.random() < 0.5))
        require_intact(out, before)
        if ended.code != 0:  # an error while something unfinished is removed is no failure
            line = require_one_line(ended, (1, 2))
            assert os.strerror(number) in line or "disk" in line or "database" in line, line
        elif out.exists():
            require_same(out, expected)
            shutil.rmtree(out)
    check_recovery(commands, command, out, expected)


@pytest.fixture(scope="module")
def disk(commands: Commands) -> Iterator[SmallDisk]:
    if reason := why_no_mount():
        pytest.skip(reason)
    with small_disk(commands.folder / "disk", 4_000_000) as mounted:
        if mounted is None:
            pytest.skip("this process may not mount a small file system (tmpfs)")
        yield mounted


def test_a_full_disk_is_one_line_and_the_command_goes_on_once_there_is_space(
    commands: Commands, command: str, disk: SmallDisk
) -> None:
    expected = commands.whole(command)[1]
    size = sum(len(content) for content in expected.values() if isinstance(content, bytes))
    rng, out = random.Random(command), disk.folder / "out"
    for _ in range(-(-TIMES[command] // 2)):
        before = finished_parts(out)
        disk.leave(rng.randint(0, size))
        ended = run(commands, command, out)
        require_intact(out, before)
        if ended.code == 0:
            shutil.rmtree(out)
        else:
            line = require_one_line(ended, (1,))
            assert "No space left on device" in line or "disk is full" in line or "failed: " in line, line
    disk.free()
    check_recovery(commands, command, out, expected)


def test_a_disk_that_is_read_only_is_one_line_and_the_command_goes_on_afterwards(
    commands: Commands, command: str, disk: SmallDisk
) -> None:
    out = disk.folder / "out"
    if command != IMPORT:
        at = commands.whole(command)[0].events // 2
        assert run(commands, command, out, Fault(at=at, signals=("SIGKILL",))).is_killed
    disk.make("ro")
    try:
        require_one_line(run(commands, command, out), (1, 2))
    finally:
        disk.make("rw")
    check_recovery(commands, command, out, commands.whole(command)[1])
