"""Characters and colours of the drawing in a terminal."""

from __future__ import annotations

import pytest

from treesmu.trace.glyphs import ASCII, BLOCKS, has_blocks, paint


@pytest.mark.parametrize(("encoding", "expected"), [("utf-8", True), ("ascii", False), ("latin-1", False), (None, False)])
def test_which_encodings_have_blocks(encoding: str | None, expected: bool) -> None:
    assert has_blocks(encoding) is expected


def test_an_unknown_encoding_has_none() -> None:
    assert not has_blocks("no-such-encoding")


@pytest.mark.parametrize("glyphs", [BLOCKS, ASCII])
def test_levels_and_shades_rise_from_nothing_to_the_largest(glyphs: object) -> None:
    assert isinstance(glyphs, type(BLOCKS))
    shares = [i / 100 for i in range(101)]
    for signs, found in ((glyphs.levels, map(glyphs.level, shares)), (glyphs.shades, map(glyphs.shade, shares))):
        assert "".join(dict.fromkeys(found)) == signs


def test_ascii_drawings_are_ascii() -> None:
    assert "".join(vars(ASCII).values()).isascii()
    assert ASCII.encodable("x × é") == "x * ?"


def test_empty_cells_are_not_painted() -> None:
    assert paint("  ", "blue", colour=True) == "  "
    assert paint("a", None, colour=True) == "a"
