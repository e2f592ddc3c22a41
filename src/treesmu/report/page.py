"""The page: one HTML file with everything in it, for screens of all sizes and for printing."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources

from markupsafe import Markup

from .figures.draw import KINDS, inline
from .figures.figure import Figure
from .folder import Folder
from .formats import templates
from .section import Section
from .table import Table
from .text.limits import describe_limits
from .text.provenance import facts
from .text.summary import Summary


def page(
    folder: Folder, sections: Iterable[Section], summary: Summary, differences: list[Table], provenance: Iterable[Table]
) -> str:
    """Return the page as HTML."""
    return (
        templates()
        .get_template("page.html")
        .render(
            title=f"Compositional generalisation: results of preset {folder.plan.get('name')}",
            css=Markup(resources.files(__package__).joinpath("templates/page.css").read_text(encoding="utf-8")),
            folder=folder,
            has_paper_numbers=any(group.is_paper_like for study in folder.studies for group in study.groups),
            sections=list(sections),
            summary=summary,
            differences=differences,
            missing=describe_limits(folder),
            facts=facts(folder),
            provenance=provenance,
            drawings=_drawings,
            kinds=(*KINDS, "csv"),
        )
    )


def _drawings(figure: Figure) -> list[Markup]:
    return [Markup(svg) for svg in inline(figure)]
