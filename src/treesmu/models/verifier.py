"""Verifier: an encoder of expressions with a head that compares the two sides of an equation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from treesmu.data import DataError, Vocab
from treesmu.data.augment.trained_symbols import TrainedSymbols
from treesmu.data.augment.variable_names import apply_with_known_names, unreadable_exprs, with_known_names
from treesmu.expr import Expr, parse

from .completion.prior import ValuePrior
from .fitted.calibration import Calibration

BATCH = 512  # rows per batch without gradients


class Plan(Protocol):
    """Rows prepared for an encoder."""

    def __len__(self) -> int: ...

    def batch(self, rows: Any) -> Any:
        """Return some of the rows as the encoder takes them."""


class Encoder(Protocol):
    """The interface of encoders, which are also ``nn.Module``s.

    An encoder that needs a head of its own also has ``make_head()``, which returns it.
    """

    vocab: Vocab

    def plan(self, texts: Any) -> Plan:
        """Prepare prefix strings (a list or a pyarrow array), all equations or all plain expressions."""

    def plan_exprs(self, exprs: Sequence[Expr]) -> Plan:
        """Prepare expressions, all equations or all plain ones."""

    def settings(self) -> dict[str, Any]:
        """Return the arguments of ``__init__`` except the vocabulary and ``norm``, as plain JSON."""

    def __call__(self, batch: Any) -> Tensor:
        """Return the states of both sides of equations, (rows, 2, n), or of plain expressions, (rows, n)."""


class Verifier(nn.Module):
    """An encoder with a head. ``name`` is what the command line calls it.

    build_arguments: the arguments of ``build`` that make it again, except the vocabulary: name, settings, head, norm, points.
    note: where the model comes from; plain JSON, which is stored with the weights.
    trained: the symbols that occurred in training, stored with the weights; None if that is not known.
    prior: how common values are in its training equations, for the ranking of fillers; None if it was not fitted.
    calibration: how logits become probabilities at each depth; None if it was not fitted.
    """

    def __init__(self, name: str, encoder: Any, head: nn.Module, build_arguments: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.name = name
        self.encoder = encoder
        self.head = head
        self.build_arguments = None if build_arguments is None else dict(build_arguments)
        self.note: dict[str, Any] = {}
        self.trained: TrainedSymbols | None = None
        self.prior: ValuePrior | None = None
        self.calibration: Calibration | None = None
        self.scorers: dict[Any, Any] = {}  # the last few scorers, with the states of their candidates (completions.py)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for copies and pickles, without the scorers, whose states belong to this object's weights."""
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
            raise DataError("these are not equations: a model verifies 'left = right'; use embed() for states of expressions")
        logits: Tensor = self.head(sides[:, 0], sides[:, 1])
        return logits

    # -- inference, in numpy ---------------------------------------------------------------------------------------------

    def logits(self, equations: Iterable[Expr | str]) -> NDArray[np.floating[Any]]:
        """Return the logits of equations, as the network computes them, not calibrated: (N,). Text is parsed."""
        exprs = as_exprs(equations)
        return self._run(self.forward, exprs) if exprs else self._nothing()

    def verify(self, equations: Iterable[Expr | str]) -> NDArray[np.floating[Any]]:
        """Return the probability that each equation is correct: (N,). Text is parsed.

        If the model has a calibration, probabilities are calibrated; otherwise they are the logistic function of the logits.
        """
        exprs = as_exprs(equations)
        if not exprs:
            return self._nothing()
        if self.calibration is None:
            return self._run(lambda batch: self.forward(batch).sigmoid(), exprs)
        logits = self.logits(exprs)
        return self.calibration.probabilities(logits, [e.depth for e in exprs]).astype(logits.dtype)

    def embed(self, expressions: Iterable[Expr | str]) -> NDArray[np.floating[Any]]:
        """Return the states of plain expressions, (N, n), or of both sides of equations, (N, 2, n). Text is parsed."""
        exprs = as_exprs(expressions)
        hidden: int = getattr(getattr(self.encoder, "cell", self.encoder), "hidden", 0)  # the majority has no states
        return self._run(self.encoder, exprs) if exprs else self._nothing(hidden)

    def _nothing(self, *size: int) -> NDArray[np.floating[Any]]:
        """Return the answer to no expressions, of the type that it would have. size: of each answer."""
        like = next(self.parameters(), torch.empty(0))
        return as_numpy(like.detach().new_empty(0, *size))

    def _run(self, function: Any, exprs: list[Expr]) -> NDArray[np.floating[Any]]:
        plan: Plan = apply_with_known_names(self.encoder.plan_exprs, exprs, self.vocab)
        with self.evaluation_mode():
            return np.concatenate([as_numpy(function(batch)) for batch in self.batches(plan)])

    def unreadable(self, equations: Iterable[Expr | str]) -> dict[int, str]:
        """Return the rows of the equations that the model cannot read, each with the reason: symbols not in its vocabulary."""
        return unreadable_exprs(as_exprs(equations), self.vocab)

    def untrained(self, expressions: Iterable[Expr | str]) -> list[tuple[str, ...]] | None:
        """Return for each expression its symbols that did not occur in training, so that what the model says of it is worth
        little: [(), ("log",)]. None if it is not known which symbols occurred."""
        return None if self.trained is None else self.trained.untrained_in_exprs(as_exprs(expressions), self.vocab)

    def plan(self, texts: Any) -> Plan:
        """Prepare prefix strings for the encoder; unknown variables are read under names that the vocabulary knows."""
        plan: Plan = self.encoder.plan(with_known_names(texts, self.vocab))
        return plan

    def batches(self, plan: Plan, size: int = BATCH) -> Iterator[Any]:
        """Yield all rows of a plan in order, some at a time."""
        for start in range(0, len(plan), size):
            yield plan.batch(np.arange(start, min(start + size, len(plan))))

    @contextmanager
    def evaluation_mode(self) -> Iterator[None]:
        """Evaluation mode without gradients; restores the previous mode."""
        with evaluation_mode(self):
            yield


@contextmanager
def evaluation_mode(module: nn.Module) -> Iterator[None]:
    """Set a module to evaluation mode without gradients; restores the previous mode."""
    was_training = module.training
    module.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        module.train(was_training)


def as_numpy(values: Tensor) -> NDArray[np.floating[Any]]:
    """Return a tensor of any device as a numpy array; bfloat16, which numpy lacks, becomes float32."""
    return (values.float() if values.dtype == torch.bfloat16 else values).numpy(force=True)


def as_exprs(given: Iterable[Expr | str]) -> list[Expr]:
    """Return a list of expressions; text is parsed, and a single expression is a list of one."""
    if isinstance(given, str | Expr):
        return [as_expr(given)]
    if not isinstance(given, Iterable):
        raise TypeError(f"expected a list of expressions, each text or an Expr, not {type(given).__name__}")
    return [as_expr(e) for e in given]


def as_expr(given: Expr | str) -> Expr:
    """Return an expression; text is parsed."""
    if isinstance(given, str):
        return parse(given)
    if not isinstance(given, Expr):
        raise TypeError(f"an expression must be text or an Expr, not {type(given).__name__}")
    return given


def count_parameters(module: nn.Module) -> int:
    """Return the number of parameters of a module."""
    return sum(p.numel() for p in module.parameters())
