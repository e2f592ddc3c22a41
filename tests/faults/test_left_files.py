"""What killed processes leave is removed by the next one, what living ones write is not; locks; content before names."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import subprocess
import tempfile
import threading
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from faults.small_disk import why_no_mount
from treesmu.errors import DataError, WriteError
from treesmu.files import atomic_write, fresh_folder, lock_folder, remove_unfinished, temporary_folder

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def test_a_folder_that_is_locked_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    locked, release = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        with lock_folder(tmp_path):
            os.write(locked[1], b"x")
            os.read(release[0], 1)
        os._exit(0)
    os.read(locked[0], 1)
    threading.Timer(0.01, os.write, (release[1], b"x")).start()
    with lock_folder(tmp_path, patience=600):
        pass
    os.waitpid(child, 0)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EBADF])
def test_a_file_system_without_locks_is_used_without_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    def flock(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)
    (tmp_path / "file.txt.0a1b2c3d.part").touch()
    with lock_folder(tmp_path), atomic_write(tmp_path / "file.txt") as temporary:
        temporary.write_text("text")
    with fresh_folder(tmp_path / "out") as folder:
        (folder / "file").touch()
    left = "file.txt.0a1b2c3d.part"  # without locks, nobody knows whether it is abandoned
    assert {path.name for path in tmp_path.iterdir()} == {"file.txt", left, "out"}


# -- what killed processes leave -----------------------------------------------------------------------------------------


def enter_and_die(context: AbstractContextManager[Path | None]) -> None:
    """Enter a context in a child that ends without leaving it."""
    child = os.fork()
    if child == 0:
        context.__enter__()
        os._exit(9)
    os.waitpid(child, 0)


def test_what_a_killed_process_left_of_a_file_is_removed_when_it_is_written_again(tmp_path: Path) -> None:
    path, others = tmp_path / "file.txt", {"file.txt.mine.part", "file.txt.part", "other.txt.0a1b2c3d.part"}
    enter_and_die(atomic_write(path))
    for name in others:
        (tmp_path / name).touch()
    assert len(list(tmp_path.iterdir())) == 4
    with atomic_write(path) as temporary:
        temporary.write_text("text")
    assert {file.name for file in tmp_path.iterdir()} == {"file.txt", *others}


def test_what_a_killed_process_left_of_a_folder_is_removed_when_it_is_made_again(tmp_path: Path) -> None:
    enter_and_die(fresh_folder(tmp_path / "out"))
    assert [path.name.partition("-")[0] for path in tmp_path.iterdir()] == [".out.partial"]
    with fresh_folder(tmp_path / "out") as folder:
        (folder / "whole").touch()
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "whole"]


def test_what_a_living_process_writes_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    with atomic_write(path) as first:
        first.write_text("first")
        with atomic_write(path) as second:
            second.write_text("second")
        remove_unfinished(tmp_path)
        assert path.read_text() == "second"
    assert path.read_text() == "first"
    with fresh_folder(tmp_path / "out") as one:
        with fresh_folder(tmp_path / "out"):
            pass
        assert one.exists()
        (tmp_path / "out").rmdir()
    assert {found.name for found in tmp_path.iterdir()} == {"file.txt", "out"}


def test_a_folder_that_another_process_made_meanwhile_is_left_alone(tmp_path: Path) -> None:
    def make_both() -> None:
        with fresh_folder(tmp_path / "out"):
            (tmp_path / "out").mkdir()
            (tmp_path / "out" / "precious").touch()

    with pytest.raises(FileExistsError, match="exists already"):
        make_both()
    assert [found.name for found in tmp_path.rglob("*")] == ["out", "precious"]


def test_a_folder_that_another_process_makes_in_the_last_moment_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def be_late(partial: Path, out: Path) -> None:
        out.mkdir()
        (out / "precious").touch()
        replace(partial, out)

    replace = os.replace
    monkeypatch.setattr(os, "replace", be_late)
    with pytest.raises(FileExistsError, match="exists already; choose another folder"), fresh_folder(tmp_path / "out"):
        pass
    assert [found.name for found in tmp_path.rglob("*")] == ["out", "precious"]


@pytest.mark.parametrize("kind", ["another disk", "the same disk"])
def test_a_mount_point_is_refused_before_any_work(kind: str, tmp_path: Path) -> None:
    """Another folder cannot take its place, and whoever is told so at the end has worked for nothing."""
    (tmp_path / "there").mkdir()
    (tmp_path / "my disk").mkdir()
    mount = ["mount", "--bind", tmp_path / "there"] if kind == "the same disk" else ["mount", "-t", "tmpfs", "tmpfs"]
    if why_no_mount() or subprocess.run([*mount, tmp_path / "my disk"], capture_output=True, check=False).returncode:
        pytest.skip("needs a file system that can be mounted")
    try:
        with pytest.raises(DataError, match=r"my disk: a mount point; name a new folder inside it, such as .*/new$"):
            fresh_folder(tmp_path / "my disk").__enter__()
        with fresh_folder(tmp_path / "my disk" / "new") as folder:
            (folder / "whole").touch()
        assert (tmp_path / "my disk" / "new" / "whole").exists()
    finally:
        subprocess.run(["umount", "--lazy", tmp_path / "my disk"], check=True)
    assert {path.name for path in tmp_path.iterdir()} == {"there", "my disk"}


def test_everything_unfinished_below_a_folder_is_removed(tmp_path: Path) -> None:
    (tmp_path / "runs" / "one").mkdir(parents=True)
    enter_and_die(atomic_write(tmp_path / "runs" / "one" / "test.json"))
    enter_and_die(fresh_folder(tmp_path / "corpora" / "tiny"))
    assert len(list(tmp_path.rglob("*.part*"))) == 2
    remove_unfinished(tmp_path)
    assert list(tmp_path.rglob("*.part*")) == []


def test_a_temporary_folder_can_be_locked_and_that_of_a_killed_process_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    enter_and_die(temporary_folder())
    assert len(list(tmp_path.iterdir())) == 1
    with temporary_folder() as folder, lock_folder(folder):
        assert len(list(tmp_path.iterdir())) == 1
        assert folder.parent.stat().st_mode & 0o077 == 0
    assert list(tmp_path.iterdir()) == []


def test_content_is_on_the_disk_before_it_has_its_name_and_the_name_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a power failure could leave an empty file with the final name, or a finished file without one."""
    done: list[str] = []
    fsync, replace = os.fsync, os.replace

    def note_fsync(number: int) -> None:
        found = os.fstat(number)
        done.append(f"fsync {'the folder' if os.path.samestat(found, tmp_path.stat()) else found.st_size}")
        fsync(number)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", lambda old, new: (done.append(f"rename to {Path(new).name}"), replace(old, new)))
    with atomic_write(tmp_path / "file.txt") as temporary:
        temporary.write_bytes(bytes(1234))
    assert done == ["fsync 1234", "rename to file.txt", "fsync the folder"]
    done.clear()
    with fresh_folder(tmp_path / "out") as folder:
        (folder / "file").write_bytes(bytes(56))
    assert done[0] == "fsync 56"
    assert done[-2:] == ["rename to out", "fsync the folder"]


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.EIO])
def test_a_file_system_that_cannot_flush_folders_is_used_and_one_that_fails_is_not(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fsync)
    expected = pytest.raises(WriteError, match="Input/output error") if number == errno.EIO else nullcontext()
    with expected, atomic_write(tmp_path / "file.txt") as temporary:
        temporary.write_text("text")
    assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]
