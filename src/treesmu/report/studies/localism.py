"""Localism: the paper's second table, and accuracy by depth."""

from __future__ import annotations

from ..figures.accuracy import accuracy_by_depth
from ..figures.palette import model_name
from ..folder import StudyResults
from ..paper import paper_value
from ..runs import Measure, Pairs
from ..section import LOCALISM, Section, described_models
from ..statistics.family import Family
from ..text.claims import changes, title
from ..text.effects import cell_comparisons, compare
from ..text.paper_comparison import measures_table, paper_lead_sentence
from ..text.sentences import shares

TRAINED = (5, 13)
MEASURES: dict[str, Measure] = {
    "train": lambda group: group.score_on("train"),
    "validation": lambda group: group.score_on("validation"),
    "localism": lambda group: group.accuracy(*LOCALISM),
}


def section(study: StudyResults) -> Section:
    shallow, cells = Family("shallower than in training", _depths(study)), Family("localism of the cells", _cells(study))
    heading = title("Accuracy by depth, trained on depth 5-13", "accuracy on depth 1-4 (compared with depth 5-13)", shallow)
    figure = accuracy_by_depth(study.groups, "localism-by-depth", heading, TRAINED)
    caption = "Localism (test depth 1-4), trained on depth 5-13: accuracy"
    table = measures_table(study.groups, "localism", caption, MEASURES)
    return Section(study, (table, figure), (*_accuracies(study), *_leads(study, cells)), (shallow, cells))


def _depths(study: StudyResults) -> dict[str, Pairs]:
    """Return the accuracy of each trained model on new equations of the depths of training, and on shallower ones."""
    found: dict[str, Pairs] = {}
    for group in study.groups:
        deep, shallow = group.accuracy(*TRAINED), group.accuracy(*LOCALISM)
        if group.model != "majority" and deep and shallow:
            name = f"{model_name(group.model)}, depth 1-4 compared with depth 5-13"
            found.setdefault(name, []).append((group.condition, deep, shallow))
    return found


def _accuracies(study: StudyResults) -> list[str]:
    sentences = []
    for model in described_models(study):
        paper = paper_value("localism", model, "localism")
        comparison = f" The paper has {paper.mean:.1f}%." if paper else ""
        if found := study.under_conditions(model, MEASURES["localism"]):
            who = f"Trained on deep equations (5-13), {model_name(model)} has an accuracy on shallow ones (1-4)"
            sentences.append(f"{who} of {shares(found)}.{comparison}")
    return sentences


def _cells(study: StudyResults) -> dict[str, Pairs]:
    compared = [(old, new) for old, new in cell_comparisons(study.models) if old != "tree-rnn"]
    return {compare(old, new): study.pairs((old, None), (new, None), MEASURES["localism"]) for old, new in compared}


def _leads(study: StudyResults, cells: Family) -> list[str]:
    sentences = []
    for old, new in cell_comparisons(study.models):
        if tested := cells[compare(old, new)]:
            lead = paper_lead_sentence("localism", old) if new == "tree-smu" else ""
            sentences.append(f"{compare(old, new)}, localism: {changes(tested)}.{lead}")
    return sentences
