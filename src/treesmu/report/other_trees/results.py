"""TreeResults: the results of a study on one corpus of trees that are no equations."""

from __future__ import annotations

from treesmu.task_names import Measure

from ..folder import StudyResults
from ..runs import tested_depths

DEEPEST = 10**6


class TreeResults:
    """The results on one corpus. ``trained``: the depths, or numbers of operators, of training."""

    def __init__(self, study: StudyResults, corpus: str) -> None:
        self.corpus, self.trained = corpus, trained_depths(study, corpus)
        self.kind = str(study.corpora.get(corpus, {}).get("trees", ""))  # the generator, or a file
        self.groups = [group for group in study.groups if group.condition.corpus == corpus]
        self.depths = tested_depths(self.groups)

    @property
    def measure(self) -> Measure:
        """What its task is measured by."""
        return self.groups[0].runs[0].measure

    @property
    def deeper(self) -> tuple[int, int]:
        """All depths beyond those of training."""
        return self.trained[1] + 1, DEEPEST

    @property
    def has_deeper(self) -> bool:
        """Whether trees deeper than those of training are tested."""
        return any(depth > self.trained[1] for depth in self.depths)

    @property
    def trained_on(self) -> str:
        """The depths of training in words."""
        low, high = self.trained
        return f"{low}-{high} operators" if self.kind == "logic" else f"depth {low}-{high}" if low < high else f"depth {low}"

    @property
    def constant(self) -> str:
        """The name of the best constant answer."""
        return "most common class" if self.measure.is_share else "mean of the labels"

    def of_constant(self, low: int, high: int) -> float | None:
        """Return the measure of the best constant answer: the most common class of each depth, or the mean, whose R² is 0."""
        run = self.groups[0].runs[0]
        if not self.measure.is_share:
            return None if run.score(low, high) is None else 0.0
        some = [one for depth, one in run.test["by_depth"].items() if low <= int(depth) <= high]
        some = [one for one in some if one.get("majority") is not None]
        answers = [one.get("nodes", one["trees"]) for one in some]  # tags are those of nodes
        return sum(n * one["majority"] for n, one in zip(answers, some, strict=True)) / sum(answers) if some else None


def trained_depths(study: StudyResults, corpus: str) -> tuple[int, int]:
    """Return the depths of training: of a user's trees as they were found, else of the settings or their defaults."""
    given = study.corpora.get(corpus, {})
    defaults = {"listops": (1, 20), "logic": (1, 4), "arithmetic": (1, 6)}
    names = ("trained_depths", "train_depths", "train_operators")
    stated = next((given[name] for name in names if given.get(name)), None)
    low, high = stated or defaults.get(str(given.get("trees")), (1, 4))
    return int(low), int(high)
