"""Plans of trees hold the trees that were given, and sequences of them; deep and wide ones take linear work."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from treesmu.data import SequencePlan
from treesmu.data.tree_files.plan import plan_trees
from treesmu.data.tree_files.read import trees_in_memory
from treesmu.data.tree_files.reading import Reading

TREES = ["(f a b (g a))", "(f a b)", "(g (f b a))"]


def _plan(trees: list[Any], **options: Any) -> Any:
    table = trees_in_memory(trees)
    return table, plan_trees(table, Reading.learn(table, rare=1, **options))


def test_a_batch_is_the_trees_of_its_rows() -> None:
    _, plan = _plan(TREES)
    found = plan.corpus.batch([2, 0]).unbatch()
    assert found == [("g", ("f", ("b",), ("a",))), ("f", ("a",), ("b",), ("g", ("a",)))]


def test_every_node_of_the_table_has_its_node_in_the_plan() -> None:
    table, plan = _plan(TREES)
    forest = plan.corpus.batch(np.arange(3))
    labels = forest.labels
    at = np.searchsorted(forest.nodes, plan.node_of)
    assert [labels[i] for i in at] == [table.labels[token] for token in table.token]


def test_pairs_have_two_roots() -> None:
    table, plan = _plan([{"left": "(f a b)", "right": "a"}, {"left": "b", "right": "(g (f a b))"}])
    assert plan.corpus.batch([0, 1]).roots.shape == (2, 2)
    assert plan.node_of[table.starts[:-1]].tolist() == [-1, -1]


def test_sequences_have_parentheses_and_any_number_of_arguments() -> None:
    _, plan = _plan(TREES)
    found = [SequencePlan.from_plan(plan.corpus).text(row) for row in range(3)]
    assert found == [["f ( a , b , g ( a ) )"], ["f ( a , b )"], ["g ( f ( b , a ) )"]]


def test_numbers_are_standardised() -> None:
    table, plan = _plan([("f", i) for i in range(100)], numbers="values")
    values = plan.corpus.number[plan.node_of[table.arity == 0]]
    assert values.mean() == pytest.approx(0, abs=1e-9)
    assert values.std() == pytest.approx(1)


@pytest.mark.parametrize("shape", ["deep", "wide"])
def test_the_nodes_of_a_plan_grow_linearly_with_those_of_the_tree(shape: str) -> None:
    def entries(size: int) -> int:
        tree: Any = ("f", *["a", "b"] * (size // 2))
        if shape == "deep":
            tree = "a"
            for i in range(size):
                tree = ("f", tree, "ab"[i % 2])
        _, plan = _plan([tree])
        return int(plan.corpus.children.size + plan.corpus.batch([0]).children.size)

    assert entries(10_000) <= 11 * entries(1_000)
    assert entries(10_000) < 400_000
