"""Write files and folders atomically, lock folders, and describe files by their checksums."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EAGAIN, EEXIST, EINVAL, ENOTDIR, ENOTEMPTY, ENOTSUP
from os import strerror
from pathlib import Path

from treesmu.errors import DataError, cannot_write

PART = ".part"  # ends the names of files that are being written
PARTIAL = ".partial-"  # within the names of folders that are being written
_CLAIMED = re.compile(rf"\.[0-9a-f]{{8}}{re.escape(PART)}$|^\..*{re.escape(PARTIAL)}[0-9a-f]{{8}}$")
_PAUSE = 0.05  # seconds between two tries to lock a folder; any value is correct


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a temporary path next to ``path`` to write to; it replaces ``path`` at the end, or is removed after an error.

    If ``path`` is a link, the file that it leads to is replaced. A pipe or a device is a DataError. What killed processes
    have left of the same file is removed. The content is on the disk before it gets its name, and the name before anything
    else is done.
    """
    try:
        target = _replaceable(path)
        _remove_abandoned(target.parent, f"{target.name}.", PART)
        with _claimed(target.parent, f"{target.name}.", PART, lambda name: name.touch(exist_ok=False)) as temporary:
            yield temporary
            _flush(temporary)
            os.replace(temporary, target)
            _flush(target.parent)
    except OSError as error:
        raise cannot_write(path, error) from error


def _replaceable(path: Path) -> Path:
    """Return the file that a path, perhaps a link, leads to; it need not exist. Links that lead nowhere are an OSError."""
    with suppress(FileNotFoundError):
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise DataError(f"{path}: a pipe or a device, which no file can replace; give the name of a file")
    return Path(os.path.realpath(path)) if path.is_symlink() else path


@contextmanager
def fresh_folder(out: Path) -> Iterator[Path]:
    """Yield a temporary folder to write to; it becomes ``out`` at the end, or is removed after an error.

    What killed processes have left of the same folder is removed.
    """
    out = out.resolve()
    _require_free(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:  # a file is in the way; the other FileExistsError is for a folder that is not empty
        raise NotADirectoryError(ENOTDIR, strerror(ENOTDIR), str(out.parent)) from error
    _remove_abandoned(out.parent, f".{out.name}{PARTIAL}")
    with _claimed(out.parent, f".{out.name}{PARTIAL}", "", Path.mkdir) as partial:
        yield partial
        for file in (*partial.rglob("*"), partial):
            _flush(file)
        _require_free(out)  # again: another process may have made it meanwhile
        try:
            os.replace(partial, out)  # also where there is an empty folder
        except OSError as error:
            raise _exists(out) if error.errno in (EEXIST, ENOTEMPTY, ENOTDIR) else error from error
        _flush(out.parent)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Yield a folder for temporary files that nobody else may read; one that a killed process has left is removed."""
    place = Path(tempfile.gettempdir())
    _remove_abandoned(place, f".treesmu{PARTIAL}")
    with _claimed(place, f".treesmu{PARTIAL}", "", lambda name: name.mkdir(0o700)) as folder:
        (folder / "files").mkdir()
        yield folder / "files"  # not the folder that is locked: its user may want to lock it too


def _require_free(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir()) or out == Path.cwd()):
        raise _exists(out)
    if out.exists() and _is_mount_point(out):  # no other folder can take its place
        raise DataError(f"{out}: a mount point; name a new folder inside it, such as {out / 'new'}")


def _exists(out: Path) -> FileExistsError:
    return FileExistsError(f"{out} exists already; choose another folder, or remove it first")


def _is_mount_point(folder: Path) -> bool:
    """Return whether a folder is a mount point; also that of a folder on the same disk, which only Linux lists."""
    try:
        mounts = Path("/proc/self/mountinfo").read_bytes().split(b"\n")
    except OSError:
        mounts = []
    name = re.sub(rb"[\\ \t\n]", lambda match: b"\\%03o" % ord(match[0]), os.fsencode(folder))  # as it is written there
    return os.path.ismount(folder) or any(line.split(b" ")[4:5] == [name] for line in mounts)


def remove_unfinished(folder: Path) -> None:
    """Remove the files and folders below a folder that killed processes have left unfinished."""
    for found in [*folder.rglob(f"*{PART}"), *folder.rglob(f".*{PARTIAL}*")]:
        if found.parent.exists():  # it may have been in another one of them
            _remove_abandoned(found.parent)


# -- locks: those of a process end with it, however it ends ------------------------------------------------------------


@contextmanager
def lock_folder(folder: Path, patience: float = 0.0, remedy: str = "choose another folder") -> Iterator[None]:
    """Lock a folder, or raise a DataError if another process has locked it. The lock of a killed process is released.

    patience: seconds to wait for the other process; remedy: what else can be done. A file system without locks is used
    without them.
    """
    deadline = time.monotonic() + patience
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        while not _try_lock(descriptor):
            if time.monotonic() >= deadline:
                raise DataError(f"{folder}: another process is using this folder; wait for it, or {remedy}")
            time.sleep(_PAUSE)
        yield
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    """Lock a file or folder, and return whether no other process has locked it. Raise nothing where there are no locks."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (EAGAIN, EACCES)
    return True


@contextmanager
def _claimed(folder: Path, start: str, end: str, create: Callable[[Path], None]) -> Iterator[Path]:
    """Create a file or folder with an unused name and lock it, so that other processes know that it is not abandoned.

    It is removed in the end, unless it has been renamed; also if a signal arrives at any moment.
    """
    path: Path | None = None
    descriptor: int | None = None
    try:
        while descriptor is None:
            path = folder / f"{start}{secrets.token_hex(4)}{end}"
            try:
                create(path)
            except FileExistsError:
                path = None  # somebody else's
            else:
                descriptor = _open_locked(path)
        assert path is not None
        yield path
    finally:
        if path is not None:
            _remove(path)
        if descriptor is not None:
            os.close(descriptor)


def _open_locked(path: Path) -> int | None:
    """Return a descriptor that has locked a new file or folder; None if another process took it for abandoned before."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    if _try_lock(descriptor) and path.exists():
        return descriptor
    os.close(descriptor)
    return None


def _remove(path: Path) -> None:
    """Remove a file or folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def _remove_abandoned(folder: Path, start: str = "", end: str = "") -> None:
    """Remove what :func:`_claimed` has made in a folder, with names that begin and end so, and no living process has locked."""
    for name in os.listdir(folder):
        if not (_CLAIMED.search(name) and name.startswith(start) and name.endswith(end)):
            continue
        path = folder / name
        with suppress(OSError):  # it is locked, another process has removed it, or there are no locks here
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)  # no link, and no waiting for a pipe
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(path)
            finally:
                os.close(descriptor)


def _flush(path: Path) -> None:
    """Wait until the content of a file, or the names in a folder, are on the disk: they would not survive a power failure."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (EINVAL, ENOTSUP):  # of file systems that cannot flush folders
            raise
    finally:
        os.close(descriptor)


# -- describing files --------------------------------------------------------------------------------------------------


def is_inside(name: object) -> bool:
    """Return whether a name that a file gives stays inside the folder in which it is looked up.

    Absolute names, those with ``..``, and those with characters that mean a folder elsewhere do not.
    """
    if not isinstance(name, str) or not name or any(character in name for character in "\0\\"):
        return False
    return not name.startswith(("/", "~")) and ".." not in name.split("/")


def sha256_of(path: Path) -> str:
    """Return the SHA-256 checksum of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
