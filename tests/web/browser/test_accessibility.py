"""axe-core, which npm provides, finds no fault in any tab."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from windows import TABS, show_tab

VERSION = "4.14.0"


@pytest.fixture(scope="module")
def axe(request: pytest.FixtureRequest) -> str:
    """The source of axe-core, fetched once into the cache of pytest."""
    folder = Path(request.config.cache.mkdir("axe-core"))  # type: ignore[union-attr]
    source = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not source.is_file():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("axe-core needs npm: install it to look for faults of accessibility")
        command = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", f"axe-core@{VERSION}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"npm cannot fetch axe-core {VERSION}: {done.stderr.strip()[-200:]}")
    return source.read_text(encoding="utf-8")


# What can depend on the width of the window and on its colours; all else is the same in every window.
BY_WINDOW = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size", "meta-viewport", "bypass"]


def faults(page: Any, axe: str, rules: list[str] | None = None) -> list[str]:
    """Return what axe-core finds, however slight. rules: some of them, or all."""
    page.evaluate(axe)
    options = {"resultTypes": ["violations"], **({"runOnly": rules} if rules else {})}  # what passes is not described in full
    found = page.evaluate("options => axe.run(document, options)", options)["violations"]
    return [
        f"{one['impact']} {one['id']}: {[(node['target'], node['failureSummary']) for node in one['nodes'][:3]]}"
        for one in found
    ]


@pytest.mark.parametrize(("width", "scheme", "rules"), [(1300, "light", None), (360, "dark", BY_WINDOW)])
def test_no_tab_has_a_fault(open_page: Any, axe: str, width: int, scheme: str, rules: list[str] | None) -> None:
    page = open_page(text="x = 1", width=width, scheme=scheme)
    for tab in TABS:
        show_tab(page, tab)
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert faults(page, axe, rules) == [], tab


def test_an_error_has_no_fault_either(open_page: Any, axe: str) -> None:
    page = open_page(text="sin(x) = 1")
    expect(page.locator("#tree-place [role=treeitem]").first).to_be_visible()
    page.locator("#text").fill("sin(x")
    expect(page.locator("#problem")).to_be_visible()
    assert faults(page, axe) == []
