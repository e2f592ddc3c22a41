"""Try a user's model on a few small trees, so that a fault in its code is an error of one line before anything is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import torch
from torch import Tensor

from treesmu import registry
from treesmu.data import Forest, Vocab
from treesmu.errors import DataError, one_line

from .cells.base import Cell
from .forest.encoder import TreeEncoder
from .trees.tree_model import TreeModel
from .verifier import Verifier

Tree = str | tuple[Any, ...]  # a leaf, or a function with its children


def try_model(model: Verifier | TreeModel, with_gradients: bool = False) -> None:
    """Raise a DataError if a model that is not built in fails on small trees. Weights and random numbers stay as they are.

    with_gradients: also compute gradients, as training does.
    """
    encoder, vocab = model.encoder, model.vocab
    has_trees = vocab.leaves and (isinstance(encoder, TreeEncoder) or not vocab.variadic)  # which no prefix strings can show
    if model.name in registry.BUILT_IN or not has_trees:
        return
    buffers = [(buffer, buffer.clone()) for buffer in model.buffers()]
    devices = {weight.device for weight in model.parameters() if weight.device.type == "cuda"}
    try:
        with torch.random.fork_rng(devices=list(devices)), torch.set_grad_enabled(with_gradients):
            states = _states_by_steps(encoder) if isinstance(encoder, TreeEncoder) else _states_of_texts(model)
            _check_finite(states)
            if with_gradients and states.requires_grad:
                weights = [weight for weight in model.parameters() if weight.requires_grad]
                torch.autograd.grad(states.sum(), weights, allow_unused=True)
    except Exception as error:  # the code of a user can raise anything
        raise DataError(f"model {model.name!r}: {_describe(encoder, error)}") from error
    finally:
        for buffer, before in buffers:
            buffer.data.copy_(before)


def check_settings_are_plain(model: Verifier | TreeModel) -> None:
    """Raise a DataError if the settings of a model cannot be stored as JSON."""
    settings, owner = (model.build_arguments or {}).get("settings", {}), class_of_user(model.encoder).__name__
    if not isinstance(settings, dict):
        raise DataError(f"model {model.name!r}: {owner}.settings() returns {type(settings).__name__}, not a dict")
    for name, value in settings.items():
        try:
            json.dumps({name: value}, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise DataError(
                f"model {model.name!r}: the setting {name!r} of {owner} has the type {type(value).__name__}, which cannot be "
                f"stored: settings are plain JSON (finite numbers, text, true, false, null, lists); define {owner}.settings()"
            ) from error


def class_of_user(encoder: Any) -> type:
    """Return the class that is registered for a model: that of its cell, or of its encoder."""
    return type(encoder.cell if isinstance(encoder, TreeEncoder) else encoder)


# -- small trees -------------------------------------------------------------------------------------------------------


def _small_trees(vocab: Vocab) -> list[Tree]:
    """Return two trees, of different leaves if there are two: nodes that are equal would be computed once."""
    return [_small_tree(vocab, leaf) for leaf in (vocab.leaves * 2)[:2]]


def _small_tree(vocab: Vocab, leaf: str) -> Tree:
    """Return a tree with one function of each arity, each of them a child of the next."""
    tree: Tree = leaf
    first_of_arity = dict(zip(reversed(vocab.arities), reversed(vocab.functions), strict=True))
    for arity, function in sorted(first_of_arity.items()):
        tree = (function, tree, *[leaf] * (arity - 1))
    return tree


def _prefix(tree: Tree) -> str:
    return tree if isinstance(tree, str) else " ".join([tree[0], *map(_prefix, tree[1:])])


def _states_of_texts(model: Verifier | TreeModel) -> Tensor:
    """Return the states of both sides of equations, or of plain expressions if the vocabulary has no equality."""
    trees, equality = _small_trees(model.vocab), model.vocab.equality
    texts = [_prefix(tree if equality is None else (equality, tree, model.vocab.leaves[0])) for tree in trees]
    states: Tensor = model.encoder(model.encoder.plan(texts).batch(np.arange(len(texts))))
    wanted = (len(texts),) if equality is None else (len(texts), 2)
    if not isinstance(states, Tensor) or states.shape[:-1] != wanted:
        found = tuple(states.shape) if isinstance(states, Tensor) else f"a {type(states).__name__}"
        raise DataError(f"the states are {found}, not ({', '.join(map(str, wanted))}, n)")
    return states


def _states_by_steps(encoder: TreeEncoder) -> Tensor:
    """Return the states of all nodes. ``step`` is run even if the cell has a hand-written version, which is run too."""
    forest = encoder.at_points(Forest.from_trees(_small_trees(encoder.vocab), encoder.vocab))
    if encoder.cell.hand_written_step() is not None:
        encoder.nodes(forest)
    with _watched_calls(encoder.cell):
        return encoder.nodes(forest)


@contextmanager
def _watched_calls(cell: Cell) -> Iterator[None]:
    """Raise a DataError if the cell's step cuts the gradient, as long as the context lasts."""
    had_own_step, step = "step" in vars(cell), cell.step
    vars(cell)["step"] = _watched(step)
    try:
        yield
    finally:
        del vars(cell)["step"]
        if had_own_step:
            vars(cell)["step"] = step


def _watched(step: Callable[..., Any]) -> Callable[..., Any]:
    def watched_step(z: Tensor, memory: Tensor, at: Any) -> Any:
        returned = step(z, memory, at)
        state = returned[0] if isinstance(returned, tuple) and returned else None  # the pass checks what a step returns
        if isinstance(state, Tensor) and z.requires_grad and not state.requires_grad:
            raise DataError("the step cuts the gradient: the states do not depend on z for autograd (detach, .data, numpy?)")
        return returned

    return watched_step


def _check_finite(states: Tensor) -> None:
    if not bool(states.isfinite().all()):
        raise DataError("the states are not finite (NaN or infinity) for a small tree")


# -- messages ----------------------------------------------------------------------------------------------------------


def _describe(encoder: Any, error: Exception) -> str:
    """Return ``C.step (x.py, line 10): the states are (17, 3), not (17, 8)``."""
    owner = class_of_user(encoder).__name__
    place = f"{owner}.{'step' if isinstance(encoder, TreeEncoder) else 'forward'}"
    message = one_line(error)
    if message == f"{owner} has no step()":
        return message
    is_ours = isinstance(error, DataError) or message.startswith(f"{place}: ")
    message = message.removeprefix(f"{place}: ") if is_ours else f"{type(error).__name__}: {message}"
    return f"{place}{_line_of(encoder, error)}: {message}"


def _line_of(encoder: Any, error: Exception) -> str:
    """Return the file and the line of the user's code that caused an error, or the line where the method begins."""
    method = type(encoder.cell).step if isinstance(encoder, TreeEncoder) else type(encoder).forward
    code: CodeType | None = getattr(method, "__code__", None)
    if code is None:  # not a Python function
        return ""
    line, trace = code.co_firstlineno, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == code.co_filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f" ({Path(code.co_filename).name}, line {line})"
