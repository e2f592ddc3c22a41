"""Trees for the tests of forests, and everything that a forest promises of its arrays."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from nested import Tree, height, subtrees, trees_with, variadic_trees
from treesmu.data import Forest, Vocab

FUNCTIONS = {"five": 5, "neg": 1, "pair": 2, "not": 1, "three": 3, "two": 2}  # arities out of order
LEAVES = ("a", "b", "3")
FIXED = Vocab(tuple(FUNCTIONS), tuple(FUNCTIONS.values()), LEAVES, "=", numbers=True)
ANY = Vocab(("MAX", "MIN", "f"), (5, 5, 5), LEAVES, "=", numbers=True, variadic=True)

spelled = st.sampled_from([("a",), "a", "b", ("b",), 3, "3", (3,), 0.5, "0.5", ("0.50",), -2.25])  # leaves, in every way
fixed = trees_with(FUNCTIONS, spelled)
variadic = variadic_trees("MAX MIN f", spelled)
kinds = st.sampled_from([(FIXED, fixed), (ANY, variadic)])
both_ways = pytest.mark.parametrize("share", [True, False])


def as_tuples(tree: Any) -> Tree:
    """Return the tree with every leaf as a tuple of one string."""
    return (tree[0] if len(tree) > 1 else str(tree[0]), *map(as_tuples, tree[1:])) if isinstance(tree, tuple) else (str(tree),)


def check_forest(forest: Forest, trees: list[Tree], share: bool) -> None:
    """Check everything that is promised of the arrays of a forest. trees: as tuples, without the equality of an equation."""
    vocab, leaves = forest.vocab, len(forest.leaf)
    assert forest.size == len(forest.nodes) == len(forest.children)
    assert (forest.children[:leaves] == -1).all()
    built: list[Tree] = [(forest.leaf_tokens[n],) for n in forest.nodes[:leaves]]
    for function, below in zip(forest.functions.tolist(), forest.children[leaves:].tolist(), strict=True):
        there = [child for child in below if child >= 0]
        assert below == there + [-1] * (len(below) - len(there))  # what is not there comes last
        assert max(there) < len(built)  # children come before parents
        assert len(there) == vocab.arities[function] or (vocab.variadic and 1 <= len(there) <= vocab.arities[function])
        built.append((vocab.functions[function], *(built[child] for child in there)))
    # The nodes are those of the trees.
    places = Counter(s for tree in trees for s in subtrees(tree))
    assert Counter(built) == (Counter(set(places)) if share else places)
    assert [built[root] for root in forest.roots.ravel()] == trees
    # Leaves have the vocabulary's ids, and decimals their values.
    tokens = [tree[0] for tree in built[:leaves]]
    assert forest.leaf.tolist() == [vocab.leaf_id(token) for token in tokens]
    wanted = [vocab.number_value(token) for token in tokens]
    np.testing.assert_array_equal(forest.number, [np.nan if value is None else value for value in wanted])
    # Groups and levels cover the inner nodes, by height and then by function, hence by arity.
    assert [(h, f) for h, f, _, _ in forest.groups.tolist()] == sorted({(h, f) for h, f, _, _ in forest.groups.tolist()})
    assert [n for _, _, start, stop in forest.groups.tolist() for n in range(start, stop)] == list(range(leaves, forest.size))
    for h, f, start, stop in forest.groups.tolist():
        assert {(height(tree), tree[0]) for tree in built[start:stop]} == {(h, vocab.functions[f])}
    assert [n for _, start, stop in forest.levels.tolist() for n in range(start, stop)] == list(range(leaves, forest.size))
    for h, start, stop in forest.levels.tolist():
        assert {height(tree) for tree in built[start:stop]} == {h}
        arities = [vocab.arities[f] for f in forest.functions[start - leaves : stop - leaves]]
        assert arities == sorted(arities)
    # Preorder lists the node of every occurrence.
    assert [built[node] for node in forest.preorder()] == [s for tree in trees for s in subtrees(tree)]
