"""Documentation that is generated is up to date."""

from __future__ import annotations

import importlib.util

from paths import ROOT


def test_the_table_of_modules_is_what_make_docs_writes() -> None:
    file = ROOT / "docs" / "make_modules.py"
    spec = importlib.util.spec_from_file_location("make_modules", file)
    assert spec is not None
    assert spec.loader is not None
    make_modules = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make_modules)
    assert (ROOT / "docs" / "reference" / "modules.md").read_text(encoding="utf-8") == make_modules.page(), "run: make docs"
