"""Generalisation of the models with the highest means: sentences and the table of the summary."""

from __future__ import annotations

from ..figures.palette import SEQUENCES, model_name
from ..numbers import Spread
from ..runs import Measure, SeedGroup, is_too_small_for_trends
from ..section import BOTH, PRODUCTIVITY, productivity, systematicity
from ..table import Column, Row, Table
from .effects import Conditions
from .sentences import percent, points, seeds_note

Best = tuple[SeedGroup, Spread]


def what_generalises(conditions: Conditions) -> tuple[str, ...]:
    """Return the highest mean accuracy on new equations, of the depths of training and deeper, as sentences."""
    sentences = []
    equations = ("New equations of the depths of training (1-7)", "Deeper equations (8-19)")
    for what, (measure, depths) in zip(equations, BOTH.values(), strict=True):
        if best := _best_of_all(conditions, measure):
            base_rate = percent(best[0].base_rate(*depths) or 0)
            sentences.append(
                f"{what}: the highest mean accuracy is {percent(best[1])} ({_who(best[0])}); the base rate is {base_rate}."
            )
    return tuple(sentences)


def what_does_not_generalise(conditions: Conditions) -> tuple[str, ...]:
    """Return the accuracy at the largest depths and that of sequence models, as sentences."""
    sentences = []
    margins = {condition: ends for condition, groups in conditions.items() if (ends := _above_base_rate(groups))}
    if margins and is_too_small_for_trends(group for groups in conditions.values() for group in groups):
        sentences.append("Depth: one seed and few test equations per depth do not show how accuracy changes with depth.")
    elif margins:
        low, high = PRODUCTIVITY
        ordered = sorted(margins, key=lambda condition: margins[condition][1], reverse=True)
        texts = [
            f"{points(margins[one][0])} points at depth {low} and {points(margins[one][1])} at depth {high} ({one})"
            for one in ordered[:1] + ordered[1:][-1:]
        ]
        sentences.append(
            f"Depth: relative to the base rate, the model with the highest mean has {'; where this is lowest, '.join(texts)}."
        )
    sequences = {condition: _sequence_models(groups) for condition, groups in conditions.items()}
    if best := _best_of_all(sequences, productivity):
        sentences.append(
            f"Models that read sequences: the highest mean on deeper equations is {percent(best[1])} ({_who(best[0])})."
        )
    return tuple(sentences)


def best_models_table(conditions: Conditions) -> Table | None:
    """Return the models with the highest means under each condition."""
    rows: list[Row] = []
    for condition, groups in conditions.items():
        shallow, deep = _best(groups, systematicity), _best(groups, productivity)
        if shallow and deep:
            sequence = _best(_sequence_models(groups), productivity)
            rows.append(
                (
                    str(condition),
                    *(model_name(shallow[0].model), shallow[1]),
                    *(model_name(deep[0].model), deep[1], *(_at_ends(groups) or (None, None))),
                    *((model_name(sequence[0].model), sequence[1]) if sequence else (None, None)),
                )
            )
    if not rows:
        return None
    first, last = PRODUCTIVITY
    columns = (
        *(Column("trained with"), Column("highest on depth 1-7"), Column.percent("%")),
        *(Column("highest on depth 8-19"), Column.percent("%")),
        *(Column.percent(f"at depth {first} %"), Column.percent(f"at depth {last} %")),
        *(Column("highest sequence model"), Column.percent("8-19 %")),
    )
    caption = "The models with the highest mean accuracy on new equations of depth 1-7 and on deeper ones, trained on depth 1-7"
    notes = (seeds_note(group for groups in conditions.values() for group in groups),)
    return Table("summary", caption, columns, tuple(rows), notes=notes)


def _who(group: SeedGroup) -> str:
    return f"{model_name(group.model)}, {group.condition}"


def _sequence_models(groups: list[SeedGroup]) -> list[SeedGroup]:
    return [group for group in groups if group.model in SEQUENCES]


def _best(groups: list[SeedGroup], measure: Measure) -> Best | None:
    found = [(group, value) for group in groups if (value := measure(group))]
    return max(found, key=lambda pair: pair[1].mean) if found else None


def _best_of_all(conditions: Conditions, measure: Measure) -> Best | None:
    return _best([group for groups in conditions.values() for group in groups], measure)


def _at_ends(groups: list[SeedGroup]) -> tuple[Spread, Spread] | None:
    """Return the accuracy of that model at the first and last depth beyond training, or None if these were not tested."""
    best = _best(groups, productivity)
    first, last = (best[0].accuracy(depth, depth) for depth in PRODUCTIVITY) if best else (None, None)
    return (first, last) if first and last else None


def _above_base_rate(groups: list[SeedGroup]) -> tuple[float, float] | None:
    """Return how far the model with the highest mean is above the base rate at both ends, as shares."""
    best, ends = _best(groups, productivity), _at_ends(groups)
    if not best or not ends:
        return None
    first, last = (end.mean - (best[0].base_rate(depth, depth) or 0) for end, depth in zip(ends, PRODUCTIVITY, strict=True))
    return first, last
