"""Whether sides that are seen in training explain the difference between our systematicity and the paper's."""

from __future__ import annotations

from collections.abc import Callable

from ..figures.palette import model_name
from ..folder import StudyResults
from ..numbers import Spread
from ..paper import paper_value
from ..runs import find
from ..section import SYSTEMATICITY
from ..statistics.family import Family, Outcome
from ..text.sentences import percent
from .tested import WAYS, RightCounts, as_published, chosen_test, groups_on, over_seeds

SEEN, NEW, HELP = (
    "the paper's compared with seen sides",
    "the paper's compared with new sides",
    "seen sides compared with new ones",
)


def with_seen(tested: RightCounts) -> float | None:
    """Return the accuracy on equations with a side of the training set."""
    return tested.share(SYSTEMATICITY, (1, 2))


def without_seen(tested: RightCounts) -> float | None:
    """Return the accuracy on equations without one."""
    return tested.share(SYSTEMATICITY, (0,))


def share_new(tested: RightCounts) -> float | None:
    """Return the share of the latter."""
    every = tested.count(SYSTEMATICITY)[0]
    return tested.count(SYSTEMATICITY, (0,))[0] / every if every else None


def _cases(study: StudyResults) -> list[tuple[str, list[Spread]]]:
    """Return what the second model of the pair was trained on and how it was tested, and three measures of it."""
    model = study.settings["pair"][1]
    measures: tuple[Callable[[RightCounts], float | None], ...] = (with_seen, without_seen, share_new)
    found = []
    for corpus in as_published(study):
        group = find(groups_on(study, corpus), model)
        for way, title in WAYS.items():
            test = chosen_test(study, way, corpus)
            values = [over_seeds(study, group, test, measure) for measure in measures] if group else []
            known = [value for value in values if value]
            if len(known) == len(measures):
                found.append((f"trained on {corpus}, tested {title}", known))
    return found


def sides_family(study: StudyResults) -> Family:
    """Return seen sides beside new ones, and the paper's systematicity beside both, in every case."""
    paper = paper_value("productivity", study.settings["pair"][1], "systematicity")
    compared: dict[str, list[tuple[object, Spread, Spread]]] = {}
    for where, (seen, new, _) in _cases(study) if paper else ():
        printed = Spread((paper.mean / 100,) * seen.seeds, seen.numbers) if paper else seen
        compared[f"{HELP}, {where}"] = [("depth 1-7", new, seen)]
        compared[f"{NEW}, {where}"] = [("depth 1-7", new, printed)]
        compared[f"{SEEN}, {where}"] = [("depth 1-7", seen, printed)]
    return Family("sides that are seen in training", compared)


def sides_sentences(study: StudyResults, family: Family) -> list[str]:
    """Return the accuracy at depth 1-7 with and without sides of the training set, beside the paper's systematicity."""
    model = study.settings["pair"][1]
    paper = paper_value("productivity", model, "systematicity")
    sentences = []
    for where, (seen, new, share) in _cases(study) if paper else ():
        (helps,), (beside_new,), (beside_seen,) = (family[f"{what}, {where}"] for what in (HELP, NEW, SEEN))
        place = describe_place(helps.outcome, beside_new.outcome, beside_seen.outcome)
        printed = f"the paper has {paper.mean:.1f}%{place}" if paper else ""
        sentences.append(
            f"{model_name(model)} at depth 1-7, {where}: {percent(seen)} on equations with a side of the training set, "
            f"{percent(new)} on the others, which are {percent(share.mean)}; {printed}."
        )
    return sentences


def describe_place(helps: Outcome, beside_new: Outcome, beside_seen: Outcome) -> str:
    """Return where the paper's number is, as far as it is significant, and whether seen sides explain the difference from ours.

    helps: seen sides compared with new ones; the others: the paper's number compared with ours on new and on seen sides.
    """
    higher, lower = Outcome.HIGHER, Outcome.LOWER
    if (beside_new, beside_seen) == (lower, lower):
        return ", which is below both: seen sides do not explain it"
    if (beside_new, beside_seen) == (higher, higher):
        return ", which is above both"
    if helps is not higher or beside_seen is not lower:
        return ""
    if beside_new is higher:
        return ", which is between both: a test set with fewer seen sides would have it"
    return ", which is below the former and not significantly different from the latter"
