"""Localism: the paper's second table, and accuracy by depth."""

from __future__ import annotations

from ..figures.accuracy import accuracy_by_depth
from ..figures.palette import model_name
from ..folder import StudyResults
from ..paper import paper_value
from ..runs import Measure, is_too_small_for_trends
from ..section import LOCALISM, Section, described_models
from ..text.effects import cell_comparisons
from ..text.paper_comparison import measures_table, paper_lead_sentence
from ..text.sentences import changes, shares

TRAINED = (5, 13)
MEASURES: dict[str, Measure] = {
    "train": lambda group: group.accuracy_on("train"),
    "validation": lambda group: group.accuracy_on("validation"),
    "localism": lambda group: group.accuracy(*LOCALISM),
}


def section(study: StudyResults) -> Section:
    figure = accuracy_by_depth(study.groups, "localism-by-depth", _title(study), TRAINED)
    caption = "Localism (test depth 1-4), trained on depth 5-13: accuracy"
    table = measures_table(study.groups, "localism", caption, MEASURES)
    return Section(study, (table, figure), (*_accuracies(study), *_leads(study)))


def _title(study: StudyResults) -> str:
    """Return how many models are less accurate on shallow equations than on deep ones."""
    both = [(group.accuracy(*LOCALISM), group.accuracy(*TRAINED)) for group in study.groups if group.model != "majority"]
    worse = [shallow.mean < deep.mean for shallow, deep in both if shallow and deep]
    if not worse or is_too_small_for_trends(study.groups):
        return "Accuracy by depth, trained on depth 5-13"
    return (
        f"Trained on depth 5-13: {sum(worse)} of {len(worse)} models are less accurate on shallower equations than on new "
        "equations of these depths"
    )


def _accuracies(study: StudyResults) -> list[str]:
    sentences = []
    for model in described_models(study):
        paper = paper_value("localism", model, "localism")
        comparison = f" The paper has {paper.mean:.1f}%." if paper else ""
        if found := study.under_conditions(model, MEASURES["localism"]):
            who = f"Trained on deep equations (5-13), {model_name(model)} has an accuracy on shallow ones (1-4)"
            sentences.append(f"{who} of {shares(found)}.{comparison}")
    return sentences


def _leads(study: StudyResults) -> list[str]:
    sentences = []
    for old, new in cell_comparisons(study.models):
        pairs = study.pairs((old, None), (new, None), MEASURES["localism"])
        if pairs and old != "tree-rnn":
            lead = paper_lead_sentence("localism", old) if new == "tree-smu" else ""
            sentences.append(f"{model_name(new)} compared with {model_name(old)}, localism: {changes(pairs)}.{lead}")
    return sentences
