"""Windows of the browser that watch the explorer's page: it must not write an error, and ask no other host."""

from __future__ import annotations

from typing import Any

from chromium import PATIENCE

EQUATION, BLANK = "sin(2x) = 2 sin(x)", "sin(x)^2 + _ = 1"
TABS = {  # a text for each tab, and what there is when all of its answers have come
    "tree": (EQUATION, ["#tree-place [data-key='r.1.1.0']", "#verdict-card .judgement >> nth=1", ".curves", ".neighbours li"]),
    "complete": (BLANK, [".fillers tbody tr"]),
    "compare": (EQUATION, ["#first-tree [data-key='r.1.1.0']", "#second-tree [data-key='r.1.1.0']"]),
    "map": (EQUATION, [".scatter .own text >> nth=1"]),
    "corpus": (EQUATION, [".corpus tbody tr", ".corpus tbody .number >> nth=19"]),
}


def show_tab(page: Any, tab: str) -> None:
    """Open a tab with a text for it, and wait until all of its answers have come."""
    from playwright.sync_api import expect

    text, shown = TABS[tab]
    page.locator(f"#tab-{tab}").click()
    page.locator("#text").fill(text)
    for selector in shown:
        expect(page.locator(selector).first).to_be_visible()


def new_window(browser: Any, address: str) -> tuple[Any, list[str]]:
    """Return a page that is ready and empty, and the list that will say what is wrong with it."""
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    page = browser.new_page(reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    problems: list[str] = []
    _watch(page, address, problems)
    page.goto(f"{address}/#text=")
    page.wait_for_selector("html[data-ready]")
    return page, problems


def _watch(page: Any, address: str, problems: list[str]) -> None:
    """Record errors and warnings of the console, exceptions, answers that fail, and requests to other hosts."""
    page.on("console", lambda said: problems.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("response", lambda answer: problems.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None)
    page.on("request", lambda asked: None if _is_own(asked.url, address) else problems.append(f"asked {asked.url}"))


def _is_own(url: str, address: str) -> bool:
    return url.startswith((f"{address}/", "data:", f"blob:{address}/"))
