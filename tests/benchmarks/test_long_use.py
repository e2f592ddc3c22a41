"""Long use: what a process uses, and when a number is called level."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from types import ModuleType

import pytest

from paths import ROOT

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/smaps_rollup"), reason="needs Linux's /proc")


@pytest.fixture(scope="module")
def long_use() -> ModuleType:
    spec = importlib.util.spec_from_file_location("long_use", ROOT / "benchmarks" / "long_use.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_handles_threads_and_children_are_counted(long_use: ModuleType, tmp_path: object) -> None:
    before = long_use.take_sample(os.getpid(), 0)
    with open(f"{tmp_path}/a", "w") as _, open(f"{tmp_path}/b", "w") as _, subprocess.Popen(["sleep", "60"]) as child:
        during = long_use.take_sample(os.getpid(), 1)
        own = len(os.listdir(f"/proc/{child.pid}/fd"))
        child.kill()
    assert during.processes == before.processes + 1
    assert during.handles >= before.handles + 2 + min(own, 1)
    assert 0 < before.own <= before.rss


def test_a_process_that_has_ended_uses_nothing(long_use: ModuleType) -> None:
    with subprocess.Popen(["true"]) as child:
        child.wait()
    assert long_use.take_sample(child.pid, 3.0) == long_use.Sample(3.0, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("memory", "handles", "is_level"),
    [
        ([300] * 30, [9] * 30, True),
        ([100 + 20 * k for k in range(10)] + [300] * 20, [5] * 10 + [9] * 20, True),  # warm-up
        ([300 + (k % 3) for k in range(30)], [9 + k % 2 for k in range(30)], True),  # noise
        ([300 + 2 * k for k in range(30)], [9] * 30, False),
        ([300] * 30, list(range(9, 39)), False),
    ],
)
def test_a_number_is_level_if_it_does_not_rise_after_the_warm_up(
    long_use: ModuleType, memory: list[int], handles: list[int], is_level: bool
) -> None:
    samples = [long_use.Sample(k, m, m, h, 4, 1) for k, (m, h) in enumerate(zip(memory, handles, strict=True))]
    assert long_use.report(samples) is is_level


def test_the_rise_is_that_of_the_fitted_line(long_use: ModuleType) -> None:
    assert long_use.rise([0, 1, 2, 3], [1, 3, 5, 7]) == pytest.approx(6)
    assert long_use.rise([0, 1, 2], [5, 9, 5]) == pytest.approx(0)
    assert long_use.rise([2, 2], [1, 9]) == 0
