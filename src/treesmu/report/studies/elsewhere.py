"""Elsewhere: the measure of each task on other trees by depth, published figures beside ours, and where the stack helps."""

from __future__ import annotations

from treesmu.task_names import Measure

from ..figures.accuracy import model_looks
from ..figures.figure import LOWEST_R2, Figure, Lines, Series, r2_range, rounded_range
from ..figures.palette import model_name
from ..folder import StudyResults
from ..numbers import Spread
from ..other_trees.results import TreeResults
from ..other_trees.stack import conclusions, stack_family, stack_in_title, stack_table
from ..published.other_trees import PUBLISHED, published_of
from ..runs import SeedGroup, is_too_small_for_trends
from ..section import Part, Section
from ..statistics.family import Family
from ..table import Column, Row, Table, for_measure
from ..text.sentences import bands_note, seeds_note

FEW_DEPTHS = 8  # up to which every depth has a tick


def section(study: StudyResults) -> Section:
    every = [TreeResults(study, corpus) for corpus in dict.fromkeys(group.condition.corpus for group in study.groups)]
    deeper, trained = (stack_family(every, is_deeper) for is_deeper in (True, False))
    measures = list(dict.fromkeys(results.measure for results in every))  # which are not put into one table
    parts: list[Part] = [_scores(measure, [one for one in every if one.measure == measure]) for measure in measures]
    parts += [stack_table(measure, every, deeper, trained) for measure in measures]
    parts += [_figure(results, deeper) for results in every]
    return Section(study, tuple(parts), tuple(conclusions(every, deeper, trained)), (deeper, trained))


def _scores(measure: Measure, every: list[TreeResults]) -> Table:
    """Return the table of all models on the corpora with this measure; a column that would be empty is left out."""
    has_deeper = any(results.has_deeper for results in every)
    sources = [PUBLISHED[kind].source for kind in dict.fromkeys(results.kind for results in every) if kind in PUBLISHED]
    columns = [Column("task"), Column("model"), Column("parameters"), Column.of(measure, measure.column("validation"))]
    columns += [Column.of(measure, measure.column("trained depths"), has_best=True)]
    columns += [Column.of(measure, measure.column("deeper"), has_best=True)] * has_deeper
    columns += [Column("published %")] * bool(sources) + [Column("seeds")]
    rows: list[Row] = []
    for results in every:
        name = f"{results.corpus}, trained on {results.trained_on}"
        depths = [results.trained, results.deeper] if has_deeper else [results.trained]
        for group in results.groups:
            published = [published_of(results.kind, group.model)] * bool(sources)
            tested = (group.score(*some) for some in depths)
            rows.append(
                (
                    name,
                    model_name(group.model),
                    group.parameters,
                    group.score_on("validation"),
                    *tested,
                    *published,
                    group.seeds,
                )
            )
        constant = (results.of_constant(*some) for some in depths)
        rows.append((name, results.constant, None, None, *constant, *[None] * bool(sources), None))
    groups = [group for results in every for group in results.groups]
    notes = (seeds_note(groups), *_notes(measure, every), *sources)
    what = "Accuracy" if measure.is_share else measure.name
    caption = f"{what} on other trees, trained shallow and tested deep" if has_deeper else f"{what} on other trees"
    return Table(for_measure("elsewhere", measure), caption, tuple(columns), tuple(rows), 2, notes=notes)


def _notes(measure: Measure, every: list[TreeResults]) -> list[str]:
    """Return what is to be known of the numbers of a table."""
    if measure.is_share:
        notes = ["Most common class: of each depth, as if it were known."]
    else:
        notes = ["Mean of the labels: of the test trees of these depths, as if it were known; its R² is 0 by definition."]
    if tagged := [one.corpus for one in every if one.groups[0].runs[0].task == "tag"]:
        notes.append(f"Of nodes, not of trees: {', '.join(tagged)}.")
    if shallow := [one.corpus for one in every if one.depths and one.depths[0] < one.trained[0]]:
        notes.append(f"Test trees shallower than those of training are in the figure only: {', '.join(shallow)}.")
    return notes


# -- figures ---------------------------------------------------------------------------------------------------------------


def _figure(results: TreeResults, deeper: Family) -> Figure:
    measure = results.measure
    series = [
        Series.over(
            points={float(depth): group.score(depth, depth) for depth in results.depths},
            scale=measure.scale,
            **model_looks(group),
        )
        for group in results.groups
    ]
    published = [one for group in results.groups if (one := _published_marks(results, group)) is not None]
    drawn = [*series, *published]
    panel = Lines(
        title=f"trained on {results.trained_on}",
        x_label="operators of the larger formula" if results.kind == "logic" else "depth of the tree",
        y_label=measure.axis,
        series=tuple(drawn),
        y_range=rounded_range(drawn) if measure.is_share else r2_range(drawn),
        shaded=_shaded(results, drawn),
        level=None if measure.is_share else 0.0,
        ticks=_ticks(results.depths),
    )
    note = f"{bands_note(results.groups)}{_figure_note(measure, drawn)}"
    return Figure(f"elsewhere-{results.corpus}", _title(results, deeper), note, (panel,))


def _shaded(results: TreeResults, drawn: list[Series]) -> tuple[float, float, str] | None:
    """Return the depths of training as far as they are drawn."""
    low, high = results.trained
    first = min((x for one in drawn for x in one.x if low <= x <= high), default=None)
    return None if first is None else (first, high, "trained")


def _ticks(depths: list[int]) -> tuple[float, ...]:
    """Return the odd depths, or all if there are few."""
    return tuple(depths) if len(depths) <= FEW_DEPTHS else tuple(depth for depth in depths if depth % 2)


def _figure_note(measure: Measure, drawn: list[Series]) -> str:
    if any(one.is_paper for one in drawn):
        return " Open marks: published, trained on up to 6 operators of other data; see the notes of the table."
    if measure.is_share:
        return ""
    is_cut = any(y < LOWEST_R2 for one in drawn for y in one.y)
    return " R² of each depth: 0 is the mean of its labels." + " Values below −1 are outside." * is_cut


def _published_marks(results: TreeResults, group: SeedGroup) -> Series | None:
    found = PUBLISHED[results.kind].by_depth.get(group.model) if results.kind in PUBLISHED else None
    if not found:
        return None
    return Series(model_name(group.model), tuple(map(float, found)), tuple(found.values()), colour=group.colour, is_paper=True)


def _title(results: TreeResults, deeper: Family) -> str:
    """Return how far the best model falls from the deepest trees of training to the deepest of all, and what a stack adds."""
    what = "Accuracy" if results.measure.is_share else results.measure.name
    name = f"{what} on {results.corpus} by {'number of operators' if results.kind == 'logic' else 'depth'}"
    deep = {group.model: (group, value.mean) for group in results.groups if (value := group.score(*results.deeper))}
    if not deep or is_too_small_for_trends(results.groups):
        return name
    best = max(deep.values(), key=lambda pair: pair[1])[0]
    ends = results.trained[1], max(results.depths)
    first, last = (best.score(depth, depth) for depth in ends)
    if first is None or last is None:
        return name
    falls = "falls from" if last.mean < first.mean else "goes from"
    where = [f"{end} operators" if results.kind == "logic" else f"depth {end}" for end in ends]
    shown = [f"{_short(value, results.measure)} at {place}" for value, place in zip((first, last), where, strict=True)]
    told = f"{model_name(best.model)}, the best on deeper trees, {falls} {' to '.join(shown)}"
    return f"{results.corpus}: {told}{stack_in_title(results, deeper)}"


def _short(value: Spread, measure: Measure) -> str:
    return f"{100 * value.mean:.0f}%" if measure.is_share else f"R² {value.mean:.2f}".replace("-", "−")
