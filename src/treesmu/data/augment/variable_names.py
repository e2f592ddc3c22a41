"""VariableNames: rename variables that a vocabulary does not know, so that a model trained on x and y can read theta.

Names that the vocabulary knows stay as they are. The variables of every equation are renamed independently; plain expressions
are compared with each other, so a variable gets the same name in all expressions of one call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from treesmu.errors import DataError
from treesmu.expr import VARIABLES, Expr, leaf
from treesmu.expr.leaves import leaf_kind
from treesmu.expr.notation.names import shorten

from ..trees.expr_nodes import first_occurrences
from ..trees.prefix_strings import pieces_of, split_tokens
from ..trees.vocab import Vocab

T = TypeVar("T")
SHOWN = 3  # unknown tokens in a message


class VariableNames:
    """The names of variables that a vocabulary has for the variables of expressions."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab
        self.known = {*vocab.functions, *vocab.leaves, vocab.equality}
        # The canonical names come first: they are the most common in any corpus, so a model knows them best.
        self.variables = [name for name in dict.fromkeys((*VARIABLES, *vocab.leaves)) if self._is_known_variable(name)]

    def _is_known_variable(self, token: str) -> bool:
        return token in self.vocab.leaves and leaf_kind(token) == "variable"

    def unknown(self, tokens: Iterable[str]) -> list[str]:
        """Return the tokens that are not in the vocabulary, in the order of first occurrence."""
        return [t for t in dict.fromkeys(tokens) if t not in self.known and self.vocab.number_value(t) is None]

    def has_unknown_variable(self, tokens: Iterable[str]) -> bool:
        return any(leaf_kind(token) == "variable" for token in self.unknown(tokens))

    def replacements(self, tokens: Iterable[str]) -> dict[str, str]:
        """Return for each unknown variable, in order, a known name that does not occur yet: {theta: x}."""
        seen = dict.fromkeys(tokens)
        unknown = [token for token in self.unknown(seen) if leaf_kind(token) == "variable"]
        free = [name for name in self.variables if name not in seen]
        if len(unknown) > len(free):
            count = len(self.variables) - len(free) + len(unknown)
            raise DataError(f"there are {count} different variables, and the vocabulary has {len(self.variables)}")
        return dict(zip(unknown, free, strict=False))

    def why_unreadable(self, tokens: Iterable[str]) -> str | None:
        """Return why a model with this vocabulary cannot read an equation of these tokens; None if it can."""
        seen = dict.fromkeys(tokens)
        missing = [shorten(token) for token in self.unknown(seen) if leaf_kind(token) != "variable"]
        if missing:
            more = f" and {len(missing) - SHOWN} more" if len(missing) > SHOWN else ""
            return f"{', '.join(missing[:SHOWN])}{more} {'is' if len(missing) == 1 else 'are'} not in the vocabulary"
        try:
            self.replacements(seen)
        except DataError as error:
            return str(error)
        return None

    def _replacements(self, tokens: Iterable[str], where: str) -> dict[str, str]:
        """Return :meth:`replacements`; an error says where the variables are."""
        try:
            return self.replacements(tokens)
        except DataError as error:
            raise DataError(f"{where}: {error}") from error

    def replacements_by_row(self, rows: Sequence[Sequence[str]], equations: bool) -> list[dict[str, str]]:
        """Return the replacements for each row of tokens: independent ones for equations, else the same ones for all rows."""
        if equations:
            return [self._replacements(row, f"row {i}") for i, row in enumerate(rows)]
        return [self._replacements((token for row in rows for token in row), "in all these expressions")] * len(rows)


# -- expressions -------------------------------------------------------------------------------------------------------


def exprs_with_known_names(exprs: Sequence[Expr], vocab: Vocab) -> Sequence[Expr]:
    """Return the expressions with names of the vocabulary for all variables; the same list if nothing is renamed.

    Raises a DataError if an equation has more different variables than the vocabulary.
    """
    names = VariableNames(vocab)
    if not names.has_unknown_variable(tokens_of(exprs)):
        return exprs
    variables = [[v.token for v in e.variables()] for e in exprs]
    replacements = names.replacements_by_row(variables, equations=exprs[0].token == vocab.equality)
    return [
        e.substitute({leaf(old): leaf(new) for old, new in found.items()}) if found else e
        for e, found in zip(exprs, replacements, strict=True)
    ]


def apply_with_known_names(make: Callable[[Sequence[Expr]], T], exprs: Sequence[Expr], vocab: Vocab) -> T:
    """Return ``make(exprs_with_known_names(exprs, vocab))``, where ``make`` raises a DataError for unknown variables.

    Names are looked up only after such an error, because most expressions have known names: this saves a third of the time.
    """
    try:
        return make(exprs)
    except DataError:
        renamed = exprs_with_known_names(exprs, vocab)
        if renamed is exprs:
            raise
    return make(renamed)


def unreadable_exprs(equations: Sequence[Expr], vocab: Vocab) -> dict[int, str]:
    """Return the rows of the equations that a model with this vocabulary cannot read, each with the reason."""
    return _unreadable(tokens_of(equations), (tokens_of([e]) for e in equations), vocab)


def _unreadable(tokens: Iterable[str], rows: Iterable[Iterable[str]], vocab: Vocab) -> dict[int, str]:
    """Return the rows of tokens that cannot be read, each with the reason. tokens: all that occur; rows are seldom needed."""
    names = VariableNames(vocab)
    if not names.unknown(tokens):
        return {}
    reasons = ((row, names.why_unreadable(found)) for row, found in enumerate(rows))
    return {row: reason for row, reason in reasons if reason is not None}


def tokens_of(exprs: Iterable[Expr]) -> Iterable[str]:
    """Return the distinct tokens of expressions."""
    return dict.fromkeys([e.token for e in first_occurrences(exprs)])


# -- prefix strings ----------------------------------------------------------------------------------------------------


def with_known_names(texts: Any, vocab: Vocab) -> Any:
    """Return prefix strings (a list or a pyarrow array) with names of the vocabulary for all variables."""
    names = VariableNames(vocab)
    if not names.has_unknown_variable(distinct_tokens(texts)):
        return texts
    rows = [text.split(" ") for text in strings_of(texts)]
    replacements = names.replacements_by_row(rows, equations=rows[0][0] == vocab.equality)
    return [" ".join([found.get(token, token) for token in row]) for row, found in zip(rows, replacements, strict=True)]


def unreadable_texts(texts: Any, vocab: Vocab) -> dict[int, str]:
    """Return the rows of prefix strings that a model with this vocabulary cannot read, each with the reason."""
    return _unreadable(distinct_tokens(texts), (text.split(" ") for text in strings_of(texts)), vocab)


def distinct_tokens(texts: Any) -> Iterable[str]:
    """Return the distinct tokens of each piece, which are few even if there are many rows."""
    return (token for _, piece in pieces_of(texts) for token in split_tokens(piece)[0])


def strings_of(texts: Any) -> list[str]:
    """Return prefix strings as a list."""
    return texts.to_pylist() if hasattr(texts, "to_pylist") else list(texts)
