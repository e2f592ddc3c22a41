"""How the first two corpora that are like the paper's differ: on their own tests, and on each other's."""

from __future__ import annotations

from ..figures.palette import model_name
from ..folder import StudyResults
from ..numbers import Spread
from ..runs import find
from ..statistics.family import Family
from ..text.claims import differences
from ..text.sentences import enumeration
from .lead import ORDERED
from .tables import RANGES
from .tested import WAYS, Depths, accuracy, as_published, chosen_test, groups_on

OWN, OTHER = (
    "trained and tested on the second corpus instead of the first",
    "tested on the other corpus instead of trained there",
)
Compared = dict[str, list[tuple[object, Spread, Spread]]]


def transfer_family(study: StudyResults) -> Family:
    """Return the comparisons of both corpora, each with its own test, and those of transfer, for every model."""
    compared: Compared = {}
    for way in WAYS:
        for name, depths in RANGES.items():
            for model in ORDERED:
                _compare(study, (way, name), depths, model, compared)
    return Family("transfer between corpora", compared)


def _compare(study: StudyResults, case: tuple[str, str], depths: Depths, model: str, compared: Compared) -> None:
    """Add the comparisons of a model, if it was trained and tested on both corpora."""
    corpora = as_published(study)[:2]
    groups = [find(groups_on(study, corpus), model) for corpus in corpora]
    tests = [chosen_test(study, case[0], corpus) for corpus in corpora]
    found = [[accuracy(study, group, test, depths) if group else None for test in tests] for group in groups]
    if len(found) < 2 or not all(value for row in found for value in row):
        return
    (a, b), (c, d) = found  # rows: trained on the first, the second; columns: tested on the first, the second
    for what, pairs in ((OWN, [(a, d)]), (OTHER, [(a, c), (d, b)])):
        some = compared.setdefault(_name(what, *case), [])
        some += [(model_name(model), old, new) for old, new in pairs if old and new]


def _name(what: str, way: str, depths: str) -> str:
    return f"{what}, depth {depths}, tested {WAYS[way]}"


def transfer_sentences(study: StudyResults, family: Family) -> list[str]:
    """Return the range of both differences for each way of testing and range of depths."""
    sentences = []
    for way, title in WAYS.items():
        for name in RANGES:
            own, other = family[_name(OWN, way, name)], family[_name(OTHER, way, name)]
            if own:
                first, second = as_published(study)[:2]
                sentences.append(
                    f"{enumeration([one.where for one in own])}, depth {name}, tested {title}: trained and tested on {second} "
                    f"instead of {first}, {differences(own)}; trained on one of them and tested on the other, instead of "
                    f"trained there, {differences(other)}."
                )
    return sentences
