"""Execute examples/tour.ipynb and write it with its outputs: ``make notebook``. Nothing of this machine is written."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbclient
import nbformat

TOUR = Path(__file__).parents[2] / "examples" / "tour.ipynb"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
SECONDS = 900  # for one cell


def execute(path: Path = TOUR) -> Any:
    """Return the notebook as executed in an empty folder, without times and versions; raise if a cell fails."""
    notebook = nbformat.read(path, as_version=4)
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # for !treesmu
    with tempfile.TemporaryDirectory() as folder:
        client = nbclient.NotebookClient(
            notebook, timeout=SECONDS, kernel_name="python3", record_timing=False, resources={"metadata": {"path": folder}}
        )
        client.execute()
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    for number, cell in enumerate(notebook.cells, 1):
        cell.id, cell.metadata = f"cell-{number}", {}
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
    return notebook


def _joined(outputs: list[Any]) -> list[Any]:
    """Return the outputs with consecutive parts of one stream as one; where they are divided depends on the moment."""
    found: list[Any] = []
    for output in outputs:
        if found and output.output_type == "stream" and found[-1].output_type == "stream" and found[-1].name == output.name:
            found[-1].text += output.text
        else:
            found.append(output)
    return found


if __name__ == "__main__":
    made = execute()
    nbformat.write(made, TOUR)
    print(f"{TOUR.relative_to(Path.cwd())}: {sum(cell.cell_type == 'code' for cell in made.cells)} cells executed")
