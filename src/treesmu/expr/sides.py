"""The sides of equations in prefix order, without making trees."""

from __future__ import annotations

from .ops import FUNCTIONS

_ARITY = {f.name: f.arity for f in FUNCTIONS}


def split_sides(prefix: str) -> tuple[str, str]:
    """Return the two sides of an equation, ``"Equality ..."``, in prefix order."""
    tokens = prefix.split()
    end = places = 1  # tokens read, and expressions that the left side still needs
    while places:
        places += _ARITY.get(tokens[end], 0) - 1
        end += 1
    return " ".join(tokens[1:end]), " ".join(tokens[end:])
