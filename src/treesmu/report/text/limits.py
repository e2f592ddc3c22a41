"""Limitations of a report: what is not finished, and what restricts its conclusions."""

from __future__ import annotations

from collections.abc import Iterator

from ..folder import Folder, StudyResults
from ..paper import PAPER_EPOCHS, PAPER_EQUATIONS
from ..runs import is_single_seed, is_too_small_for_trends, most_per_depth
from .sentences import quantity

FEW_EQUATIONS = 10_000  # of training


def describe_limits(folder: Folder) -> list[str]:
    """Return sentences; none if everything is finished and nothing restricts the results."""
    begun = [study for study in folder.studies if study.runs]
    sentences = [sentence for study in begun for sentence in _missing_in(study)]
    missing: dict[str, str] = folder.plan.get("missing", {})
    sentences += [f"Without the corpus {name}: {reason}." for name, reason in missing.items()]
    if waiting := [study.title for study in folder.studies if not study.runs]:
        sentences.append(f"Not run yet: {'; '.join(waiting)}.")
    if single := [study.title for study in begun if is_single_seed(study.groups)]:
        where = "every study" if len(single) == len(begun) > 1 else "; ".join(single)
        sentences.append(f"One seed only, so that differences may be due to chance: {where}.")
    if tested_little := [study for study in begun if is_too_small_for_trends(study.groups)]:
        most = max(most_per_depth(group) for study in tested_little for group in study.groups)
        noun = "equations" if any(run.task == "verify" for study in tested_little for run in study.runs) else "trees"
        sentences.append(f"At most {most:,} test {noun} per depth with one seed: no trend is claimed.")
    if fewer := _fewer_epochs(begun):
        sentences.append(f"Fewer epochs than the paper's {PAPER_EPOCHS}: {fewer}.")
    equations = [corpus for corpus, given in folder.corpora.items() if "trees" not in given]
    rows = {corpus: _largest_training_set(folder, corpus) for corpus in equations}
    if small := [f"{many:,} ({corpus})" for corpus, many in rows.items() if 0 < many < FEW_EQUATIONS]:
        paper = f"the paper has {PAPER_EQUATIONS:,}"
        sentences.append(f"Few training equations, so that models differ less than they could: {', '.join(small)}; {paper}.")
    return sentences


def _fewer_epochs(studies: list[StudyResults]) -> str:
    """Return the epochs by recipe; studies with the same numbers are named together."""
    titles: dict[str, list[str]] = {}
    for study in studies:
        trained = [run.training for run in study.runs if run.training["model"] != "majority"]
        trained = [settings for settings in trained if settings["recipe"] != "trees"]  # of which the paper says nothing
        epochs = {settings["recipe"]: settings["epochs"] for settings in trained}
        is_by_steps = study.name == "data_size"  # a fixed number of steps, not of epochs
        if not is_by_steps and any(number < PAPER_EPOCHS for number in epochs.values()):
            text = ", ".join(f"{number} (recipe {recipe})" for recipe, number in sorted(epochs.items()))
            titles.setdefault(text, []).append(study.title)
    return "; ".join(f"{text} in {', '.join(some)}" for text, some in titles.items())


def _largest_training_set(folder: Folder, corpus: str) -> int:
    return max((int(run.settings["rows"]) for run in folder.runs if run.name.startswith(f"{corpus}/")), default=0)


def _missing_in(study: StudyResults) -> Iterator[str]:
    yield from (f"{study.title}: left out, {line}." for line in study.left_out)
    if missing := study.missing_runs:
        yield f"{study.title}: {len(missing)} of {quantity(len(study.planned), 'run')} not finished, the first: {missing[0]}."
    waiting = [name for name in study.missing_analyses if name not in study.missing_runs]
    if waiting:
        yield f"{study.title}: {quantity(len(waiting), 'trained model')} not analysed yet, the first: {waiting[0]}."
