"""Token sequences and tree positions agree with a plain recursive definition, in the plan and in batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nested import Tree, chain, trees_with, words
from treesmu.data import CorpusPlan, DataError, SequenceBatch, SequencePlan, Vocab
from treesmu.data.trees.sequence_batch import Form, token_names

FUNCTIONS = {"five": 5, "neg": 1, "pair": 2, "not": 1, "three": 3}
LEAVES = ("a", "b", "c")
VOCAB = Vocab(tuple(FUNCTIONS), tuple(FUNCTIONS.values()), LEAVES, "Equality", numbers=True)
FORMS: tuple[Form, ...] = ("parentheses", "tree")

trees = trees_with(FUNCTIONS, st.sampled_from([(label,) for label in (*LEAVES, "0.5", "0.50", "-2.25")]))
equations = st.lists(st.tuples(st.just("Equality"), trees, trees), min_size=1, max_size=8)
corpora = st.one_of(st.lists(trees, min_size=1, max_size=8), equations)
forms = st.sampled_from(FORMS)


def plan_of(corpus: list[Tree], form: Form) -> SequencePlan:
    return SequencePlan.from_prefix([" ".join(words(tree)) for tree in corpus], VOCAB, form)


def sides_of(tree: Tree) -> tuple[Tree, ...]:
    return tree[1:] if tree[0] == "Equality" else (tree,)


def in_parentheses(tree: Tree) -> str:
    """Return the tokens of a tree with parentheses and commas, by recursion."""
    return f"{tree[0]} ( {' , '.join(map(in_parentheses, tree[1:]))} )" if tree[1:] else tree[0]


def paths_of(tree: Tree, path: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
    """Return, for every node in preorder, the branches from it up to the root."""
    return [path, *(p for k, child in enumerate(tree[1:]) for p in paths_of(child, (k, *path)))]


def ids_of(tree: Tree, form: Form) -> list[int | float]:
    """Return token ids; a decimal is its value, as a float."""
    names = token_names(VOCAB, form)
    text = in_parentheses(tree) if form == "parentheses" else " ".join(words(tree))
    return [names.index(word) if word in names else float(word) for word in text.split()]


def read(batch: SequenceBatch, sequence: int) -> list[int | float]:
    """Return a sequence of a batch in the form of ``ids_of``."""
    tokens = batch.tokens[sequence, : batch.lengths[sequence]].tolist()
    first = len(token_names(VOCAB, batch.form))
    return [float(batch.numbers[t - first]) if t >= first else t for t in tokens]


# -- plans -------------------------------------------------------------------------------------------------------------


@settings(max_examples=50)  # a list of trees each
@given(corpora)
def test_tokens_read_back_to_the_tree(corpus: list[Tree]) -> None:
    plain, signed = plan_of(corpus, "tree"), plan_of(corpus, "parentheses")
    for row, tree in enumerate(corpus):
        assert plain.text(row) == [" ".join(words(side)) for side in sides_of(tree)]
        assert signed.text(row) == [in_parentheses(side) for side in sides_of(tree)]


def test_the_forms_of_an_equation() -> None:
    text = ["Equality Add x Mul y sin 0.7 pi"]
    assert SequencePlan.from_prefix(text, Vocab.default()).text(0) == ["Add ( x , Mul ( y , sin ( 0.7 ) ) )", "pi"]
    assert SequencePlan.from_prefix(text, Vocab.default(), "tree").text(0) == ["Add x Mul y sin 0.7", "pi"]


def test_distinct_sides_of_the_corpus_are_planned_once() -> None:
    plan = plan_of([("Equality", ("neg", ("a",)), ("b",)), ("Equality", ("b",), ("neg", ("a",)))], "parentheses")
    assert len(plan.offsets) - 1 == 2
    assert plan.roots.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("form", FORMS)
def test_a_deep_chain_needs_no_recursion(form: Form) -> None:
    batch = SequencePlan.from_prefix(["neg " * 3_000 + "a"], VOCAB, form).batch([0])
    assert batch.lengths.tolist() == [3_001 if form == "tree" else 9_001]
    if batch.paths is not None:
        assert (batch.paths >= 0).sum(axis=1).tolist() == list(range(3_001))


@pytest.mark.parametrize(
    "texts",
    [
        ["Equality a b", "Equality a d"],
        ["neg a", "pair a"],
        ["neg a", "neg a b"],
        ["neg a", "Equality a b"],
        ["Equality a b", "neg a"],
        ["neg Equality a b"],
        ["neg  a"],
        ["a", None],
        [],
    ],
)
@pytest.mark.parametrize("form", FORMS)
def test_errors_are_those_of_the_plan_of_trees(texts: list[Any], form: Form) -> None:
    with pytest.raises(DataError) as expected:
        CorpusPlan.from_prefix(texts, VOCAB)
    with pytest.raises(DataError) as found:
        SequencePlan.from_prefix(texts, VOCAB, form)
    assert str(found.value) == str(expected.value)


def test_an_unknown_form_is_named() -> None:
    with pytest.raises(ValueError, match="unknown form of sequences 'words'; known: parentheses, tree"):
        SequencePlan.from_prefix(["a"], VOCAB, "words")  # type: ignore[arg-type]


# -- batches -----------------------------------------------------------------------------------------------------------


@settings(max_examples=50)  # a list of trees each
@given(equations, forms, st.booleans(), st.data())
def test_a_batch_says_what_the_trees_say(corpus: list[Tree], form: Form, share: bool, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(corpus) - 1), max_size=6))
    batch = plan_of(corpus, form).batch(rows, share)
    assert len(batch) == len(rows)
    assert batch.is_equations
    for row, roots in zip(rows, batch.roots.tolist(), strict=True):
        assert [read(batch, root) for root in roots] == [ids_of(side, form) for side in sides_of(corpus[row])]
    sides = [side for row in rows for side in sides_of(corpus[row])]
    assert len(batch.lengths) == (len(set(sides)) if share else len(sides))
    assert batch.lengths.tolist() == sorted(batch.lengths.tolist(), reverse=True)
    assert batch.tokens.shape == (len(batch.lengths), max(batch.lengths, default=0))
    assert (batch.tokens[~batch.is_token] == 0).all()


@settings(max_examples=50)  # a list of trees each
@given(corpora, st.booleans())
def test_positions_are_those_of_a_recursive_walk(corpus: list[Tree], share: bool) -> None:
    batch = plan_of(corpus, "tree").batch(range(len(corpus)), share)
    assert batch.positions is not None
    assert batch.paths is not None
    assert len(np.unique(batch.paths, axis=0)) == len(batch.paths)
    for tree, roots in zip(corpus, batch.roots.tolist(), strict=True):
        for side, root in zip(sides_of(tree), roots, strict=True):
            found = batch.paths[batch.positions[root, : batch.lengths[root]]].tolist()
            wanted = paths_of(side)
            assert [tuple(k for k in path if k >= 0) for path in found] == wanted
            assert all(path == sorted(path, key=lambda k: k < 0) for path in found)  # -1 above the root only


def test_positions_worked_by_hand() -> None:
    batch = plan_of([("pair", ("neg", ("a",)), ("pair", ("b",), ("c",)))], "tree").batch([0])
    assert batch.positions is not None
    assert batch.paths is not None
    assert batch.paths[batch.positions[0]].tolist() == [
        [-1, -1],  # pair
        [0, -1],  # neg: the first child
        [0, 0],  # a: the first child of the first child
        [1, -1],  # pair
        [0, 1],  # b: the first child of the second child
        [1, 1],  # c
    ]
    assert plan_of([("a",)], "tree").batch([0]).paths.tolist() == [[]]  # type: ignore[union-attr]


def test_only_the_decimals_of_a_batch_are_in_it() -> None:
    plan = plan_of([("0.5",), ("neg", ("-2.25",)), ("pair", ("0.5",), ("0.50",))], "parentheses")
    assert plan.batch([1]).numbers.tolist() == [-2.25]
    assert plan.batch([0, 2]).numbers.tolist() == [0.5, 0.5]  # two spellings are two expressions
    assert plan.batch([]).numbers.tolist() == []


def test_padding_is_counted_in_the_chunks() -> None:
    plan = plan_of([chain("neg", 9, ("a",)), chain("neg", 7, ("a",)), chain("neg", 399, ("b",))], "tree")
    assert plan.batch([0, 1]).padding == 1 - 18 / 20
    assert plan.batch([0, 2]).padding == 0  # one is long, so each has a chunk of its own
    assert plan.batch([]).padding == 0


@pytest.mark.parametrize("form", FORMS)
def test_leaves_are_renamed_and_nothing_else(form: Form) -> None:
    plan = plan_of([("pair", ("neg", ("a",)), ("0.5",)), ("three", ("b",), ("c",), ("a",))], form)
    other = plan_of([("pair", ("neg", ("c",)), ("0.5",)), ("three", ("a",), ("b",), ("c",))], form)
    renamed = plan.batch([0, 1], share=False).renamed(np.array([2, 0, 1, 3]))
    expected = other.batch([0, 1], share=False)
    assert renamed.tokens.tolist() == expected.tokens.tolist()


def test_rows_that_are_not_there_are_named() -> None:
    with pytest.raises(IndexError, match="rows -1 to 5 are not in a corpus of 1"):
        plan_of([("a",)], "tree").batch([-1, 5])
