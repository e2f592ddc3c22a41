"""Files of equations as a user has them, and the paths of the authors' data where it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora import many_rows
from paths import REFERENCE, SHARED
from treesmu.engine import open_executor
from treesmu.importing.corpus import import_corpus
from treesmu.importing.settings import ImportSettings
from treesmu.importing.sources import find_sources

BAD = {  # lines of a CSV file, and what is said about each
    "sin(x + 1 = 2,1": "expected ')' before '='",
    "x + y,1": "not an equation: there is no '='",
    "= 3,0": "expected a number, a variable, a function or '(' before '='",
    "x = y = z,1": "a second '=': an equation has one",
    "log(x, 2) = 1,1": "3 columns instead of 2; put a cell that contains ',' in quotes",
    "x = 1,maybe": "the label is 'maybe'; write 1 (correct) or 0 (incorrect)",
    '"x + 1 = 2,1': "a quote that is not closed",
    "x = _,1": "an equation with a blank; fill it",
    "|x| = x,1": "'|' is not read; write sqrt(x^2) for |x|",
    ",1": "there is no equation",
}


def write_csv(path: Path, rows: int, bad: bool = False) -> dict[int, str]:
    """Write a CSV file of equations, with ten bad lines among them if asked; return what is said about the bad lines."""
    lines = ["equation,label", *(f"{text},{label}" for text, label, _ in many_rows(rows))]
    expected = {}
    for i, (line, reason) in enumerate(BAD.items() if bad else ()):
        place = (i + 1) * rows // 12
        lines.insert(place, line)
        expected[place + 1] = reason
    path.write_text("\n".join(lines) + "\n")
    return expected


def run_import(out: Path, *paths: Path, jobs: int = 1, **settings: object) -> dict[str, object]:
    """Import files into a folder, which is made, and return the manifest."""
    out.mkdir()
    with open_executor("local", jobs) as executor:
        return import_corpus(find_sources(paths), ImportSettings(**settings), out, executor.in_order)  # type: ignore[arg-type]


def authors_files() -> list[Path]:
    """Return the authors' files of equations, and those of their generator; the test is skipped where there are none."""
    found = [*sorted(REFERENCE.glob("*_blank_*.json")), *sorted((SHARED / "original").glob("*.xz"))]
    if not found:
        pytest.skip("the authors' files are not beside the project")
    return found
