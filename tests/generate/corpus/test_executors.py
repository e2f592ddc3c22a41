"""A corpus has the same rows with the same seed, on every executor."""

from __future__ import annotations

from functools import partial

import pytest

from generated import TINY
from small_corpus import generate_small
from treesmu.engine import open_executor
from treesmu.generate.corpus import generate_corpus
from treesmu.generate.settings import CorpusSettings
from treesmu.generate.splits import GeneratedCorpus


def content(corpus: GeneratedCorpus) -> dict[str, list[list[object]]]:
    return {name: split.rows.columns() for name, split in corpus.splits.items()}


def test_same_seed_same_rows_and_another_seed_others():
    first, again, other = (content(generate_small(**{**TINY, "seed": seed})) for seed in (8, 8, 9))
    assert first == again
    deep = [{p for p, depth in zip(rows["train"][0], rows["train"][3], strict=True) if depth >= 4} for rows in (first, other)]
    assert len(deep[0] & deep[1]) < 0.1 * len(deep[0])  # a few short ones occur in every corpus


def test_same_rows_for_any_number_of_jobs():
    with open_executor("local", 2) as executor:
        parallel = generate_corpus(CorpusSettings(**TINY), executor.in_order)
    alone = generate_small(**TINY)
    assert content(parallel) == content(alone)
    assert (parallel.proposed, parallel.undecided) == (alone.proposed, alone.undecided)


@pytest.mark.xdist_group("ray")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
def test_same_rows_on_ray(monkeypatch):
    ray = pytest.importorskip("ray")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setattr(ray, "init", partial(ray.init, _node_ip_address="127.0.0.1"))
    with open_executor("ray", 2) as executor:
        assert ray.is_initialized()
        on_ray = content(generate_corpus(CorpusSettings(**TINY), executor.in_order))
    assert not ray.is_initialized()  # the executor stops the Ray that it has started
    assert on_ray == content(generate_small(**TINY))
