"""Tables as Markdown, CSV and LaTeX, and for the page as HTML."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterator

from .table import Cell, Column, Compared, Table, beside, difference, mean, ours, plus_minus, sd


def markdown(table: Table) -> str:
    lines = [f"**{table.caption}**", ""]
    lines.append("| " + " | ".join(column.title for column in table.columns) + " |")
    lines.append("|" + "|".join("---" if c < table.keys else "---:" for c in range(len(table.columns))) + "|")
    for row in table.rows:
        lines.append("| " + " | ".join(_plain(cell, column) for cell, column in zip(row, table.columns, strict=True)) + " |")
    lines += [line for note in table.notes for line in ("", note)]
    return "\n".join(lines) + "\n"


def _plain(cell: Cell, column: Column) -> str:
    around = plus_minus(cell, column)
    text = ours(cell, column).replace("|", r"\|") + (f" ± {around}" if around else "")
    return f"{text} (paper {', '.join(beside(cell, column))})" if isinstance(cell, Compared) else text


# -- CSV: numbers as they are, in columns of their own -----------------------------------------------------------------


def comma_separated(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    parts = [_parts(table, c) for c in range(len(table.columns))]
    writer.writerow([f"{table.columns[c].title}{part}" for c, some in enumerate(parts) for part in some])
    for row in table.rows:
        writer.writerow([_number(row[c], table.columns[c], part) for c, some in enumerate(parts) for part in some])
    return out.getvalue()


def _parts(table: Table, c: int) -> list[str]:
    """What a column of a table becomes."""
    cells = [row[c] for row in table.rows]
    has_sd, has_paper = any(sd(cell) is not None for cell in cells), any(isinstance(cell, Compared) for cell in cells)
    return ["", *[" sd"] * has_sd, *[" of the paper", " difference"] * has_paper]


def _number(cell: Cell, column: Column, part: str) -> str:
    if isinstance(cell, (str, int)) and not part:
        return str(cell)
    if part in (" of the paper", " difference"):
        if not isinstance(cell, Compared):
            return ""
        return f"{cell.paper.mean if part == ' of the paper' else difference(cell, column):.10g}"
    value = sd(cell) if part == " sd" else mean(cell)
    return "" if value is None else f"{column.scale * value:.10g}"


# -- LaTeX -------------------------------------------------------------------------------------------------------------

_SPECIAL = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "±": r"$\pm$", "–": "--", "−": "$-$"}
)


def latex(table: Table) -> str:
    """For booktabs: a group has a line of its own."""
    shown = range(table.keys - 1, len(table.columns))
    lines = [f"% {table.caption}", "% needs booktabs", rf"\begin{{tabular}}{{l{'r' * (len(shown) - 1)}}}", r"\toprule"]
    lines.append(" & ".join(table.columns[c].title.translate(_SPECIAL) for c in shown) + r" \\")
    for head, rows in table.groups():
        lines.append(r"\midrule")
        if head:
            lines.append(rf"\multicolumn{{{len(shown)}}}{{l}}{{\emph{{{_heading(table, head).translate(_SPECIAL)}}}}} \\")
        best = table.best(rows)
        for r, row in enumerate(rows):
            lines.append(" & ".join(_latex(row[c], table.columns[c], (r, c) in best) for c in shown) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _latex(cell: Cell, column: Column, is_best: bool) -> str:
    text = ours(cell, column).translate(_SPECIAL)
    around = plus_minus(cell, column)
    text = (rf"\textbf{{{text}}}" if is_best else text) + (rf"\,$\pm$\,{around}" if around else "")
    if isinstance(cell, Compared):
        paper, away = beside(cell, column)
        text += rf" {{\footnotesize({paper.translate(_SPECIAL)}, ${away}$)}}"
    return text


# -- HTML --------------------------------------------------------------------------------------------------------------


def page_table(table: Table) -> str:
    """In a box that scrolls by itself where the screen is narrow."""
    return "\n".join(
        [
            f'<figure class="table{" wide" if table.is_wide else ""}" id="table-{table.name}">',
            f"<figcaption>{html.escape(table.caption)}</figcaption>",
            '<div class="scroll" tabindex="0"><table>',
            *_head(table),
            *(line for head, rows in table.groups() for line in _body(table, head, rows)),
            "</table></div>",
            *(f'<p class="note">{html.escape(note)}</p>' for note in table.notes),
            "</figure>",
        ]
    )


def _head(table: Table) -> Iterator[str]:
    titles = [f'<th scope="col">{_title(column)}</th>' for column in table.columns[table.keys - 1 :]]
    yield f"<thead><tr>{''.join(titles)}</tr></thead>"


def _title(column: Column) -> str:
    """A short one stays on a line, and the per cent sign with its word; a range of depths is not broken."""
    text = re.sub(r"(\d)-(\d)", r"\1&#8209;\2", html.escape(column.title))
    return text.replace(" ", "&nbsp;") if len(column.title) <= 12 else text.replace(" %", "&nbsp;%")


def _body(table: Table, head: tuple[Cell, ...], rows: list[tuple[Cell, ...]]) -> Iterator[str]:
    first, best = table.keys - 1, table.best(rows)
    yield "<tbody>"
    if head:
        span = len(table.columns) - first
        yield f'<tr class="group"><th colspan="{span}"><span>{html.escape(_heading(table, head))}</span></th></tr>'
    for r, row in enumerate(rows):
        name = f'<th scope="row">{html.escape(ours(row[first], table.columns[first]))}</th>'
        cells = [_cell(row[c], table.columns[c], (r, c) in best) for c in range(first + 1, len(row))]
        yield f"<tr>{name}{''.join(cells)}</tr>"
    yield "</tbody>"


def _heading(table: Table, head: tuple[Cell, ...]) -> str:
    return " · ".join(f"{column.title} {cell}" for column, cell in zip(table.columns, head, strict=False))


def _cell(cell: Cell, column: Column, is_best: bool) -> str:
    text, around = html.escape(ours(cell, column)), plus_minus(cell, column)
    text = (f"<b>{text}</b>" if is_best else text) + (f'<span class="sd"> ± {around}</span>' if around else "")
    if isinstance(cell, Compared):
        paper, away = beside(cell, column)
        text += f'<small>paper {paper}, <span class="away">{away.replace("-", "−")}</span></small>'
    return f"<td>{text}</td>"
