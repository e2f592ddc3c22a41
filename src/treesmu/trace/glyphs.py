"""The characters of a drawing in a terminal: blocks, or plain ASCII where the terminal has no blocks; and colours."""

from __future__ import annotations

from dataclasses import dataclass

_CODES = {"blue": "38;5;32", "orange": "38;5;208", "grey": "90"}  # close to Okabe and Ito's, on light and dark backgrounds


@dataclass(frozen=True)
class Glyphs:
    """A set of characters. levels: bars from 0 to 1; shades: from nothing to the largest norm."""

    levels: str
    shades: str
    tee: str
    corner: str
    bar: str
    dash: str
    dots: str

    def level(self, share: float) -> str:
        """Return a bar for a share from 0 to 1."""
        return _nearest(self.levels, share)

    def shade(self, share: float) -> str:
        """Return a shade for a share from 0 to 1; only something below half a percent is shown as nothing."""
        return self.shades[0] if share < 0.005 else _nearest(self.shades[1:], share)

    def encodable(self, text: str) -> str:
        """Return text in the characters that the terminal has."""
        return text if self is BLOCKS else text.replace("×", "*").encode("ascii", "replace").decode()


def _nearest(signs: str, share: float) -> str:
    return signs[min(len(signs) - 1, max(0, int(share * len(signs))))]


BLOCKS = Glyphs(levels="▁▂▃▄▅▆▇█", shades="·░▒▓█", tee="├", corner="└", bar="│", dash="─", dots="…")
ASCII = Glyphs(levels="_.-=+*%#", shades=".-+*#", tee="|", corner="`", bar="|", dash="-", dots="..")


def has_blocks(encoding: str | None) -> bool:
    """Return whether an encoding has all characters of the drawing."""
    try:
        "".join(vars(BLOCKS).values()).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def paint(text: str, name: str | None, colour: bool) -> str:
    """Return text between the codes of a colour; without colours as it is."""
    return f"\033[{_CODES[name]}m{text}\033[0m" if colour and name and text.strip() else text
