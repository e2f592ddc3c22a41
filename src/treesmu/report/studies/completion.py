"""Completion: top-1 and top-5 accuracy by depth, next to a ranking that ignores the equation."""

from __future__ import annotations

from functools import partial
from typing import Any

from ..figures.accuracy import model_looks
from ..figures.figure import Figure, Lines, Series
from ..figures.palette import GREY, model_name
from ..folder import StudyResults
from ..numbers import Spread
from ..runs import Pairs, SeedGroup
from ..section import Section, described_models
from ..statistics.family import Family
from ..table import KEYS, Cell, Column, Table
from ..text.claims import changes, title
from ..text.sentences import bands_note, seeds_note, shares

RANKS = ("raw", "class", "collapse", "true")
FAIR = "collapse"  # the only one to compare with the prior, whose first fillers all have the most frequent value
PRIOR = "a ranking by how often a value occurs in the training set, which ignores the equation"
TOPS = {"top-1": 0, "top-5": 4}


def section(study: StudyResults) -> Section:
    family = Family("completion beside the prior", _beside_prior(study))
    sentences = [sentence for model in described_models(study) for sentence in _conclusions(study, model, family)]
    return Section(study, (_figure(study, family), _table(study)), tuple(sentences), (family,))


def top(
    study: StudyResults, group: SeedGroup, rank: str, place: int, depth: str | None = None, by: str = "model"
) -> Spread | None:
    """Return the share of blanks answered within the first place + 1, over seeds.

    by: the ranking: that of the ``model`` by its logits alone, that ``with_prior`` or the ``prior`` alone.
    """

    def measure(analysis: dict[str, Any]) -> float | None:
        found = analysis["overall"] if depth is None else analysis["by_depth"].get(depth, {})
        ranks = found if by == "model" else found.get(by, {})
        return float(ranks[rank]["top"][place]) if rank in ranks else None

    return study.over_analyses(group, measure)


def _figure(study: StudyResults, family: Family) -> Figure:
    depths = study.analysed_depths()
    panels = []
    for condition, groups in study.conditions.items():
        for name, place in TOPS.items():
            lines = [
                Series.over(points={float(d): top(study, group, FAIR, place, d) for d in depths}, **model_looks(group))
                for group in groups
            ]
            for group in groups:
                combined = {float(d): top(study, group, FAIR, place, d, by="with_prior") for d in depths}
                if any(combined.values()):  # older analyses do not have it
                    lines.append(Series.over(points=combined, **_with_prior_looks(group)))
            prior = {float(d): top(study, groups[0], FAIR, place, d, by="prior") for d in depths}
            lines.append(Series.over("prior", prior, colour=GREY, style=":"))
            ticks = tuple(float(depth) for depth in depths)
            panels.append(
                Lines(
                    f"{name}: {condition}", "depth of the equation", "blanks answered (%)", tuple(lines), (0, 100), ticks=ticks
                )
            )
    note = (
        "A blank is answered if its value is among the first one or five values (rank “collapse”). Prior: "
        f"{PRIOR}. {bands_note(study.groups)}"
    )
    heading = title("Answered blanks by depth", "the share of blanks (compared with the prior)", family)
    return Figure("completion-by-depth", heading, note, tuple(panels))


def _with_prior_looks(group: SeedGroup) -> dict[str, Any]:
    looks = model_looks(group)
    return {**looks, "label": f"{looks['label']} with prior", "style": "--"}


def _beside_prior(study: StudyResults) -> dict[str, Pairs]:
    """Return the share of blanks that the prior answers with its first five values, and that a model does, by model."""
    found: dict[str, Pairs] = {}
    for group in study.groups:
        prior, ours = (top(study, group, FAIR, TOPS["top-5"], by=by) for by in ("prior", "model"))
        if prior and ours:
            found.setdefault(_name(group.model), []).append((group.condition, prior, ours))
    return found


def _name(model: str) -> str:
    return f"{model_name(model)} compared with the prior"


def _table(study: StudyResults) -> Table:
    columns = [Column.percent(f"{rank} {name} %", has_best=True) for rank in RANKS for name in TOPS]
    rows: list[tuple[Cell, ...]] = []
    for condition, groups in study.conditions.items():
        for group in groups:
            for by, name in (("model", model_name(group.model)), ("with_prior", f"{model_name(group.model)} with prior")):
                cells = [top(study, group, rank, place, by=by) for rank in RANKS for place in TOPS.values()]
                if by == "model" or any(cells):
                    rows.append((*condition, name, *cells))
        prior = [top(study, groups[0], rank, place, by="prior") for rank in RANKS for place in TOPS.values()]
        rows.append((*condition, "prior", *(None if cell is None else Spread(cell.values[:1]) for cell in prior)))
    has_combined = any(str(row[2]).endswith(" with prior") for row in rows)
    combined = "; with prior: logit + weight * log frequency, the weight fitted on validation blanks" if has_combined else ""
    ranks = (
        "raw: the original filler; class: any filler with its value; collapse: its value among the values; true: any filler "
        f"that makes the equation correct; prior: {PRIOR}{combined}. The first fillers of the prior all have the most frequent "
        "value, so that only collapse compares models with it."
    )
    caption = "Completion of blanks in equations of depth 8-13, by models trained to verify depth 1-7"
    return Table("completion", caption, (*KEYS, *columns), tuple(rows), keys=3, notes=(seeds_note(study.groups), ranks))


def _conclusions(study: StudyResults, model: str, family: Family) -> tuple[str, ...]:
    answers = partial(top, study, rank=FAIR, place=TOPS["top-5"])
    ours = study.under_conditions(model, lambda group: answers(group) if answers(group, by="prior") else None)
    prior = study.under_conditions(model, lambda group: answers(group, by="prior") if answers(group) else None)
    combined = study.under_conditions(model, lambda group: answers(group, by="with_prior"))
    if not ours:
        return ()
    with_prior = (
        f"{model_name(model)} with the prior, its default ranking for completion: {shares(combined)}." if combined else ""
    )
    sentences = (
        f"The right value is among the first five of {model_name(model)} for {shares(ours)}.",
        f"The prior, {PRIOR}: {shares(prior)}. {_name(model)}: {changes(family[_name(model)])}.",
        with_prior,
    )
    return tuple(sentence for sentence in sentences if sentence)
