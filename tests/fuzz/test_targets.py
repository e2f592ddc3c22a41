"""Mutated inputs of every format are accepted or refused with the documented error: a few of what tests/fuzz/run.py tries."""

from __future__ import annotations

import random

import pytest

from fuzzing.mutate import mutate
from fuzzing.seeds import seeds
from fuzzing.targets import TARGETS

MANY = dict.fromkeys(TARGETS, 60) | {"expression": 400, "request": 200, "weights": 40, "preset": 25, "parquet": 50}

JUNK = [b"", b"\0" * 100, b"\xff\xfe", b"PAR1", b"[" * 50_000, b"(" * 50_000, b"{}", b"null", b"9" * 5000]


@pytest.mark.parametrize("name", TARGETS)
def test_valid_inputs_are_accepted(name: str) -> None:
    assert [TARGETS[name](data) for data in seeds(name)] == [True] * len(seeds(name))


@pytest.mark.parametrize("name", TARGETS)
def test_mutated_inputs_are_accepted_or_refused(name: str) -> None:
    rng, valid = random.Random(f"{name} in the tests"), seeds(name)
    accepted = [TARGETS[name](mutate(rng.choice(valid), rng, valid)) for _ in range(MANY[name])]
    assert name == "text" or not all(accepted)  # refusing is tested too; bad lines of text are listed, and left out


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("data", JUNK, ids=lambda data: repr(data[:8]))
def test_junk_is_accepted_or_refused(name: str, data: bytes) -> None:
    TARGETS[name](data)
