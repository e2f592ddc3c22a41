"""Drawing figures."""

from __future__ import annotations

import io

import pytest
from matplotlib.image import imread
from scipy.ndimage import label

from treesmu.report.figures.draw import draw, inline
from treesmu.report.figures.figure import Dot, Dots, Figure, Lines, Panel, Scatter, Series

LINES = Lines("lines", "depth", "accuracy (%)", (Series("A & B", (1.0, 2.0), (50.0, 60.0), (1.0, 2.0), "#0072B2"),), (0, 100))
DOTS = Dots("dots", "accuracy (%)", (Dot("heading"), Dot("one", 50.0, 1.0, "#0072B2", 60.0)), (0, 100))
POINTS = Scatter("points", tuple(range(20)), tuple(k * k % 7 for k in range(20)), ("0",) * 19 + ("3.14159",), ("0", "1"))


@pytest.mark.parametrize("panel", [LINES, DOTS, POINTS], ids=lambda panel: panel.title)
def test_every_kind_of_file_shows_the_colour_that_was_asked_for(panel: Panel) -> None:
    found = draw(Figure("name", "A title", "", (panel,)))
    assert found["pdf"].startswith(b"%PDF")
    assert b"#0072b2" in found["svg"]
    pixels = (255 * imread(io.BytesIO(found["png"]))[..., :3]).round().astype(int)
    assert (abs(pixels - [0x00, 0x72, 0xB2]).max(axis=-1) <= 2).sum() > 20


def test_no_point_is_lost() -> None:
    pixels = imread(io.BytesIO(draw(Figure("name", "", "", (POINTS,)))["png"]))[..., :3]
    _, points = label(abs(255 * pixels - [0x00, 0x72, 0xB2]).max(axis=-1) <= 40)
    assert points >= 18  # one of the nineteen is under its name


def test_on_the_page_every_panel_is_an_element_whose_text_is_text() -> None:
    first, second = inline(Figure("name", "A title", "", (LINES, POINTS)))
    assert first.startswith('<svg role="img" aria-label="lines"')
    assert "A &amp; B" in first
    assert "A title" not in first
    assert 'id="name-0-' in first
    assert 'id="name-1-' in second
