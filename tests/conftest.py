"""For all tests."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from treesmu import plugins, registry
from treesmu.engine import default_jobs

SLOW_FIXTURES = {"whole", "every_study", "explorer_address"}  # used by several modules, and each made once for all of them


def pytest_configure(config: pytest.Config) -> None:
    """Set up hypothesis; and Ctrl-C, which a shell turns off for background jobs and the processes that they start."""
    # A busy machine is no failure: no limit to the time of one example or of making one. Examples are the same in every run;
    # --hypothesis-profile=random makes new ones.
    any_speed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("same", any_speed, derandomize=True)
    settings.register_profile("random", any_speed, derandomize=False)
    settings.load_profile(config.getoption("--hypothesis-profile") or "same")
    # One thread per process for products, since tests run side by side: otherwise threads that wait take half of the time.
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    # Our modules are compiled once and not by every command that a test starts, also where Python is told not to keep them.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    os.environ["TREESMU_TRACEBACK"] = "1"  # commands in processes of their own hide no internal error from a test either
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Run one process more than there are cores: tests wait for browsers, commands and disks a sixth of the time."""
    return int(os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS", default_jobs() + 1))


def pytest_collection_finish() -> None:
    """Keep what was loaded and collected out of all garbage collections, which would look at it again and again."""
    gc.collect()
    gc.freeze()


def pytest_sessionstart() -> None:
    """Let worker processes start as copies of one that has loaded PyTorch, which would take every one of them two seconds.

    They are sent the same as processes that are started from nothing, as they are in tests/engine and for users.
    """
    from treesmu.engine import local_processes
    from treesmu.web.work import pool

    copies = multiprocessing.get_context("forkserver")
    copies.set_forkserver_preload(["treesmu.training.trainer", "treesmu.generate.corpus", "treesmu.web.work.questions"])
    local_processes._SPAWN = pool._SPAWN = copies  # type: ignore[assignment]


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that share a fixture in one process of those that run side by side, so that it is made once.

    Otherwise every process would make it again: the corpora, runs and reports of our tests take most of their time.
    """
    for item in items:
        for name in SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.xdist_group(name))
        if item.get_closest_marker("xdist_group") is None and (group := _group_of(item)):
            item.add_marker(pytest.mark.xdist_group(group))


def _group_of(item: pytest.Item) -> str:
    """Return the name of a fixture of ours that is made once for all tests, else the module of one that is made once for it."""
    found = getattr(item, "_fixtureinfo", None)
    ours = {name: some[-1].scope for name, some in found.name2fixturedefs.items() if some[-1].baseid} if found else {}
    of_all = sorted(name for name, scope in ours.items() if scope == "session")
    return of_all[0] if of_all else item.nodeid.partition("::")[0] if "module" in ours.values() else ""


@pytest.hookimpl(tryfirst=True)  # before the fixtures of the test
def pytest_runtest_setup() -> None:
    """Give every test the same random weights, whichever tests ran before it in this process."""
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(0)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus that takes a moment to train on."""
    from corpora import write_small_corpus  # loads pyarrow, which not all tests need

    return write_small_corpus(tmp_path_factory.mktemp("corpora") / "small")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window; tests that need it are skipped where it is not installed and cannot be."""
    from chromium import ARGUMENTS, PATIENCE, WHY_NOT, find_chromium

    found = find_chromium()
    if found is None:
        pytest.skip(WHY_NOT)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=ARGUMENTS, timeout=PATIENCE)
        yield started
        started.close()


@pytest.fixture
def no_drawings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write reports without pictures, which take most of their time, in tests that look only at numbers and text."""
    monkeypatch.setattr("treesmu.report.write.draw", lambda _: {})
    monkeypatch.setattr("treesmu.report.page.inline", lambda figure: ["<svg></svg>\n"] * len(figure.panels))


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Tests run side by side and must not fight for cores."""
    import torch  # not all tests need it

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep imported files out of the user's cache."""
    monkeypatch.setenv("TREESMU_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(autouse=True)
def only_built_in_models(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start every test with the built-in models only, whatever other tests of this process registered, and leave no trace."""
    monkeypatch.setattr(registry, "_entries", {name: registry._entries[name] for name in registry.BUILT_IN})
    monkeypatch.setattr(plugins, "_loaded", {})
    modules = set(sys.modules)
    registry._installed.cache_clear()
    yield
    registry._installed.cache_clear()
    for name in set(sys.modules) - modules:
        if plugins.is_plugin(name):
            del sys.modules[name]
