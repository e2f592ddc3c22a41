"""Corpora made by pools: sizes and shares as in the paper, other settings for the test, leaks that can be closed."""

from __future__ import annotations

from collections import Counter

import pytest

from generated import everything
from small_corpus import generate_small
from treesmu.engine import open_executor
from treesmu.expr.sides import split_sides
from treesmu.generate.corpus import generate_corpus
from treesmu.generate.pools.fill import pool_settings
from treesmu.generate.settings import corpus_settings, row_quotas
from treesmu.generate.splits import GeneratedCorpus

PUBLISHED = {
    **{"way": "pools", "labels": "derived", "families": (), "negatives": ("mutation",), "test_negatives": ("mutation",)},
    **{"train_size": 300, "validation_size": 50, "correct_share": 0.56, "shallow_share": 0.65, "depths": (1, 9)},
    **{"test_depths": (1, 10), "per_depth": 20, "test_pool_size": 300, "pool_size": 200},
}


@pytest.fixture(scope="module")
def published() -> GeneratedCorpus:
    return generate_small(**PUBLISHED)


def test_sizes_and_shares_are_met(published):
    for name, size in (("train", 300), ("validation", 50)):
        rows = published.splits[name].rows
        assert len(rows) == size
        assert sum(rows.label) == pytest.approx(0.56 * size, abs=3)
        assert sum(d <= 7 for d in rows.depth) == pytest.approx(0.65 * size, abs=3)
        assert max(rows.depth) == 9


def test_the_test_set_has_as_many_of_each_label_at_every_depth_that_has_enough(published):
    counts = Counter(zip(published.splits["test"].rows.depth, published.splits["test"].rows.label, strict=True))
    assert all(counts[d, label] == 10 for d in range(3, 11) for label in (0, 1))
    assert counts[1, 1] + counts[1, 0] < 20


def test_no_equation_is_in_two_splits_and_no_pool_either(published):
    texts = [text for _, rows in everything(published) for text in rows.prefix]
    assert len(set(texts)) == len(texts)
    chains = [set(rows.chain) for _, rows in everything(published)]
    assert len(set.union(*chains)) == sum(map(len, chains))


def test_same_rows_for_any_number_of_jobs(published):
    settings = published.settings
    with open_executor("local", 2) as executor:
        parallel = generate_corpus(settings, executor.in_order)
    for name, rows in everything(published):
        assert parallel.splits[name].rows.columns() == rows.columns()


def test_the_test_set_comes_from_other_settings():
    settings = corpus_settings("published")
    train, test = (pool_settings(settings, name).growth for name in ("train", "test"))
    assert (train.steps, train.seeks_depth) == (400, False)
    assert (test.steps, test.seeks_depth) == (5000, True)


def test_the_test_set_can_come_from_pools_like_those_of_training():
    settings = corpus_settings("published", test_pools="same", per_depth=100)
    assert pool_settings(settings, "test") == pool_settings(settings, "train")
    by_depth = Counter[int]()
    for (depth, _), rows in row_quotas(settings, "test", ("mutation",)).items():
        by_depth[depth] += rows
    assert sum(by_depth.values()) == 1900
    assert max(by_depth, key=by_depth.__getitem__) == 5
    assert by_depth[8] > 10 * by_depth[14] > 0


def test_every_leak_is_a_setting_of_its_own():
    settings = corpus_settings("published", closed=("lopsided", "padding"))
    found = pool_settings(settings, "train")
    assert not found.growth.is_lopsided
    assert not found.growth.has_padding
    assert found.has_all_functions
    assert not found.has_checked_labels
    settings = corpus_settings("published", closed=("functions",), labels="checked", wrong_causes=())
    found = pool_settings(settings, "train")
    assert found.growth.is_lopsided
    assert found.growth.has_padding
    assert not found.has_all_functions
    assert found.has_checked_labels
    assert found.growth.causes == ()


def test_sides_of_training_equations_can_be_kept_out_of_the_test(published):
    def seen(corpus: GeneratedCorpus) -> float:
        known = {side for p in corpus.splits["train"].rows.prefix for side in split_sides(p)}
        rows = corpus.splits["test"].rows
        return sum(not known.isdisjoint(split_sides(p)) for p in rows.prefix) / len(rows)

    assert seen(published) > 0.5
    assert seen(generate_small(**{**PUBLISHED, "closed": ("seen-sides",), "per_depth": 8})) == 0
