"""The site that ``make docs`` builds: without a warning, and without errors or foreign requests in a browser."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from paths import ROOT

pytestmark = pytest.mark.xdist_group("site")  # it is built once

PAGES = ("index", "tutorial", "how-to/own-trees", "reference/python/models", "explanation/stack", "results")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as by ``make docs`` but for the generated pages, which test_generated_pages.py compares."""
    pytest.importorskip("mkdocs", reason="no MkDocs: pip install '.[docs]'")
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(out)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return out


@pytest.mark.parametrize("width", [390, 1300])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_error_no_foreign_request_and_fits(site: Path, browser: Any, name: str, width: int) -> None:
    window = browser.new_page(viewport={"width": width, "height": 900})
    messages: list[str] = []
    fetched: list[str] = []
    window.on("console", lambda message: messages.append(message.text) if message.type in ("error", "warning") else None)
    window.on("pageerror", lambda error: messages.append(str(error)))
    window.on("requestfailed", lambda request: messages.append(f"not loaded: {request.url}"))
    window.on("request", lambda request: fetched.append(request.url))
    window.goto((site / f"{name}.html").as_uri(), wait_until="networkidle")
    assert messages == []
    assert [url for url in fetched if not url.startswith((site.as_uri(), "data:", "blob:"))] == []
    assert window.evaluate("document.documentElement.scrollWidth") <= width
    assert window.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    window.close()


def test_formulas_are_drawn_and_not_shown_as_text(site: Path, browser: Any) -> None:
    window = browser.new_page()
    window.goto((site / "reference" / "python" / "models.html").as_uri())
    formulas = window.locator("math[display=block]")
    assert formulas.count() >= 4
    assert all(formulas.nth(i).bounding_box()["height"] > 15 for i in range(formulas.count()))
    assert "\\odot" not in window.inner_text("article")
    window.close()


def test_a_word_is_found_by_the_search_in_pages_opened_as_files(site: Path, browser: Any) -> None:
    window = browser.new_page(viewport={"width": 1300, "height": 900})
    window.goto((site / "index.html").as_uri())
    window.locator(".md-search__input").press_sequentially("torchrun")
    window.wait_for_selector(".md-search-result__item")
    assert "many-machines" in window.inner_html(".md-search-result__list")
    window.close()


def test_the_copy_button_copies_commands_without_prompt_and_output(site: Path, browser: Any) -> None:
    window = browser.new_page()
    window.goto((site / "tutorial.html").as_uri())
    copied = "code => { code.setAttribute('data-md-copying', ''); return code.innerText }"  # as the theme's script does
    assert window.eval_on_selector("pre code", copied).strip().splitlines() == [
        'treesmu verify "1 + tan(x)^2 = sec(x)^2" "1 + tan(x)^2 = csc(x)^2" --no-model'
    ]
    window.close()
