"""A small file system in memory that can be filled, emptied and made read-only; only root may mount one."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine_jobs import wait_until

BALLAST = "ballast"  # a file that takes the space


def why_no_mount() -> str | None:
    """Return why no file system can be mounted here; None if one can be tried."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("mount") is None:
        return "mounting a small file system (tmpfs) needs root and the command mount"
    return None


class SmallDisk:
    """A mounted file system."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def leave(self, free: int) -> None:
        """Fill it but for so many bytes."""
        (self.folder / BALLAST).unlink(missing_ok=True)
        state = os.statvfs(self.folder)
        with (self.folder / BALLAST).open("wb") as file:
            file.write(bytes(max(0, state.f_bavail * state.f_frsize - free)))

    def free(self) -> None:
        """Make space."""
        (self.folder / BALLAST).unlink(missing_ok=True)

    def make(self, option: str) -> None:
        """Mount it again: ``ro``, read-only, or ``rw``. A worker whose parent was killed may have a file open for a moment."""
        remount = ["mount", "-o", f"remount,{option}", self.folder]
        wait_until(lambda: subprocess.run(remount, capture_output=True, check=False).returncode == 0)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[SmallDisk | None]:
    """Mount a file system of so many bytes at a new folder; yield None if that is not allowed."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
