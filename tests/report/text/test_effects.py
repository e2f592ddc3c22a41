"""Effects: only the corpus, only the recipe or only the cell is changed."""

from __future__ import annotations

import pytest

from finished_runs import finished_run, seed_group
from treesmu.report.numbers import Spread
from treesmu.report.runs import Condition
from treesmu.report.section import productivity
from treesmu.report.text.effects import (
    Conditions,
    Effect,
    cell_comparisons,
    cell_pairs,
    corpus_effects,
    measure_model,
    recipe_effects,
    validation_after_equal_epochs,
)

RIGHT = {  # of 100 equations at each depth of 1-7 and of 8-19
    ("paper", "paper", "tree-rnn"): (60, 50),
    ("paper", "paper", "tree-smu"): (70, 60),
    ("paper", "treesmu", "tree-smu"): (90, 80),
    ("hard", "paper", "tree-rnn"): (66, 54),
    ("hard", "paper", "tree-smu"): (72, 68),
    ("hard", "paper", "lstm"): (99, 99),  # not a cell
}


@pytest.fixture
def conditions() -> Conditions:
    found: Conditions = {}
    for (corpus, recipe, model), right in RIGHT.items():
        found.setdefault(Condition(corpus, recipe), []).append(seed_group(corpus, recipe, model, finished_run(*right)))
    return found


def changes(effect: Effect) -> dict[str, float]:
    return {measure: new.mean - old.mean for measure, (old, new) in effect.both.items()}


def test_the_effect_of_a_corpus_is_the_mean_over_the_cells_that_have_both(conditions: Conditions) -> None:
    (effect,) = corpus_effects(conditions)
    assert (effect.new, effect.old, effect.where) == ("hard", "paper", "paper's recipe")
    assert changes(effect) == {
        "systematicity": pytest.approx((0.06 + 0.02) / 2),
        "productivity": pytest.approx((0.04 + 0.08) / 2),
    }
    assert [(old.model, new.condition.corpus) for old, new in effect.cells] == [("tree-rnn", "hard"), ("tree-smu", "hard")]


def test_the_effect_of_a_recipe_is_on_the_same_corpus(conditions: Conditions) -> None:
    (effect,) = recipe_effects(conditions)
    assert (effect.new, effect.old, effect.where) == ("treesmu", "paper", "paper corpus")
    assert changes(effect) == {"systematicity": pytest.approx(0.2), "productivity": pytest.approx(0.2)}  # of Tree-SMU alone


def test_without_the_papers_recipe_our_recipes_are_compared_with_the_oldest_of_them() -> None:
    right = {"treesmu": 80, "treesmu-symbols": 70, "treesmu-1": 66}
    groups = {recipe: seed_group("c", recipe, "tree-smu", finished_run(90, many)) for recipe, many in right.items()}

    def found(*recipes: str) -> list[tuple[str, str, float]]:
        effects = recipe_effects({groups[recipe].condition: [groups[recipe]] for recipe in recipes})
        return [(effect.new, effect.old, round(changes(effect)["productivity"], 2)) for effect in effects]

    assert found("treesmu", "treesmu-symbols") == [("treesmu", "treesmu-symbols", 0.1)]
    assert found(*right) == [("treesmu", "treesmu-1", 0.14), ("treesmu-symbols", "treesmu-1", 0.04)]
    assert found("treesmu") == []


def test_without_a_common_cell_there_is_no_effect(conditions: Conditions) -> None:
    only = {Condition("a", "paper"): conditions[Condition("paper", "paper")][:1], Condition("b", "treesmu"): []}
    assert corpus_effects(only) == recipe_effects(only) == []


def test_cells_are_compared_under_every_condition_that_has_both(conditions: Conditions) -> None:
    pairs = cell_pairs(conditions, "tree-rnn", "tree-smu", productivity)
    assert pairs == [
        (Condition("paper", "paper"), Spread((0.5,)), Spread((0.6,))),
        (Condition("hard", "paper"), Spread((0.54,)), Spread((0.68,))),
    ]
    assert measure_model(conditions[Condition("paper", "treesmu")], "tree-rnn", productivity) is None


def test_registered_models_are_compared_with_tree_smu() -> None:
    paper = [("tree-lstm", "tree-smu"), ("tree-rnn", "tree-smu")]
    assert cell_comparisons(["tree-rnn", "lstm"]) == paper
    assert cell_comparisons(["tree-smu", "mine"]) == [*paper, ("tree-smu", "mine")]


def test_validation_is_compared_after_the_epochs_that_all_runs_have() -> None:
    old = seed_group("c", "paper", "tree-smu", finished_run(50, 50, [0.5, 0.6, 0.9]))
    new = seed_group("c", "treesmu", "tree-smu", finished_run(50, 50, [0.8, 0.7]), finished_run(50, 50, [0.5, 0.6]))
    (effect,) = recipe_effects({old.condition: [old], new.condition: [new]})
    assert validation_after_equal_epochs(effect) == (2, 0.6, pytest.approx((0.8 + 0.6) / 2))


def test_an_effect_has_a_mean_over_cells_for_every_seed_only_if_all_cells_have_the_same_seeds() -> None:
    def effect(seeds: int) -> Effect:
        rnn, smu = (finished_run(50, 50), finished_run(50, 60)), (finished_run(50, 70), finished_run(50, 90))[:seeds]
        old = [seed_group("a", "paper", "tree-rnn", *rnn), seed_group("a", "paper", "tree-smu", *smu)]
        new = [seed_group("b", "paper", "tree-rnn", *rnn), seed_group("b", "paper", "tree-smu", *smu)]
        (found,) = corpus_effects({old[0].condition: old, new[0].condition: new})
        return found

    assert effect(2).both["productivity"][0].values == pytest.approx((0.6, 0.75))
    assert effect(1).both["productivity"][0].values == pytest.approx(((0.55 + 0.7) / 2,))
