"""For all tests."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from treesmu import plugins, registry

SLOW_FIXTURES = {"whole", "every_study", "explorer_address"}  # each takes longer than the tests that use it


def pytest_configure() -> None:
    """Set up hypothesis; and Ctrl-C, which a shell turns off for background jobs and the processes that they start."""
    # A busy machine is no failure: no limit to the time of one example or of making one.
    settings.register_profile("any speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("any speed")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that use a slow fixture in one process of those that run side by side, so that it is made once."""
    for item in items:
        for name in SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.xdist_group(name))


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
