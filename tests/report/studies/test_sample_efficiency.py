"""The section of sample efficiency."""

from __future__ import annotations

from pathlib import Path

from reproduced import run_name
from sections import figure_of, section_of, table_of
from treesmu.report.figures.figure import Lines
from treesmu.report.figures.palette import COLOURS
from treesmu.report.section import Section

RIGHT = {
    ("tree-lstm", "0.5"): 66,
    ("tree-lstm", "1"): 70,
    ("tree-smu", "0.1"): 55,
    ("tree-smu", "0.5"): 69,
    ("tree-smu", "1"): 75,
}


def sample_efficiency(path: Path, right: dict[tuple[str, str], int]) -> Section:
    names = {run_name("hard", model, f"paper,rows={share}", 1): (model, share) for model, share in right}
    variants = {name: share for name, (_, share) in names.items()}
    return section_of(path, "sample_efficiency", {name: right[which] for name, which in names.items()}, variants)


def test_half_of_the_data_is_compared_with_tree_lstm_on_all_of_it(tmp_path: Path) -> None:
    assert sample_efficiency(tmp_path, RIGHT).conclusions == (
        "Tree-SMU trained on half of the data compared with Tree-LSTM trained on all of it, productivity: −1.0 (hard corpus, "
        "paper's recipe) points; one seed, so this may be due to chance. In the paper they are about equal.",
    )
    without = {which: right for which, right in RIGHT.items() if which != ("tree-lstm", "1")}
    assert sample_efficiency(tmp_path / "without", without).conclusions == ()


def test_the_figure_by_depth_has_the_papers_shares_and_paler_lines_have_less_data(tmp_path: Path) -> None:
    (panel,) = figure_of(sample_efficiency(tmp_path, RIGHT), "sample-efficiency-by-depth").panels
    assert isinstance(panel, Lines)
    looks = {line.label: (line.style, line.colour) for line in panel.series}
    assert list(looks) == ["Tree-LSTM 50%", "Tree-LSTM 100%", "Tree-SMU 50%", "Tree-SMU 100%"]  # not 10%
    assert looks["Tree-SMU 100%"] == ("-", COLOURS["tree-smu"])
    assert looks["Tree-SMU 50%"] == (":", "#F0C7A6")  # 35% of #D55E00 and 65% white


def test_the_table_and_the_figure_have_every_share(tmp_path: Path) -> None:
    found = sample_efficiency(tmp_path, RIGHT)
    assert [row[3] for row in table_of(found, "sample-efficiency").rows] == ["50%", "100%", "10%", "50%", "100%"]
    (panel,) = figure_of(found, "sample-efficiency").panels
    assert isinstance(panel, Lines)
    assert {line.label: line.x for line in panel.series}["Tree-SMU\nproductivity"] == (10.0, 50.0, 100.0)
    assert not panel.is_log
