"""Generate the rows of a corpus, by chains or by pools.

Every shard has its own seed, and shards are used in a fixed order, so the same settings give the same rows for any number of
jobs.
"""

from __future__ import annotations

from .chains.fill import fill_splits as fill_with_chains
from .pools.fill import fill_splits as fill_with_pools
from .settings import CorpusSettings
from .splits import GeneratedCorpus, ProgressCallback, RunInOrder

_WAYS = {"chains": fill_with_chains, "pools": fill_with_pools}


def generate_corpus(settings: CorpusSettings, run: RunInOrder, progress: ProgressCallback = lambda *_: None) -> GeneratedCorpus:
    """Return a corpus whose splits meet their quotas, or have what can be found (there are few shallow equations)."""
    corpus = GeneratedCorpus(settings)
    _WAYS[settings.way](corpus, run, progress)
    return corpus
