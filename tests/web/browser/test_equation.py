"""The field for the equation: read while one types, errors below the character they are about, examples, the address."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

PYTHAGORAS = "sin(x)^2 + cos(x)^2 = 1"


def typed(page: Any, text: str) -> None:
    """Replace the text as a person does, key by key."""
    page.locator("#text").press("Control+a")
    page.locator("#text").press_sequentially(text)


@pytest.mark.parametrize("text", [PYTHAGORAS, r"\sin^2 x + \cos^2 x = 1"])
def test_an_equation_is_shown_as_a_formula_and_judged_while_it_is_typed(open_page: Any, text: str) -> None:
    page = open_page(text="x = 1")
    typed(page, text)
    expect(page.locator("#preview math")).to_contain_text("sin")
    expect(page.locator("#preview .facts")).to_have_text("depth 4 · 11 nodes · variable x")
    expect(page.locator("#verdict-card")).to_contain_text("equal at 24 points")
    assert page.locator("#preview math").bounding_box()["height"] > 15


def test_an_error_stands_below_the_character_that_it_is_about(open_page: Any) -> None:
    page = open_page(text="x = 1")
    expect(page.locator("#verdict-card .judgement").first).to_be_visible()
    typed(page, "sin(x + 1 = 2")
    expect(page.locator("#problem")).to_have_text("Expected ')' before '='.")
    expect(page.locator("#text")).to_have_attribute("aria-invalid", "true")
    mark = page.locator("#mirror mark")
    expect(mark).to_have_text("=")
    box, problem = mark.bounding_box(), page.locator("#problem").bounding_box()
    caret = float(page.locator("#problem").evaluate("place => parseFloat(place.style.getPropertyValue('--caret'))"))
    assert problem["x"] + caret == pytest.approx(box["x"] + box["width"] / 2, abs=1.5)
    assert 0 <= problem["y"] - (box["y"] + box["height"]) < 30
    expect(page.locator("#stale-note")).to_be_visible()  # what is shown belongs to x = 1
    page.locator("#text").press("End")
    page.locator("#text").press_sequentially(")")
    expect(page.locator("#problem")).to_be_visible()
    page.locator("#text").fill("sin(x + 1) = 2")
    expect(page.locator("#problem")).to_be_hidden()
    expect(page.locator("#preview math")).to_contain_text("2")


def test_an_error_at_the_end_and_letters_beyond_ascii_are_marked_where_they_are(open_page: Any) -> None:
    page = open_page(text="x = 1")
    typed(page, "π + 𝜋 ] = 2")
    expect(page.locator("#mirror mark")).to_have_count(1)
    before = page.locator("#mirror").evaluate("mirror => mirror.firstChild.textContent")
    assert before in ("π + ", "π + 𝜋 ")
    typed(page, "sin(x) =")
    expect(page.locator("#mirror mark.gap")).to_be_visible()


def test_no_text_is_no_error(open_page: Any) -> None:
    page = open_page(text=PYTHAGORAS)
    expect(page.locator("#preview math")).to_be_visible()
    page.locator("#text").fill("")
    expect(page.locator("#preview")).to_be_empty()
    expect(page.locator("#problem")).to_be_hidden()


def test_no_text_after_one_that_cannot_be_read_leaves_no_preview(open_page: Any) -> None:
    page = open_page(text="x = 1")
    expect(page.locator("#preview math")).to_contain_text("1")
    typed(page, "sin(x) =")
    expect(page.locator("#mirror mark.gap")).to_be_visible()
    expect(page.locator("#preview")).to_contain_text("depth 1")  # the last one that could be read
    page.locator("#text").fill("")
    expect(page.locator("#preview")).to_be_empty()


def test_a_long_equation_wraps_in_the_field_and_scrolls_in_the_preview(open_page: Any) -> None:
    page = open_page(text=" + ".join([f"sin({k} x)^2" for k in range(1, 12)]) + " = 1", width=400)
    expect(page.locator("#preview math")).to_be_visible()
    field = page.locator("#text")
    assert field.evaluate("field => field.scrollHeight <= field.clientHeight + 1")
    assert field.bounding_box()["height"] > 60
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_address_restores_what_was_shown_and_the_browser_goes_back(open_page: Any) -> None:
    page = open_page(text="sin(2x) = 2 sin(x)", node="r.0.0", colour="pop", step="2")
    expect(page.locator("#colour")).to_have_value("pop")
    expect(page.locator("[aria-selected=true][role=treeitem]")).to_have_attribute("data-key", "r.0.0")
    expect(page.locator("#step-number")).to_have_text("2 / 5")
    page.locator("#colour").select_option("norm")
    page.get_by_role("tab", name="Corpus").click()
    expect(page.locator("#panel-corpus")).to_be_visible()
    page.reload()
    expect(page.locator("#panel-corpus")).to_be_visible()
    page.go_back()
    expect(page.locator("#panel-tree")).to_be_visible()
    expect(page.locator("#colour")).to_have_value("norm")
    expect(page.locator("#text")).to_have_value("sin(2x) = 2 sin(x)")


def test_an_address_with_nonsense_shows_the_start(open_page: Any) -> None:
    page = open_page(tab="nowhere", model="../../secret", node="r.9.9", step="many", colour="blue", text="x + 1 = 1 + x")
    expect(page.locator("#panel-tree")).to_be_visible()
    expect(page.locator("#model")).to_have_value("tree-smu")
    expect(page.locator("[role=treeitem]")).to_have_count(7)


def test_models_that_are_not_there_at_first_are_asked_for_again(open_page: Any, window: tuple[Any, list[str]]) -> None:
    page, problems = open_page(text="x = x"), window[1]
    refused = '{"error": {"message": "no turn", "position": null, "length": null, "remedy": "try again"}}'
    page.route("**/api/models", lambda route: route.fulfill(status=503, content_type="application/json", body=refused))
    page.reload()
    expect(page.locator("#start-problem")).to_have_text("no turn: try again")
    expect(page.locator("#model option")).to_have_count(0)
    page.unroute("**/api/models")
    expect(page.locator("#model option").first).to_be_attached()
    expect(page.locator("#start-problem")).to_be_empty()
    expect(page.locator("#model")).to_have_value("tree-smu")
    assert all("503" in problem for problem in problems)
    problems.clear()
