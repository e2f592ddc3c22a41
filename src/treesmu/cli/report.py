"""treesmu report: tables, figures and a page from what treesmu reproduce left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from .shared import AsJson


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of treesmu reproduce.")],
    as_json: AsJson = False,
) -> None:
    """Write DIR/report.html, DIR/tables (Markdown, CSV, LaTeX) and DIR/figures (SVG, PDF, PNG, CSV) from finished runs."""
    from ..report.write import write_report

    written = write_report(folder)
    if as_json:
        files = {"tables": written.tables, "figures": written.figures}
        names = {kind: [str(file) for file in some] for kind, some in files.items()}
        print(json.dumps({"report": str(written.report), **names, "missing": written.missing}, indent=2))
        return
    for sentence in written.missing:
        print(f"missing   {sentence}")
    print(f"{len(written.tables)} files in {folder / 'tables'}, {len(written.figures)} in {folder / 'figures'}")
    print(f"report    {written.report}")
