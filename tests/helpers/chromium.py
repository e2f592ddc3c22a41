"""Chromium for tests of pages: the one that is installed, or Debian's package where it can be installed."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

WHY_NOT = "no Chromium, and it cannot be installed here: apt-get install chromium"
ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync"
).split()
PATIENCE = 120_000  # milliseconds that a page may take for anything; machines differ in speed
_INSTALL = (
    ["apt-get", "update", "-qq"],
    ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core"],
)


def find_chromium() -> str | None:
    """Return the path of Chromium. Installs Debian's package if there is none, and tests run as root; None if that fails."""
    return _installed() or _install()


def _installed() -> str | None:
    return shutil.which("chromium") or shutil.which("google-chrome")


def _install() -> str | None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    with (Path(tempfile.gettempdir()) / "treesmu-chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes, and apt-get in one
        if _installed() is None:
            environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            for command in _INSTALL:
                if subprocess.run(command, env=environment, capture_output=True, check=False).returncode:
                    return None
        return _installed()
