"""What fuzzing has found stays mended: every file of tests/fuzz/found is accepted or refused as documented."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fuzzing.differential import CASES
from fuzzing.targets import TARGETS

FILES = sorted(file for file in (Path(__file__).parent / "found").rglob("*") if file.is_file())


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.name}")
def test_what_was_found_stays_mended(file: Path) -> None:
    name = file.parent.name
    if name in TARGETS:
        TARGETS[name](file.read_bytes())
    else:  # a differential check: the file has its seed
        CASES[name.removesuffix("-compared")](random.Random(file.read_text()))
