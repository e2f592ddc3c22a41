"""The summary against the files that it is computed from: effects of recipe, data and cell."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean

import pytest

from reproduced import CELLS, main_runs, run_name, small_folder, study, write_plan, write_run
from sections import section_of, summary_paragraphs, trained

CONDITIONS = [(corpus, recipe) for corpus in ("paper", "hard") for recipe in ("paper", "treesmu")]


def points(difference: float) -> str:
    return f"{difference:+.1f}".replace("-", "−")


def test_the_papers_claim_is_not_tested_with_one_seed(tmp_path: Path) -> None:
    models = {("paper", "paper", "tree-lstm"): 64, ("paper", "paper", "tree-smu"): 68}
    claim = summary_paragraphs(trained(tmp_path, models))["Effect of the cell"][0]
    said = "not tested (+4.0 points in productivity, one seed, so this may be due to chance)."
    assert claim.endswith(f"like the paper's: {said}")


@pytest.mark.parametrize(
    ("smu", "outcome"),
    [
        ((70, 70, 71), "reproduced (+6.0 points in productivity, 95% interval +3.5 to +8.5, significant)."),
        ((70, 58, 66), "not reproduced (+0.3 "),
        ((50, 51, 51), "contradicted (−13.7 "),
    ],
)
def test_the_papers_claim_is_reproduced_only_if_the_lead_survives_the_correction(
    tmp_path: Path, smu: tuple[int, ...], outcome: str
) -> None:
    runs = {
        run_name("paper", model, "paper", seed): percent
        for model, percents in (("tree-lstm", (63, 65, 65)), ("tree-smu", smu))
        for seed, percent in enumerate(percents, 1)
    }
    section_of(tmp_path, "productivity", runs)
    claim = summary_paragraphs(tmp_path)["Effect of the cell"][0]
    assert claim.split(" like the paper's: ")[1].startswith(outcome)


def test_in_short_gives_ranges_over_conditions(tmp_path: Path) -> None:
    right = dict(zip(CONDITIONS, (60, 70, 52, 66), strict=True))
    ahead = dict(zip(CONDITIONS, ((0, 3, 5), (0, 2, 1), (0, 1, 1), (0, 6, 2)), strict=True))
    everything = {(*c, model): right[c] + ahead[c][k] for c in CONDITIONS for k, model in enumerate(CELLS)}
    mean = {c: right[c] + fmean(ahead[c]) for c in CONDITIONS}
    recipe = sorted(mean[c, "treesmu"] - mean[c, "paper"] for c in ("paper", "hard"))
    data = sorted(mean["hard", r] - mean["paper", r] for r in ("paper", "treesmu"))
    found = summary_paragraphs(trained(tmp_path, everything))["In short"]
    chance = "one seed, so this may be due to chance"
    assert found == (
        "Accuracy on equations deeper than those of training, mean over cells: "
        "recipe treesmu (3 epochs) instead of recipe paper (3 epochs): "
        f"{points(recipe[0])} to {points(recipe[1])} points, {chance}; "
        "training and testing on the hard corpus instead of the paper corpus: "
        f"{points(data[0])} to {points(data[1])} points, {chance}.",
        "Accuracy on equations deeper than those of training, by cell: "
        f"Tree-SMU compared with Tree-LSTM: −4.0 to +2.0 points, {chance}; "
        f"Tree-SMU compared with Tree-RNN: +1.0 to +5.0 points, {chance}.",
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
    assert "my-cell compared with Tree-SMU: +5.0 to +7.0 points, one seed, so this" in found["In short"][1]
    said = "productivity +11.0 points (one seed, so this may be due to chance), mean of Tree-SMU and my-cell"
    assert said in found["Effect of the recipe"][0]
    assert found["Effect of the cell"][0].startswith("my-cell compared with Tree-SMU, productivity: +5.0 (hard corpus, ")
