"""What single studies say: titles, conclusions and tables that hold for any outcome."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from every_study import ANALYSES
from reproduced import run_name, study, write_analysis, write_outcome, write_plan, write_run

from treesmu.report.figure import Figure
from treesmu.report.folder import Folder
from treesmu.report.formats import markdown
from treesmu.report.section import Section
from treesmu.report.studies import section
from treesmu.report.table import Table

DEPTHS = range(1, 20)


def of_study(
    path: Path, name: str, right: dict[str, int], variants: dict[str, str] | None = None, analyses: Any = None
) -> Section:
    """right: of 100 equations at every depth, by the name of the run; analyses: by the name of the run."""
    write_plan(path, {name: study({run: (variants or {}).get(run, "") for run in right}, analyses or ())})
    for run, many in right.items():
        write_run(path, run)
        write_outcome(path, run, dict.fromkeys(DEPTHS, many), 50, 100)
    for run, content in (analyses or {}).items():
        write_analysis(path, name, run, content)
    folder = Folder(path)
    return section(folder.studies[0], folder)


def figure(found: Section, name: str) -> Figure:
    return next(part for part in found.parts if isinstance(part, Figure) and part.name == name)


def table(found: Section, name: str) -> Table:
    return next(part for part in found.parts if isinstance(part, Table) and part.name == name)


def test_a_majority_is_no_model_when_the_order_is_compared(tmp_path: Path) -> None:
    right = {"majority": 99, "tree-rnn": 60, "tree-lstm": 70, "tree-smu": 80}
    found = of_study(tmp_path, "productivity", {run_name("paper", m, "paper", 1): n for m, n in right.items()})
    away = (60 - 68.95 + 70 - 77.58 + 80 - 79.57) / 3
    wanted = f"productivity is {-away:.1f} points below the paper's on average, and all pairs of models stand in its order"
    assert figure(found, "beside-the-paper").title.endswith(wanted)
    assert "where corpus and recipe are like the paper's." in markdown(table(found, "productivity"))


def test_localism_says_the_lead_of_tree_smu_beside_the_papers(tmp_path: Path) -> None:
    right = {run_name("hard", model, "paper", 1, "5-13"): n for model, n in (("tree-lstm", 70), ("tree-smu", 68))}
    assert of_study(tmp_path, "localism", right).conclusions == (
        "From deep equations (5-13) to shallow ones (1-4), Tree-SMU is right on 68.0% (hard corpus, paper's recipe). "
        "The paper has 98.9%.",
        "Tree-SMU against Tree-LSTM, localism: −2.0 (hard corpus, paper's recipe) points; one seed, so it may be chance. "
        "The paper: +7.3.",
    )


def ablated(path: Path, right: dict[tuple[str, str], int]) -> Section:
    """right: by model and variant."""
    names = {run_name("hard", model, f"treesmu,{part}=x", 1): (model, part) for model, part in right}
    variants = {name: part for name, (_, part) in names.items()}
    return of_study(path, "ablation", {name: right[which] for name, which in names.items()}, variants)


@pytest.mark.parametrize(
    ("head", "unit", "said"),
    [(75, 72, "falls with none"), (69, 72, "falls most with “dot head” (−1.0 points)")],
)
def test_ablation_names_what_falls_most_only_where_something_falls(tmp_path: Path, head: int, unit: int, said: str) -> None:
    smu = {("tree-smu", part): right for part, right in (("whole", 70), ("head", head), ("unit", unit))}
    found = ablated(tmp_path, smu)
    assert figure(found, "ablation").title == f"The recipe with one part at a time as in the paper's: productivity {said}"


def test_a_part_is_never_held_against_another_model(tmp_path: Path) -> None:
    right = {("tree-lstm", "whole"): 60, ("tree-smu", "whole"): 80, ("tree-smu", "head"): 77, ("tree-rnn", "head"): 50}
    assert ablated(tmp_path, right).conclusions == (
        "The recipe with “dot head”, Tree-SMU: productivity −3.0 (hard corpus, recipe treesmu) points; one seed, so it may be "
        "chance.",
    )


def exceptions(overridden: int | None, **changes: Any) -> dict[str, Any]:
    rows = [{"epoch": k + 1, "overgeneralisation": s, "others_right": r} for k, (s, r) in enumerate(((0.5, 0.6), (0.7, 0.8)))]
    return (
        ANALYSES["overgeneralisation"]
        | {"overridden_epoch": overridden, "peak": 0.7, "peak_epoch": 2, "epochs": rows}
        | changes
    )


@pytest.mark.parametrize(
    ("epochs", "said"),
    [((3, 5), "4 ± 1"), ((3, None), "in 1 of 2 seeds"), ((None, None), "–")],
)
def test_exceptions_are_overridden_where_all_seeds_got_there(tmp_path: Path, epochs: tuple[int | None, ...], said: str) -> None:
    names = [run_name("hard+Pow-in-Pow-0.1", "tree-smu", "paper", seed) for seed in (1, 2)]
    analyses = {name: exceptions(epoch) for name, epoch in zip(names, epochs, strict=True)}
    found = of_study(tmp_path, "overgeneralisation", dict.fromkeys(names, 60), dict.fromkeys(names, "0.1"), analyses)
    row = markdown(table(found, "overgeneralisation")).splitlines()[4]
    assert row == f"| hard | paper | 10% | Tree-SMU | 12 | 70.0 ± 0.0 | 2 ± 0 | 70.0 ± 0.0 | {said} | 80.0 ± 0.0 |"


def test_overgeneralisation_tells_chance_numbers_and_the_other_equations(tmp_path: Path) -> None:
    name = run_name("hard+Pow-in-Pow-0.1", "tree-smu", "paper", 1)
    found = of_study(tmp_path, "overgeneralisation", {name: 60}, {name: "0.1"}, {name: exceptions(None, exceptions=1200)})
    assert found.conclusions == (
        "Where the training set makes fewest exceptions (1,200), Tree-SMU at its peak still follows the rule for 70.0% (hard "
        "corpus, paper's recipe) of them; chance is 50%. It is then right on 80.0% (hard corpus, paper's recipe) of the other "
        "equations of this sort.",
    )


def test_numbers_of_equations_that_differ_between_seeds_are_a_mean(tmp_path: Path) -> None:
    names = [run_name("hard", "tree-smu", "paper", seed) for seed in (1, 2)]
    one, two = ({"replaced": ANALYSES["substitutivity"]["replaced"] | {"equations": n}} for n in (1000, 1200))
    analyses = {name: ANALYSES["substitutivity"] | changed for name, changed in zip(names, (one, two), strict=True)}
    found = of_study(tmp_path, "substitutivity", dict.fromkeys(names, 60), analyses=analyses)
    assert "| 1,100 ± 141 | 87.5 ± 0.0 |" in markdown(table(found, "substitutivity"))
