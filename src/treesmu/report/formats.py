"""Tables as Markdown, CSV, LaTeX and HTML, and the Jinja2 templates of the page."""

from __future__ import annotations

import csv
import io
import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from .table import Cell, CellText, Column, Compared, Table, blocks, cell_text, difference, mean, sd


@cache
def templates() -> Environment:
    """Return the templates of the page; everything that is not marked as HTML is escaped."""
    found = Environment(
        loader=PackageLoader(__package__), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    found.globals.update(blocks=blocks)
    found.filters.update(heading=_heading, inline_markup=_inline_markup)
    return found


def _heading(title: str) -> str:
    """Keep short headings on one line, a per cent sign with its word, and ranges of depths together."""
    text = re.sub(r"(\d)-(\d)", "\\1\N{NON-BREAKING HYPHEN}\\2", title)
    return text.replace(" ", "\N{NO-BREAK SPACE}") if len(title) <= 12 else text.replace(" %", "\N{NO-BREAK SPACE}%")


def _inline_markup(text: str) -> Markup:
    """Convert ``code`` and *emphasis*, as docstrings have them, to HTML."""
    text = re.sub(r"``(.+?)``", r"<code>\1</code>", str(escape(" ".join(text.split()))))
    return Markup(re.sub(r"(?<![\w*])\*([^*]+)\*(?![\w*])", r"<em>\1</em>", text))


def markdown(table: Table) -> str:
    """Return the table in Markdown, with its caption above and its notes below."""
    lines = [f"**{table.caption}**", ""]
    lines.append("| " + " | ".join(column.title for column in table.columns) + " |")
    lines.append("|" + "|".join("---" if c < table.keys else "---:" for c in range(len(table.columns))) + "|")
    rows = [[cell_text(cell, column) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows]
    lines += ["| " + " | ".join(map(_markdown_cell, row)) + " |" for row in rows]
    return "\n".join([*lines, *(line for note in table.notes for line in ("", note))]) + "\n"


def _markdown_cell(cell: CellText) -> str:
    text = cell.value.replace("|", r"\|") + (f" ± {cell.sd}" if cell.sd else "")
    return f"{text} (paper {cell.paper}, {cell.difference})" if cell.paper else text


def comma_separated(table: Table) -> str:
    """Return CSV with full precision and every number in a column of its own."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    columns = [(c, column, part) for c, column in enumerate(table.columns) for part in _parts(table, c)]
    writer.writerow([column.title + part for _, column, part in columns])
    writer.writerows([_number(row[c], column, part) for c, column, part in columns] for row in table.rows)
    return out.getvalue()


def _parts(table: Table, c: int) -> list[str]:
    """Return the suffixes of the CSV columns that a column of a table becomes."""
    cells = [row[c] for row in table.rows]
    has_sd, has_paper = any(sd(cell) is not None for cell in cells), any(isinstance(cell, Compared) for cell in cells)
    return ["", *[" sd"] * has_sd, *[" of the paper", " difference"] * has_paper]


def _number(cell: Cell, column: Column, part: str) -> str:
    if isinstance(cell, (str, int)):
        return "" if part else str(cell)
    if part in (" of the paper", " difference"):
        if not isinstance(cell, Compared):
            return ""
        return f"{cell.paper.mean if part == ' of the paper' else difference(cell, column):.10g}"
    value = sd(cell) if part == " sd" else mean(cell)
    return "" if value is None else f"{column.scale * value:.10g}"


_SPECIAL = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "±": r"$\pm$", "–": "--", "−": "$-$"}
)


def latex(table: Table) -> str:
    """Return LaTeX for the package booktabs; every block has a heading."""
    titles = [column.title.translate(_SPECIAL) for column in table.columns[table.keys - 1 :]]
    lines = [f"% {table.caption}", "% needs booktabs", rf"\begin{{tabular}}{{l{'r' * (len(titles) - 1)}}}", r"\toprule"]
    lines.append(" & ".join(titles) + r" \\")
    for block in blocks(table):
        lines.append(r"\midrule")
        if block.heading:
            lines.append(rf"\multicolumn{{{len(titles)}}}{{l}}{{\emph{{{block.heading.translate(_SPECIAL)}}}}} \\")
        lines += [" & ".join(map(_latex_cell, row)) + r" \\" for row in block.rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _latex_cell(cell: CellText) -> str:
    text = cell.value.translate(_SPECIAL)
    text = (rf"\textbf{{{text}}}" if cell.is_best else text) + (rf"\,$\pm$\,{cell.sd}" if cell.sd else "")
    return text + (rf" {{\footnotesize({cell.paper.translate(_SPECIAL)}, ${cell.difference}$)}}" if cell.paper else "")
