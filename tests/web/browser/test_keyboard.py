"""Everything can be done without a mouse, and the focus can be seen."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect


def focused(page: Any, attribute: str) -> str | None:
    return page.evaluate(f"document.activeElement.getAttribute('{attribute}')")


MARK_OF_FOCUS = """() => {
  const active = document.activeElement;
  if (active === document.body) return null;
  const isNode = active.getAttribute("role") === "treeitem";
  const style = getComputedStyle(isNode ? active.querySelector(".frame") : active);
  return { isNode, name: active.outerHTML.slice(0, 80), width: parseFloat(isNode ? style.strokeWidth : style.outlineWidth) };
}"""


def tab_until(page: Any, attribute: str, value: str, backwards: bool = False) -> None:
    """Press Tab until the element with this attribute has the focus."""
    for _ in range(80):
        page.keyboard.press("Shift+Tab" if backwards else "Tab")
        if focused(page, attribute) == value:
            return
    raise AssertionError(f"no [{attribute}={value}] in the focus order")


def test_an_equation_is_typed_judged_and_its_tree_walked_by_keyboard_only(open_page: Any) -> None:
    page = open_page(text="x = 1")
    page.keyboard.press("Tab")
    assert focused(page, "class") == "skip"
    page.keyboard.press("Enter")  # the link to the field
    assert focused(page, "id") == "text"
    page.keyboard.press("Control+a")
    page.keyboard.type("sin(x) + 1 = 1 + sin(x)")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict-card")).to_contain_text("equal at")
    expect(page.locator("#tree-place [role=treeitem]")).to_have_count(9)
    tab_until(page, "role", "treeitem")
    assert focused(page, "data-key") == "r.0"
    for key, expected in [("ArrowUp", "r"), ("ArrowDown", "r.0"), ("ArrowRight", "r.1"), ("ArrowDown", "r.1.0"),
                          ("ArrowRight", "r.1.1"), ("ArrowDown", "r.1.1.0"), ("Home", "r")]:  # fmt: skip
        page.keyboard.press(key)
        assert focused(page, "data-key") == expected
        expect(page.locator("#tree-place [aria-selected=true]")).to_have_attribute("data-key", expected)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#tree-place [data-key='r.0']")).to_have_attribute("aria-expanded", "false")
    expect(page.locator("#tree-place [role=treeitem]")).to_have_count(6)
    page.keyboard.press(" ")
    expect(page.locator("#tree-place [role=treeitem]")).to_have_count(9)
    assert focused(page, "data-key") == "r.0"


def test_tabs_follow_the_pattern_of_arrow_keys(open_page: Any) -> None:
    page = open_page(text="x = 1")
    tab_until(page, "role", "tab")
    for key, expected in [("ArrowRight", "complete"), ("End", "corpus"), ("ArrowRight", "tree"), ("ArrowLeft", "corpus"),
                          ("Home", "tree")]:  # fmt: skip
        page.keyboard.press(key)
        assert focused(page, "data-tab") == expected
        expect(page.locator(f"#panel-{expected}")).to_be_visible()
        expect(page.locator("[role=tab][aria-selected=true]")).to_have_attribute("data-tab", expected)
        assert page.locator("[role=tabpanel]:visible").count() == 1
        assert page.locator("[role=tab][tabindex='-1']").count() == 4


def test_slider_and_menus_answer_to_keys(open_page: Any) -> None:
    page = open_page(text="sin(x) = x")
    expect(page.locator("#tree-place [role=treeitem]").first).to_be_visible()
    tab_until(page, "id", "colour")
    page.keyboard.type("pop")
    expect(page.locator("#tree-legend .scale")).to_contain_text("pop")
    tab_until(page, "id", "steps")
    page.keyboard.press("Home")
    expect(page.locator("#step-number")).to_have_text("0 / 2")
    expect(page.locator("#steps")).to_have_attribute(
        "aria-valuetext", "step 0 of 2: The leaves get their states; the stack of a leaf is empty."
    )
    page.keyboard.press("ArrowRight")
    expect(page.locator("#step-number")).to_have_text("1 / 2")


def test_the_focus_can_be_seen(open_page: Any) -> None:
    page = open_page(text="sin(x) = x")
    expect(page.locator("#tree-place [role=treeitem]").first).to_be_visible()
    expect(page.locator(".neighbours li").first).to_be_visible()
    page.locator("h1").click()  # from the top
    seen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        found = page.evaluate(MARK_OF_FOCUS)
        if found is None:
            break
        seen.append(found)
    assert [one for one in seen if one["width"] < (3 if one["isNode"] else 2)] == []
    assert len(seen) > 15
    assert any(one["isNode"] for one in seen)
