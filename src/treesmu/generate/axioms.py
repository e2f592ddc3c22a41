"""Read identities (axioms) from ``axioms/*.txt`` and from files of a user: one file per family, one identity per line.

``l = r`` may be used in both directions. ``l -> r`` may be used only from left to right: r is defined on a smaller part of the
real line, and the other direction could make an equation that holds only on a part of it. Lines below ``# padding`` add
structure that changes nothing, such as 1*x.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path

from treesmu.errors import DataError
from treesmu.expr import Expr, Op, ParseError, check_many, distinct, equation, parse
from treesmu.text_files import read_text

FAMILIES = ("algebra", "numbers", "trigonometry", "inverse", "hyperbolic", "inverse_hyperbolic", "exponential")


class AxiomError(ValueError):
    """Raised for an axiom file that cannot be used; the message names the file, the line and the reason."""


@dataclass(frozen=True, slots=True)
class Axiom:
    """An identity."""

    left: Expr
    right: Expr
    family: str
    both_ways: bool
    is_padding: bool
    weight: float = 1.0  # how often its family is used, relative to others

    @property
    def equation(self) -> Expr:
        return equation(self.left, self.right)


@cache
def axioms_of(family: str) -> tuple[Axiom, ...]:
    """Return the identities of a family that ships with treesmu."""
    if family not in FAMILIES:
        raise AxiomError(f"unknown family {family!r}; known: {', '.join(FAMILIES)}")
    text = resources.files(__package__).joinpath("axioms", f"{family}.txt").read_text(encoding="utf-8")
    return read_axioms(text, f"{family}.txt", family)


def read_file(path: Path) -> str:
    """Return the text of a user's axiom file; raise an AxiomError if a line cannot be read or is not an identity."""
    try:
        text = read_text(path)
    except DataError as error:
        raise AxiomError(f"axioms {error}") from None
    numbered = _read_numbered(text, str(path), path.stem)
    for (number, axiom), verdict in zip(numbered, check_many(a.equation for _, a in numbered), strict=True):
        if verdict.label != "correct":
            shown = f"{axiom.left} {'=' if axiom.both_ways else '->'} {axiom.right}"
            raise AxiomError(f"{path}, line {number}: {shown} is not an identity ({verdict}); correct it, or leave it out")
    return text


def read_files(paths: Iterable[Path]) -> tuple[tuple[str, str], ...]:
    """Return the family and the text of each of a user's axiom files."""
    return tuple((path.stem, read_file(path)) for path in paths)


def read_axioms(text: str, source: str, family: str) -> tuple[Axiom, ...]:
    """Return the identities in the text of a file; ``source`` is its name in error messages."""
    return tuple(axiom for _, axiom in _read_numbered(text, source, family))


def _read_numbered(text: str, source: str, family: str) -> list[tuple[int, Axiom]]:
    """Return the identities in the text of a file, each with the number of its line."""
    found: list[tuple[int, Axiom]] = []
    is_padding = False
    for number, line in enumerate(text.split("\n"), 1):
        content = line.partition("#")[0].strip()
        is_padding = is_padding or line.strip() == "# padding"
        if content:
            try:
                found.append((number, _read_line(content, family, is_padding)))
            except ParseError as error:
                raise AxiomError(f"{source}, line {number}: {error}") from None
    if not found:
        raise AxiomError(f"{source} contains no identity (expected one per line, such as: sin(-x) = -sin(x))")
    return found


def _read_line(content: str, family: str, is_padding: bool) -> Axiom:
    left, arrow, right = content.partition("->")
    if arrow:
        first, second = parse(left), parse(right)
    else:
        e = parse(content)
        if not e.is_equation:
            raise ParseError("expected '=' or '->'", content, len(content))
        first, second = e.children
    if any(side.is_equation or side.has_blank for side in (first, second)):
        raise ParseError("expected two expressions, without a second '=' and without a blank", content, 0)
    return Axiom(first, second, family, not arrow, is_padding)


@cache
def collect_axioms(
    families: tuple[str, ...], extra: tuple[tuple[str, str], ...] = (), weights: tuple[tuple[str, float], ...] = ()
) -> tuple[Axiom, ...]:
    """Return the identities of some families and of extra texts, (name, text); weights say how often a family is used."""
    shipped = [a for f in families for a in axioms_of(f)]
    extras = [a for name, text in extra for a in read_axioms(text, name, name)]
    weight_of = dict(weights)
    found = tuple(replace(a, weight=weight_of.get(a.family, 1.0)) for a in (*shipped, *extras))
    if all(a.is_padding for a in found):
        raise AxiomError("no identity to start from: all identities are padding; add one that is not")
    return found


@cache
def functions_of(axioms: tuple[Axiom, ...]) -> frozenset[Op]:
    """Return the functions that occur in some identities."""
    return frozenset(e.op for e in distinct(side for a in axioms for side in (a.left, a.right)) if e.op is not None)
