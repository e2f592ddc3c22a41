"""Columns of a table: which has the equations, the labels and the splits, by name or by content; and labels in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from reprlib import repr as short

from treesmu.errors import DataError
from treesmu.expr import ParseError, parse

from .settings import ImportSettings

# Names in the order of preference, as _normal writes them.
_EQUATION = (
    "equation equations eq eqn infix formula formulae identity expression expr latex tex statement math problem input text"
).split()
_LABEL = "label labels correct iscorrect istrue true truth valid isvalid holds verdict target class y output answer".split()
_LEFT = "left lhs leftside lefthandside".split()
_RIGHT = "right rhs rightside righthandside".split()
_SPLIT = "split fold subset partition".split()
SPLITS = ("train", "validation", "test")
_SPLIT_OF_WORD = {
    **dict.fromkeys(("train", "training"), "train"),
    **dict.fromkeys(("validation", "valid", "val", "dev"), "validation"),
    **dict.fromkeys(("test", "testing"), "test"),
}
CORRECT = frozenset("1 1.0 +1 true t yes y correct right valid equal holds positive".split())
INCORRECT = frozenset("0 0.0 false f no n incorrect wrong invalid unequal fails negative".split())
MISSING = frozenset(["", "-1", "-1.0", *"none null nan na n/a unknown undecided ?".split()])  # -1: in the authors' files
_MOST_PARSED = 40  # cells of a column whose content is tried
_LONGEST_PARSED = 20_000  # characters of such a cell; each is parsed with every separator, and a long one takes seconds
_NOT_EQUATIONS = {"blanks": {"question", "path", "answer"}, "candidates": {"class", "train_count"}}  # columns of these tables


@dataclass(frozen=True)
class Columns:
    """The places of the columns of a table."""

    equation: tuple[int, ...]  # one column, or those of the left and the right side
    label: int | None = None
    split: int | None = None
    kind: int | None = None
    is_prefix: bool = False  # whether equations are prefix strings, as in a corpus

    def described(self, names: Sequence[str]) -> str:
        """Return the columns by name, for the report."""
        label = f"label {names[self.label]}" if self.label is not None else "no label, so the check gives it"
        return f"equation {' = '.join(names[place] for place in self.equation)}, {label}"


def find_columns(names: Sequence[str], rows: Sequence[Sequence[str]], settings: ImportSettings) -> Columns | None:
    """Return the columns that the settings name, or that names and content show; None if no column has equations.

    names: of the columns. rows: a sample. A column that the settings name and that is not there is a DataError, and so is a
    table of blanks or candidates: their columns ``answer`` and ``class`` would be taken for labels.
    """
    if not settings.equation and not settings.label:
        _refuse_questions(names)
    normal = [_normal(name) for name in names]
    split, kind = _split_column(normal, rows), _first(normal, ["kind"])
    label = _named(settings.label, names) if settings.label else _only("label", normal, names, _first(normal, _LABEL))
    if settings.equation:
        sides = _named_sides(settings.equation, names)
        return Columns(sides, label, split, kind)
    if "prefix" in normal and _looks_like_prefix(rows, normal.index("prefix")):
        return Columns((normal.index("prefix"),), label, split, kind, is_prefix=True)
    by_name = [place for name in _EQUATION for place, found in enumerate(normal) if found == name and place != label]
    left, right = _first(normal, _LEFT), _first(normal, _RIGHT)
    if by_name:
        _only("equation", normal, names, by_name[0])
        found: tuple[int, ...] = (by_name[0],)
    elif left is not None and right is not None:
        found = (left, right)
    else:
        shares = [(share_of_equations(rows, place), -place) for place in range(len(names)) if place != label]
        best, place = max(shares, default=(0.0, 0))
        if best == 0:
            return None
        found = (-place,)
    if label is None:
        label = _label_by_content(rows, [p for p in range(len(names)) if p not in (*found, split, kind)])
    return Columns(found, label, split, kind)


def _refuse_questions(names: Sequence[str]) -> None:
    """Raise a DataError if a table is one of the further tables of a corpus."""
    for what, columns in _NOT_EQUATIONS.items():
        if columns <= set(names):
            remedy = "give the corpus folder, or a file of its splits; treesmu evaluate --task complete measures blanks"
            raise DataError(f"a table of {what}, not of labelled equations; {remedy}")


def share_of_equations(rows: Sequence[Sequence[str]], *places: int) -> float:
    """Return the share of a sample's rows whose cells at these places are an equation; two places are its sides."""
    texts = [" = ".join(row[place] for place in places) for row in rows if len(row) > max(places)][:_MOST_PARSED]
    return sum(map(_is_equation, texts)) / max(1, len(texts))


def is_known_name(name: str) -> bool:
    """Return whether a cell is a name of a column of equations or sides, so that its row is a header."""
    return _normal(name) in (*_EQUATION, *_LEFT, "prefix")


def _is_equation(text: str) -> bool:
    try:
        return "=" in text and len(text) <= _LONGEST_PARSED and parse(text).is_equation
    except ParseError:
        return False


def _label_by_content(rows: Sequence[Sequence[str]], places: list[int]) -> int | None:
    """Return the column whose cells are labels of both kinds; a column of ones alone may be a depth or a number."""
    for place in places:
        words = {row[place].strip().lower() for row in rows if len(row) > place}
        if words <= CORRECT | INCORRECT | MISSING and words & CORRECT and words & INCORRECT:
            return place
    return None


def _looks_like_prefix(rows: Sequence[Sequence[str]], place: int) -> bool:
    return any(len(row) > place and row[place].startswith("Equality ") for row in rows)


def _normal(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", name.lower())


def _split_column(normal: list[str], rows: Sequence[Sequence[str]]) -> int | None:
    """Return the column of splits; None if no cell of it names one, as in a column of folds that are numbers."""
    place = _first(normal, _SPLIT)
    return place if place is not None and any(len(row) > place and split_of_word(row[place]) for row in rows) else None


def _only(option: str, normal: list[str], names: Sequence[str], place: int | None) -> int | None:
    """Return the column that was found by its name; several columns of that name are a DataError."""
    if place is not None and (number := normal.count(normal[place])) > 1:
        remedy = f"rename all but one, or give its number: treesmu data import ... --{option} {place + 1}"
        raise DataError(f"{number} columns are named {names[place]!r}; {remedy}")
    return place


def _first(normal: list[str], wanted: Sequence[str]) -> int | None:
    return next((normal.index(name) for name in wanted if name in normal), None)


def _named_sides(text: str, names: Sequence[str]) -> tuple[int, ...]:
    """Return the column of this name, or the two columns of LEFT,RIGHT."""
    left, comma, right = text.partition(",")
    if comma and text not in names:
        return _named(left.strip(), names), _named(right.strip(), names)
    return (_named(text, names),)


def _named(text: str, names: Sequence[str]) -> int:
    """Return the column with a name, or with a number counted from 1."""
    if text in names:
        return list(names).index(text)
    if text.isdecimal() and 1 <= int(text) <= len(names):
        return int(text) - 1
    raise DataError(f"there is no column {text!r}; there are: {', '.join(names)}")


# -- labels and splits -------------------------------------------------------------------------------------------------


def read_label(text: str) -> int | None:
    """Return 1 for correct, 0 for incorrect, None where there is no label; anything else is a ValueError."""
    word = text.strip().lower()
    if word in MISSING:
        return None
    if word in CORRECT:
        return 1
    if word in INCORRECT:
        return 0
    raise ValueError(f"the label is {short(text)}; write 1 (correct) or 0 (incorrect)")


def split_of_word(text: str) -> str:
    """Return the one split that a text names, as train_2 or Dev; "" if it names none or several."""
    splits = {_SPLIT_OF_WORD[word] for word in re.split(r"[^a-z]+", text.lower()) if word in _SPLIT_OF_WORD}
    return splits.pop() if len(splits) == 1 else ""
