"""As published: the paper's table on data like the paper's, transfer, and what is left of it on fair data."""

from __future__ import annotations

from functools import partial

from ..figures.palette import model_name
from ..folder import StudyResults
from ..paper import paper_value
from ..published.chain import chain_family, chain_figure, measured, steps
from ..published.lead import lead_family, lead_sentences, lead_table, leads, order_family, order_sentences
from ..published.seen_sides import sides_family, sides_sentences
from ..published.tables import gold_table, paper_table, recall, sides_table, trained_on, transfer_table
from ..published.tested import WAYS, accuracy, as_published, chosen_test, gold_test, groups_on, over_seeds
from ..published.transfer import transfer_family, transfer_sentences
from ..runs import find
from ..section import PRODUCTIVITY, SYSTEMATICITY, Part, Section
from ..text.sentences import percent


def section(study: StudyResults) -> Section:
    lead, order, chain = lead_family(study), order_family(study), chain_family(study)
    corpora, sides = transfer_family(study), sides_family(study)
    parts: list[Part] = [paper_table(study)] if as_published(study) else []
    if study.settings["chain"]:
        parts.append(chain_figure(study, chain))
    if leads(study, lead):
        parts.append(lead_table(study, lead))
    parts += [transfer_table(study)]
    if as_published(study):
        parts.append(sides_table(study))
    if test := gold_test(study):
        parts.append(gold_table(study, test))
    sentences = (
        *_beside_paper(study),
        *lead_sentences(study, lead),
        *order_sentences(study, order),
        *transfer_sentences(study, corpora),
        *_chain(study),
        *sides_sentences(study, sides),
        *_gold(study),
    )
    return Section(study, tuple(parts), sentences, (lead, order, chain, corpora, sides))


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


def _chain(study: StudyResults) -> list[str]:
    """Return the accuracies of the pair from the first corpus to the last."""
    sentences = []
    for model in reversed(study.settings["pair"]):
        found = [f"{step.label} {percent(value)}" for step in steps(study) if (value := measured(study, step, model))]
        if len(found) > 1:
            sentences.append(f"{model_name(model)} at depth 8-19, from the paper's data to fair data: {', '.join(found)}.")
    return sentences


def _gold(study: StudyResults) -> list[str]:
    """Return the share of the gold equations that the second model of the pair calls correct, by training corpus."""
    test, model = gold_test(study), study.settings["pair"][1]
    groups = {name: find(some, model) for name, some in trained_on(study).items()}
    value = partial(over_seeds, study, test=test, measure=recall)
    found = [f"{percent(share)} ({name})" for name, group in groups.items() if group and (share := value(group))]
    what = f"Of the authors' equations that the numeric check confirms, {model_name(model)} calls correct"
    return [f"{what}, by training corpus: {', '.join(found)}."] if found else []
