"""The explorer as a browser shows it: a running service, and pages that must not write an error or ask another host."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from corpora import write_corpus
from explorer import running_command, running_service, save_readers_of_numbers
from windows import new_window

ROWS = [
    ("sin(x)^2 + cos(x)^2 = 1", 1, "rewrite"),
    ("sin(x)^2 + cos(y)^2 = 1", 0, "mutation"),
    ("tan(x) = sin(x)/cos(x)", 1, "rewrite"),
    ("tan(x) = cos(x)/sin(x)", 0, "near-miss"),
    ("sin(asin(x)) = x", 1, "rewrite"),
    *((f"x + {k} = {k} + x", 1, "rewrite") for k in range(1, 9)),
    *((f"x + {k} = {k} + y", 0, "near-miss") for k in range(1, 10)),
]
OpenPage = Callable[..., Any]


@pytest.fixture(scope="session")
def rows() -> list[tuple[str, int, str]]:
    """The equations of the corpus, with label and kind."""
    return ROWS


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a small Tree-SMU and a small Tree-LSTM, which stand for the shipped models."""
    return save_readers_of_numbers(tmp_path_factory.mktemp("shipped"))


@pytest.fixture(scope="session")
def model(model_folder: Path) -> Any:
    """The Tree-SMU that the page shows first, as Python has it."""
    import treesmu

    return treesmu.load(model_folder / "tree-smu.safetensors")


@pytest.fixture(scope="session")
def explorer_address(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an explorer with the small models and a corpus."""
    _require_service()
    with running_service(model_folder, write_corpus(tmp_path_factory.mktemp("explorer") / "small", ROWS)) as address:
        yield address


@pytest.fixture(scope="module")
def address_as_installed() -> Iterator[str]:
    """The address of an explorer as users start it, with the shipped models and nothing else."""
    _require_service()
    with running_command("--seconds", "600") as (_, address):
        yield address


def _require_service() -> None:
    for name in ("fastapi", "uvicorn"):
        pytest.importorskip(name, reason="the service needs FastAPI: pip install 'treesmu[web]'")


@pytest.fixture(scope="module")
def window(browser: Any, explorer_address: str) -> Iterator[tuple[Any, list[str]]]:
    """A page that the tests of a module share, because it takes a moment to load; and what is wrong with it."""
    page, problems = new_window(browser, explorer_address)
    yield page, problems
    page.close()


@pytest.fixture
def open_page(window: tuple[Any, list[str]], explorer_address: str) -> Iterator[OpenPage]:
    """A function that opens the page with a state, such as text="x = 1", tab="map"; the test fails if a page logs an error."""
    page, problems = window
    problems.clear()

    def opened(*, width: int = 1300, height: int = 900, scheme: str = "light", **state: str) -> Any:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{explorer_address}/#{urlencode(state)}")
        return page

    yield opened
    page.evaluate("localStorage.clear()")
    page.goto(f"{explorer_address}/#tab=tree&text=")  # as it was
    page.wait_for_selector("#tree-empty .empty")
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = false)")
    assert problems == []
