"""The page: one HTML file with everything in it, for screens of all sizes and for paper."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from importlib import resources

from .figures.draw import KINDS, inline
from .figures.figure import Figure
from .folder import Folder, StudyResults
from .formats import page_table
from .section import Part, Section
from .table import Table
from .text.provenance import corpora_table, facts, missing, models_table, settings_table
from .text.summary import Summary


def page(folder: Folder, sections: Iterable[Section], summary: Summary) -> str:
    sections = list(sections)
    title = f"Compositional generalisation: the studies, preset {folder.plan.get('name')}"
    content = [
        f"<h1>{html.escape(title)}</h1>",
        *_lead(folder),
        *_contents(sections),
        *_missing(folder),
        *_summary(summary),
        *(line for section in sections for line in _section(section)),
        *_provenance(folder),
    ]
    style = resources.files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{html.escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>",
            *content,
            "</body>\n</html>\n",
        ]
    )


def _lead(folder: Folder) -> list[str]:
    paper = '<a href="https://arxiv.org/abs/1911.01545">Compositional Generalization with Tree Stack Memory Units</a>'
    return [
        f'<p class="lead">Networks that judge whether an equation is true, and whether they still do for deeper, shallower and '
        f"recombined equations: the studies of {paper} by treesmu {html.escape(str(folder.plan.get('version')))}, from "
        f"{len(folder.runs)} training runs. The paper’s figures stand beside ours. Every number of ours is computed from "
        "the files of runs and analyses.</p>"
    ]


def _contents(sections: list[Section]) -> list[str]:
    links = [("summary", "Summary"), *((s.study.name, s.study.title) for s in sections), ("provenance", "Provenance")]
    items = "".join(f'<li><a href="#{name}">{html.escape(title)}</a></li>' for name, title in links)
    return [f'<nav aria-label="Contents"><ol>{items}</ol></nav>']


def _missing(folder: Folder) -> list[str]:
    said = missing(folder)
    if not said:
        return []
    return ['<div class="missing"><b>What is missing in this report</b>', _list(said), "</div>"]


def _summary(summary: Summary) -> list[str]:
    lines = ['<h2 id="summary">Summary</h2>']
    if not summary.paragraphs:
        lines.append("<p>The study of productivity, which this summary rests on, has no finished runs yet.</p>")
    for number, (heading, said) in enumerate(summary.paragraphs):
        lines += [f"<h3>{html.escape(heading)}</h3>", _list(said) if len(said) > 1 else f"<p>{html.escape(said[0])}</p>"]
        if number == 0:  # after the shortest answer
            lines += [_figure(summary.figure)] if summary.figure else []
            lines += [page_table(summary.table)] if summary.table else []
    if summary.studies:
        others = [
            f'<div><a href="#{name}">{html.escape(title)}</a>{_list(said)}</div>' for name, title, said in summary.studies
        ]
        lines += ["<h3>What the other studies say</h3>", '<div class="others">', *others, "</div>"]
    return lines


def _list(said: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{html.escape(sentence)}</li>" for sentence in said) + "</ul>"


def _section(section: Section) -> list[str]:
    lines = [f'<h2 id="{section.study.name}">{html.escape(section.study.title)}</h2>', _asks(section.study)]
    lines += [_part(part) for part in section.parts]
    if not section.study.runs:
        lines.append(f'<p class="missing">Not run yet: none of {len(section.study.planned)} runs is finished.</p>')
    elif not section.parts:
        lines.append('<p class="missing">The models are trained, but not analysed yet.</p>')
    return lines


def _asks(study: StudyResults) -> str:
    """The study's docstring: what is asked, on which data, with which measure."""
    paragraphs = [_marked(" ".join(text.split())) for text in study.asks.split("\n\n")]
    return '<div class="asks">' + "".join(f"<p>{text}</p>" for text in paragraphs) + "</div>"


def _marked(text: str) -> str:
    """*emphasis* and ``code`` as in our docstrings."""
    text = re.sub(r"``(.+?)``", r"<code>\1</code>", html.escape(text, quote=False))
    return re.sub(r"(?<![\w*])\*([^*]+)\*(?![\w*])", r"<em>\1</em>", text)


def _part(part: Part) -> str:
    if isinstance(part, Table):
        return page_table(part)
    return _figure(part)


def _figure(figure: Figure) -> str:
    many = ("one", "two", "three")[figure.columns - 1]
    links = ", ".join(f'<a href="figures/{figure.name}.{kind}">{kind.upper()}</a>' for kind in (*KINDS, "csv"))
    return "\n".join(
        [
            f'<figure id="figure-{figure.name}">',
            f"<figcaption>{html.escape(figure.title)}</figcaption>",
            f'<div class="panels {many}">',
            *inline(figure),
            "</div>",
            f'<p class="note">{html.escape(figure.note)} <span class="files">{links}</span></p>',
            "</figure>",
        ]
    )


def _provenance(folder: Folder) -> list[str]:
    lines = ['<h2 id="provenance">Provenance</h2>', "<dl>"]
    lines += [f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>" for name, value in facts(folder)]
    tables = [models_table(folder), settings_table(folder), corpora_table(folder)]
    return [*lines, "</dl>", *(page_table(table) for table in tables if table is not None)]
