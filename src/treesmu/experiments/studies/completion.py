"""Completion: how well a model that was trained to verify equations fills a blank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from treesmu.data import Blanks, Candidates, Dataset
from treesmu.data.corpus.new_blanks import make_blanks
from treesmu.generate.settings import BLANK_DEPTHS, CorpusSettings

from ..depth_range import DepthRange
from ..own_corpus import OwnCorpus
from ..probes.trained_model import load_trained
from ..study import Count, PlannedRun, Setup, Study


class Completion(Study):
    """Completion: can a model that was trained to verify equations of depth 1-7 fill a blank in deeper ones?

    Blanks: a leaf or an expression of height 1, taken out of a correct test equation of depth 8-13. Candidates: all
    expressions of height 0 and 1 from the vocabulary. The model scores every filled equation. The measures are top-1 and top-5
    accuracy by depth, for four ranks: *raw*, the rank of the filler that was taken out; *class*, of the best filler of equal
    value; *collapse*, of that value among all values; *true*, of the best filler that makes the equation numerically correct.
    The baseline is a prior that ranks fillers by their frequency in the training set and ignores the equation. The models rank
    by their logits alone, and by logit and prior together, with a weight that is fitted on blanks in validation equations.
    """

    name = "completion"
    title = "Completion"

    models: tuple[str, ...] = ("tree-rnn", "tree-lstm", "tree-smu")
    depths: DepthRange = (8, 13)
    blanks: Count = 700  # at most, of each depth: the first ones
    search: Count = 500  # fillers that are checked, the best first, until one is correct
    fitted_on: Count = 300  # blanks in validation equations, on which the weight of the prior is fitted

    def runs(self, setup: Setup) -> Iterator[PlannedRun]:
        yield from self.plan_runs(setup, self.models)

    def require(self, corpus: OwnCorpus, setup: Setup) -> None:
        super().require(corpus, setup)
        corpus.require_blanks(self.depths)

    def check_analysis(self, setup: Setup) -> None:
        for corpus in self.corpora:
            settings = setup.corpora[corpus]
            if isinstance(settings, CorpusSettings):
                low, high = max(self.depths[0], BLANK_DEPTHS[0]), min(self.depths[1], BLANK_DEPTHS[1])
                if low > high:
                    there_are = f"blanks are in equations of depth {BLANK_DEPTHS[0]}-{BLANK_DEPTHS[1]}"
                    raise ValueError(f"depths {list(self.depths)}, but {there_are}; change depths")
                setup.require_test_depths(corpus, (low, high))
                if not settings.blanks_per_depth:
                    raise ValueError(f"corpus {corpus!r} has no blanks; set blanks_per_depth of the corpus")

    def analyse(self, run: PlannedRun, folder: Path, corpora: Mapping[str, Path]) -> dict[str, Any]:
        """Return what ``evaluate_completion`` returns, as in a run's ``completion.json``.

        ``overall`` and ``by_depth``, each with ``blanks``, the ranks ``raw``, ``class``, ``collapse``, ``true`` by logits
        alone, and ``with_prior`` and ``prior`` with the same four. A rank has ``top`` (ten shares: top-1 to top-10), ``mrr``
        and the 95% intervals ``top_interval`` and ``mrr_interval``.
        """
        from treesmu.tasks.complete import evaluate_completion
        from treesmu.tasks.fit_prior import fit_prior

        corpus = corpora[run.corpus]
        model, candidates = load_trained(folder), Candidates.read(corpus)
        validation = Dataset.read(corpus, "validation").select(depths=run.settings.depths)
        fitted = make_blanks(validation, candidates, self.fitted_on, np.random.default_rng(run.settings.seed))
        model.prior = fit_prior(model, fitted, candidates).prior
        chosen = _first_of_each_depth(Blanks.read(corpus).select(self.depths), self.blanks)
        return evaluate_completion(model, chosen, candidates, search=self.search)[0]


def _first_of_each_depth(blanks: Blanks, count: int) -> Blanks:
    depth = blanks.depth
    keep = np.sort(np.concatenate([np.flatnonzero(depth == d)[:count] for d in sorted(set(depth.tolist()))]))
    return Blanks(
        blanks.source,
        tuple(blanks.equations[i] for i in keep.tolist()),
        tuple(blanks.paths[i] for i in keep.tolist()),
        blanks.row[keep],
    )
