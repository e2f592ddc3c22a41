"""The notebook of examples/ runs, and is committed with what it shows: expressions, verdicts, completions and traces."""

from __future__ import annotations

import re
from typing import Any

import nbformat
import pytest

from paths import ROOT

pytestmark = pytest.mark.xdist_group("documentation")
COMMITTED = nbformat.read(ROOT / "examples" / "tour.ipynb", as_version=4)
CODE = [cell for cell in COMMITTED.cells if cell.cell_type == "code"]


def shown(cell: Any) -> list[Any]:
    """Return the outputs of a cell without numbers, whose last digits depend on the processor."""
    found = []
    for output in cell.outputs:
        if output.output_type == "stream":
            found.append(re.sub(r"[\d.,]*\d", "#", output.text))
        else:
            found.append(sorted(output.data))
    return found


@pytest.mark.slow
def test_the_notebook_runs_and_its_outputs_are_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs" / "make")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))  # for the kernel, which runs in another folder
    from notebook import execute

    made = execute()
    assert [cell.source for cell in made.cells] == [cell.source for cell in COMMITTED.cells]
    again = [cell for cell in made.cells if cell.cell_type == "code"]
    assert [shown(cell) for cell in again] == [shown(cell) for cell in CODE], "run: make notebook"


def test_expressions_verdicts_completions_and_traces_have_rich_outputs() -> None:
    kinds = {kind for cell in CODE for output in cell.outputs for kind in output.get("data", {})}
    assert kinds >= {"text/latex", "text/html", "image/svg+xml"}


def test_nothing_of_the_machine_is_in_the_notebook() -> None:
    assert COMMITTED.metadata.keys() == {"kernelspec", "language_info"}
    assert not re.search(r"/(home|root|work|tmp|Users)/", nbformat.writes(COMMITTED))
    assert [cell.id for cell in COMMITTED.cells] == [f"cell-{number}" for number in range(1, len(COMMITTED.cells) + 1)]
    assert not any(cell.metadata for cell in COMMITTED.cells)
