"""The plan has all nodes of a forest once, its levels in order, and every edge from both ends."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from samples import SAMPLES, compiles
from treesmu.data import Forest
from treesmu.models.compiled.forest_plan import (
    ARITY,
    CHILD,
    COUNT,
    FUNCTION,
    HIDDEN_START,
    I_SIZE,
    I_START,
    ORDER,
    PARENT_FUNCTION,
    PARENT_PLACE,
    PLACE,
    ROW,
    ROWS,
    Z_START,
    plan_forest,
)

pytestmark = compiles


@pytest.mark.parametrize("share", [True, False])
@pytest.mark.parametrize("vocab", SAMPLES)
def test_a_plan_has_every_node_and_every_edge(vocab: str, share: bool) -> None:
    known, trees = SAMPLES[vocab]
    forest = Forest.from_trees(trees, known, share)
    sizes = np.array([(arity, 10 + arity, arity, 3) for arity in known.arities])
    plan = plan_forest(forest, sizes)
    inner = forest.size - len(forest.leaf)
    rows, function_of, place_of = [], {}, {}
    for function, row, count, place in plan.groups.tolist():
        rows += range(row, row + count)
        for r in range(count):
            function_of[plan.leaves + row + r], place_of[plan.leaves + row + r] = function, place + r
    assert rows == list(range(inner))
    assert [function_of[plan.leaves + row] for row in range(inner)] == forest.functions.tolist()
    assert len({(function_of[node], place_of[node]) for node in function_of}) == inner
    heights = [forest.groups[first, 0] for first in plan.levels[:-1]]
    assert heights == sorted(set(forest.groups[:, 0].tolist()))

    nodes_of = {(function_of[node], place_of[node]): node for node in function_of}
    down, up = Counter[tuple[int, int, int]](), Counter[tuple[int, int, int]]()
    for node, function in function_of.items():
        for k, child in enumerate(plan.children[node, : known.arities[function]].tolist()):
            assert child == (forest.children[node, k] if forest.children[node, k] >= 0 else forest.size)
            if child < forest.size:
                down[node, k, child] += 1
    for child in range(forest.size):
        for edge in plan.parents[plan.parent_starts[child] : plan.parent_starts[child + 1]]:
            up[nodes_of[edge[PARENT_FUNCTION], edge[PARENT_PLACE]], int(edge[CHILD]), child] += 1
    assert up == down


def test_functions_follow_each_other_in_the_buffers() -> None:
    known, trees = SAMPLES["fixed"]
    forest = Forest.from_trees(trees, known)
    sizes = np.array([(arity, 10 + arity, arity, 3) for arity in known.arities])
    plan = plan_forest(forest, sizes)
    counts = np.bincount(forest.functions, minlength=len(sizes))
    assert plan.functions[:-1, COUNT].tolist() == counts.tolist()
    for column, size in (
        (ORDER, np.ones(len(sizes), int)),
        (I_START, sizes[:, I_SIZE]),
        (HIDDEN_START, sizes[:, 2]),
        (Z_START, sizes[:, 3]),
    ):
        assert plan.functions[:, column].tolist() == [0, *np.cumsum(counts * size).tolist()]
    for function, row, rows, place in plan.groups[:, [FUNCTION, ROW, ROWS, PLACE]].tolist():
        before = plan.groups[(plan.groups[:, FUNCTION] == function) & (plan.groups[:, ROW] < row)]
        assert place == before[:, ROWS].sum()
        assert rows > 0
    assert sizes[:, ARITY].tolist() == list(known.arities)
