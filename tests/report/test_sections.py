"""What single studies say: titles, conclusions and tables that hold for any outcome."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from every_study import ANALYSES
from reproduced import run_name, study, write_analysis, write_outcome, write_plan, write_run
from treesmu.report.figures.figure import Figure
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


def test_overgeneralisation_tells_the_peak_the_end_and_the_other_equations(tmp_path: Path) -> None:
    """The peak alone would flatter: the best of many epochs is above a half for who tosses coins."""
    name = run_name("hard+Pow-in-Pow-0.1", "tree-smu", "paper", 1)
    end = exceptions(None)["epochs"] + [{"epoch": 3, "overgeneralisation": 0.25, "others_right": 0.9}]
    analyses = {name: exceptions(None, exceptions=1200, epochs=end)}
    found = of_study(tmp_path, "overgeneralisation", {name: 60}, {name: "0.1"}, analyses)
    where = "(hard corpus, paper's recipe)"
    assert found.conclusions == (
        f"Where the training set makes fewest exceptions (1,200), Tree-SMU follows the rule for 70.0% {where} of them after "
        f"its best epoch, and for 25.0% {where} at the end. It is then right on 90.0% {where} of the other equations "
        "of this sort.",
    )


def ranks(class_: float, collapse: float) -> dict[str, Any]:
    return {
        rank: {"top": [share] * 10} for rank, share in (("raw", 0.0), ("class", class_), ("collapse", collapse), ("true", 0.0))
    }


def test_completion_is_compared_with_the_prior_where_the_prior_can_score(tmp_path: Path) -> None:
    """Its first fillers are all of one value, so that by class a model that knows less than the prior would look better."""
    name = run_name("hard", "tree-smu", "paper", 1)
    overall = {"blanks": 20, **ranks(0.3, 0.4), "prior": ranks(0.2, 0.6)}
    found = of_study(tmp_path, "completion", {name: 60}, analyses={name: {"overall": overall, "by_depth": {"8": overall}}})
    assert found.conclusions == (
        "The right value is among Tree-SMU's first five for 40.0% (hard corpus, paper's recipe).",
        "A prior, ranked by how often a value occurs in the training set, without a look at the equation: 60.0% (hard corpus, "
        "paper's recipe). Tree-SMU is ahead of it in 0 of 1 conditions.",
    )
    drawn = figure(found, "completion-by-depth")
    assert "40.0% of the blanks; the prior, which does not look at the equation, for 60.0%" in drawn.title
    assert {line.label: line.y for panel in drawn.panels for line in panel.series} == {"Tree-SMU": (40.0,), "prior": (60.0,)}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "variant", "title"),
    [
        ("stack_size", "1", "Accuracy by stack size"),
        ("model_size", "25", "Accuracy by number of parameters"),
        ("stack_operations", "push, pop, no-op", "Accuracy with some operations of the stack"),
        ("data_size", "1000", "Accuracy by number of training equations"),
    ],
)
def test_of_one_variant_nothing_is_concluded(tmp_path: Path, name: str, variant: str, title: str) -> None:
    """A report is also made while runs are being trained, a variant after the other."""
    runs = [run_name("hard", "tree-smu", recipe, 1) for recipe in ("paper", "treesmu")]
    found = of_study(tmp_path, name, dict(zip(runs, (60, 70), strict=True)), dict.fromkeys(runs, variant))
    assert found.conclusions == ()
    assert figure(found, name.replace("_", "-")).title == title


def test_sizes_of_data_are_compared_within_a_condition(tmp_path: Path) -> None:
    names = {
        run_name("hard", "tree-smu", f"{recipe},rows={rows}", 1): (str(rows), right)
        for recipe, rows, right in (("paper", 100, 60), ("paper", 900, 61), ("treesmu", 100, 70), ("treesmu", 900, 73))
    }
    right, variants = ({name: which[k] for name, which in names.items()} for k in (1, 0))
    assert of_study(tmp_path, "data_size", right, variants).conclusions == (  # type: ignore[arg-type]
        "From 100 to 900 training equations, Tree-SMU's productivity changes by +1.0 (hard corpus, paper's recipe) to +3.0 "
        "(hard corpus, recipe treesmu) points; one seed, so it may be chance.",
    )


def test_accuracy_is_told_beside_agreement(tmp_path: Path) -> None:
    name, where = run_name("hard", "tree-smu", "paper", 1), "(hard corpus, paper's recipe)"
    assert of_study(tmp_path, "step_by_step", {name: 60}, analyses={name: ANALYSES["step_by_step"]}).conclusions == (
        f"When all inner parts are worked out first, Tree-SMU's verdict stays for 62.5% {where}.",
        f"It is right for 75.0% {where} before that and for 50.0% {where} after.",
    )


def test_numbers_of_equations_that_differ_between_seeds_are_a_mean(tmp_path: Path) -> None:
    names = [run_name("hard", "tree-smu", "paper", seed) for seed in (1, 2)]
    one, two = ({"replaced": ANALYSES["substitutivity"]["replaced"] | {"equations": n}} for n in (1000, 1200))
    analyses = {name: ANALYSES["substitutivity"] | changed for name, changed in zip(names, (one, two), strict=True)}
    found = of_study(tmp_path, "substitutivity", dict.fromkeys(names, 60), analyses=analyses)
    assert "| 1,100 ± 141 | 87.5 ± 0.0 |" in markdown(table(found, "substitutivity"))
