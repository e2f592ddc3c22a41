"""Files and folders are written whole or not at all, and one process locks a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from treesmu.errors import DataError
from treesmu.files import atomic_write, fresh_folder, is_inside, lock_folder


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("old")
    with atomic_write(path) as temporary:
        temporary.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path, error: type[BaseException]) -> None:
    path = tmp_path / "file.txt"
    path.write_text("old")
    with pytest.raises(error), atomic_write(path) as temporary:  # noqa: PT012
        temporary.write_text("half")
        raise error
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", ["old", None], ids=["file", "nothing"])
def test_a_link_stays_and_what_it_leads_to_is_written(tmp_path: Path, content: str | None) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    if content is not None:
        real.write_text(content)
    link.symlink_to(real.name)
    with atomic_write(link) as temporary:
        temporary.write_text("new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert sorted(tmp_path.iterdir()) == [link, real]


def test_a_pipe_or_a_device_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/null")
    for name in ("pipe", "link"):
        with pytest.raises(DataError, match=rf"{name}: a pipe or a device"), atomic_write(tmp_path / name):
            pass
    assert (tmp_path / "pipe").is_fifo()
    assert (tmp_path / "link").readlink() == Path("/dev/null")


def test_a_name_that_is_too_long_or_a_loop_of_links_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for name in ("a" * 300, "loop"):
        with pytest.raises(DataError, match=rf"{name}: cannot be written: "), atomic_write(tmp_path / name):
            pass
    assert (tmp_path / "loop").is_symlink()


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    path = tmp_path / "no" / "file.txt"
    with pytest.raises(DataError, match=r"file\.txt: cannot be written: No such file"), atomic_write(path) as temporary:
        temporary.write_text("new")


def test_a_folder_is_locked_once_and_free_afterwards(tmp_path: Path) -> None:
    message = "another process is using this folder"
    with lock_folder(tmp_path), pytest.raises(DataError, match=message), lock_folder(tmp_path):
        pass
    with lock_folder(tmp_path):
        pass


def test_a_killed_process_releases_its_lock(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        lock_folder(tmp_path).__enter__()
        os._exit(9)  # without leaving the context
    os.waitpid(child, 0)
    with lock_folder(tmp_path):
        pass


# -- folders, all or nothing -------------------------------------------------------------------------------------------


def test_an_existing_folder_is_refused_and_left_untouched(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "precious.txt").write_text("years of work")
    with (
        pytest.raises(FileExistsError, match="exists already; choose another folder, or remove it first"),
        fresh_folder(tmp_path / "out"),
    ):
        pass
    assert [p.name for p in tmp_path.iterdir()] == ["out"]
    assert (tmp_path / "out" / "precious.txt").read_text() == "years of work"


def test_a_file_of_that_name_is_refused_and_left_untouched(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(FileExistsError), fresh_folder(tmp_path / "out"):
        pass
    assert (tmp_path / "out").read_text() == "a file"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError])
def test_an_error_in_the_middle_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    def half(folder: Path) -> None:
        (folder / "train.parquet").write_text("half")
        raise error

    with pytest.raises(error), fresh_folder(tmp_path / "out") as folder:
        half(folder)
    assert list(tmp_path.iterdir()) == []


def test_the_folder_appears_when_it_is_complete(tmp_path: Path) -> None:
    with fresh_folder(tmp_path / "a" / "out") as folder:
        (folder / "train.parquet").write_text("all")
        assert not (tmp_path / "a" / "out").exists()
    assert [p.name for p in (tmp_path / "a").iterdir()] == ["out"]
    assert (tmp_path / "a" / "out" / "train.parquet").read_text() == "all"


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    with fresh_folder(tmp_path) as folder:
        (folder / "some").touch()
    assert [p.name for p in tmp_path.iterdir()] == ["some"]


def test_a_mount_point_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "ismount", lambda path: path == tmp_path)
    with pytest.raises(DataError, match="a mount point; name a new folder inside it"), fresh_folder(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_the_remains_of_a_killed_run_do_not_disturb(tmp_path: Path) -> None:
    """Even if the process number is the same, as is common in containers."""
    with pytest.raises(ValueError, match="killed"), fresh_folder(tmp_path / "out") as folder:  # noqa: PT012
        left = folder
        raise ValueError("killed")
    left.mkdir()
    (left / "train.parquet").write_text("half")
    with fresh_folder(tmp_path / "out") as folder:
        (folder / "some").touch()
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["some"]


# -- descriptions ------------------------------------------------------------------------------------------------------


def test_a_file_in_the_way_of_a_folder_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotADirectoryError, match="Not a directory"), fresh_folder(tmp_path / "file" / "out"):
        pass


@pytest.mark.parametrize("name", ["train.parquet", "a/b.json", "a..b", ".hidden", "paper,hidden=25", "naïve name"])
def test_a_name_inside_a_folder_is_accepted(name: str) -> None:
    assert is_inside(name)


@pytest.mark.parametrize("name", ["", "..", "../a", "a/..", "a/../b", "/a", "~/a", "a\\..\\b", "a\0", None, 3])
def test_a_name_that_leads_elsewhere_is_refused(name: object) -> None:
    assert not is_inside(name)
