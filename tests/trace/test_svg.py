"""The drawing: well-formed, complete in itself, and true to the values."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from traces import fixed_trace, small_model
from treesmu.expr import parse
from treesmu.trace import Trace
from treesmu.trace.svg import draw_svg

SVG = "{http://www.w3.org/2000/svg}"
LONG = "alpha_12345678901234567890 + 1.23456789012345678901234567890 = x < y".replace(" < y", "")


def classes(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def texts(root: ElementTree.Element, name: str) -> list[str]:
    return [element.text or "" for element in classes(root, name)]


@pytest.mark.parametrize("name", ["tree-smu", "tree-lstm", "tree-rnn", "stack-tree-rnn"])
@pytest.mark.parametrize("text", ["x", "sin(x)^2 + cos(x)^2 = 1", LONG])
def test_it_is_well_formed_and_refers_to_nothing_else(name: str, text: str) -> None:
    drawing = draw_svg(small_model(name).trace(text))
    root = ElementTree.fromstring(drawing)
    assert root.tag == f"{SVG}svg"
    assert drawing.count("http") == 1  # the name space
    assert all(word not in drawing for word in ("href", "url(", "@import", "<script", "src="))


def test_every_occurrence_has_a_box_with_its_symbol() -> None:
    root = ElementTree.fromstring(draw_svg(fixed_trace()))
    assert texts(root, "symbol") == ["=", "+", "x", "x", "×", "2", "x"]
    places = [element.get("transform") for element in root.iter(f"{SVG}g") if element.find(f"{SVG}title") is not None]
    assert len(set(places)) == 7


def test_shades_bars_norms_and_lines_are_the_values() -> None:
    trace = fixed_trace()
    root = ElementTree.fromstring(draw_svg(trace))
    rows = [float(row.get("fill-opacity", "")) for row in classes(root, "row")]
    assert rows[:12] == [1, 0.2, 0, 0, 0, 0, 0.5, 0.1, 0, 0, 0, 0]  # two rows of each node, as parts of the largest norm
    widths = {name: float(classes(root, name)[0].get("width", "")) for name in ("push", "no_op", "pop")}
    total = sum(widths.values())
    assert [round(width / total, 2) for width in widths.values()] == [0.6, 0.3, 0.1]
    assert texts(root, "small")[:6] == ["5.00", "1.00", "1.00", "2.00", "1.00", "1.00"]
    lines = [float(line.get("stroke-width", "")) for line in classes(root, "line")]
    assert lines[:6] == [1.5, 1.5, 0.75, 6.75, 0.75, 6.75]  # the equality has no forget gates; the others 0 and 1


def test_a_tooltip_has_the_numbers_of_a_node() -> None:
    titles = [element.text for element in ElementTree.fromstring(draw_svg(fixed_trace())).iter(f"{SVG}title")]
    assert titles[1] == "x + x = 2*x\ndistance of the sides' states 3.61"
    assert titles[2] == (
        "x + x\nnorm of the state 5.00\nnorms of the rows, top first: 5.00, 1.00\npush 0.60\nno-op 0.30\npop 0.10\nu 0.00\n"
        "o 1.00\nforget gates of the children: 0.00, 1.00"
    )


def test_a_long_name_is_cut_and_whole_in_the_tooltip() -> None:
    root = ElementTree.fromstring(draw_svg(Trace.from_rows(parse(LONG), {"h": np.ones((4, 2))}, 0, model="m")))
    assert texts(root, "symbol")[2] == "alpha_1234567…"
    assert any("alpha_12345678901234567890" in (title.text or "") for title in root.iter(f"{SVG}title"))


def test_a_large_tree_grows_to_the_right_and_stays_narrow() -> None:
    text = " + ".join(f"sin({i}x)*cos({i}y)" for i in range(1, 8)) + " = 1"
    trace = small_model().trace(text)
    assert len(trace) > 55
    assert float(ElementTree.fromstring(draw_svg(trace)).get("width", "")) < 1400


def test_there_are_colours_for_dark_backgrounds() -> None:
    assert "prefers-color-scheme:dark" in draw_svg(fixed_trace())
