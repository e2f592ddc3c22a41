"""Variables are exchangeable: one that a vocabulary does not know is read under the name of one that it knows.

So a model that was trained on x and y reads theta, too. Known names stay as they are. Each equation is renamed for
itself; plain expressions are compared with each other, so in all of one call a variable has one name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from treesmu.errors import DataError
from treesmu.expr import VARIABLES
from treesmu.expr.leaves import leaf_kind
from treesmu.expr.notation.tokens import shorten

from ..trees.prefix_strings import pieces_of, split_tokens
from ..trees.vocab import Vocab

SHOWN = 3  # unknown words in a message


class VariableNames:
    """The names that a vocabulary has for what is in expressions."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab
        self.known = {*vocab.functions, *vocab.leaves, vocab.equality}
        # The canonical ones first: they are the most common in any corpus, so that a model knows them best.
        self.variables = [name for name in dict.fromkeys((*VARIABLES, *vocab.leaves)) if self._is_known_variable(name)]

    def _is_known_variable(self, token: str) -> bool:
        return token in self.vocab.leaves and leaf_kind(token) == "variable"

    def unknown(self, tokens: Iterable[str]) -> list[str]:
        """What is not in the vocabulary, in the order of first occurrence."""
        return [t for t in dict.fromkeys(tokens) if t not in self.known and self.vocab.number_value(t) is None]

    def replacements(self, tokens: Iterable[str]) -> dict[str, str]:
        """For each unknown variable a known name that is free, both in order: {theta: x} where x does not occur itself."""
        seen = dict.fromkeys(tokens)
        unknown = [token for token in self.unknown(seen) if leaf_kind(token) == "variable"]
        free = [name for name in self.variables if name not in seen]
        if len(unknown) > len(free):
            count = len(self.variables) - len(free) + len(unknown)
            raise DataError(f"there are {count} different variables, and the vocabulary has {len(self.variables)}")
        return dict(zip(unknown, free, strict=False))

    def why_unreadable(self, tokens: Iterable[str]) -> str | None:
        """What hinders a model with this vocabulary from reading an equation, if something does."""
        strange = [shorten(token) for token in self.unknown(tokens) if leaf_kind(token) != "variable"]
        if strange:
            more = f" and {len(strange) - SHOWN} more" if len(strange) > SHOWN else ""
            return f"{', '.join(strange[:SHOWN])}{more} {'is' if len(strange) == 1 else 'are'} not in the vocabulary"
        try:
            self.replacements(tokens)
        except DataError as error:
            return str(error)
        return None


def with_known_names(texts: Any, vocab: Vocab) -> Any:
    """Prefix strings (a list or a pyarrow array) in which all variables have names of the vocabulary, where it has enough."""
    names = VariableNames(vocab)
    if not any(leaf_kind(token) == "variable" for token in _unknown_tokens(texts, names)):
        return texts
    rows = [text.split(" ") for text in _strings(texts)]
    if rows[0][0] == vocab.equality:
        return [_renamed(row, _replacements(names, row, f"row {i}")) for i, row in enumerate(rows)]
    everywhere = _replacements(names, (token for row in rows for token in row), "in all these expressions")
    return [_renamed(row, everywhere) for row in rows]


def unreadable(texts: Any, vocab: Vocab) -> dict[int, str]:
    """Those rows of prefix strings of equations that a model with this vocabulary refuses, and why."""
    names = VariableNames(vocab)
    unknown = set(_unknown_tokens(texts, names))
    if not unknown:
        return {}
    rows = ((i, text.split(" ")) for i, text in enumerate(_strings(texts)))
    reasons = ((i, names.why_unreadable(row)) for i, row in rows if not unknown.isdisjoint(row))
    return {i: reason for i, reason in reasons if reason is not None}


def _unknown_tokens(texts: Any, names: VariableNames) -> list[str]:
    """Of all rows together. Distinct tokens are few, however many rows there are."""
    return names.unknown(token for _, piece in pieces_of(texts) for token in split_tokens(piece)[0])


def _strings(texts: Any) -> list[str]:
    return texts.to_pylist() if hasattr(texts, "to_pylist") else list(texts)


def _replacements(names: VariableNames, tokens: Iterable[str], where: str) -> dict[str, str]:
    try:
        return names.replacements(tokens)
    except DataError as error:
        raise DataError(f"{where}: {error}") from error


def _renamed(row: list[str], replacements: dict[str, str]) -> str:
    return " ".join([replacements.get(token, token) for token in row])
