"""The figure "from the paper's data to fair data": accuracy at depth 8-19 as the leaks are closed one after another."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from ..figures.dots import PAPER_NOTE
from ..figures.figure import Dot, Dots, Figure
from ..figures.palette import model_name
from ..folder import StudyResults
from ..numbers import Spread
from ..paper import paper_value
from ..runs import SeedGroup, find
from ..section import PRODUCTIVITY
from ..statistics.family import Family, Outcome
from ..text.sentences import enumeration, percent, points
from .tested import accuracy, as_published, chosen_test, groups_on, is_made_of_files

CLOSED = {  # by the name of a leak: what equations without it are like
    "lopsided": "both sides rewritten",
    "seen-sides": "no side seen in training",
    "padding": "no padding",
    "functions": "no revealing functions",
}

ENDS = "the last corpus compared with the first"


class Step(NamedTuple):
    """A corpus of the figure, the test set of models that were trained on it, and what is said of it."""

    corpus: str
    test: str
    label: str


def steps(study: StudyResults) -> list[Step]:
    """Return the corpora from the paper's data to fair data: made of files, along the chain, and the fair presets."""
    chain: list[str] = study.settings["chain"]
    like_paper = as_published(study)
    files = [corpus for corpus in like_paper if is_made_of_files(study, corpus)]
    fair = [corpus for corpus in study.settings["corpora"] if study.corpora[corpus].get("preset") not in ("files", "published")]
    found = [Step(corpus, test, corpus) for corpus in files if (test := chosen_test(study, "protocol", corpus))]
    before: dict[str, Any] = {}
    for corpus in chain:
        settings = study.corpora[corpus]
        found.append(Step(corpus, corpus, _step_label(corpus, before, settings) if before else corpus))
        before = settings
    return found + [Step(corpus, corpus, f"preset {study.corpora[corpus]['preset']}") for corpus in fair]


def _step_label(corpus: str, before: dict[str, Any], now: dict[str, Any]) -> str:
    """Return what a step of the chain changes; the name of the corpus if that is not one thing."""
    closed = [CLOSED.get(leak, leak) for leak in now.get("closed", []) if leak not in before.get("closed", [])]
    if now.get("labels", "derived") != before.get("labels", "derived"):
        closed.append("right labels")
    return f"+ {closed[0] if len(closed) == 1 else corpus}"


def chain_figure(study: StudyResults, family: Family) -> Figure:
    """Return one panel for each model of the pair, with the steps as rows."""
    found = steps(study)
    panels = []
    for model in reversed(study.settings["pair"]):
        dots = [dot for step in found if (dot := _dot(study, step, model))]
        panels.append(Dots(f"{model_name(model)}, depth 8-19", "accuracy (%)", tuple(dots), _range(study, found), level=50))
    note = (
        f"Trained on depth 1-7 of each corpus, tested on its own test set (of {_names(study, found)}: the paper's protocol), "
        f"mean over depths; + means without one more leak than the row above. Dotted line: chance. {PAPER_NOTE}"
    )
    return Figure("from-published-to-fair", _title(study, family), note, tuple(panels))


def _names(study: StudyResults, found: list[Step]) -> str:
    return " and ".join(step.corpus for step in found if step.corpus in as_published(study)) or "none"


def measured(study: StudyResults, step: Step, model: str) -> Spread | None:
    """Return the accuracy of a model at a step."""
    group = find(groups_on(study, step.corpus), model)
    return accuracy(study, group, step.test, PRODUCTIVITY, "depths") if group else None


def _dot(study: StudyResults, step: Step, model: str) -> Dot | None:
    group: SeedGroup | None = find(groups_on(study, step.corpus), model)
    value = measured(study, step, model)
    if group is None or value is None:
        return None
    paper = paper_value("productivity", model, "productivity") if step.corpus in as_published(study) else None
    sd = None if value.sd is None else 100 * value.sd
    return Dot(step.label, 100 * value.mean, sd, group.colour, paper.mean if paper else None)


def _range(study: StudyResults, found: list[Step]) -> tuple[float, float]:
    """Return one range for both panels, with room for the numbers."""
    values = [100 * value.mean for step in found for model in study.settings["pair"] if (value := measured(study, step, model))]
    return min([45.0, *(value - 5 for value in values)]), max([85.0, *(value + 8 for value in values)])


def chain_family(study: StudyResults) -> Family:
    """Return the comparisons of the second model of the pair: the last corpus with the first, each step with that before."""
    model = study.settings["pair"][1]
    found = [(step, value) for step in steps(study) if (value := measured(study, step, model))]
    along = [(step, value) for step, value in found if step.corpus in study.settings["chain"]]
    compared = {ENDS: [(_ends(found), found[0][1], found[-1][1])]} if len(found) > 1 else {}
    compared |= {
        step.label.removeprefix("+ "): [(step.corpus, before, after)] for (_, before), (step, after) in pairwise(along)
    }
    return Family("from the paper's data to fair data", compared)


def _ends(found: list[tuple[Step, Spread]]) -> str:
    texts = [f"{percent(value.mean)} ({step.label})" for step, value in (found[0], found[-1])]
    return f"from {texts[0]} to {texts[1]}"


def _title(study: StudyResults, family: Family) -> str:
    """Return how far the second model of the pair falls, and which leaks change its accuracy, as far as it is significant."""
    start = "From the paper's data to fair data"
    verbs = {Outcome.LOWER: "falls", Outcome.HIGHER: "rises"}
    model = model_name(study.settings["pair"][1])
    said = [f"{model} {verbs[one.outcome]} {one.where} at depth 8-19" for one in family[ENDS] if one.outcome in verbs]
    for outcome, verb in ((Outcome.LOWER, "lowers"), (Outcome.HIGHER, "raises")):
        if leaks := [
            f"“{one.what}” ({points(one.difference.mean)})" for one in family if one.what != ENDS and one.outcome is outcome
        ]:
            said.append(f"of the leaks, closing {enumeration(leaks)} {verb} it")
    return f"{start}: {'; '.join(said) or 'accuracy at depth 8-19'}"
