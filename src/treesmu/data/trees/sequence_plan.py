"""SequencePlan: a corpus as token sequences, made once, from which batches are made by a few array operations.

A side of an equation (or a plain expression) is one sequence, and identical sides in the whole corpus are one sequence.
The two forms of ``Add x Mul y z``:

    parentheses     Add ( x , Mul ( y , z ) )
    tree            Add x Mul y z, and the position of each token in the tree: the branches from it up to the root

There is no Python loop over tokens or equations, and no recursion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from treesmu.expr import Expr

from .intern import NO_CHILD, Ints, Longs, distinct
from .node_arrays import TreeRows
from .plan import CorpusPlan
from .sequence_batch import Form, SequenceBatch, cut_chunks, mask_of, token_names
from .vocab import Vocab


@dataclass(frozen=True, slots=True, eq=False)
class SequencePlan(TreeRows):
    """The distinct sides of a corpus as sequences of token ids, concatenated in one array."""

    vocab: Vocab
    form: Form
    decimals: tuple[str, ...]  # len(names) + k is the id of decimals[k]
    numbers: NDArray[np.float64]  # (decimals,) their values
    roots: Ints  # (rows, 2) the sequences of the sides of equations, or (rows, 1) of plain expressions
    size: Ints  # (rows,) nodes of the tree, as in a CorpusPlan
    offsets: Longs  # (sequences + 1,) sequence i is tokens[offsets[i]:offsets[i+1]]
    tokens: Ints
    position: Ints  # (tokens,) for the form "tree", otherwise empty; 0 is the position of the root
    above: Ints  # (positions,) the position of the parent; that of the root is the root itself
    branch: Ints  # (positions,) which child of its parent; -1 for the root

    @classmethod
    def from_prefix(cls, texts: Any, vocab: Vocab, form: Form = "parentheses") -> SequencePlan:
        """Plan prefix strings such as ``Equality Add x 1 Add 1 x``: a pyarrow array of strings, or a list of them.

        All rows are equations, or none is. Errors are those of :meth:`CorpusPlan.from_prefix`.
        """
        return cls.from_plan(CorpusPlan.from_prefix(texts, vocab), form)

    @classmethod
    def from_exprs(cls, exprs: Iterable[Expr | str], vocab: Vocab, form: Form = "parentheses") -> SequencePlan:
        """Plan equations or other expressions, not both; strings are parsed. The plan is that of their prefix strings."""
        return cls.from_plan(CorpusPlan.from_exprs(exprs, vocab), form)

    @classmethod
    def from_plan(cls, corpus: CorpusPlan, form: Form = "parentheses") -> SequencePlan:
        """Make the sequences of a planned corpus."""
        if form not in get_args(Form):
            raise ValueError(f"unknown form of sequences {form!r}; known: {', '.join(get_args(Form))}")
        sides = distinct(corpus.roots.ravel())
        is_number = ~np.isnan(corpus.number)
        offsets, tokens = _tokens(corpus, sides, form)
        position, above, branch = _positions(corpus, sides, offsets) if form == "tree" else (tokens[:0],) * 3
        return cls(
            corpus.vocab,
            form,
            decimals=tuple(corpus.leaf_tokens[i] for i in np.flatnonzero(is_number)),
            numbers=corpus.number[is_number],
            roots=np.searchsorted(sides, corpus.roots).astype(np.int32),
            size=corpus.size,
            offsets=offsets,
            tokens=tokens,
            position=position,
            above=above,
            branch=branch,
        )

    def batch(self, rows: Sequence[int] | NDArray[np.integer[Any]], share: bool = True) -> SequenceBatch:
        """Return the sides of these rows, each distinct one once; with ``share=False`` as often as it occurs."""
        rows = self.existing_rows(rows)
        wanted = self.roots[rows].astype(np.int64)
        sides = distinct(wanted.ravel()) if share else wanted.ravel()
        order = np.argsort(self.offsets[sides] - self.offsets[sides + 1], kind="stable")  # the longest first
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        roots = place[np.searchsorted(sides, wanted)] if share else place.reshape(wanted.shape)
        return self._batch(sides[order], roots)

    def text(self, row: int) -> list[str]:
        """Return the tokens of each side of a row, separated by spaces."""
        names = (*token_names(self.vocab, self.form), *self.decimals)
        pieces = [self.tokens[self.offsets[i] : self.offsets[i + 1]].tolist() for i in self.roots[row]]
        return [" ".join(names[token] for token in piece) for piece in pieces]

    def _batch(self, sides: Longs, roots: Longs) -> SequenceBatch:
        begin, lengths = self.offsets[sides], self.offsets[sides + 1] - self.offsets[sides]
        is_token = mask_of(lengths)
        places = (begin[:, None] + np.arange(is_token.shape[1]))[is_token]
        tokens, positions, paths = np.zeros(is_token.shape, np.int64), None, None
        tokens[is_token], numbers = self._read(places)
        if self.form == "tree":
            used = distinct(self.position[places])
            positions, paths = np.zeros(is_token.shape, np.int64), self._paths(used)
            positions[is_token] = np.searchsorted(used, self.position[places])
        return SequenceBatch(self.vocab, self.form, tokens, lengths, numbers, roots, positions, paths, cut_chunks(lengths))

    def _read(self, places: Longs) -> tuple[Longs, NDArray[np.float64]]:
        """Return token ids in which the decimals of the batch are numbered from 0, and the values of these decimals."""
        tokens, first = self.tokens[places].astype(np.int64), len(token_names(self.vocab, self.form))
        is_number = tokens >= first
        used = distinct(tokens[is_number])
        tokens[is_number] = first + np.searchsorted(used, tokens[is_number])
        return tokens, self.numbers[used - first]

    def _paths(self, positions: Ints) -> Ints:
        """Return the branches from each position up to the root, (positions, deepest)."""
        columns = []
        while positions.any():  # 0 is the root
            columns.append(self.branch[positions])
            positions = self.above[positions]
        return np.stack(columns, axis=1) if columns else np.zeros((len(positions), 0), np.int32)


# -- from trees to sequences ---------------------------------------------------------------------------------------------


def _tokens(corpus: CorpusPlan, sides: Ints, form: Form) -> tuple[Longs, Ints]:
    """Return where the sequence of each side starts (sides + 1,), and the tokens of all sequences (tokens,)."""
    names, signs = token_names(corpus.vocab, form), form == "parentheses"
    opening, comma, closing = range(len(names) - 3, len(names))
    token, length = _node_tokens(corpus, len(names)), _lengths(corpus, signs)
    offsets = np.append(0, np.cumsum(length[sides]))
    tokens = np.full(offsets[-1], comma, np.int32)  # everything that is not overwritten below is a comma
    for node, place, _, _ in _generations(corpus.children, length, sides, offsets[:-1], signs):
        tokens[place] = token[node]
        if signs:
            inner = length[node] > 1
            tokens[place[inner] + 1] = opening
            tokens[place[inner] + length[node[inner]] - 1] = closing
    return offsets, tokens


def _positions(corpus: CorpusPlan, sides: Ints, offsets: Longs) -> tuple[Ints, Ints, Ints]:
    """Return the position of every token of the form "tree" (tokens,), and the parent and the branch of each position."""
    width = corpus.children.shape[1]
    position = np.zeros(offsets[-1], np.int32)
    above, branches = [np.zeros(1, np.int64)], [np.full(1, NO_CHILD, np.int64)]
    here, count = np.zeros(len(sides), np.int64), 1
    generations = _generations(corpus.children, _lengths(corpus, False), sides, offsets[:-1], False)
    for _, place, parent, branch in generations:
        if branch.size:  # not the roots
            key = here[parent] * width + branch
            found = distinct(key)
            here = count + np.searchsorted(found, key)
            count += len(found)
            above.append(found // width)
            branches.append(found % width)
        position[place] = here
    return position, np.concatenate(above).astype(np.int32), np.concatenate(branches).astype(np.int32)


def _generations(children: Ints, length: Longs, nodes: Ints, places: Longs, signs: bool) -> Iterator[tuple[Any, ...]]:
    """Yield one generation of nodes after the other, from the roots downwards.

    Each is a tuple: the nodes, where the sequence of each starts, the place of its parent in the generation before, and which
    child of the parent it is. The last two are empty for the roots.
    """
    parent = branch = np.zeros(0, np.int64)
    while nodes.size:
        yield nodes, places, parent, branch
        below = children[nodes]  # (m, max_arity)
        parent, branch = np.nonzero(below >= 0)
        taken = np.where(below >= 0, length[below] + signs, 0)  # a comma or the closing sign follows each argument
        starts = places[:, None] + 1 + signs + np.cumsum(taken, axis=1) - taken
        nodes, places = below[parent, branch], starts[parent, branch]


def _node_tokens(corpus: CorpusPlan, first_number: int) -> Ints:
    """Return the token id of each node, (nodes,)."""
    is_number = ~np.isnan(corpus.number)
    leaves = corpus.leaf + len(corpus.vocab.functions)
    leaves[is_number] = first_number + np.arange(np.count_nonzero(is_number))
    inner = np.repeat(corpus.groups[:, 1], corpus.groups[:, 3] - corpus.groups[:, 2])
    return np.concatenate([leaves, inner]).astype(np.int32)


def _lengths(corpus: CorpusPlan, signs: bool) -> Longs:
    """Return the number of tokens in the sequence of each node, (nodes,)."""
    length = np.ones(len(corpus.children), np.int64)
    for _, function, start, stop in corpus.groups.tolist():  # children first
        below = corpus.children[start:stop, : corpus.vocab.arities[function]]
        is_there = below >= 0  # a variadic function may have fewer arguments than its arity
        length[start:stop] += np.where(is_there, length[below], 0).sum(axis=1) + signs * (is_there.sum(axis=1) + 1)
    return length
