"""The command ``treesmu report``: tables, figures and a page from the folder of a reproduction or a sweep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from treesmu.extras import REPORT, require

from .terminal.messages import print_text
from .terminal.options import AsJson


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of treesmu reproduce or treesmu sweep.")],
    as_json: AsJson = False,
) -> None:
    """Write the report of a reproduction or a sweep.

    Writes DIR/tables (Markdown, CSV, LaTeX), DIR/figures (SVG, PDF, PNG, and their data as CSV) and, for a reproduction,
    DIR/report.html. Only the result files in DIR are read: it needs no corpora and no weights.

    \b
    Examples:
      treesmu report results
    """
    require("treesmu report", *REPORT)
    from treesmu.report.sweep import write_sweep
    from treesmu.report.write import write_report

    written = write_sweep(folder) if (folder / "sweep.json").exists() else write_report(folder)
    if as_json:
        files = {"tables": written.tables, "figures": written.figures}
        names = {kind: [str(file) for file in some] for kind, some in files.items()}
        page = None if written.report is None else str(written.report)
        print(json.dumps({"report": page, **names, "missing": written.missing}, indent=2))
        return
    for sentence in written.missing:
        print_text(f"missing   {sentence}")
    print_text(f"{len(written.tables)} files in {folder / 'tables'}, {len(written.figures)} in {folder / 'figures'}")
    if written.report is not None:
        print_text(f"report    {written.report}")
