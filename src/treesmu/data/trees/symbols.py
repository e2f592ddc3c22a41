"""Symbols: one integer for every token of prefix strings and expressions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError

from .prefix_strings import split_tokens
from .vocab import Vocab, shorten_list


class Symbols:
    """One integer per token: -1 for the equality, then the functions, the leaves, and the decimals met so far.

    Decimals are numbered by first occurrence; ``0.7`` and ``0.70`` are two expressions, and have two symbols.
    """

    EQUALITY, UNKNOWN = -1, -2

    def __init__(self, vocab: Vocab) -> None:
        if vocab.variadic:
            raise DataError("prefix strings need functions of a fixed arity; a variadic vocabulary reads nested tuples only")
        self.vocab = vocab
        self.first_leaf = len(vocab.functions)
        self.tokens = [*vocab.functions, *vocab.leaves]  # symbol -> token
        self._symbol = {token: i for i, token in enumerate(self.tokens)}
        self._ambiguous = {*vocab.functions, vocab.equality} & set(vocab.leaves)
        if vocab.equality is not None:
            self._symbol[vocab.equality] = self.EQUALITY
        # Arity by symbol: all leaves and decimals share the entry after the functions; -1, the equality, is the last.
        self._arity = np.array([*vocab.arities, 0, 2], np.int32)

    @property
    def leaf_tokens(self) -> list[str]:
        """The tokens of the leaves and of the decimals met so far, by symbol minus ``first_leaf``."""
        return self.tokens[self.first_leaf :]

    def read(self, texts: Any, first_row: int = 0) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the symbols of a piece of prefix strings (tokens,), and where each row starts (rows + 1,)."""
        tokens, codes, starts = split_tokens(texts)
        of_code = np.array([self.add(token) for token in tokens], np.int32)
        symbols = of_code[codes]
        if (of_code == self.UNKNOWN).any():
            place = int(np.argmax(symbols == self.UNKNOWN))
            row = int(np.searchsorted(starts, place, side="right")) - 1
            raise DataError(f"row {first_row + row}: {self.why_unknown(tokens[codes[place]])}")
        return symbols, starts

    def arity(self, symbols: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the number of arguments of each symbol."""
        return self._arity[np.minimum(symbols, self.first_leaf)]

    def why_unknown(self, token: str) -> str:
        """Return the error message about a token that has no symbol."""
        if token == "":
            return "an empty token; tokens are separated by single spaces"
        if token in self._ambiguous:
            return f"{token!r} is a function and a leaf, which a prefix string cannot tell apart; rename one of them"
        decimals = ", decimals" * self.vocab.numbers
        return (
            f"unknown leaf or function {token!r}; known functions: {shorten_list(self.vocab.functions)}; "
            f"known leaves: {shorten_list(self.vocab.leaves)}{decimals}"
        )

    def add(self, token: str) -> int:
        """Return the symbol of a token, UNKNOWN if it has none. A decimal that is met for the first time gets the next one."""
        if token in self._ambiguous:
            return self.UNKNOWN
        found = self._symbol.get(token)
        if found is None:
            if self.vocab.number_value(token) is None:
                return self.UNKNOWN
            found = self._symbol[token] = len(self.tokens)
            self.tokens.append(token)
        return found
