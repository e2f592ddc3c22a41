"""The tabs Complete, Compare, Map and Corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

import treesmu

BLANK = "sin(x)^2 + _ = 1"
USED = {  # what each tab shows when it has an answer
    "tree": "#tree-place [role=treeitem]",
    "complete": ".fillers tbody tr",
    "compare": "#second-tree [role=treeitem]",
    "map": ".scatter .own text",
    "corpus": ".corpus tbody tr",
}


def test_fillers_are_ranked_marked_and_filled_in_at_a_click(open_page: Any, model: Any) -> None:
    page = open_page(tab="complete", text=BLANK)
    lines = page.locator(".fillers tbody tr")
    expect(lines.first).to_be_visible()
    answers = model.complete(BLANK, top=8)
    assert page.locator(".fillers tbody th .visually-hidden").all_inner_texts() == [str(filler) for filler, *_ in answers]
    for i, (_, probability, verdict) in enumerate(answers):
        expect(lines.nth(i).locator(".judgement")).to_contain_text(verdict.label)
        assert f"{probability:.1%}" in lines.nth(i).inner_text()
        assert ("found by search" in lines.nth(i).inner_text()) == (answers[i].found_by == "search")
    correct = next(filler for filler, _, verdict in answers if verdict.label == "correct")
    expect(page.locator("#announcer")).to_contain_text(f"The first correct one is {correct}")
    page.locator(".fillers tr.correct").first.get_by_role("button", name="Fill in").click()
    expect(page.locator("#panel-tree")).to_be_visible()
    expect(page.locator("#text")).to_have_value(f"sin(x)^2 + {correct} = 1")
    expect(page.locator("#verdict-card .judgement").nth(1)).to_contain_text("correct")


def test_without_a_blank_the_tab_says_how_to_write_one(open_page: Any) -> None:
    page = open_page(tab="complete", text="x + 1 = 1 + x")
    expect(page.locator("#complete-place .empty")).to_contain_text("Write _ in the equation")
    page.locator("#complete-place .example").first.click()
    expect(page.locator(".fillers")).to_be_visible()
    page.get_by_role("tab", name="Tree").click()
    expect(page.locator("#tree-empty")).to_contain_text("The equation has a blank")
    page.get_by_role("button", name="Go to Complete").click()
    expect(page.locator(".fillers")).to_be_visible()


def test_the_two_shipped_models_are_compared_on_the_same_equation(open_page: Any, model: Any, model_folder: Path) -> None:
    text = "sin(2x) = 2 sin(x) cos(x)"
    page = open_page(tab="compare", text=text)
    expect(page.locator("#first-tree [role=treeitem]")).to_have_count(12)
    expect(page.locator("#second-tree [role=treeitem]")).to_have_count(12)
    expect(page.locator("#first-model")).to_have_value("tree-smu")
    expect(page.locator("#second-model")).to_have_value("tree-lstm")
    for side, one in (("first", model), ("second", treesmu.load(model_folder / "tree-lstm.safetensors"))):
        expect(page.locator(f"#{side}-verdict .big")).to_have_text(f"{float(one.verify([text])[0]):.1%}")
    page.locator("#second-tree [data-key='r.1']").click()
    expect(page.locator("#first-tree [data-key='r.1']")).to_have_attribute("aria-selected", "true")
    table = page.locator("#compare-node table")
    assert table.locator("thead th").all_inner_texts() == ["tree-smu", "tree-lstm"]
    push = table.locator("tr", has_text="push").locator("td").all_inner_texts()
    assert push == [f"{model.trace(text).at((1,)).means['push']:.0%}", "–"]
    page.locator("#second-model").select_option("tree-smu")
    expect(page.locator("#second-verdict .big")).to_have_text(page.locator("#first-verdict .big").inner_text())
    expect(page.locator("#compare-node thead th")).to_have_text(["tree-smu", "tree-smu"])


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
    expect(page.locator(".scatter .same")).to_have_count(size)
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


def test_the_corpus_is_browsed_filtered_sorted_and_opened(open_page: Any, model: Any, rows: Any) -> None:
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
    chances = {str(treesmu.parse(text)): (float(model.verify([text])[0]), label) for text, label, _ in rows}
    wrong = [text for text, (chance, label) in chances.items() if (chance >= 0.5) != bool(label)]
    wrong.sort(key=lambda text: -abs(chances[text][0] - 0.5))
    expect(lines.first.get_by_role("button")).to_have_attribute("title", wrong[0])
    expect(lines).to_have_count(20)
    expect(page.locator(".corpus tbody .number")).to_have_text([f"{chances[text][0]:.1%}" for text in shown(page)])
    page.get_by_label("Model is").select_option("wrong")
    expect(page.locator(".corpus tbody tr:not(.wrong)")).to_have_count(0)
    expect(lines).to_have_count(len(wrong))
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
    expect(page.locator(USED[tab]).first).to_be_visible()


@pytest.mark.parametrize("text", ["", BLANK, "sin(x"])
def test_an_address_with_another_text_and_another_model_asks_nothing_that_is_refused(open_page: Any, text: str) -> None:
    page = open_page(text="x + 1 = 1 + x", model="tree-lstm")
    expect(page.locator("#verdict-card .judgement")).to_have_count(2)
    page.evaluate("hash => location.hash = hash", urlencode({"text": text}))
    expect(page.locator("#text")).to_have_value(text)
    page.evaluate("() => new Promise((done) => setTimeout(done, 500))")  # later than the timer of any question, on any machine
    expect(page.locator("#model")).to_have_value("tree-smu")
    expect(page.locator("#panel-tree")).to_have_attribute("aria-busy", "false")  # fails at the end if anything was refused


def test_a_model_is_chosen_before_the_text_is_read(open_page: Any) -> None:
    page = open_page(text="x = 1")
    expect(page.locator("#verdict-card .judgement")).to_have_count(2)
    page.locator("#text").fill("sin(x")
    expect(page.locator("#problem")).to_be_visible()
    page.locator("#model").select_option("tree-lstm")
    page.locator("#text").fill("sin(x) = 1")
    expect(page.locator("#verdict-card h3").first).to_contain_text("tree-lstm")
    expect(page.locator("#stale-note")).to_be_hidden()
