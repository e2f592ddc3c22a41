"""From a phone to a projector, light and dark."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from windows import TABS, show_tab


@pytest.mark.parametrize("width", [360, 800, 1100, 1920])
def test_no_tab_is_wider_than_the_window(open_page: Any, width: int) -> None:
    page = open_page(text="x = 1", width=width, height=900)
    page.locator(".how summary").click()
    for tab in TABS:
        show_tab(page, tab)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, tab
        assert page.locator(f"#tab-{tab}").bounding_box()["x"] >= 0


def test_on_a_phone_everything_can_be_touched(open_page: Any) -> None:
    page = open_page(text="sin(2x) = 2 sin(x)", width=360, height=740)
    expect(page.locator("#tree-place [role=treeitem]").first).to_be_visible()
    sizes = page.locator("button:visible:not(.link), select:visible").evaluate_all(
        "all => all.map(one => [one.textContent.slice(0, 20), one.offsetWidth, one.offsetHeight])"
    )
    assert [size for size in sizes if size[1] < 24 or size[2] < 24] == []


def expect_background(page: Any, is_dark: bool) -> None:
    """Wait until the background of the page is dark or light."""
    mean = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).reduce((sum, part) => sum + Number(part), 0) / 3"
    page.wait_for_function(f"isDark => isDark ? {mean} < 40 : {mean} > 220", arg=is_dark)


def test_colours_follow_the_system_until_the_reader_chooses(open_page: Any) -> None:
    page = open_page(text="x = 1", scheme="dark")
    expect_background(page, is_dark=True)
    page.emulate_media(color_scheme="light")
    expect_background(page, is_dark=False)
    page.get_by_role("button", name="Dark").click()
    expect_background(page, is_dark=True)
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect_background(page, is_dark=True)
    page.get_by_role("button", name="Dark").click()
    expect_background(page, is_dark=False)


def test_the_heat_map_follows_the_theme(open_page: Any) -> None:
    page = open_page(text="sin(x) = x", node="r.1")  # a leaf, whose stack is empty
    corner = "c => [...c.getContext('2d').getImageData(0, 0, 1, 1).data]"
    expect(page.locator("#node-place")).to_contain_text("A leaf begins with an empty stack.")
    assert page.locator(".result canvas").evaluate(corner)[0] > 200
    page.get_by_role("button", name="Dark").click()
    assert page.locator(".result canvas").evaluate(corner)[0] < 100
    page.get_by_role("button", name="Dark").click()


def test_the_stack_to_try_mixes_its_three_outcomes(open_page: Any) -> None:
    page = open_page(text="x = 1")
    page.locator(".how summary").click()
    page.locator("#toy-push").fill("100")
    expect(page.locator("#toy-pop-share")).to_have_text("0%")
    expect(page.locator("#toy-picture svg")).to_have_attribute("aria-label", re.compile("it is 1.00, 0.75, 0.45, 0.20$"))
    page.locator("#toy-pop").fill("40")
    expect(page.locator("#toy-push-share")).to_have_text("60%")
    expect(page.locator("#toy-no_op-share")).to_have_text("0%")
    expect(page.locator("#toy-picture svg")).to_have_attribute("aria-label", re.compile("it is 0.78, 0.53, 0.27, 0.12$"))


def test_on_a_phone_fillers_need_no_scrolling_to_the_side(open_page: Any) -> None:
    page = open_page(text="x + _ = 2*x", tab="complete", width=360, height=740)
    expect(page.locator(".fillers tbody tr").first).to_be_visible()
    frame = page.get_by_role("group", name="Fillers")
    assert frame.evaluate("f => f.scrollWidth <= f.clientWidth")
    assert frame.get_by_role("row").first.get_by_role("columnheader").count() == 6  # still a table for a screen reader
    expect(frame.get_by_role("button", name="Fill in").first).to_be_in_viewport()
