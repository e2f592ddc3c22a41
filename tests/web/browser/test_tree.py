"""The drawn tree: its values are those of Model.trace; colours, steps, folding, and trees of any size."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

PYTHAGORAS = "sin(x)^2 + cos(x)^2 = 1"
SIXTY = (  # 60 nodes
    "(sin(x)^2 + cos(x)^2) (1 + tan(y)^2) + (x + y)^2 - 2 x y = (x^2 + y^2) (cosh(z)^2 - sinh(z)^2) + sec(y)^2 cos(0 z)"
)


def node(page: Any, key: str) -> Any:
    return page.locator(f"#tree-place [data-key='{key}']")


def drawn(page: Any) -> None:
    expect(page.locator("#tree-place [role=treeitem]").first).to_be_visible()


def key_of(path: tuple[int, ...]) -> str:
    return ".".join(["r", *map(str, path)])


def test_every_node_has_the_symbol_the_actions_and_the_stack_of_the_trace(open_page: Any, model: Any) -> None:
    page, trace = open_page(text=PYTHAGORAS), model.trace(PYTHAGORAS)
    drawn(page)
    assert page.locator("#tree-place [role=treeitem]").count() == len(trace) + 1  # the equality has no state
    for found in trace.nodes:
        group = node(page, key_of(found.path))
        assert group.locator(".symbol").text_content() == found.symbol
        rows = group.locator(".stack .row").evaluate_all("all => all.map(cell => Number(cell.getAttribute('fill-opacity')))")
        assert rows == pytest.approx([norm / trace.largest_row for norm in found.row_norms], abs=1e-3)
        if not found.children:
            continue
        bars = group.locator(".bar rect").evaluate_all(
            "all => all.map(part => [part.getAttribute('class'), Number(part.getAttribute('width'))])"
        )
        room = bars[0][1]
        shares = {name: width / room for name, width in bars if name in ("push", "no_op", "pop")}
        assert shares == pytest.approx({name: found.means[name] for name in ("push", "no_op", "pop")}, abs=2e-3)
        assert sum(shares.values()) == pytest.approx(1, abs=2e-3)


def test_nodes_are_coloured_by_the_chosen_quantity_with_numbers_in_the_legend(open_page: Any, model: Any) -> None:
    page, trace = open_page(text=PYTHAGORAS), model.trace(PYTHAGORAS)
    drawn(page)
    names = page.locator("#colour option").all_inner_texts()
    assert names[:3] == ["push", "no-op", "pop"]
    for word in ("forget gates", "stack rows in use", "norm of the state", "distance to the other side"):
        assert any(word in name for name in names)
    for action in ("push", "pop"):
        page.locator("#colour").select_option(action)
        means = {key_of(found.path): found.means[action] for found in trace.nodes if found.children}
        low, high = min(means.values()), max(means.values())
        expect(page.locator("#tree-legend .scale")).to_contain_text(f"{action}: {low:.0%} to {high:.0%}")
        for key, mean in means.items():
            opacity = float(node(page, key).locator(".tint").get_attribute("fill-opacity"))
            assert opacity == pytest.approx(0.55 * (mean - low) / (high - low), abs=1e-3)
            assert node(page, key).locator(".value").text_content() == f"{mean:.0%}"
    page.locator("#colour").select_option("other_side")
    assert node(page, "r.0").locator(".value").text_content() == f"{trace.distance:.2f}"
    page.locator("#colour").select_option("norm")
    expect(page.locator("#tree-legend .scale")).to_contain_text("norm of the state, to which this model applies layer norm")


def test_the_slider_goes_from_the_leaves_to_the_root(open_page: Any) -> None:
    page = open_page(text=PYTHAGORAS)
    drawn(page)
    expect(page.locator(".node.waiting")).to_have_count(0)
    page.locator("#steps").press("Home")
    expect(page.locator(".node.waiting")).to_have_count(6)  # all but the leaves
    expect(page.locator("#step-sentence")).to_contain_text("The leaves get their states")
    assert node(page, "r.0").locator(".stack").evaluate("stack => getComputedStyle(stack).opacity") == "0"
    page.locator("#steps").press("ArrowRight")
    expect(node(page, "r.0.0.0")).to_have_class("node now")
    expect(page.locator("#step-sentence")).to_contain_text("sin(x) takes the stack of its child")
    expect(node(page, "r.0.0.0")).to_have_attribute("aria-selected", "true")
    page.locator("#step-on").click()
    expect(page.locator("#step-number")).to_have_text("2 / 6")
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")  # with nothing focused
    expect(page.locator("#step-number")).to_have_text("1 / 6")
    page.locator("#steps").press("End")
    expect(page.locator(".node.waiting")).to_have_count(0)
    expect(page.locator("#step-sentence")).to_contain_text("The states of the two sides are compared")


def test_play_runs_to_the_end_and_can_be_paused(open_page: Any) -> None:
    page = open_page(text="x + 1 = 1 + x")
    drawn(page)
    page.locator("#play").click()
    expect(page.locator("#step-number")).to_have_text("1 / 3")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#step-number")).to_have_text("3 / 3")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(1300, 900), (1920, 1080)])
def test_a_tree_of_60_nodes_is_shown_whole_without_overlaps_and_can_be_read(open_page: Any, width: int, height: int) -> None:
    page = open_page(text=SIXTY, width=width, height=height)
    expect(page.locator("#preview .facts")).to_contain_text("60 nodes")
    expect(page.locator("#tree-place [role=treeitem]")).to_have_count(60)
    boxes = page.locator("#tree-place .frame").evaluate_all("all => all.map(box => { const b = box.getBoundingClientRect(); "
                                                            "return [b.left, b.top, b.right, b.bottom] })")  # fmt: skip
    for i, a in enumerate(boxes):
        assert all(a[2] <= b[0] + 0.5 or b[2] <= a[0] + 0.5 or a[3] <= b[1] + 0.5 or b[3] <= a[1] + 0.5 for b in boxes[:i])
    symbols = page.locator("#tree-place .symbol").evaluate_all("all => all.map(text => text.getBoundingClientRect().height)")
    assert min(symbols) > 10  # pixels
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_larger_tree_is_folded_and_unfolds(open_page: Any) -> None:
    text = f"{SIXTY} + {SIXTY.split(' = ', maxsplit=1)[0]}"
    page = open_page(text=text)
    drawn(page)
    shown = page.locator("#tree-place [role=treeitem]").count()
    assert 20 < shown <= 60
    folded = page.locator("#tree-place [aria-expanded=false]").first
    expect(folded.locator(".badge")).to_contain_text("+")
    folded.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#tree-place [role=treeitem]").nth(shown)).to_be_attached()  # one more than before
    page.get_by_role("button", name="Unfold all").click()
    expect(page.locator("#tree-place [aria-expanded=false]")).to_have_count(0)
    assert page.locator("#tree-place [role=treeitem]").count() > 60


def test_zoom_and_fit(open_page: Any) -> None:
    page = open_page(text=PYTHAGORAS)
    drawn(page)
    scale = lambda: float(page.locator("#tree-place .tree-frame").get_attribute("data-scale"))  # noqa: E731
    first = scale()
    page.get_by_role("button", name="Zoom in").first.click()
    assert scale() == pytest.approx(1.25 * first, rel=0.01)
    page.get_by_role("button", name="Zoom out").first.click()
    page.get_by_role("button", name="Zoom out").first.click()
    assert scale() == pytest.approx(first / 1.25, rel=0.01)
    page.locator("#zoom-fit").click()
    assert scale() == pytest.approx(first, rel=0.01)


@pytest.mark.parametrize("is_fitted", [False, True])
def test_a_tree_of_sixty_nodes_is_all_in_view(open_page: Any, is_fitted: bool) -> None:
    page = open_page(text=SIXTY, width=1280, height=860)
    drawn(page)
    if is_fitted:
        page.get_by_role("button", name="Zoom in").first.click()
        page.locator("#zoom-fit").click()
    frame = page.locator("#tree-place .tree-frame")
    assert frame.evaluate("f => f.scrollHeight <= f.clientHeight && f.scrollWidth <= f.clientWidth")
    assert float(frame.get_attribute("data-scale")) >= 0.72  # and can be read


def test_the_table_has_the_same_numbers_for_who_cannot_see_the_drawing(open_page: Any, model: Any) -> None:
    page, trace = open_page(text=PYTHAGORAS), model.trace(PYTHAGORAS)
    drawn(page)
    page.get_by_text("All nodes as a table").click()
    rows = page.locator("#tree-table tbody tr")
    assert rows.count() == len(trace)
    for i, found in enumerate(trace.nodes):
        assert rows.nth(i).locator("th").inner_text() == str(found.expr)
        if found.children:
            assert f"{found.means['push']:.0%}" in rows.nth(i).inner_text()
            assert f"{found.row_norms[0]:.2f}" in rows.nth(i).inner_text()
    rows.nth(2).get_by_role("button").click()
    expect(page.locator("#tree-place [aria-selected=true]")).to_have_attribute("data-key", "r.0.0.0")
