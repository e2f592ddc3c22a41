"""What the sequence encoders compute, by their formulas, one side at a time."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, sin, sqrt
from typing import Any

import torch
from torch import Tensor

from sequence_encoders import TEXTS, VOCAB
from treesmu.data.trees import sequence_batch


def tree_of(words: list[str]) -> tuple[tuple[Any, ...], list[str]]:
    """A nested tuple of the first tree, and the words after it."""
    head, words = words[0], words[1:]
    children = []
    for _ in range(VOCAB.arity(head) if head in VOCAB.functions else 0):
        child, words = tree_of(words)
        children.append(child)
    return (head, *children), words


def in_parentheses(tree: tuple[Any, ...]) -> list[str]:
    if not tree[1:]:
        return [tree[0]]
    inside = [word for child in tree[1:] for word in [*in_parentheses(child), ","]]
    return [tree[0], "(", *inside[:-1], ")"]


def with_paths(tree: tuple[Any, ...], path: tuple[int, ...] = ()) -> list[tuple[str, tuple[int, ...]]]:
    return [(tree[0], path), *(found for k, child in enumerate(tree[1:]) for found in with_paths(child, (k, *path)))]


def vector(encoder: Any, word: str) -> Tensor:
    names = sequence_batch.token_names(VOCAB, encoder.form)
    if word in names:
        row: Tensor = encoder.embedding.weight[names.index(word)]
        return row
    state: Tensor = encoder.numbers(torch.tensor([float(word)], dtype=torch.float64))[0]
    return state


def plain_lstm(encoder: Any, tree: tuple[Any, ...]) -> Tensor:
    inputs = [vector(encoder, word) for word in in_parentheses(tree)]
    for layer in range(encoder.layers):
        w, u, b, d = (getattr(encoder.lstm, f"{kind}_l{layer}") for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
        h = c = torch.zeros(encoder.hidden, dtype=torch.float64)
        states = []
        for x in inputs:
            i, f, g, o = (w @ x + u @ h + b + d).chunk(4)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            states.append(h)
        inputs = states
    return inputs[-1]


def plain_transformer(encoder: Any, tree: tuple[Any, ...]) -> Tensor:
    if encoder.form == "tree":
        x = torch.stack([vector(encoder, word) + tree_position(encoder, path) for word, path in with_paths(tree)])
    else:
        x = torch.stack([vector(encoder, word) + wave(encoder.hidden, i) for i, word in enumerate(in_parentheses(tree))])
    for layer in encoder.transformer.layers:
        x = layer.norm1(x + attention(layer.self_attn, x))
        x = layer.norm2(x + layer.linear2(layer.linear1(x).relu()))
    state: Tensor = x[0] / sqrt(encoder.hidden)
    return state


def attention(weights: Any, x: Tensor) -> Tensor:
    q, k, v = ((x @ w.T + b).chunk(weights.num_heads, 1) for w, b in zip(*_thirds(weights), strict=True))
    heads = [(q_ @ k_.T / sqrt(q_.shape[1])).softmax(1) @ v_ for q_, k_, v_ in zip(q, k, v, strict=True)]
    out: Tensor = weights.out_proj(torch.cat(heads, 1))
    return out


def _thirds(weights: Any) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    """The weights and biases of q, k and v, which PyTorch keeps in one tensor."""
    return weights.in_proj_weight.chunk(3), weights.in_proj_bias.chunk(3)


def wave(hidden: int, place: int) -> Tensor:
    angles = [place / 10_000 ** (2 * (j // 2) / hidden) for j in range(hidden)]
    return torch.tensor([cos(a) if j % 2 else sin(a) for j, a in enumerate(angles)], dtype=torch.float64)


def tree_position(encoder: Any, path: tuple[int, ...]) -> Tensor:
    p = encoder.raw_decay.tanh()
    total = torch.zeros(encoder.hidden, dtype=torch.float64)
    for k, branch in enumerate(path[: encoder.depth]):
        total = total + p**k * encoder.projection.weight[:, k * encoder.arity + branch]
    return total * (1 - p**2).sqrt() * sqrt(encoder.hidden / 2)


def states_of(encoder: Any, plain: Callable[[Any, tuple[Any, ...]], Tensor]) -> Tensor:
    """The states of both sides of TEXTS, each computed by itself: (rows, 2, n)."""
    rows = []
    for text in TEXTS:
        left, rest = tree_of(text.split()[1:])
        rows.append(torch.stack([plain(encoder, left), plain(encoder, tree_of(rest)[0])]))
    return torch.stack(rows)
