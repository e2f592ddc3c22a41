"""TrainedSymbols: the functions and leaves of the training equations; a model has no trained weights for any others.

A vocabulary has all functions of mathematics, whatever the corpus has. A model that was trained without ``log`` therefore reads
it, but with weights that no equation has changed for the better: what it says then is worth little, and the user is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from treesmu.expr import Expr
from treesmu.expr.leaves import leaf_kind

from ..trees.vocab import NUMBER, Vocab
from .variable_names import VariableNames, distinct_tokens, strings_of, tokens_of


@dataclass(frozen=True)
class TrainedSymbols:
    """The tokens of training equations, as a model reads them: decimals that are not leaves are ``<number>``."""

    functions: tuple[str, ...]  # in the order of the vocabulary, as are the leaves
    leaves: tuple[str, ...]

    @classmethod
    def of(cls, texts: Any, vocab: Vocab, renamed: bool = False, numbers: bool = False) -> Self:
        """Return the symbols of prefix strings.

        renamed: variables are permuted in training, so that all are trained. numbers: variables are read as numbers, so that
        they train what reads decimals.
        """
        found = {NUMBER if vocab.number_value(token) is not None else token for token in distinct_tokens(texts)}
        if numbers:
            found.add(NUMBER)
        leaves = (t for t in (*vocab.leaves, NUMBER) if t in found or ((renamed or numbers) and leaf_kind(t) == "variable"))
        return cls(tuple(f for f in vocab.functions if f in found), tuple(leaves))

    def joined(self, other: Self, vocab: Vocab) -> Self:
        """Return these symbols and those of other equations."""
        functions, leaves = {*self.functions, *other.functions}, {*self.leaves, *other.leaves}
        in_order = (f for f in vocab.functions if f in functions), (t for t in (*vocab.leaves, NUMBER) if t in leaves)
        return type(self)(*map(tuple, in_order))

    def to_dict(self) -> dict[str, list[str]]:
        """Return plain lists for JSON."""
        return {"functions": list(self.functions), "leaves": list(self.leaves)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Make it from what :meth:`to_dict` returns."""
        return cls(tuple(data["functions"]), tuple(data["leaves"]))

    def untrained_in_exprs(self, exprs: Sequence[Expr], vocab: Vocab) -> list[tuple[str, ...]]:
        """Return for each expression its symbols without trained weights; () for most, and where the model cannot read it."""
        return self._untrained(tokens_of(exprs), (tokens_of([e]) for e in exprs), vocab) or [()] * len(exprs)

    def untrained_in_texts(self, texts: Any, vocab: Vocab) -> list[tuple[str, ...]]:
        """Return the same for prefix strings (a list or a pyarrow array)."""
        rows = (text.split(" ") for text in strings_of(texts))
        return self._untrained(distinct_tokens(texts), rows, vocab) or [()] * len(texts)

    def _untrained(self, tokens: Iterable[str], rows: Iterable[Iterable[str]], vocab: Vocab) -> list[tuple[str, ...]]:
        """Return the untrained symbols of each row; [] if there are none. tokens: all that occur; rows are seldom needed."""
        names, trained = VariableNames(vocab), {*self.functions, *self.leaves, vocab.equality}
        if all(self._name(token, vocab) in trained for token in tokens):
            return []
        return [self._of_row(row, names, trained) for row in rows]

    def _of_row(self, tokens: Iterable[str], names: VariableNames, trained: set[str | None]) -> tuple[str, ...]:
        seen = dict.fromkeys(tokens)
        if names.why_unreadable(seen) is not None:
            return ()
        replaced = names.replacements(seen)
        return tuple(token for token in seen if self._name(replaced.get(token, token), names.vocab) not in trained)

    @staticmethod
    def _name(token: str, vocab: Vocab) -> str:
        return token if vocab.number_value(token) is None else NUMBER
