"""Arrays of nodes: groups of one height and function, values of decimals, and copies for every occurrence."""

from __future__ import annotations

import numpy as np
import pytest

from treesmu.data import Vocab
from treesmu.data.trees.node_arrays import NodeArrays, TreeRows, unshare

VOCAB = Vocab(("neg", "two"), (1, 2), ("a", "b"), numbers=True)
# a, 0.5, neg a, two(0.5, a), two(neg a, neg a)
SYMBOL = np.array([2, 4, 0, 1, 1], np.int32)
CHILDREN = np.array([[-1, -1, 0, 1, 2], [-1, -1, -1, 0, 2]], np.int32)


def test_nodes_of_one_height_and_function_are_a_group() -> None:
    arrays = NodeArrays.from_symbols(VOCAB, SYMBOL, CHILDREN, np.array([0, 2, 4, 5]), ["a", "b", "0.5"])
    assert arrays.groups.tolist() == [[1, 0, 2, 3], [1, 1, 3, 4], [2, 1, 4, 5]]
    assert (arrays.leaf.tolist(), arrays.leaf_tokens) == ([0, VOCAB.number_id], ("a", "0.5"))
    np.testing.assert_array_equal(arrays.number, [np.nan, 0.5])
    assert arrays.children.tolist() == CHILDREN.T.tolist()


def test_every_occurrence_gets_a_copy_and_children_come_first() -> None:
    nodes, children, roots = unshare(CHILDREN.T, np.array([[4, 3]], np.int32))
    assert nodes.tolist() == [0, 0, 0, 1, 2, 2, 3, 4]  # two(neg a, neg a) and two(0.5, a)
    for copy, below in enumerate(children.tolist()):
        there = [child for child in below if child >= 0]
        assert nodes[there].tolist() == [child for child in CHILDREN.T[nodes[copy]].tolist() if child >= 0]
        assert all(child < copy for child in there)
    assert nodes[roots].tolist() == [[4, 3]]
    used = [child for below in children.tolist() for child in below if child >= 0]
    assert len(used) == len(set(used)) == 6


@pytest.mark.parametrize(("roots", "is_equations"), [([[0, 1], [2, 2], [1, 0]], True), ([[0], [1], [0]], False)])
def test_rows_have_one_root_or_the_two_of_an_equation(roots: list[list[int]], is_equations: bool) -> None:
    class Rows(TreeRows):
        """Has no slots, so it can be given roots."""

    rows = Rows()
    rows.roots = np.array(roots)
    assert (len(rows), rows.is_equations) == (3, is_equations)
    assert rows.existing_rows([2, 0, 2]).tolist() == [2, 0, 2]
    assert rows.existing_rows([]).tolist() == []
    for wrong in ([3], [0, -1]):
        with pytest.raises(IndexError, match=r"rows -?\d to \d are not in a corpus of 3"):
            rows.existing_rows(wrong)
