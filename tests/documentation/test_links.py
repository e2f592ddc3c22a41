"""Links between pages lead somewhere, every page is in the navigation, and the cell of the how-to is the one that is tested."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from documents import FENCE, blocks, name, pages
from paths import HELPERS, ROOT


def headings(page: Path) -> set[str]:
    """Return the anchors of a page, as GitHub and MkDocs make them of its headings."""
    lines = [line.lstrip("# ") for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    return {re.sub(r"[^\w -]", "", line).strip().lower().replace(" ", "-") for line in lines}


@pytest.mark.parametrize("page", [*pages(), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"], ids=name)
def test_every_document_that_is_linked_is_there(page: Path) -> None:
    text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text(encoding="utf-8")))  # without code
    for target, heading in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", text):
        if "://" not in target:
            linked = page.parent / target if target else page
            assert linked.exists(), target
            assert not heading or heading in headings(linked), f"{target}#{heading}"


def test_every_page_is_in_the_navigation() -> None:
    text = re.sub(r"!!\S+", "", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    shown = set(re.findall(r"[\w/-]+\.md", str(yaml.safe_load(text)["nav"])))
    assert shown == {name(page).removeprefix("docs/") for page in pages() if page.name != "README.md"}


def test_the_cell_of_the_how_to_is_the_one_that_is_trained_in_a_test() -> None:
    (block,) = (block for block in blocks(ROOT / "docs" / "how-to" / "own-cell.md") if block.title == "my_cell.py")
    assert (HELPERS / "my_cell.py").read_text(encoding="utf-8").endswith(block.text)
    assert len(block.text.splitlines()) <= 20
