"""The panel of a node: its stack as a heat map, its gates and its state, what it does with what its children hand up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

PYTHAGORAS = "sin(x)^2 + cos(x)^2 = 1"
LIGHT = {-1: (27, 120, 55), 0: (255, 255, 255), 1: (106, 61, 154)}  # the colours of the heat map


def opened(open_page: Any, key: str = "r.0", **state: str) -> Any:
    """Return the page with a chosen node, whose panel is shown."""
    page = open_page(text=PYTHAGORAS, node=key, **state)
    expect(page.locator("#node-place .node-panel")).to_be_visible()
    return page


def pixels(canvas: Any) -> np.ndarray[Any, Any]:
    """Return the colours of a heat map, (rows, n, 3)."""
    data = canvas.evaluate("c => [c.height, c.width, [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data]]")
    return np.array(data[2]).reshape(data[0], data[1], 4)[:, :, :3]


def colours(rows: np.ndarray[Any, Any], limit: float) -> np.ndarray[Any, Any]:
    """Return the colours that values should have: the root of their share, towards green below zero and violet above."""
    share = np.sqrt(np.minimum(1, np.abs(rows) / limit))[..., None]
    ends = np.where(rows[..., None] < 0, LIGHT[-1], LIGHT[1])
    return LIGHT[0] + (ends - np.array(LIGHT[0])) * share


def test_the_drawn_stack_is_the_stack(open_page: Any, model: Any) -> None:
    page, trace = opened(open_page), model.trace(PYTHAGORAS)
    node = trace.at((0,))
    limit = float(page.locator(".heat-scale > span").last.inner_text())
    drawn = pixels(page.locator(".result canvas"))
    assert drawn.shape == (*node.rows.shape, 3)
    combined = sum(node.gates["f"][k] * child.rows for k, child in enumerate(node.children))
    pushed = np.vstack([node.gates["u"], combined[:-1]])
    exact = max(np.abs(rows).max() for rows in (node.rows, pushed, combined, *(child.rows for child in node.children)))
    assert limit == pytest.approx(exact, abs=0.005)
    assert np.abs(drawn - colours(node.rows, exact)).max() <= 1
    norms = page.locator(".result .row-norms span").all_inner_texts()
    assert norms == [f"{norm:.2f}" for norm in node.row_norms]
    outcomes = page.locator(".outcome canvas")
    for i, rows in enumerate((pushed, combined, np.vstack([combined[1:], np.zeros((1, combined.shape[1]))]))):
        assert np.abs(pixels(outcomes.nth(i)) - colours(rows, exact)).max() <= 1
    for k, child in enumerate(node.children):
        assert np.abs(pixels(page.locator(".child canvas").nth(k)) - colours(child.rows, exact)).max() <= 1
        assert page.locator(".child .caption").nth(k).inner_text().endswith(f"× {node.forget[k]:.0%} kept")


def test_gates_and_state_are_those_of_the_trace(open_page: Any, model: Any) -> None:
    page, node = opened(open_page), model.trace(PYTHAGORAS).at((0,))
    shares = [page.locator(f"[data-gate={name}]").inner_text() for name in ("push", "no_op", "pop")]
    assert shares == [f"{node.means[name]:.1%}" for name in ("push", "no_op", "pop")]
    assert sum(float(share.rstrip("%")) for share in shares) == pytest.approx(100, abs=0.11)
    state = page.locator("#node-place section", has_text="Its state")
    expect(state).to_contain_text(f"norm {node.norm:.2f}")
    drawn = pixels(state.locator("canvas"))[0]
    assert np.abs(drawn - colours(node.state, np.abs(node.state).max())).max() <= 1


def test_a_value_can_be_read_under_the_pointer(open_page: Any, model: Any) -> None:
    page, node = opened(open_page), model.trace(PYTHAGORAS).at((0,))
    canvas = page.locator(".result canvas")
    box = canvas.bounding_box()
    n = node.rows.shape[1]
    canvas.hover(position={"x": box["width"] * 7.5 / n, "y": box["height"] * 0.25})
    readout = page.locator(".heat-scale .readout").inner_text()
    assert readout.startswith("top, entry 7: ")
    assert float(readout.split(": ")[1].replace("−", "-")) == pytest.approx(float(node.rows[0, 7]), rel=1e-4)


def test_a_click_on_a_node_shows_it_and_a_leaf_has_an_empty_stack(open_page: Any) -> None:
    page = opened(open_page)
    page.locator("#tree-place [data-key='r.0.0.0.0']").click()
    expect(page.locator(".node-head")).to_contain_text("x")
    expect(page.locator("#node-place")).to_contain_text("A leaf begins with an empty stack.")
    assert (pixels(page.locator(".result canvas")) == LIGHT[0]).all()
    page.get_by_role("button", name="↑ parent").click()
    expect(page.locator("#tree-place [aria-selected=true]")).to_have_attribute("data-key", "r.0.0.0")


def test_the_equality_compares_the_states_of_both_sides(open_page: Any, model: Any) -> None:
    page, trace = opened(open_page, "r"), model.trace(PYTHAGORAS)
    expect(page.locator("#node-place")).to_contain_text(f"They are {trace.distance:.2f} apart")
    strips = page.locator("#node-place section", has_text="States").locator("canvas")
    left, right = (side.state for side in trace.sides)
    limit = max(np.abs(left).max(), np.abs(right).max())
    for i, row in enumerate((left, right, left - right)):
        assert np.abs(pixels(strips.nth(i))[0] - colours(row, limit)).max() <= 1
    expect(page.locator("#node-neighbours")).to_be_hidden()


def test_similar_expressions_are_listed_and_open_at_a_click(open_page: Any) -> None:
    page = opened(open_page)
    lines = page.locator(".neighbours li")
    expect(lines).to_have_count(6)
    distances = [float(text) for text in page.locator(".neighbours .number").all_inner_texts()]
    assert distances == sorted(distances)
    assert page.locator(".neighbours .mark").first.get_attribute("aria-label") in ("equal", "different", "undecided")
    expression = lines.first.locator(".visually-hidden").inner_text()
    lines.first.get_by_role("button").click()
    expect(page.locator("#text")).to_have_value(expression)


def test_a_model_without_a_stack_shows_its_memory_and_its_gates(open_page: Any) -> None:
    page = opened(open_page, model="tree-lstm")
    expect(page.locator("#node-place")).to_contain_text("Its memory")
    expect(page.locator(".outcome")).to_have_count(0)
    assert page.locator(".gates dt").all_inner_texts() == ["gate i", "gate o"]
    assert "push" not in page.locator("#colour").inner_text()
