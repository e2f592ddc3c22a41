"""The section of variants."""

from __future__ import annotations

from pathlib import Path

from reproduced import run_name
from sections import figure_of, section_of, table_of
from treesmu.report.section import Section


def variants(path: Path, validation: dict[str, float]) -> Section:
    names = {run_name("hard", "tree-smu", f"treesmu,{name}=x", 1): name for name in validation}
    accuracy = {run: validation[name] for run, name in names.items()}
    return section_of(path, "variants", dict.fromkeys(names, 70), names, validation=accuracy)


def test_variants_are_compared_by_validation(tmp_path: Path) -> None:
    found = variants(tmp_path, {"as it is": 0.8, "a": 0.79, "b": 0.83})
    assert [text.split(" points")[0] for text in found.conclusions] == [
        "The recipe with “b”: validation +3.0 (hard corpus, recipe treesmu)",
        "The recipe with “a”: validation −1.0 (hard corpus, recipe treesmu)",
    ]
    assert figure_of(found, "variants").title == "The recipe with other settings"  # one seed
    rows = table_of(found, "variants").rows
    assert [(row[3], row[5].mean) for row in rows] == [("as it is", 0.8), ("a", 0.79), ("b", 0.83)]  # type: ignore[union-attr]
