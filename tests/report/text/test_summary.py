"""The summary against the files that it is made of: what stands beside the paper, and what recipe, data and depth do."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest

from reproduced import CELLS, main_runs, run_name, small_folder, study, write_epochs, write_outcome, write_plan, write_run
from treesmu.report.folder import Folder
from treesmu.report.studies import section
from treesmu.report.text.provenance import settings_table
from treesmu.report.text.summary import summary

DEPTHS = range(1, 20)
CONDITIONS = [(corpus, recipe) for corpus in ("paper", "hard") for recipe in ("paper", "treesmu")]


def said(path: Path) -> dict[str, tuple[str, ...]]:
    folder = Folder(path)
    return dict(summary(folder, [section(study, folder) for study in folder.studies]).paragraphs)


def trained(path: Path, right: dict[tuple[str, str, str], int], other: dict[str, int] | None = None) -> Path:
    """A seed of each corpus, recipe and model, with so many of 100 equations right at every depth."""
    write_plan(path, {"productivity": study({run_name(c, m, r, 1): "" for c, r, m in right})})
    for (corpus, recipe, model), many in right.items():
        write_run(path, run_name(corpus, model, recipe, 1), **other or {})
        write_outcome(path, run_name(corpus, model, recipe, 1), dict.fromkeys(DEPTHS, many), 50, 100)
    return path


def points(difference: float) -> str:
    return f"{difference:+.1f}".replace("-", "−")


def test_ours_stand_beside_the_papers_with_base_rates_and_epochs(tmp_path: Path) -> None:
    main, deep = run_name("paper", "tree-smu", "paper", 1), run_name("paper", "tree-smu", "paper", 1, "5-13")
    majority = run_name("paper", "majority", "paper", 1)
    studies = {"productivity": study({majority: "", main: ""}), "localism": study({deep: ""})}
    write_plan(tmp_path, studies)
    for name, epochs in ((majority, 1), (main, 4), (deep, 3)):
        write_run(tmp_path, name, epochs=epochs)
    write_outcome(tmp_path, main, dict.fromkeys(range(1, 8), 80) | dict.fromkeys(range(8, 20), 70), 60, 100)
    write_outcome(tmp_path, deep, dict.fromkeys(range(1, 5), 90), 50, 100)
    write_epochs(tmp_path, main, [0.5, 0.7, 0.6, 0.8])
    write_epochs(tmp_path, deep, [0.5, 0.7, 0.7])
    assert said(tmp_path)["Beside the paper"] == (
        "Tree-SMU (paper corpus, paper's recipe): systematicity 80.0% (the paper 83.3%), productivity 70.0% (the paper 79.6%), "
        "localism 90.0% (the paper 98.9%).",
        "Base rate, the share of the larger class among the test equations: systematicity 60.0% (the paper 60.4%), "
        "productivity 60.0% (the paper 51.7%), localism 50.0% (the paper 60.9%).",
        "Training: 4 epochs (systematicity, productivity); 3 epochs (localism); the paper's up to 100.",
        "The last epoch was the best on validation in 1 of 2 runs: training was stopped there while still rising.",
    )


def test_without_tree_smu_the_best_cell_stands_beside_the_paper(tmp_path: Path) -> None:
    models = {("paper", "paper", model): right for model, right in (("lstm", 99), ("tree-rnn", 70), ("tree-lstm", 60))}
    found = said(trained(tmp_path, models, {"epochs": 1}))["Beside the paper"]
    assert found[0].startswith("Tree-RNN (paper corpus, paper's recipe): systematicity 70.0% (the paper 72.4%), ")
    assert found[-1] == "The last epoch was the best on validation in 0 of 3 runs."


@pytest.mark.parametrize("condition", [("hard", "paper"), ("paper", "treesmu")])
def test_nothing_else_stands_beside_the_paper(tmp_path: Path, condition: tuple[str, str]) -> None:
    assert "Beside the paper" not in said(trained(tmp_path, {(*condition, "tree-smu"): 70}))


@pytest.mark.parametrize(("smu", "outcome"), [(60, "is not seen (−4.0"), (68, "may be chance (+4.0")])
def test_a_lead_that_is_not_there_is_no_chance(tmp_path: Path, smu: int, outcome: str) -> None:
    models = {("paper", "paper", "tree-lstm"): 64, ("paper", "paper", "tree-smu"): smu}
    claim = said(trained(tmp_path, models))["What the cell does"][0]
    assert claim.endswith(f"like the paper's: {outcome} points in productivity, one seed).")


def test_in_short_gives_ranges_over_conditions(tmp_path: Path) -> None:
    right = dict(zip(CONDITIONS, (60, 70, 52, 66), strict=True))
    ahead = dict(zip(CONDITIONS, ((0, 3, 5), (0, 2, 1), (0, 1, 1), (0, 6, 2)), strict=True))
    everything = {(*c, model): right[c] + ahead[c][k] for c in CONDITIONS for k, model in enumerate(CELLS)}
    mean = {c: right[c] + fmean(ahead[c]) for c in CONDITIONS}
    recipe = sorted(mean[c, "treesmu"] - mean[c, "paper"] for c in ("paper", "hard"))
    data = sorted(mean["hard", r] - mean["paper", r] for r in ("paper", "treesmu"))
    found = said(trained(tmp_path, everything))["In short"]
    assert found == (
        "Accuracy on equations deeper than those of training, mean of the cells: "
        f"{points(recipe[0])} to {points(recipe[1])} points with recipe treesmu (3 epochs) instead of recipe paper (3 "
        "epochs), "
        f"{points(data[0])} to {points(data[1])} points with training and test on the hard corpus instead of the paper corpus.",
        "Accuracy on equations deeper than those of training, cell against cell: −4.0 to +2.0 points with Tree-SMU instead of "
        "Tree-LSTM, +1.0 to +5.0 points with Tree-SMU instead of Tree-RNN.",
    )


def test_recipes_are_also_compared_after_as_many_epochs_of_both(tmp_path: Path) -> None:
    runs = main_runs(seeds=(1, 2), models=CELLS)
    write_plan(tmp_path, {"productivity": study(runs)})
    for name in runs:
        write_run(tmp_path, name, epochs=5 if "treesmu" in name else 3)
    best = {}
    for recipe in ("paper", "treesmu"):
        names = [run_name("hard", model, recipe, seed) for model in CELLS for seed in (1, 2)]
        lines = [(tmp_path / "runs" / name / "metrics.jsonl").read_text().splitlines()[:3] for name in names]
        best[recipe] = 100 * fmean(max(json.loads(line)["validation_accuracy"] for line in some) for some in lines)
    found = next(one for one in said(tmp_path)["What the recipe does"] if "hard corpus" in one)
    assert found.startswith("Recipe treesmu (5 epochs) instead of recipe paper (3 epochs), hard corpus: systematicity ")
    control = f"{best['treesmu']:.1f}% with recipe treesmu, {best['paper']:.1f}% with recipe paper."
    assert found.endswith(f" After 3 epochs of both, the best accuracy on validation so far: {control}")


def test_with_equal_epochs_no_control_is_needed(tmp_path: Path) -> None:
    for found in said(small_folder(tmp_path))["What the recipe does"]:
        assert "(3 epochs) instead of recipe paper (3 epochs)" in found
        assert "After" not in found


def test_what_is_left_at_depth_is_counted_from_chance(tmp_path: Path) -> None:
    """75 of 100 test equations are correct on the hard corpus."""
    trained(tmp_path, {(c, "paper", "tree-smu"): 50 for c in ("paper", "hard")})
    write_outcome(tmp_path, run_name("paper", "tree-smu", "paper", 1), {8: 80, 19: 63}, 50, 100)
    write_outcome(tmp_path, run_name("hard", "tree-smu", "paper", 1), {8: 90, 19: 70}, 75, 100)
    found = said(tmp_path)
    assert found["What does not"] == (
        "Depth: against chance, the best model has +30.0 points at depth 8 and +13.0 at depth 19 (paper corpus, paper's "
        "recipe); where least is left, +15.0 points at depth 8 and −5.0 at depth 19 (hard corpus, paper's recipe).",
    )
    assert found["What generalises"][0].endswith("(Tree-SMU, hard corpus, paper's recipe); chance is 75.0%.")


def test_settings_of_a_recipe_are_those_of_the_main_study_and_of_a_trained_model(tmp_path: Path) -> None:
    majority, main = (run_name("paper", model, "paper", 1) for model in ("majority", "tree-smu"))
    changed = run_name("paper", "tree-smu", "paper,epochs=8", 1)
    write_plan(tmp_path, {"stack_size": study({changed: "2"}), "productivity": study({majority: "", main: ""})})
    for name, epochs in ((majority, 30), (main, 15), (changed, 8)):
        write_run(tmp_path, name, epochs=epochs)
    table = settings_table(Folder(tmp_path))
    assert table is not None
    assert dict(table.rows)["epochs"] == "15"
