"""A hook of MkDocs: links from pages to files of the repository outside docs/.

Results (tables, figures, reports) become part of the site. Source files do not: their names stay, as text.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\((\.\./[^)\s#]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: Any) -> None:
    """Add the files of results/ that pages link to."""
    for page in [file for file in files if file.is_documentation_page()]:
        for target in _targets(page.src_uri, page.content_string):
            uri = os.path.relpath(target, ROOT).replace(os.sep, "/")
            if uri.startswith("results/") and target.is_file() and uri not in files.src_uris:
                inclusion = InclusionLevel.NOT_IN_NAV
                files.append(File(uri, str(ROOT), config.site_dir, config.use_directory_urls, inclusion=inclusion))


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Point links at the files as they are in the site; a link to a source file becomes its text."""
    if page.file.src_uri.startswith("results/"):
        page.meta["search"] = {"exclude": True}  # hundreds of numbers, which nobody looks for by words
    return LINK.sub(lambda link: _mended(link, page.file.src_uri), markdown)


def _mended(link: re.Match[str], page: str) -> str:
    target = _resolved(page, link[2])
    if target.is_relative_to(ROOT / "docs"):
        return link[0]
    if target.is_relative_to(ROOT / "results") and target.is_file():
        in_site = os.path.relpath(os.path.relpath(target, ROOT), os.path.dirname(page))
        return f"{link[1]}({in_site}{link[3] or ''})"
    return link[1].removeprefix("[").removesuffix("]")


def _targets(page: str, markdown: str) -> list[Path]:
    return [_resolved(page, found[2]) for found in LINK.finditer(markdown)]


def _resolved(page: str, link: str) -> Path:
    return Path(os.path.normpath((ROOT / "docs" / page).parent / link))
