"""The tabs Complete, Compare, Map and Corpus."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

import treesmu

BLANK = "sin(x)^2 + _ = 1"


def test_fillers_are_ranked_marked_and_filled_in_at_a_click(open_page: Any, shipped: Any) -> None:
    page = open_page(tab="complete", text=BLANK)
    lines = page.locator(".fillers tbody tr")
    expect(lines.first).to_be_visible()
    answers = shipped.complete(BLANK, top=8)
    assert page.locator(".fillers tbody th .visually-hidden").all_inner_texts() == [str(filler) for filler, *_ in answers]
    for i, (_, probability, verdict) in enumerate(answers):
        expect(lines.nth(i).locator(".judgement")).to_contain_text(verdict.label)
        assert f"{probability:.1%}" in lines.nth(i).inner_text()
    found = page.locator(".fillers tr.correct").first
    expect(found).to_contain_text("found by search")
    expect(page.locator("#announcer")).to_contain_text("The first correct one is cos(x)^2")
    found.get_by_role("button", name="Fill in").click()
    expect(page.locator("#panel-tree")).to_be_visible()
    expect(page.locator("#verdict-card")).to_contain_text("The model and the check agree.")


def test_without_a_blank_the_tab_says_how_to_write_one(open_page: Any) -> None:
    page = open_page(tab="complete", text="x + 1 = 1 + x")
    expect(page.locator("#complete-place .empty")).to_contain_text("Write _ in the equation")
    page.locator("#complete-place .example").first.click()
    expect(page.locator(".fillers")).to_be_visible()
    page.get_by_role("tab", name="Tree").click()
    expect(page.locator("#tree-empty")).to_contain_text("The equation has a blank")
    page.get_by_role("button", name="Go to Complete").click()
    expect(page.locator(".fillers")).to_be_visible()


def test_two_models_are_compared_on_the_same_equation(open_page: Any, shipped: Any) -> None:
    text = "sin(2x) = 2 sin(x) cos(x)"
    page = open_page(tab="compare", text=text)
    expect(page.locator("#first-tree [role=treeitem]")).to_have_count(12)
    expect(page.locator("#second-tree [role=treeitem]")).to_have_count(12)
    expect(page.locator("#first-verdict .big")).to_have_text(f"{float(shipped.verify([text])[0]):.1%}")
    assert page.locator("#second-verdict .big").inner_text() != page.locator("#first-verdict .big").inner_text()
    page.locator("#second-tree [data-key='r.1']").click()
    expect(page.locator("#first-tree [data-key='r.1']")).to_have_attribute("aria-selected", "true")
    table = page.locator("#compare-node table")
    assert table.locator("thead th").all_inner_texts() == ["tree-smu", "tree-lstm"]
    push = table.locator("tr", has_text="push").locator("td").all_inner_texts()
    assert push == [f"{shipped.trace(text).at((1,)).means['push']:.0%}", "–"]
    page.locator("#second-model").select_option("tree-smu")
    expect(page.locator("#second-verdict .big")).to_have_text(page.locator("#first-verdict .big").inner_text())


def test_the_map_shows_values_and_the_typed_sides_among_them(open_page: Any) -> None:
    page = open_page(tab="map", text="sin(x)^2 + cos(x)^2 = 1")
    expect(page.locator(".scatter .own text")).to_have_count(2)
    assert page.locator(".scatter .points path").count() > 100
    labels = page.locator(".scatter .own text").all_text_contents()
    assert labels == ["left: sin(x)^2 + cos(x)^2", "right: 1"]
    values = page.locator("#map-classes button")
    expect(values.first).to_be_visible()
    values.first.click()
    expect(values.first).to_have_attribute("aria-pressed", "true")
    name, size = values.first.locator("code").inner_text(), int(values.first.locator(".size").inner_text())
    expect(page.locator(".scatter .points path:not(.dimmed)")).to_have_count(size)
    values.first.click()
    point = page.locator(f".scatter .points [data-value='{name}']").last
    point.hover()
    expect(page.locator("#map-place .tip")).to_contain_text(f"has the value of {name}")
    assert page.locator(".scatter .same").count() == size
    page.get_by_text("All expressions as a table").click()
    expect(page.locator("#map-table tbody tr").first).to_contain_text(name)
    page.locator("#text").fill("x + y")
    expect(page.locator(".scatter .own text")).to_have_text(["x + y"])
    expression = point.get_attribute("data-expression")
    point.click()
    expect(page.locator("#panel-tree")).to_be_visible()
    expect(page.locator("#text")).to_have_value(expression)


def test_equations_of_one_value_are_near_on_the_map(open_page: Any) -> None:
    page = open_page(tab="map", text="x = 1")
    expect(page.locator(".scatter .own text")).to_have_count(2)
    members = page.locator(".scatter .points [data-value='1']").evaluate_all("all => all.map(one => one.dataset.expression)")
    assert len(members) > 5
    assert all(treesmu.check(treesmu.parse(f"{member} = 1")).label == "correct" for member in members)


def shown(page: Any) -> list[str]:
    return page.locator(".corpus tbody th button").evaluate_all("all => all.map(one => one.title)")


def test_the_corpus_is_browsed_filtered_sorted_and_opened(open_page: Any, shipped: Any, rows: Any) -> None:
    page = open_page(tab="corpus", text="x = 1")
    lines = page.locator(".corpus tbody tr")
    expect(lines).to_have_count(20)
    expect(page.locator(".pages")).to_contain_text("1–20 of 22 equations")
    page.get_by_role("button", name="next →").click()
    expect(lines).to_have_count(2)
    expect(page.get_by_role("button", name="next →")).to_be_disabled()
    page.get_by_label("Label").select_option("0")
    expect(page.locator(".pages")).to_contain_text("of 11 equations")
    page.get_by_label("Kind").select_option("near-miss")
    expect(page.locator(".pages")).to_contain_text("of 10 equations")
    page.get_by_label("Kind").select_option("")
    page.get_by_label("Label").select_option("")
    page.get_by_label("Depth from").fill("4")
    page.get_by_label("Depth from").press("Tab")
    deep = sum(treesmu.parse(text).depth >= 4 for text, *_ in rows)
    expect(page.locator(".pages")).to_contain_text(f"of {deep} equations")
    page.get_by_label("Depth from").fill("")
    page.get_by_label("Depth from").press("Tab")
    page.get_by_label("Sort by").select_option("confident_and_wrong")
    chances = {str(treesmu.parse(text)): (float(shipped.verify([text])[0]), label) for text, label, _ in rows}
    wrong = [text for text, (chance, label) in chances.items() if (chance >= 0.5) != bool(label)]
    wrong.sort(key=lambda text: -abs(chances[text][0] - 0.5))
    expect(lines.first.get_by_role("button")).to_have_attribute("title", wrong[0])
    expect(lines).to_have_count(20)
    assert page.locator(".corpus .number").all_inner_texts() == [f"{chances[text][0]:.1%}" for text in shown(page)]
    page.get_by_label("Model is").select_option("wrong")
    expect(page.locator(".corpus tbody tr:not(.wrong)")).to_have_count(0)
    assert shown(page) == wrong
    lines.first.get_by_role("button").click()
    expect(page.locator("#panel-tree")).to_be_visible()
    expect(page.locator("#text")).to_have_value(wrong[0])
    page.go_back()
    expect(page.get_by_label("Model is")).to_have_value("wrong")


def test_filters_that_nothing_passes_say_so(open_page: Any) -> None:
    page = open_page(tab="corpus", text="x = 1")
    expect(page.locator(".corpus tbody tr").first).to_be_visible()
    page.get_by_label("Depth from").fill("50")
    page.get_by_label("Depth from").press("Tab")
    expect(page.locator("#corpus-place .empty")).to_have_text("No equation passes these filters.")


@pytest.mark.parametrize("tab", ["tree", "complete", "compare", "map", "corpus"])
def test_another_model_is_used_in_every_tab(open_page: Any, tab: str) -> None:
    page = open_page(tab=tab, text=BLANK if tab == "complete" else "x + 1 = 1 + x")
    with page.expect_request(lambda request: "tree-lstm" in f"{request.url} {request.post_data}"):
        page.locator("#model").select_option("tree-lstm")
    expect(page.locator("#model-description")).to_contain_text("tree-lstm")
