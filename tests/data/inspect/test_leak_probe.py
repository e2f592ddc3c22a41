"""A probe finds a leak that is there, and none where there is none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from treesmu.data import DataError
from treesmu.data.corpus.dataset import NO_CHAIN, Dataset
from treesmu.data.inspect.leak_probe import _held_out, pairs, probe_leaks
from treesmu.expr import Expr, leaf, node, op, parse


def random_tree(rng: np.random.Generator, depth: int, names: tuple[str, ...]) -> Expr:
    if depth == 0:
        return leaf(str(rng.choice(["x", "y", "1"])))
    function = op(str(rng.choice(names)))
    return node(function, *(random_tree(rng, depth - 1, names) for _ in range(function.arity)))


def corpus(seed: int, count: int, leak: str) -> Dataset:
    """Return equations of depth 2 to 5 with random labels, or with something in them that reveals the label."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(2, size=count).tolist()
    equations = []
    for label in labels:
        depth = int(rng.integers(1, 3)) + 2 * (label if leak == "depth" else int(rng.integers(2)))
        names = ("Add", "sin", "tan" if label and leak == "token" else "cos")
        left, right = (random_tree(rng, depth, names) for _ in range(2))
        if leak == "bigram":  # the same tokens for both labels
            left = parse(f"exp(log({left}, 2))" if label else f"log(exp({left}), 2)")
        equations.append(node(op("Equality"), left, right))
    return Dataset.of(equations, labels)


@pytest.mark.parametrize(("leak", "found"), [("", set()), ("token", {"tokens", "bigrams"}), ("bigram", {"bigrams"})])
def test_a_leak_is_found_by_the_probes_that_can_see_it(leak: str, found: set[str]) -> None:
    *_, last = probe_leaks(corpus(1, 1500, leak), corpus(2, 1500, leak)).records()
    assert (last["depth"], last["rows"]) == ("all", 1500)
    for name in ("tokens", "bigrams", "size, depth"):
        assert (last[name] > 0.8) == (name in found)
        assert name in found or last[name] < 0.58


def test_size_and_depth_are_a_leak_too() -> None:
    *_, last = probe_leaks(corpus(1, 800, "depth"), corpus(2, 800, "depth")).records()
    assert last["size, depth"] > 0.95


def test_figures_are_by_group_of_depth_beside_the_larger_class() -> None:
    rows = probe_leaks(corpus(1, 300, ""), corpus(2, 300, "")).records()
    assert [row["depth"] for row in rows] == ["1-3", "4-7", "all"]
    assert rows[0]["rows"] + rows[1]["rows"] == rows[2]["rows"] == 300
    assert all(0.5 <= row["larger class"] < 0.65 for row in rows)


def test_the_same_seed_gives_the_same_figures() -> None:
    train, test = corpus(1, 200, ""), corpus(2, 200, "")
    assert probe_leaks(train, test, seed=3) == probe_leaks(train, test, seed=3)


def test_no_label_of_the_test_set_has_a_part_in_what_is_reported() -> None:
    train, test = corpus(1, 200, ""), corpus(2, 60, "")
    rows, flipped = (probe_leaks(train, data).records() for data in (test, replace(test, label=1 - test.label)))
    for name in ("tokens", "bigrams", "size, depth"):  # the best of several would be more than half of both
        assert [row[name] for row in rows] == pytest.approx([1 - row[name] for row in flipped])


def test_what_is_held_out_is_a_fifth_in_whole_chains() -> None:
    data = corpus(1, 100, "")
    for chain in (data.chain, np.arange(100) // 4):
        fit, held = _held_out(replace(data, chain=chain), np.random.default_rng(0))
        assert (len(fit), len(held)) == (80, 20)
        assert sorted([*fit.row, *held.row]) == list(range(100))
        assert not {*fit.chain} & {*held.chain} - {NO_CHAIN}


def test_a_handful_of_rows_is_enough() -> None:
    few = Dataset.of([parse("x = x"), parse("x = y")], [1, 0])
    *_, last = probe_leaks(few, few).records()
    assert last["rows"] == 2


def test_bigrams_are_parents_with_children() -> None:
    e = parse("sin(x) + 1 = y")
    assert pairs(" ".join(e.prefix())) == ["Equality Add", "Add sin", "sin x", "Add 1", "Equality y"]


def test_one_label_alone_is_an_error() -> None:
    only = Dataset.of([parse("x = x")], [1])
    with pytest.raises(DataError, match="needs correct and incorrect equations"):
        probe_leaks(only, only)
