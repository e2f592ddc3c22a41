"""The summary against the files that it is computed from: effects of recipe, data and cell."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest

from reproduced import CELLS, main_runs, run_name, small_folder, study, write_plan, write_run
from sections import summary_paragraphs, trained

CONDITIONS = [(corpus, recipe) for corpus in ("paper", "hard") for recipe in ("paper", "treesmu")]


def points(difference: float) -> str:
    return f"{difference:+.1f}".replace("-", "−")


@pytest.mark.parametrize(("smu", "outcome"), [(60, "not reproduced (−4.0"), (68, "may be due to chance (+4.0")])
def test_a_lead_that_does_not_exist_is_not_called_chance(tmp_path: Path, smu: int, outcome: str) -> None:
    models = {("paper", "paper", "tree-lstm"): 64, ("paper", "paper", "tree-smu"): smu}
    claim = summary_paragraphs(trained(tmp_path, models))["Effect of the cell"][0]
    assert claim.endswith(f"like the paper's: {outcome} points in productivity, one seed).")


def test_in_short_gives_ranges_over_conditions(tmp_path: Path) -> None:
    right = dict(zip(CONDITIONS, (60, 70, 52, 66), strict=True))
    ahead = dict(zip(CONDITIONS, ((0, 3, 5), (0, 2, 1), (0, 1, 1), (0, 6, 2)), strict=True))
    everything = {(*c, model): right[c] + ahead[c][k] for c in CONDITIONS for k, model in enumerate(CELLS)}
    mean = {c: right[c] + fmean(ahead[c]) for c in CONDITIONS}
    recipe = sorted(mean[c, "treesmu"] - mean[c, "paper"] for c in ("paper", "hard"))
    data = sorted(mean["hard", r] - mean["paper", r] for r in ("paper", "treesmu"))
    found = summary_paragraphs(trained(tmp_path, everything))["In short"]
    assert found == (
        "Accuracy on equations deeper than those of training, mean over cells: "
        f"{points(recipe[0])} to {points(recipe[1])} points with recipe treesmu (3 epochs) instead of recipe paper (3 "
        "epochs), "
        f"{points(data[0])} to {points(data[1])} points with training and testing on the hard corpus instead of the paper "
        "corpus; one seed, so this may be due to chance.",
        "Accuracy on equations deeper than those of training, by cell: −4.0 to +2.0 points with Tree-SMU instead of "
        "Tree-LSTM, +1.0 to +5.0 points with Tree-SMU instead of Tree-RNN; one seed, so this may be due to "
        "chance.",
    )


def test_recipes_are_also_compared_after_equally_many_epochs(tmp_path: Path) -> None:
    runs = main_runs(seeds=(1, 2), models=CELLS)
    write_plan(tmp_path, {"productivity": study(runs)})
    for name in runs:
        write_run(tmp_path, name, epochs=5 if "treesmu" in name else 3)
    best = {}
    for recipe in ("paper", "treesmu"):
        names = [run_name("hard", model, recipe, seed) for model in CELLS for seed in (1, 2)]
        lines = [(tmp_path / "runs" / name / "metrics.jsonl").read_text().splitlines()[:3] for name in names]
        best[recipe] = 100 * fmean(max(json.loads(line)["validation_accuracy"] for line in some) for some in lines)
    found = next(one for one in summary_paragraphs(tmp_path)["Effect of the recipe"] if "hard corpus" in one)
    assert found.startswith("Recipe treesmu (5 epochs) instead of recipe paper (3 epochs), hard corpus: systematicity ")
    control = f"{best['treesmu']:.1f}% with recipe treesmu, {best['paper']:.1f}% with recipe paper."
    assert found.endswith(f" Best validation accuracy after 3 epochs of both: {control}")


def test_with_equal_epochs_no_control_is_needed(tmp_path: Path) -> None:
    for found in summary_paragraphs(small_folder(tmp_path))["Effect of the recipe"]:
        assert "(3 epochs) instead of recipe paper (3 epochs)" in found
        assert "Best validation accuracy" not in found


def test_a_registered_model_is_compared_with_tree_smu_and_counts_in_the_means(tmp_path: Path) -> None:
    right = {"paper": {"tree-smu": 60, "my-cell": 65}, "treesmu": {"tree-smu": 70, "my-cell": 77}}
    found = summary_paragraphs(
        trained(tmp_path, {("hard", recipe, model): n for recipe, some in right.items() for model, n in some.items()})
    )
    assert "+5.0 to +7.0 points with my-cell instead of Tree-SMU; one seed, so this" in found["In short"][1]
    assert "productivity +11.0 points, mean of Tree-SMU and my-cell; one seed, so this" in found["Effect of the recipe"][0]
    assert found["Effect of the cell"][0].startswith("my-cell compared with Tree-SMU, productivity: +5.0 (hard corpus, ")
