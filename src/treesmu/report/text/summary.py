"""The summary in plain words: what generalises and what does not; what the data, the recipe and the cell do.

Every number in it is computed from the runs of productivity and localism; what the other studies conclude follows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..figures.figure import Dot, Dots, Figure
from ..figures.palette import CELLS, model_colour, model_name
from ..folder import Folder, SeedGroup
from ..numbers import Spread, is_clear
from ..paper import paper_value
from ..section import (
    PRODUCTIVITY,
    SYSTEMATICITY,
    Measure,
    Section,
    conditions,
    find,
    is_like_the_paper,
    productivity,
    systematicity,
)
from ..table import Cell, Column, Table
from ..variants import accuracy_dot, around, width
from .effects import Conditions, Effect, by_cell, by_data, by_recipe, of_model, validation_after_as_many_epochs
from .paper_comparison import compare_with_paper, groups_like_the_paper, paper_lead_sentence
from .sentences import changes, condition_name, epochs, number, percent, points, seeds_note, span

BOTH: tuple[tuple[str, Measure], ...] = (("systematicity", systematicity), ("productivity", productivity))
CORPUS = "the {} corpus instead of the {} corpus"
SEQUENCES = ("lstm", "transformer", "tree-transformer")


@dataclass(frozen=True)
class Summary:
    """paragraphs: heading and sentences; studies: what the others conclude, by title."""

    paragraphs: tuple[tuple[str, tuple[str, ...]], ...]
    studies: tuple[tuple[str, str, tuple[str, ...]], ...]  # name, title, sentences
    figure: Figure | None
    table: Table | None


def summary(folder: Folder, sections: Iterable[Section]) -> Summary:
    study = folder.study("productivity")
    found = conditions(folder, study.groups if study else [])
    paragraphs = [
        ("In short", _in_short(found)),
        ("Beside the paper", compare_with_paper(folder, found)),
        ("What generalises", _what_generalises(found)),
        ("What does not", _what_does_not(found)),
        ("What the data does", tuple(_data(effect) for effect in by_data(found))),
        ("What the recipe does", tuple(_recipe(effect) for effect in by_recipe(found))),
        ("What the cell does", (*_papers_claim(folder, found), *_cells(found))),
    ]
    return Summary(
        tuple((heading, said) for heading, said in paragraphs if said),
        tuple((s.study.name, s.study.title, s.conclusions) for s in sections if s.conclusions),
        _figure(folder, found),
        _table(found),
    )


# -- words -------------------------------------------------------------------------------------------------------------


def _in_short(found: Conditions) -> tuple[str, ...]:
    """What recipe (with its epochs), data and cell do to productivity: the range over conditions alike in all else."""
    every = [(effect, _recipes(effect)) for effect in by_recipe(found)]
    every += [(effect, f"training and test on {CORPUS.format(effect.new, effect.old)}") for effect in by_data(found)]
    effects = [(effect.change["productivity"], name) for effect, name in every if "productivity" in effect.change]
    cells = [
        (b.mean - a.mean, f"Tree-SMU instead of {model_name(other)}")
        for other in ("tree-lstm", "tree-rnn")
        for _, a, b in by_cell(found, other, "tree-smu", productivity)
    ]
    what = "Accuracy on equations deeper than those of training"
    said = (("mean of the cells", effects), ("cell against cell", cells))
    return tuple(f"{what}, {how}: {_spans(some)}." for how, some in said if some)


def _spans(found: list[tuple[float, str]]) -> str:
    """Changes by what was changed."""
    names = dict.fromkeys(name for _, name in found)
    spans = {name: span(change for change, other in found if other == name) for name in names}
    return ", ".join(f"{spans[name]} points with {name}" for name in names)


def _what_generalises(found: Conditions) -> tuple[str, ...]:
    said = []
    for what, measure, depths in (
        ("New equations of trained depths (1-7)", systematicity, SYSTEMATICITY),
        ("Deeper ones (8-19)", productivity, PRODUCTIVITY),
    ):
        best = [(value, group) for groups in found.values() if (pair := _best(groups, measure)) for group, value in [pair]]
        if best:
            value, group = max(best, key=lambda pair: pair[0].mean)
            where = f"{model_name(group.model)}, {condition_name((group.corpus, group.recipe))}"
            said.append(f"{what} are judged rightly in up to {percent(value)} of cases ({where}); {_chance(group, *depths)}.")
    return tuple(said)


def _chance(group: SeedGroup, low: int, high: int) -> str:
    return f"chance is {percent(group.chance(low, high) or 0)}"


def _best(groups: list[SeedGroup], measure: Measure) -> tuple[SeedGroup, Spread] | None:
    found = [(group, value) for group in groups if (value := measure(group))]
    return max(found, key=lambda pair: pair[1].mean) if found else None


def _what_does_not(found: Conditions) -> tuple[str, ...]:
    said = []
    left = {condition: ends for condition, groups in found.items() if (ends := _above_chance(groups))}
    if left:
        low, high = PRODUCTIVITY
        ordered = sorted(left, key=lambda condition: left[condition][1], reverse=True)
        said_ends = [
            f"{points(left[one][0])} points at depth {low} and {points(left[one][1])} at depth {high} ({condition_name(one)})"
            for one in (ordered[:1] + ordered[1:][-1:])
        ]
        said.append(f"Depth: against chance, the best model has {'; where least is left, '.join(said_ends)}.")
    sequences = [pair for groups in found.values() if (pair := _best(_sequences(groups), productivity))]
    if sequences:
        group, value = max(sequences, key=lambda pair: pair[1].mean)
        where = f"{model_name(group.model)}, {condition_name((group.corpus, group.recipe))}"
        said.append(f"Reading equations as sequences: at most {percent(value)} on deeper ones ({where}).")
    return tuple(said)


def _sequences(groups: list[SeedGroup]) -> list[SeedGroup]:
    return [group for group in groups if group.model in SEQUENCES]


def _ends(groups: list[SeedGroup]) -> list[tuple[Spread, Spread]]:
    """Accuracy of the best model at the first and last depth beyond training; none where these were not tested."""
    best = _best(groups, productivity)
    ends = [best[0].accuracy(depth, depth) for depth in PRODUCTIVITY] if best else []
    return [(ends[0], ends[1])] if len(ends) == 2 and ends[0] and ends[1] else []


def _above_chance(groups: list[SeedGroup]) -> tuple[float, float] | None:
    """The best model at both ends, as shares."""
    best = _best(groups, productivity)
    chance = [best[0].chance(depth, depth) or 0 for depth in PRODUCTIVITY] if best else []
    return next(((first.mean - chance[0], last.mean - chance[1]) for first, last in _ends(groups)), None)


def _data(effect: Effect) -> str:
    return f"Trained and tested on {CORPUS.format(effect.new, effect.old)} ({effect.where}): {_change(effect)}."


def _recipe(effect: Effect) -> str:
    """With a control at equal epochs."""
    words = _recipes(effect)
    said = f"{words[:1].upper()}{words[1:]}, {effect.where}: {_change(effect)}."
    old, new = _epochs(effect)
    if old == new:
        return said
    least, before, after = validation_after_as_many_epochs(effect)
    best = f"{percent(after)} with recipe {effect.new}, {percent(before)} with recipe {effect.old}"
    return f"{said} After {number(least, 'epoch')} of both, the best accuracy on validation so far: {best}."


def _recipes(effect: Effect) -> str:
    old, new = _epochs(effect)
    return f"recipe {effect.new} ({new}) instead of recipe {effect.old} ({old})"


def _epochs(effect: Effect) -> tuple[str, str]:
    """Of the old and the new."""
    old, new = (epochs(side) for side in zip(*effect.cells, strict=True))
    return old, new


def _change(effect: Effect) -> str:
    listed = ", ".join(f"{name} {points(change)}" for name, change in effect.change.items())
    names = [model_name(cell.model) for cell, _ in effect.cells]
    mean = names[0] if len(names) == 1 else f"mean of {', '.join(names[:-1])} and {names[-1]}"
    return f"{listed} points, {mean}"


def _papers_claim(folder: Folder, found: Conditions) -> tuple[str, ...]:
    """Is Tree-SMU ahead of Tree-LSTM where data and recipe are the paper's?"""
    groups = groups_like_the_paper(folder, found)
    smu, lstm = (of_model(groups, model, productivity) for model in ("tree-smu", "tree-lstm"))
    if smu is None or lstm is None:
        return ()
    ahead, clear = smu.mean > lstm.mean, is_clear(smu, lstm)
    outcome = "is not seen" if not ahead or clear is False else "is seen" if clear else "may be chance"
    away = f"{points(smu.mean - lstm.mean)} points in productivity"
    sure = {True: "more than the noise of seeds", False: "within the noise of seeds", None: "one seed"}[clear]
    return (
        f"The paper's lead of Tree-SMU over Tree-LSTM, on data and with a recipe like the paper's: {outcome} ({away}, {sure}).",
    )


def _cells(found: Conditions) -> tuple[str, ...]:
    said = []
    for other in ("tree-lstm", "tree-rnn"):
        for name, measure in (("productivity", productivity), ("systematicity", systematicity)):
            if both := by_cell(found, other, "tree-smu", measure):
                said.append(f"Tree-SMU against {model_name(other)}, {name}: {changes(both)}.{paper_lead_sentence(name, other)}")
    return tuple(said)


# -- table and figure --------------------------------------------------------------------------------------------------


def _table(found: Conditions) -> Table | None:
    """The best of each condition."""
    rows: list[tuple[Cell, ...]] = []
    for condition, groups in found.items():
        shallow, deep = _best(groups, systematicity), _best(groups, productivity)
        if shallow and deep:
            sequence = _best(_sequences(groups), productivity)
            ends = next(iter(_ends(groups)), (None, None))
            rows.append(
                (
                    condition_name(condition),
                    *(model_name(shallow[0].model), shallow[1]),
                    *(model_name(deep[0].model), deep[1], *ends),
                    *(sequence and model_name(sequence[0].model), sequence and sequence[1]),
                )
            )
    first, last = PRODUCTIVITY
    columns = (
        *(Column("trained with"), Column("best on depth 1-7"), Column.percent("%")),
        *(Column("best on depth 8-19"), Column.percent("%")),
        *(Column.percent(f"at depth {first} %"), Column.percent(f"at depth {last} %")),
        *(Column("best of the sequence models"), Column.percent("8-19 %")),
    )
    if not rows:
        return None
    caption = "The best models, trained on depth 1-7: accuracy on new equations of these depths and on deeper ones"
    return Table("summary", caption, columns, tuple(rows), notes=(seeds_note(e for some in found.values() for e in some),))


def _figure(folder: Folder, found: Conditions) -> Figure | None:
    """Data, recipe and cell at one look."""
    rows = {name: _dots(folder, found, name, measure) for name, measure in BOTH}
    if not all(rows.values()):
        return None
    span = max(width(some) for some in rows.values())
    panels = [
        Dots(f"{name}: test depth {low}-{high}", "accuracy (%)", tuple(rows[name]), around(rows[name], span))
        for name, (low, high) in (("systematicity", SYSTEMATICITY), ("productivity", PRODUCTIVITY))
    ]
    note = "Filled: ours, with standard deviation where there are several seeds. Open: the paper's."
    return Figure("summary", "The three cells on every corpus with every recipe", note, tuple(panels))


def _dots(folder: Folder, found: Conditions, name: str, measure: Measure) -> list[Dot]:
    rows: list[Dot] = []
    for condition, groups in found.items():
        dots = []
        for group in (group for cell in CELLS if (group := find(groups, cell))):
            paper = paper_value("productivity", group.model, name) if is_like_the_paper(folder, group) else None
            beside = paper.mean if paper else None
            dots.append(accuracy_dot(model_name(group.model), measure(group), model_colour(group.model), beside))
        there = [dot for dot in dots if dot]
        rows += [Dot(condition_name(condition)), *there] if there else []
    return rows
