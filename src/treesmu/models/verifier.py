"""Verifier: an encoder of expressions and a head that compares the two sides of an equation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from treesmu.data import DataError, Vocab
from treesmu.data.augment.variable_names import unreadable, with_known_names
from treesmu.expr import Expr, parse

BATCH = 512  # rows per batch without gradients


class Plan(Protocol):
    """Rows prepared for an encoder."""

    def __len__(self) -> int: ...

    def batch(self, rows: Any) -> Any:
        """These rows, as the encoder takes them."""


class Encoder(Protocol):
    """What a model needs of its encoder, beside being an nn.Module."""

    vocab: Vocab

    def plan(self, texts: Any) -> Plan:
        """Prefix strings (a list or a pyarrow array), all equations or all plain expressions."""

    def __call__(self, batch: Any) -> Tensor:
        """(rows, 2, n) the states of the two sides of equations, or (rows, n) of plain expressions."""


class Verifier(nn.Module):
    """An encoder with a head. ``name`` is what the command line calls it.

    build_arguments: the arguments of ``build`` that make it again, except the vocabulary: name, settings, head, unit.
    note: where the model comes from; plain JSON, which is stored with the weights.
    """

    def __init__(self, name: str, encoder: Any, head: nn.Module, build_arguments: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.name = name
        self.encoder = encoder
        self.head = head
        self.build_arguments = None if build_arguments is None else dict(build_arguments)
        self.note: dict[str, Any] = {}
        self.scorers: dict[Any, Any] = {}  # states of candidates that complete() has computed (completion/completions.py)

    def __getstate__(self) -> dict[str, Any]:
        """For copies, which compute states of their own."""
        return {**self.__dict__, "scorers": {}}

    @property
    def vocab(self) -> Vocab:
        vocab: Vocab = self.encoder.vocab
        return vocab

    def forward(self, batch: Any) -> Tensor:
        """Return the logits (rows,) of equations."""
        return self.compare(self.encoder(batch))

    def compare(self, sides: Tensor) -> Tensor:
        """Return the logits (rows,) of equations from the states of their two sides, (rows, 2, n)."""
        if sides.dim() != 3:
            raise DataError("these are no equations: a model verifies 'left = right'; for states of expressions use embed()")
        logits: Tensor = self.head(sides[:, 0], sides[:, 1])
        return logits

    # -- without gradients, in numpy -------------------------------------------------------------------------------------

    def logits(self, equations: Iterable[Expr | str]) -> NDArray[np.floating[Any]]:
        """(N,) of equations; text is parsed."""
        return self._run(self.forward, equations)

    def verify(self, equations: Iterable[Expr | str]) -> NDArray[np.floating[Any]]:
        """(N,) the probability that each equation is correct."""
        return self._run(lambda batch: self.forward(batch).sigmoid(), equations)

    def embed(self, expressions: Iterable[Expr | str]) -> NDArray[np.floating[Any]]:
        """(N, n) the states of expressions that are no equations; of equations (N, 2, n), those of both sides."""
        return self._run(self.encoder, expressions)

    def _run(self, function: Any, expressions: Iterable[Expr | str]) -> NDArray[np.floating[Any]]:
        plan = self.plan(_prefix_strings(expressions))
        with self.evaluation_mode():
            return np.concatenate([as_numpy(function(batch)) for batch in self.batches(plan)])

    def unreadable(self, equations: Iterable[Expr | str]) -> dict[int, str]:
        """Those equations, by their place, that the model refuses for what its vocabulary does not know, and why."""
        return unreadable(_prefix_strings(equations), self.vocab)

    def plan(self, texts: Any) -> Plan:
        """As the encoder's; but variables that the vocabulary does not know are read under names that it knows."""
        plan: Plan = self.encoder.plan(with_known_names(texts, self.vocab))
        return plan

    def batches(self, plan: Plan, size: int = BATCH) -> Iterator[Any]:
        """All rows of a plan, in order."""
        for start in range(0, len(plan), size):
            yield plan.batch(np.arange(start, min(start + size, len(plan))))

    @contextmanager
    def evaluation_mode(self) -> Iterator[None]:
        """Evaluation mode without gradients; restores the previous mode."""
        was_training = self.training
        self.eval()
        try:
            with torch.no_grad():
                yield
        finally:
            self.train(was_training)


def as_numpy(found: Tensor) -> NDArray[np.floating[Any]]:
    return (found.float() if found.dtype == torch.bfloat16 else found).numpy(force=True)  # numpy has no bfloat16


def _prefix_strings(expressions: Iterable[Expr | str]) -> list[str]:
    given = [expressions] if isinstance(expressions, str | Expr) else expressions
    return [" ".join(as_expr(e).prefix()) for e in given]


def as_expr(given: Expr | str) -> Expr:
    if isinstance(given, str):
        return parse(given)
    if not isinstance(given, Expr):
        raise DataError(f"an equation is text or an Expr, not {type(given).__name__}")
    return given


def count_parameters(module: nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())
