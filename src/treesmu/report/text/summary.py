"""The summary: what generalises, and the effects of the data, the recipe and the cell; then the other studies' conclusions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..figures.dots import cells_figure
from ..figures.figure import Figure
from ..figures.palette import model_name
from ..folder import Folder
from ..numbers import is_significant
from ..runs import SeedGroup, is_single_seed
from ..section import BOTH, Section, productivity
from ..table import Table
from .effects import (
    Conditions,
    Effect,
    cell_comparisons,
    cell_pairs,
    corpus_effects,
    measure_model,
    recipe_effects,
    validation_after_equal_epochs,
)
from .generalisation import best_models_table, what_does_not_generalise, what_generalises
from .paper_comparison import compare_with_paper, paper_lead_sentence, paper_like_groups
from .sentences import MAY_BE_CHANCE, changes, enumeration, epochs, percent, point_range, points, quantity


@dataclass(frozen=True)
class Summary:
    """The summary. paragraphs: heading and sentences; studies: name, title and conclusions of the other studies."""

    paragraphs: tuple[tuple[str, tuple[str, ...]], ...]
    studies: tuple[tuple[str, str, tuple[str, ...]], ...]
    figure: Figure | None
    table: Table | None


def summarise(folder: Folder, sections: Iterable[Section]) -> Summary:
    """Return the summary; its own sentences are computed from the runs of productivity and localism."""
    study = folder.study("productivity")
    conditions = study.conditions if study else {}
    comparisons = cell_comparisons(study.models if study else [])
    paragraphs = [
        ("In short", _in_short(conditions, comparisons)),
        ("Comparison with the paper", compare_with_paper(folder, conditions)),
        ("What generalises", what_generalises(conditions)),
        ("What does not generalise", what_does_not_generalise(conditions)),
        ("Effect of the data", tuple(_describe_corpus(effect) for effect in corpus_effects(conditions))),
        ("Effect of the recipe", tuple(_describe_recipe(effect) for effect in recipe_effects(conditions))),
        ("Effect of the cell", (*_paper_claim(conditions), *_describe_cells(conditions, comparisons))),
    ]
    return Summary(
        tuple((heading, sentences) for heading, sentences in paragraphs if sentences),
        tuple((one.study.name, one.study.title, one.conclusions) for one in sections if one.conclusions),
        cells_figure(conditions),
        best_models_table(conditions),
    )


def _in_short(conditions: Conditions, comparisons: list[tuple[str, str]]) -> tuple[str, ...]:
    """Return the effects of recipe, corpus and cell on productivity, each as a range over conditions."""
    effects = [(effect, _recipes(effect)) for effect in recipe_effects(conditions)]
    effects += [(effect, f"training and testing on {_corpora(effect)}") for effect in corpus_effects(conditions)]
    means = [(effect.change["productivity"], name) for effect, name in effects if "productivity" in effect.change]
    cells = [
        (b.mean - a.mean, f"{model_name(new)} instead of {model_name(old)}")
        for old, new in comparisons
        for _, a, b in cell_pairs(conditions, old, new, productivity)
    ]
    what = "Accuracy on equations deeper than those of training"
    chance = _chance(group for groups in conditions.values() for group in groups)
    both = (("mean over cells", means), ("by cell", cells))
    return tuple(f"{what}, {how}: {_ranges(some)}{chance}." for how, some in both if some)


def _ranges(changes: list[tuple[float, str]]) -> str:
    by_name: dict[str, list[float]] = {}
    for change, name in changes:
        by_name.setdefault(name, []).append(change)
    return ", ".join(f"{point_range(some)} points with {name}" for name, some in by_name.items())


def _corpora(effect: Effect) -> str:
    return f"the {effect.new} corpus instead of the {effect.old} corpus"


def _describe_corpus(effect: Effect) -> str:
    return f"Trained and tested on {_corpora(effect)} ({effect.where}): {_change(effect)}."


def _describe_recipe(effect: Effect) -> str:
    """Return the effect, with a control at equal epochs if the recipes have different numbers of epochs."""
    text = _recipes(effect)
    sentence = f"{text[:1].upper()}{text[1:]}, {effect.where}: {_change(effect)}."
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


def _change(effect: Effect) -> str:
    text = ", ".join(f"{name} {points(change)}" for name, change in effect.change.items())
    names = [model_name(cell.model) for cell, _ in effect.cells]
    chance = _chance(group for cell in effect.cells for group in cell)
    return f"{text} points, {'mean of ' if len(names) > 1 else ''}{enumeration(names)}{chance}"


def _chance(groups: Iterable[SeedGroup]) -> str:
    return f"; {MAY_BE_CHANCE}" if is_single_seed(groups) else ""


def _paper_claim(conditions: Conditions) -> tuple[str, ...]:
    """Return whether Tree-SMU is ahead of Tree-LSTM if data and recipe are like the paper's."""
    groups = paper_like_groups(conditions)
    smu, lstm = (measure_model(groups, model, productivity) for model in ("tree-smu", "tree-lstm"))
    if smu is None or lstm is None:
        return ()
    is_ahead, is_clear = smu.mean > lstm.mean, is_significant(smu, lstm)
    outcome = "not reproduced" if not is_ahead or is_clear is False else "reproduced" if is_clear else "may be due to chance"
    certainty = {True: "significant", False: "not significant", None: "one seed"}[is_clear]
    lead = f"{points(smu.mean - lstm.mean)} points in productivity, {certainty}"
    claim = "The paper's claim that Tree-SMU is ahead of Tree-LSTM, on data and with a recipe like the paper's"
    return (f"{claim}: {outcome} ({lead}).",)


def _describe_cells(conditions: Conditions, comparisons: list[tuple[str, str]]) -> tuple[str, ...]:
    sentences = []
    for old, new in comparisons:
        for name, (measure, _) in reversed(BOTH.items()):
            if pairs := cell_pairs(conditions, old, new, measure):
                lead = paper_lead_sentence(name, old) if new == "tree-smu" else ""
                sentences.append(f"{model_name(new)} compared with {model_name(old)}, {name}: {changes(pairs)}.{lead}")
    return tuple(sentences)
