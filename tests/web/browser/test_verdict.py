"""The verdict, the curves of both sides, and why a model is wrong: what the page shows is what Python computes."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

import treesmu
from treesmu.experiments.probes.exchange import Exchange, find_exchange

TRUE = ["sin(x)^2 + cos(x)^2 = 1", "sin(2x) = 2 sin(x) cos(x)", "tan(x) = sin(x)/cos(x)", "x^2 x^3 = x^5", "2 x + x = 3 x",
        "e^x e^x = e^(2x)", "sin(asin(x)) = x", "(x + 1)^2 = x^2 + 2 x + 1", "cosh(x)^2 - sinh(x)^2 = 1"]  # fmt: skip


def settled(page: Any) -> None:
    """Wait until verdict and trace are those of the text."""
    expect(page.locator("#panel-tree")).to_have_attribute("aria-busy", "false")
    expect(page.locator("#verdict-card .judgement").first).to_be_visible()


@pytest.mark.parametrize("text", ["sin(x)^2 + cos(x)^2 = 1", "sin(2x) = 2 sin(x)", "sqrt(x^2) = x"])
def test_the_verdict_is_that_of_the_model_and_of_the_check(open_page: Any, model: Any, text: str) -> None:
    page = open_page(text=text)
    settled(page)
    probability, checked = float(model.verify([text])[0]), treesmu.check(treesmu.parse(text))
    card = page.locator("#verdict-card")
    expect(card.locator(".big")).to_have_text(f"{probability:.1%}")
    assert float(card.locator("[role=meter]").get_attribute("aria-valuenow")) == pytest.approx(probability, abs=1e-4)
    width = card.locator(".chance-fill").evaluate("fill => fill.offsetWidth / fill.parentElement.clientWidth")
    assert width == pytest.approx(probability, abs=0.01)
    assert card.locator(".judgement").all_inner_texts()[0].endswith("incorrect" if probability < 0.5 else "correct")
    assert card.locator(".judgement").all_inner_texts()[1].endswith(checked.label)
    expect(card).to_contain_text(checked.reason)
    expect(page.locator("#announcer")).to_contain_text(checked.label)  # said to screen readers
    if checked.counterexample:
        assert str(checked.counterexample["x"]).replace("-", "−") in card.inner_text()


def scale_of(page: Any, axis: str) -> tuple[float, float]:
    """Return slope and intercept from pixels to numbers, read from the labels of an axis."""
    anchor = {"x": "middle", "y": "end"}[axis]
    marks = page.locator(f".curves .tick[text-anchor={anchor}]:not(.variable)").evaluate_all(
        f"all => all.map(text => [Number(text.getAttribute('{axis}')), text.textContent])"
    )
    pixels = [at - (4 if axis == "y" else 0) for at, _ in marks]
    slope, intercept = np.polyfit(pixels, [float(text.replace("−", "-")) for _, text in marks], 1)
    return float(slope), float(intercept)


def test_the_curves_are_those_of_the_two_sides(open_page: Any) -> None:
    page = open_page(text="sin(2x) = 2 sin(x)")
    settled(page)
    (ax, bx), (ay, by) = scale_of(page, "x"), scale_of(page, "y")
    for name, function in (("left", lambda x: math.sin(2 * x)), ("right", lambda x: 2 * math.sin(x))):
        path = page.locator(f".curves .{name}-side").get_attribute("d")
        points = [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+) ([-\d.]+)", path)]
        assert len(points) > 300
        assert all(abs(ay * y + by - function(ax * x + bx)) < 0.1 for x, y in points)
    expect(page.locator(".curves .left-dot")).to_have_count(1)
    at = float(page.locator(".curves .left-dot").get_attribute("cx"))
    point = treesmu.check(treesmu.parse("sin(2x) = 2 sin(x)")).counterexample
    assert point is not None
    assert ax * at + bx == pytest.approx(point["x"], abs=0.05)


def test_a_curve_breaks_at_a_pole(open_page: Any) -> None:
    page = open_page(text="1/x = 1/x")
    settled(page)
    assert page.locator(".curves .left-side").get_attribute("d").count("M") == 2


def test_two_variables_have_no_curve_and_an_expression_no_verdict(open_page: Any) -> None:
    page = open_page(text="x + y = y + x")
    settled(page)
    expect(page.locator("#curve-card")).to_be_hidden()
    page.locator("#text").fill("sin(x)^2")
    expect(page.locator("#verdict-card")).to_contain_text("This is an expression")
    expect(page.locator("[role=treeitem]")).to_have_count(4)


def mistake(model: Any, text: str) -> Exchange | None:
    """Return what would have to be written differently, if the model rejects a true equation."""
    return None if float(model.verify([text])[0]) >= 0.5 else find_exchange(model, treesmu.parse(text))[0]


def test_why_is_it_wrong_names_a_part_and_opens_the_exchanged_equation(open_page: Any, model: Any) -> None:
    text, exchange = next((text, found) for text in TRUE if (found := mistake(model, text)) is not None)
    page = open_page(text=text)
    settled(page)
    expect(page.locator("#verdict-card")).to_contain_text("The model and the check disagree.")
    page.get_by_role("button", name="Why is it wrong?").click()
    expect(page.locator("#why .exchange .part")).to_have_count(2)
    expect(page.locator("#why")).to_contain_text("which is equal, the model says correct")
    page.get_by_role("button", name="Show the part in the tree").click()
    expect(page.locator("[role=treeitem][aria-selected=true]")).to_have_attribute(
        "data-key", ".".join(["r", *map(str, exchange.path)])
    )
    page.get_by_role("button", name="Open the exchanged equation").click()
    expect(page.locator("#verdict-card")).to_contain_text("The model and the check agree.")
    exchanged = page.locator("#text").input_value()
    expect(page.locator("#verdict-card .big")).to_have_text(f"{float(model.verify([exchanged])[0]):.1%}")


def test_where_they_agree_nothing_is_to_be_explained(open_page: Any, model: Any) -> None:
    page = open_page(text=next(text for text in TRUE if float(model.verify([text])[0]) >= 0.5))
    settled(page)
    expect(page.locator("#verdict-card")).to_contain_text("The model and the check agree.")
    expect(page.locator("#explain")).to_have_count(0)
