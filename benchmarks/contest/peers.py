"""The peers in PyTorch: (c) pytorch-tree-lstm from PyPI, (e) nn.TransformerEncoder batched by length."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from treesmu.expr import Expr

from .contestant import InTorch, Rows
from .equations import Equations

HEADS = {50: 2, 100: 4}  # even, because PyTorch's fast path for inference needs it
LAYERS = 2


class ChildSum(nn.Module):
    """``treelstm.TreeLSTM``: child-sum, the same weights for all functions; the input of a node is its label."""

    def __init__(self, words: int, hidden: int) -> None:
        super().__init__()
        from treelstm import TreeLSTM

        self.embedding = nn.Embedding(words, hidden)
        self.cell = TreeLSTM(hidden, hidden)
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, batch: list[dict[str, Tensor]]) -> Tensor:
        from treelstm import batch_tree_input

        together = batch_tree_input(batch)
        features = self.embedding(together["features"])
        h, _ = self.cell(features, together["node_order"], together["adjacency_list"], together["edge_order"])
        starts = np.cumsum([0, *together["tree_sizes"][:-1]])
        left = h[torch.from_numpy(starts)]
        right = h[torch.from_numpy(starts + [int(tree["right"]) for tree in batch])]
        return torch.linalg.vecdot(left, right) + self.bias


class PackageTreeLSTM(InTorch):
    """The two sides of an equation are one 'tree' of the package, with two roots; its orders are computed once per data set."""

    name = "(c) pytorch-tree-lstm"
    install = "pip install --no-deps pytorch-tree-lstm==0.1.3"

    def __init__(self, equations: Equations, hidden: int) -> None:
        self.words = {word: i for i, word in enumerate([*equations.vocab.functions, *equations.vocab.leaves])}
        super().__init__(equations, ChildSum(len(self.words), hidden))
        self.known: dict[int, dict[str, Any]] = {}

    def prepare(self, rows: Rows) -> list[dict[str, Any]]:
        for row in rows.tolist():
            if row not in self.known:
                self.known[row] = self._tree(self.equations.expr(row))
        return [self.known[row] for row in rows.tolist()]

    def _tree(self, e: Expr) -> dict[str, Any]:
        from treelstm import calculate_evaluation_orders

        nodes = [*e.left.preorder(), *e.right.preorder()]
        edges, open_ = [], []  # a node's parent is the last one that still has arguments to come
        for place, node in enumerate(nodes):
            if open_:
                edges.append((open_[-1][0], place))
                open_[-1][1] -= 1
                while open_ and not open_[-1][1]:
                    open_.pop()
            if node.children:
                open_.append([place, len(node.children)])
        adjacency = np.array(sorted(edges), np.int64).reshape(-1, 2)
        node_order, edge_order = calculate_evaluation_orders(adjacency, len(nodes))
        tensors = {"adjacency_list": adjacency, "node_order": node_order, "edge_order": edge_order}
        features = torch.tensor([self.words[node.token] for node in nodes])
        return {name: torch.from_numpy(t) for name, t in tensors.items()} | {"features": features, "right": e.left.size}


class SequenceEncoder(nn.Module):
    def __init__(self, words: int, hidden: int, longest: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, hidden, padding_idx=0)
        layer = nn.TransformerEncoderLayer(hidden, HEADS[hidden], 4 * hidden, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, LAYERS)
        self.bias = nn.Parameter(torch.zeros(1))
        place = torch.arange(longest).unsqueeze(1) * torch.exp(torch.arange(0, hidden, 2) * (-math.log(1e4) / hidden))
        self.places = torch.stack([place.sin(), place.cos()], dim=2).flatten(1)  # (longest, n)

    def forward(self, sides: list[Tensor]) -> Tensor:
        """Return logits (rows,) from the token ids of all left sides followed by those of all right sides."""
        tokens = nn.utils.rnn.pad_sequence(sides, batch_first=True)  # (2·rows, length)
        absent = tokens == 0
        x = self.encoder(self.embedding(tokens) + self.places[: tokens.shape[1]], src_key_padding_mask=absent)
        if x.shape[1] < tokens.shape[1]:  # the fast path truncates to the longest
            absent = absent[:, : x.shape[1]]
        mean = x.masked_fill(absent.unsqueeze(2), 0).sum(1) / (~absent).sum(1, keepdim=True)
        left, right = mean.chunk(2)
        return torch.linalg.vecdot(left, right) + self.bias


class Transformer(InTorch):
    """Each side is a sequence of its tokens, in prefix order: `Add x sin y`, or with parentheses: `Add ( x , sin ( y ) )`."""

    def __init__(self, equations: Equations, hidden: int, parentheses: bool) -> None:
        self.name = "(e) Transformer" + (", ( )" if parentheses else ", prefix")
        self.parentheses = parentheses
        words = ["", "(", ")", ",", *equations.vocab.functions, *equations.vocab.leaves]
        self.words = {word: i for i, word in enumerate(words)}
        longest = int(equations.nodes.max()) * (4 if parentheses else 1)
        super().__init__(equations, SequenceEncoder(len(words), hidden, longest))
        self.known: dict[int, tuple[Tensor, Tensor]] = {}

    def batches(self, rows: Rows, size: int) -> list[Rows]:
        """Return batches of equations of similar length, in random order."""
        length = [max(map(len, self._sides(row))) for row in rows.tolist()]
        found = super().batches(rows[np.argsort(length, kind="stable")], size)
        return [found[i] for i in np.random.default_rng(1).permutation(len(found))]

    def prepare(self, rows: Rows) -> list[Tensor]:
        lefts, rights = zip(*(self._sides(row) for row in rows.tolist()), strict=True)
        return [*lefts, *rights]

    def _sides(self, row: int) -> tuple[Tensor, Tensor]:
        if row not in self.known:
            e = self.equations.expr(row)
            self.known[row] = self._ids(e.left), self._ids(e.right)
        return self.known[row]

    def _ids(self, e: Expr) -> Tensor:
        tokens = [node.token for node in e.preorder()] if not self.parentheses else list(_with_parentheses(e))
        return torch.tensor([self.words[token] for token in tokens])


def _with_parentheses(e: Expr) -> Any:
    yield e.token
    for i, child in enumerate(e.children):
        yield "," if i else "("
        yield from _with_parentheses(child)
    if e.children:
        yield ")"
