"""The plan of a corpus equals a plain recursive reading of it, for any trees and any size of the pieces."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nested import Tree, height, subtrees, trees_with, words
from treesmu.data import DataError
from treesmu.data.trees.forest import Forest
from treesmu.data.trees.plan import CorpusPlan
from treesmu.data.trees.vocab import Vocab
from treesmu.expr import from_prefix, parse

FUNCTIONS = {"five": 5, "neg": 1, "pair": 2, "not": 1, "three": 3, "two": 2, "wide": 20}  # arities out of order
LEAVES = ("a", "b", "c")
VOCAB = Vocab(tuple(FUNCTIONS), tuple(FUNCTIONS.values()), LEAVES, "Equality", numbers=True)
MATHS = Vocab.default()

leaves = st.sampled_from([(label,) for label in (*LEAVES, "0.5", "0.50", "-2.25")])
trees = trees_with({name: arity for name, arity in FUNCTIONS.items() if arity <= 5}, leaves)
corpora = st.lists(trees, min_size=1, max_size=12)


def texts(corpus: list[Tree]) -> list[str]:
    return [" ".join(words(tree)) for tree in corpus]


def trees_of(plan: CorpusPlan | Forest, vocab: Vocab, leaf_labels: list[str]) -> list[Tree]:
    """Return every node as a nested tuple, from groups and children; children must come before parents."""
    built: list[Tree] = [(label,) for label in leaf_labels]
    for level, function, start, stop in plan.groups.tolist():
        assert start == len(built) < stop
        for node in range(start, stop):
            children = [c for c in plan.children[node].tolist() if c >= 0]
            assert len(children) == vocab.arities[function]
            built.append((vocab.functions[function], *(built[c] for c in children)))
            assert height(built[-1]) == level
    assert (plan.children[: len(leaf_labels)] == -1).all()
    assert len(built) == len(plan.children)
    return built


def check_plan(plan: CorpusPlan, corpus: list[Tree]) -> list[Tree]:
    nodes = trees_of(plan, plan.vocab, list(plan.leaf_tokens))
    assert [plan.prefix(i) for i in range(len(plan))] == texts(corpus)
    assert plan.depth.tolist() == [height(tree) for tree in corpus]
    assert plan.size.tolist() == [len(words(tree)) for tree in corpus]
    inner = {s for tree in corpus for s in subtrees(tree) if s[0] != "Equality"}
    assert len(nodes) == len(set(nodes))
    assert set(nodes) == inner
    order = plan.groups[:, :2].tolist()
    assert order == sorted(order)
    for i, tree in enumerate(corpus):
        members = plan.members[plan.offsets[i] : plan.offsets[i + 1]].tolist()
        assert members == sorted(members)
        assert {nodes[m] for m in members} == set(subtrees(tree)) - {tree if plan.is_equations else None}
        assert len(set(members)) == len(members)
        sides = tree[1:] if plan.is_equations else (tree,)
        assert tuple(nodes[r] for r in plan.roots[i]) == sides
    return nodes


def check_batch(plan: CorpusPlan, nodes: list[Tree], rows: list[int], share: bool) -> None:
    batch = plan.batch(rows, share)
    labels = [nodes[n][0] for n in batch.nodes[: len(batch.leaf)]]
    built = trees_of(batch, plan.vocab, labels)
    wanted = Counter(s for row in rows for root in plan.roots[row] for s in subtrees(nodes[root]))
    assert Counter(built) == (Counter(set(wanted)) if share else wanted)
    assert built == [nodes[n] for n in batch.nodes]
    assert [[built[r] for r in roots] for roots in batch.roots] == [[nodes[r] for r in plan.roots[row]] for row in rows]
    assert np.isnan(batch.number).tolist() == [label in LEAVES for label in labels]
    assert batch.leaf.tolist() == [plan.vocab.leaf_id(label) for label in labels]
    levels = batch.levels.tolist()
    assert [n for _, start, stop in levels for n in range(start, stop)] == list(range(len(labels), len(built)))
    assert [h for h, _, _ in levels] == sorted({height(tree) for tree in built} - {0})


@settings(max_examples=50)  # a list of trees each
@given(corpora, st.integers(1, 200), st.data())
def test_plain_trees_are_planned_as_read_recursively(corpus: list[Tree], piece_bytes: int, data: st.DataObject) -> None:
    plan = CorpusPlan.from_prefix(texts(corpus), VOCAB, piece_bytes)
    assert not plan.is_equations
    nodes = check_plan(plan, corpus)
    rows = data.draw(st.lists(st.integers(0, len(corpus) - 1), max_size=6))
    check_batch(plan, nodes, rows, share=True)
    check_batch(plan, nodes, rows, share=False)


@settings(max_examples=50)  # a list of trees each
@given(st.lists(st.tuples(st.just("Equality"), trees, trees), min_size=1, max_size=8), st.integers(1, 200), st.data())
@example([("Equality", ("a",), ("a",))], 1, None)
def test_equations_are_planned_as_read_recursively(corpus: list[Tree], piece_bytes: int, data: Any) -> None:
    plan = CorpusPlan.from_prefix(texts(corpus), VOCAB, piece_bytes)
    assert plan.is_equations
    nodes = check_plan(plan, corpus)
    assert [nodes[n] for n in plan.left] == [tree[1] for tree in corpus]
    assert [nodes[n] for n in plan.right] == [tree[2] for tree in corpus]
    rows = data.draw(st.lists(st.integers(0, len(corpus) - 1), max_size=6)) if data else [0, 0]
    check_batch(plan, nodes, rows, share=True)
    check_batch(plan, nodes, rows, share=False)


@settings(max_examples=50)  # a list of trees each
@given(corpora, st.integers(1, 60))
def test_the_size_of_the_pieces_changes_nothing(corpus: list[Tree], piece_bytes: int) -> None:
    one, many = (CorpusPlan.from_prefix(texts(corpus), VOCAB, size) for size in (1 << 21, piece_bytes))
    assert one.leaf_tokens == many.leaf_tokens
    for name in ("leaf", "number", "groups", "children", "roots", "depth", "size", "offsets", "members"):
        np.testing.assert_array_equal(getattr(one, name), getattr(many, name))


def test_wide_functions_do_not_overflow_the_keys() -> None:
    rng = np.random.default_rng(1)
    pairs = [("pair", (a,), (b,)) for a in LEAVES for b in LEAVES]
    corpus: list[Tree] = [("wide", *(pairs[k] for k in rng.integers(0, len(pairs), 20))) for _ in range(30)]
    last_differs: list[Tree] = [(*corpus[0][:-1], pair) for pair in pairs]
    first_differs: list[Tree] = [("wide", pair, *corpus[0][2:]) for pair in pairs]
    corpus += last_differs + first_differs
    plan = CorpusPlan.from_prefix(texts(corpus), VOCAB, 500)
    check_batch(plan, check_plan(plan, corpus), [0, 3, 5], share=True)


def test_a_chain_5000_deep_and_a_comb_are_planned() -> None:
    chain = "Equality " + "neg " * 5000 + "a b"
    comb = "Equality " + "two " * 300 + "a " * 301 + "b"  # needs a stack of more than 8 bits
    plan = CorpusPlan.from_prefix([chain, comb, chain], VOCAB)
    assert plan.depth.tolist() == [5001, 301, 5001]
    assert [plan.prefix(i) for i in range(3)] == [chain, comb, chain]
    assert len(plan.batch([0, 1, 2]).levels) == 5000
    assert len(plan.batch([0, 1, 2]).nodes) == 2 + 5000 + 300
    assert len(plan.batch([0, 1, 2], share=False).nodes) == plan.size.sum() - 3


def test_real_equations_agree_with_expr() -> None:
    equations = [parse(t) for t in ("sin(x)^2 + cos(x)^2 = 1", "x + 1 = 1 + x", "2*sin(0.7) = sin(x)*x", "x = x")]
    rows = [" ".join(e.prefix()) for e in equations]
    plan = CorpusPlan.from_prefix(pa.chunked_array([rows[:1], rows[1:]]), MATHS)
    assert [plan.prefix(i) for i in range(4)] == rows
    assert [from_prefix(plan.prefix(i).split()) for i in range(4)] == equations
    assert plan.depth.tolist() == [e.depth for e in equations]
    assert plan.size.tolist() == [e.size for e in equations]
    assert np.diff(plan.offsets).tolist() == [len(e.subexpressions()) - 1 for e in equations]
    assert plan.number[plan.leaf == MATHS.number_id].tolist() == [0.7]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
def test_any_arrow_strings_are_read_also_from_a_slice(kind: pa.DataType) -> None:
    rows = pa.array(["broken two", "two a b", "a", "two a"]).cast(kind)[1:3]
    assert [CorpusPlan.from_prefix(rows, VOCAB).prefix(i) for i in range(2)] == ["two a b", "a"]


@pytest.mark.parametrize("piece_bytes", [1, 1 << 21])
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("Equality a", "row 2: a function lacks an argument"),
        ("Equality", "row 2: a function lacks an argument"),
        ("Equality two a b", "row 2: a function lacks an argument"),
        ("Equality a b c", "row 2: tokens are left over after the end of the tree"),
        ("Equality neg a b two a b", "row 2: tokens are left over"),
        (
            "Equality a sinus",
            "row 2: unknown leaf or function 'sinus'; known functions: neg, not, pair, two, three, five, wide; "
            "known leaves: a, b, c, decimals",
        ),
        ("Equality a  b", "row 2: an empty token; tokens are separated by single spaces"),
        ("Equality a b ", "row 2: an empty token"),
        ("", "row 2: an empty token"),
        ("two a b", "row 2: a plain tree among equations"),
        ("Equality neg Equality a b c", "row 2: an equation cannot be a part"),
        (None, r"row 2: nothing there \(null\)"),
    ],
)
def test_a_malformed_row_is_named(bad: str | None, message: str, piece_bytes: int) -> None:
    rows = ["Equality a b", "Equality two a b c", bad, "Equality b c"]
    with pytest.raises(ValueError, match=message):
        CorpusPlan.from_prefix(rows, VOCAB, piece_bytes)


def test_an_equation_among_plain_trees_an_empty_corpus_and_a_wrong_row_are_refused() -> None:
    with pytest.raises(ValueError, match="row 1: an equation among plain trees"):
        CorpusPlan.from_prefix(["a", "Equality a b"], VOCAB)
    with pytest.raises(ValueError, match="no rows"):
        CorpusPlan.from_prefix([], VOCAB)
    for row in (-1, 1):
        with pytest.raises(IndexError, match="a corpus of 1"):
            CorpusPlan.from_prefix(["a"], VOCAB).batch([row])


def test_a_batch_gives_its_trees_back() -> None:
    corpus = [("Equality", ("two", ("a",), ("0.5",)), ("neg", ("a",))), ("Equality", ("b",), ("neg", ("0.50",)))]
    plan = CorpusPlan.from_prefix(texts(corpus), VOCAB)
    for share in (True, False):
        assert plan.batch([1, 0, 1], share).unbatch() == [corpus[1], corpus[0], corpus[1]]
        assert plan.batch([], share).unbatch() == []


# -- extended by further rows ------------------------------------------------------------------------------------------


def assert_same_plan(one: CorpusPlan, other: CorpusPlan) -> None:
    assert (one.vocab, one.leaf_tokens) == (other.vocab, other.leaf_tokens)
    for name in ("leaf", "number", "groups", "children", "roots", "depth", "size", "offsets", "members"):
        found, expected = getattr(one, name), getattr(other, name)
        assert found.dtype == expected.dtype, name
        np.testing.assert_array_equal(found, expected, err_msg=name)


@settings(max_examples=50)  # a list of trees each
@given(corpora, corpora, st.integers(1, 60))
def test_an_extended_plan_is_that_of_all_rows_together(first: list[Tree], more: list[Tree], piece_bytes: int) -> None:
    start = CorpusPlan.from_prefix(texts(first), VOCAB)
    found = start.extended(texts(more), piece_bytes)
    assert_same_plan(found, CorpusPlan.from_prefix(texts([*first, *more]), VOCAB))
    nodes = start.nodes_in(found)
    assert (np.diff(nodes) > 0).all()
    assert found.roots[: len(start)].tolist() == nodes[start.roots].tolist()


def test_an_extension_is_refused_by_the_number_of_its_row() -> None:
    plan = CorpusPlan.from_prefix(["Equality Add x 1 y", "Equality x y"], MATHS)
    with pytest.raises(DataError, match=r"^row 3: unknown leaf or function 'theta'"):
        plan.extended(["Equality x x", "Equality theta x"])
    with pytest.raises(DataError, match=r"^row 2: a plain tree among equations"):
        plan.extended(["Add x y"])
