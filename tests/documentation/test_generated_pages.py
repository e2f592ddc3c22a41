"""Documentation that is generated is up to date."""

from __future__ import annotations

import importlib

import pytest

from paths import ROOT

MAKE = ROOT / "docs" / "make"


@pytest.mark.parametrize("name", ["modules", "commands", "settings"])
def test_a_generated_page_is_what_make_docs_writes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(MAKE)
    page = importlib.import_module(f"{name}_page").page()
    assert (ROOT / "docs" / "reference" / f"{name}.md").read_text(encoding="utf-8") == page, "run: make docs"
