"""As published: the paper's table on data like the paper's, transfer, and what is left of it on fair data."""

from __future__ import annotations

from functools import partial

from ..figures.palette import model_name
from ..folder import StudyResults
from ..numbers import Spread
from ..paper import paper_value
from ..published.chain import chain_figure, measured, steps
from ..published.lead import ORDERED, lead_sentences, lead_table, leads, order_sentences
from ..published.tables import RANGES, gold_table, paper_table, recall, sides_table, trained_on, transfer_table
from ..published.tested import WAYS, RightCounts, accuracy, as_published, chosen_test, gold_test, groups_on, over_seeds
from ..runs import find
from ..section import PRODUCTIVITY, SYSTEMATICITY, Part, Section
from ..text.sentences import enumeration, percent, point_range, points

CLOSE = 0.02  # accuracies that differ by less are about the same


def section(study: StudyResults) -> Section:
    parts: list[Part] = [paper_table(study)] if as_published(study) else []
    if study.settings["chain"]:
        parts.append(chain_figure(study))
    if leads(study):
        parts.append(lead_table(study))
    parts += [transfer_table(study)]
    if as_published(study):
        parts.append(sides_table(study))
    if test := gold_test(study):
        parts.append(gold_table(study, test))
    sentences = (
        *_beside_paper(study),
        *lead_sentences(study),
        *order_sentences(study),
        *_transfer(study),
        *_chain(study),
        *_seen_sides(study),
        *_gold(study),
    )
    return Section(study, tuple(parts), sentences)


def _beside_paper(study: StudyResults) -> list[str]:
    """Return the accuracies of the pair under the paper's protocol, beside the paper's."""
    sentences = []
    for corpus in as_published(study):
        test, found = chosen_test(study, "protocol", corpus), []
        for group in [one for model in reversed(study.settings["pair"]) if (one := find(groups_on(study, corpus), model))]:
            values = [accuracy(study, group, test, depths, "depths") for depths in (SYSTEMATICITY, PRODUCTIVITY)]
            papers = [paper_value("productivity", group.model, name) for name in ("systematicity", "productivity")]
            texts = [
                f"{percent(ours)} (paper {paper.mean:.1f}%)"
                for ours, paper in zip(values, papers, strict=True)
                if ours and paper
            ]
            if len(texts) == 2:
                found.append(f"{model_name(group.model)} {texts[0]} at depth 1-7 and {texts[1]} at depth 8-19")
        if found:
            sentences.append(f"Trained on {corpus}, tested {WAYS['protocol']}: {'; '.join(found)}.")
    return sentences


def _transfer(study: StudyResults) -> list[str]:
    """Return how the first two corpora that are like the paper's differ: on their own tests, and on each other's."""
    corpora, sentences = as_published(study)[:2], []
    if len(corpora) < 2:
        return []
    for way, title in WAYS.items():
        for name, depths in RANGES.items():
            differences, models = _own_and_other(study, way, depths)
            if models:
                own, other = map(point_range, differences)
                sentences.append(
                    f"{enumeration(models)}, depth {name}, tested {title}: trained and tested on {corpora[1]} instead of "
                    f"{corpora[0]} {own} points; trained on one of them and tested on the other, instead of trained there, "
                    f"{other} points."
                )
    return sentences


def _own_and_other(study: StudyResults, way: str, depths: tuple[int, int]) -> tuple[tuple[list[float], list[float]], list[str]]:
    """Return the differences of both corpora, each with its own test, those of transfer, and the names of the models."""
    corpora = as_published(study)[:2]
    own, other, models = list[float](), list[float](), list[str]()
    for model in ORDERED:
        groups = [find(groups_on(study, corpus), model) for corpus in corpora]
        tests = [chosen_test(study, way, corpus) for corpus in corpora]
        table = [[accuracy(study, group, test, depths) if group else None for test in tests] for group in groups]
        (a, b), (c, d) = table  # rows: trained on the first, the second; columns: tested on the first, the second
        if a and b and c and d:
            own.append(d.mean - a.mean)
            other += [c.mean - a.mean, b.mean - d.mean]
            models.append(model_name(model))
    return (own, other), models


def _chain(study: StudyResults) -> list[str]:
    """Return the accuracies of the pair from the first corpus to the last."""
    sentences = []
    for model in reversed(study.settings["pair"]):
        found = [f"{step.label} {percent(value)}" for step in steps(study) if (value := measured(study, step, model))]
        if len(found) > 1:
            sentences.append(f"{model_name(model)} at depth 8-19, from the paper's data to fair data: {', '.join(found)}.")
    return sentences


def _seen_sides(study: StudyResults) -> list[str]:
    """Return the accuracy at depth 1-7 with and without sides of the training set, beside the paper's systematicity."""
    model = study.settings["pair"][1]
    paper = paper_value("productivity", model, "systematicity")
    sentences = []
    for corpus in as_published(study):
        group = find(groups_on(study, corpus), model)
        for way, title in WAYS.items():
            test = chosen_test(study, way, corpus)
            if group is None or test is None or paper is None:
                continue
            seen, new, share = (over_seeds(study, group, test, measure) for measure in (_with_seen, _without_seen, _share_new))
            if seen and new and share:
                sentences.append(
                    f"{model_name(model)} at depth 1-7, trained on {corpus}, tested {title}: {percent(seen)} on equations "
                    f"with a side of the training set, {percent(new)} on the others, which are {percent(share.mean)}; "
                    f"the paper's {paper.mean:.1f}% {_place(paper.mean / 100, new, seen)}."
                )
    return sentences


def _with_seen(tested: RightCounts) -> float | None:
    return tested.share(SYSTEMATICITY, (1, 2))


def _without_seen(tested: RightCounts) -> float | None:
    return tested.share(SYSTEMATICITY, (0,))


def _share_new(tested: RightCounts) -> float | None:
    every = tested.count(SYSTEMATICITY)[0]
    return tested.count(SYSTEMATICITY, (0,))[0] / every if every else None


def _place(paper: float, new: Spread, seen: Spread) -> str:
    """Return where the paper's number is, and whether sides that are seen in training explain the difference from ours."""
    if new.mean < seen.mean and abs(paper - new.mean) <= CLOSE:
        return f"differs from the latter by {points(paper - new.mean)} points: without seen sides, ours is about the paper's"
    low, high = sorted((new.mean, seen.mean))
    if low <= paper <= high:
        return "is between both" + (": a test set with fewer seen sides would have it" if new.mean < seen.mean else "")
    return "is below both: seen sides do not explain it" if paper < low else "is above both"


def _gold(study: StudyResults) -> list[str]:
    """Return the share of the gold equations that the second model of the pair calls correct, by training corpus."""
    test, model = gold_test(study), study.settings["pair"][1]
    groups = {name: find(some, model) for name, some in trained_on(study).items()}
    value = partial(over_seeds, study, test=test, measure=recall)
    found = [f"{percent(share)} ({name})" for name, group in groups.items() if group and (share := value(group))]
    what = f"Of the authors' equations that the numeric check confirms, {model_name(model)} calls correct"
    return [f"{what}, by training corpus: {', '.join(found)}."] if found else []
