"""The summary in plain words: what generalises and what does not; what the data, the recipe and the cell do.

Every number in it is computed from the runs of the study of productivity, and from the conclusions of the other studies.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .effects import Effect, between_cells, by_data, by_recipe, of_model
from .figure import Dot, Dots, Figure
from .folder import Entry, Folder
from .numbers import Spread, is_clear
from .palette import CELLS, model_colour, model_name
from .paper import printed
from .section import (
    PRODUCTIVITY,
    SYSTEMATICITY,
    Measure,
    Section,
    conditions,
    find,
    is_the_papers,
    productivity,
    systematicity,
)
from .table import Cell, Column, Table
from .variants import accuracy_dot, around, width
from .words import Condition, changes, condition_name, percent, points, ranged, seeds_note

Conditions = dict[Condition, list[Entry]]
BOTH: tuple[tuple[str, Measure], ...] = (("systematicity", systematicity), ("productivity", productivity))
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
    found = conditions(folder, study.entries if study else [])
    paragraphs = [
        ("In short", _in_short(found)),
        ("What generalises", _what_generalises(found)),
        ("What does not", _what_does_not(found)),
        ("What the data does", tuple(_said(e, "The {} corpus instead of the {} corpus") for e in by_data(found))),
        ("What the recipe does", tuple(_said(e, "Recipe {} instead of recipe {}") for e in by_recipe(found))),
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
    """The three effects side by side, the largest first."""
    sizes = {
        "the data": [abs(e.change["productivity"]) for e in by_data(found) if "productivity" in e.change],
        "the recipe": [abs(e.change["productivity"]) for e in by_recipe(found) if "productivity" in e.change],
        "the cell (Tree-RNN, Tree-LSTM or Tree-SMU)": list(between_cells(found).values()),
    }
    known = sorted(((max(some), name) for name, some in sizes.items() if some), reverse=True)
    if not known:
        return ()
    listed = ", ".join(f"{100 * size:.1f} points with {name}" for size, name in known)
    return (f"Accuracy on equations deeper than those of training changes by up to {listed}.",)


def _what_generalises(found: Conditions) -> tuple[str, ...]:
    said = []
    for what, measure in (("New equations of trained depths (1-7)", systematicity), ("Deeper ones (8-19)", productivity)):
        best = [(value, entry) for entries in found.values() if (pair := _best(entries, measure)) for entry, value in [pair]]
        if best:
            value, entry = max(best, key=lambda pair: pair[0].mean)
            where = f"{model_name(entry.model)}, {condition_name((entry.corpus, entry.recipe))}"
            said.append(f"{what} are judged rightly in up to {percent(value)} of cases ({where}); chance is 50%.")
    return tuple(said)


def _best(entries: list[Entry], measure: Measure) -> tuple[Entry, Spread] | None:
    found = [(entry, value) for entry in entries if (value := measure(entry))]
    return max(found, key=lambda pair: pair[1].mean) if found else None


def _what_does_not(found: Conditions) -> tuple[str, ...]:
    said = []
    falls = [(first.mean - last.mean, condition) for condition, entries in found.items() for first, last in _ends(entries)]
    if falls:
        least, (most, condition) = min(falls)[0], max(falls)
        said.append(
            f"Depth: from depth {PRODUCTIVITY[0]} to {PRODUCTIVITY[1]} the best model loses {ranged(least, most)} points "
            f"(most: {condition_name(condition)})."
        )
    sequences = [pair for entries in found.values() if (pair := _best(_sequences(entries), productivity))]
    if sequences:
        entry, value = max(sequences, key=lambda pair: pair[1].mean)
        where = f"{model_name(entry.model)}, {condition_name((entry.corpus, entry.recipe))}"
        said.append(f"Reading equations as sequences: at most {percent(value)} on deeper ones ({where}).")
    return tuple(said)


def _sequences(entries: list[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.model in SEQUENCES]


def _ends(entries: list[Entry]) -> list[tuple[Spread, Spread]]:
    """Accuracy of the best model at the first and last depth beyond training; none where these were not tested."""
    best = _best(entries, productivity)
    ends = [best[0].accuracy(depth, depth) for depth in PRODUCTIVITY] if best else []
    return [(ends[0], ends[1])] if len(ends) == 2 and ends[0] and ends[1] else []


def _said(effect: Effect, pattern: str) -> str:
    listed = ", ".join(f"{name} {points(change)}" for name, change in effect.change.items())
    mean = effect.cells[0] if len(effect.cells) == 1 else f"mean of {', '.join(effect.cells[:-1])} and {effect.cells[-1]}"
    return f"{pattern.format(effect.new, effect.old)} ({effect.where}): {listed} points, {mean}."


def _papers_claim(folder: Folder, found: Conditions) -> tuple[str, ...]:
    """Is Tree-SMU ahead of Tree-LSTM where data and recipe are the paper's?"""
    entries = next((some for some in found.values() if is_the_papers(folder, some[0])), [])
    smu, lstm = (of_model(entries, model, productivity) for model in ("tree-smu", "tree-lstm"))
    if smu is None or lstm is None:
        return ()
    ahead, clear = smu.mean > lstm.mean, is_clear(smu, lstm)
    outcome = "may be chance" if clear is None else "is seen" if ahead and clear else "is not seen"
    away = f"{points(smu.mean - lstm.mean)} points in productivity"
    sure = {True: "more than the noise of seeds", False: "within the noise of seeds", None: "one seed"}[clear]
    return (
        f"The paper's lead of Tree-SMU over Tree-LSTM, on data and with a recipe like the paper's: {outcome} ({away}, {sure}).",
    )


def _cells(found: Conditions) -> tuple[str, ...]:
    said = []
    for other in ("tree-lstm", "tree-rnn"):
        for name, measure in (("productivity", productivity), ("systematicity", systematicity)):
            both = [
                (condition, a, b)
                for condition, entries in found.items()
                if (a := of_model(entries, other, measure)) and (b := of_model(entries, "tree-smu", measure))
            ]
            paper = [printed("productivity", model, name) for model in ("tree-smu", other)]
            beside = f" The paper: {points((paper[0].mean - paper[1].mean) / 100)}." if paper[0] and paper[1] else ""
            if both:
                said.append(f"Tree-SMU against {model_name(other)}, {name}: {changes(both)}.{beside}")
    return tuple(said)


# -- table and figure --------------------------------------------------------------------------------------------------


def _table(found: Conditions) -> Table | None:
    """The best of each condition."""
    rows: list[tuple[Cell, ...]] = []
    for condition, entries in found.items():
        shallow, deep = _best(entries, systematicity), _best(entries, productivity)
        if shallow and deep:
            sequence = _best(_sequences(entries), productivity)
            ends = next(iter(_ends(entries)), (None, None))
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
    for condition, entries in found.items():
        dots = []
        for entry in (entry for cell in CELLS if (entry := find(entries, cell))):
            paper = printed("productivity", entry.model, name) if is_the_papers(folder, entry) else None
            beside = paper.mean if paper else None
            dots.append(accuracy_dot(model_name(entry.model), measure(entry), model_colour(entry.model), beside))
        there = [dot for dot in dots if dot]
        rows += [Dot(condition_name(condition)), *there] if there else []
    return rows
