"""The summary: what generalises, and the effects of the data, the recipe and the cell; then the other studies' conclusions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..figures.dots import cells_figure
from ..figures.figure import Figure
from ..figures.palette import model_name
from ..folder import Folder
from ..numbers import Spread
from ..runs import Pairs
from ..section import BOTH, Section
from ..statistics.family import Family, Outcome, Tested
from ..table import Table
from .claims import changes, differences, interval, significance
from .effects import (
    Conditions,
    Effect,
    cell_comparisons,
    cell_pairs,
    compare,
    corpus_effects,
    recipe_effects,
    validation_after_equal_epochs,
)
from .generalisation import best_models_table, what_does_not_generalise, what_generalises
from .paper_comparison import compare_with_paper, paper_lead_sentence, paper_like_groups
from .sentences import enumeration, epochs, percent, points, quantity

DEEPER = "productivity, "  # begins the names of comparisons on equations deeper than those of training


@dataclass(frozen=True)
class Summary:
    """The summary.

    paragraphs: heading and sentences; studies: name, title and conclusions of the other studies; families: the differences that
    it states.
    """

    paragraphs: tuple[tuple[str, tuple[str, ...]], ...]
    studies: tuple[tuple[str, str, tuple[str, ...]], ...]
    figure: Figure | None
    table: Table | None
    families: tuple[Family, ...] = ()


def summarise(folder: Folder, sections: Iterable[Section]) -> Summary:
    """Return the summary; its own sentences are computed from the runs of productivity and localism."""
    study = folder.study("productivity")
    conditions = study.conditions if study else {}
    comparisons = cell_comparisons(study.models if study else [])
    corpora, recipes = corpus_effects(conditions), recipe_effects(conditions)
    data = Family("effect of the data", _by_measure(corpora, _of_corpora))
    recipe = Family("effect of the recipe", _by_measure(recipes, _recipes))
    cell = Family("effect of the cell", _cells(conditions, comparisons))
    paragraphs = [
        ("In short", _in_short(data, recipe, cell)),
        ("Comparison with the paper", compare_with_paper(folder, conditions)),
        ("What generalises", what_generalises(conditions)),
        ("What does not generalise", what_does_not_generalise(conditions)),
        ("Effect of the data", tuple(_describe_corpus(effect, data) for effect in corpora)),
        ("Effect of the recipe", tuple(_describe_recipe(effect, recipe) for effect in recipes)),
        ("Effect of the cell", (*_paper_claim(conditions, cell), *_describe_cells(comparisons, cell))),
    ]
    return Summary(
        tuple((heading, sentences) for heading, sentences in paragraphs if sentences),
        tuple((one.study.name, one.study.title, one.conclusions) for one in sections if one.conclusions),
        cells_figure(conditions),
        best_models_table(conditions),
        (data, recipe, cell),
    )


def _by_measure(effects: list[Effect], name: Callable[[Effect], str]) -> dict[str, list[tuple[object, Spread, Spread]]]:
    """Return what is compared, by name and measure."""
    found: dict[str, list[tuple[object, Spread, Spread]]] = {}
    for effect in effects:
        for measure, both in effect.both.items():
            found.setdefault(f"{measure}, {name(effect)}", []).append((effect.where, *both))
    return found


def _cells(conditions: Conditions, comparisons: list[tuple[str, str]]) -> dict[str, Pairs]:
    return {
        f"{name}, {compare(old, new)}": cell_pairs(conditions, old, new, measure)
        for old, new in comparisons
        for name, (measure, _) in reversed(BOTH.items())
    }


def _in_short(data: Family, recipe: Family, cell: Family) -> tuple[str, ...]:
    """Return the effects of recipe, corpus and cell on productivity, each as a range over conditions."""
    what = "Accuracy on equations deeper than those of training"
    by_kind = (("mean over cells", [recipe, data]), ("by cell", [cell]))
    return tuple(f"{what}, {how}: {text}." for how, families in by_kind if (text := _ranges(families)))


def _ranges(families: list[Family]) -> str:
    names = [(family, name) for family in families for name in dict.fromkeys(one.what for one in family)]
    return "; ".join(
        f"{name.removeprefix(DEEPER)}: {differences(family[name])}" for family, name in names if name.startswith(DEEPER)
    )


def _corpora(effect: Effect) -> str:
    return f"the {effect.new} corpus instead of the {effect.old} corpus"


def _of_corpora(effect: Effect) -> str:
    return f"training and testing on {_corpora(effect)}"


def _describe_corpus(effect: Effect, family: Family) -> str:
    return f"Trained and tested on {_corpora(effect)} ({effect.where}): {_change(effect, family, _of_corpora(effect))}."


def _describe_recipe(effect: Effect, family: Family) -> str:
    """Return the effect, with a control at equal epochs if the recipes have different numbers of epochs."""
    text = _recipes(effect)
    sentence = f"{text[:1].upper()}{text[1:]}, {effect.where}: {_change(effect, family, text)}."
    old, new = _epochs(effect)
    if old == new:
        return sentence
    least, before, after = validation_after_equal_epochs(effect)
    best = f"{percent(after)} with recipe {effect.new}, {percent(before)} with recipe {effect.old}"
    return f"{sentence} Best validation accuracy after {quantity(least, 'epoch')} of both: {best}."


def _recipes(effect: Effect) -> str:
    old, new = _epochs(effect)
    return f"recipe {effect.new} ({new}) instead of recipe {effect.old} ({old})"


def _epochs(effect: Effect) -> tuple[str, str]:
    """Return the epochs of the old and the new runs."""
    old, new = (epochs(side) for side in zip(*effect.cells, strict=True))
    return old, new


def _change(effect: Effect, family: Family, name: str) -> str:
    """Return the change of each measure, with its interval and whether it is significant."""
    tested = {measure: one for measure in effect.both for one in family[f"{measure}, {name}"] if one.where == effect.where}
    texts = [f"{measure} {points(one.difference.mean)} points ({_certainty(one)})" for measure, one in tested.items()]
    names = [model_name(cell.model) for cell, _ in effect.cells]
    return f"{', '.join(texts)}, {'mean of ' if len(names) > 1 else ''}{enumeration(names)}"


def _certainty(one: Tested) -> str:
    return ", ".join(text for text in (interval(one), significance([one])) if text)


def _paper_claim(conditions: Conditions, cell: Family) -> tuple[str, ...]:
    """Return whether Tree-SMU is ahead of Tree-LSTM if data and recipe are like the paper's."""
    groups = paper_like_groups(conditions)
    tested = [
        one for one in cell[f"{DEEPER}{compare('tree-lstm', 'tree-smu')}"] if groups and one.where == str(groups[0].condition)
    ]
    outcomes = {Outcome.HIGHER: "reproduced", Outcome.LOWER: "contradicted", Outcome.NOT_SHOWN: "not reproduced"}
    claim = "The paper's claim that Tree-SMU is ahead of Tree-LSTM, on data and with a recipe like the paper's"
    return tuple(
        f"{claim}: {outcomes.get(one.outcome, 'not tested')} "
        f"({points(one.difference.mean)} points in productivity, {_certainty(one)})."
        for one in tested
    )


def _describe_cells(comparisons: list[tuple[str, str]], cell: Family) -> tuple[str, ...]:
    sentences = []
    for old, new in comparisons:
        for name in reversed(BOTH):
            if tested := cell[f"{name}, {compare(old, new)}"]:
                lead = paper_lead_sentence(name, old) if new == "tree-smu" else ""
                sentences.append(f"{compare(old, new)}, {name}: {changes(tested)}.{lead}")
    return tuple(sentences)
