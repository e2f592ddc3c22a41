"""The colours of the drawing can be told apart from their background, light and dark."""

from __future__ import annotations

import re

import pytest

from treesmu.trace.style import svg_style

LIGHT, DARK = svg_style().split("@media")


def luminance(style: str, name: str) -> float:
    """Return the relative luminance of a class, as WCAG defines it."""
    found = re.search(rf"\.{name}{{\w+:#(\w\w)(\w\w)(\w\w)}}", style)
    assert found is not None
    parts = [int(part, 16) / 255 for part in found.groups()]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("name", "least"), [("ink", 7), ("faint", 4.5), ("row", 3), ("push", 3), ("pop", 3), ("line", 3)])
def test_contrast(style: str, name: str, least: float) -> None:
    light, dark = sorted((luminance(style, name), luminance(style, "box")), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= least
