"""Read the identities that pools begin with: ``identities/*.txt``, true ones, padding, and the original's wrong ones."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

from ..axioms import Axiom, read_axioms

WrongCause = Literal["half-line", "loose", "mistyped"]
WRONG_CAUSES: tuple[WrongCause, ...] = ("half-line", "loose", "mistyped")
_WRONG_FILES = {"half-line": "half_line.txt", "mistyped": "mistyped.txt"}  # "loose" is a way of matching, not an identity


@cache
def basic_identities(has_padding: bool, causes: tuple[str, ...]) -> tuple[Axiom, ...]:
    """Return the identities that a pool begins with, and that rewrite its equations."""
    names = ["basic.txt", *(["padding.txt"] if has_padding else [])]
    names += [file for cause, file in _WRONG_FILES.items() if cause in causes]
    return tuple(axiom for name in names for axiom in _read(name))


@cache
def _read(name: str) -> tuple[Axiom, ...]:
    text = resources.files(__package__).joinpath("identities", name).read_text(encoding="utf-8")
    return read_axioms(text, name, name.removesuffix(".txt"))
