"""The tokens of names: functions, variables with subscripts, products of letters; and what is refused instead of guessed."""

from __future__ import annotations

import re

from ..leaves import CONSTANTS
from ..ops import LOG
from .names import CALLED_WORDS, COMMANDS, IF_CALLED, LIKE_FUNCTIONS, WORDED, WORDS, Meaning, is_letters, unknown_name
from .remedies import DERIVATIVE, refusal, refusal_of_name
from .token import ParseError, Token, limit_digits

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
NOT_AN_INDEX = "a subscript is a whole number, as in x_1 (a blank stands alone)"
_DIGITS = frozenset("0123456789")
_INDEX_STARTS = frozenset("_₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
_INDEX = re.compile(r"_([0-9]+)|_\{\s*([0-9]+)\s*\}|([₀₁₂₃₄₅₆₇₈₉]+)(?![ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ])")
_INDEX_LIKE = re.compile(r"_[\w{]|[^_]")
_CALLED = re.compile(r"\s*\(|\[")
_CALLED_DIRECTLY = re.compile(r"(?:\\left\s*)?[(\[]")
_LETTERS_AND_DIGITS = re.compile(r"[0-9A-Za-z]*")
_MODULE = re.compile(r"\.[A-Za-z]")
_DIFFERENTIAL = re.compile(
    r"\s*\{\s*(?:d|\\partial|\\mathrm\s*\{\s*d\s*\})[^{}]{0,40}\}\s*\{\s*(?:d(?=[A-Za-z\\])|\\partial|\\mathrm\s*\{\s*d\s*\})"
)


def add_name(tokens: list[Token], text: str, word: str, start: int, end: int) -> int:
    """Add a function, a constant, a variable with its subscript, or a product of letters such as xy; return its end."""
    meaning = WORDS.get(word)
    if meaning is None:
        return _add_other_word(tokens, text, word, start, end)
    if meaning.kind == "name":
        if word in LIKE_FUNCTIONS:
            _refuse_call(text, word, start, end)
        return _add_variable(tokens, text, meaning.text, start, end)
    return _add_function(tokens, text, word, meaning, start, end)


def _add_variable(tokens: list[Token], text: str, name: str, start: int, end: int) -> int:
    """Add a variable or a constant, with its subscript; return its end."""
    if text[end : end + 1] in _INDEX_STARTS:
        found = _INDEX.match(text, end)
        if found and (name == "e" or name not in CONSTANTS):  # e_1 is a variable
            index = (found.group(1) or found.group(2) or found.group(3)).translate(SUBSCRIPTS)
            limit_digits(text, len(index), end, "subscript")
            name, end = f"{name}_{int(index)}", found.end()
        elif _INDEX_LIKE.match(text, end):
            raise ParseError(NOT_AN_INDEX, text, end)
    tokens.append(Token("name", name, start))
    return end


def _add_function(tokens: list[Token], text: str, word: str, meaning: Meaning, start: int, end: int) -> int:
    """Add a function or a root; digits that follow directly belong to a known name, as in log10, or are refused."""
    if text[end : end + 1] in _DIGITS:
        run = _LETTERS_AND_DIGITS.match(text, end)
        assert run is not None
        longer = WORDS.get(word + run.group())
        if longer is None or text[start] == "\\":
            raise ParseError(_refuse_digits(word, run.group()), text, start)
        meaning, end = longer, run.end()
    tokens.append(Token(meaning.kind, meaning.text, start, meaning.op))
    return end


def _refuse_digits(word: str, run: str) -> str:
    known = refusal_of_name(word + run)
    digits = run.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")[:40]
    if word.lower() == "log":
        remedy = f"write log(x, {digits}) for the base {digits}, or log({digits}*x)"
    else:
        remedy = f"write {word}({digits}), {word}({digits}*x) or {word}(x)^{digits}"
    return known or refusal(word + digits, remedy)


def _add_other_word(tokens: list[Token], text: str, word: str, start: int, end: int) -> int:
    """Add a product of two or three letters, or sh(...); refuse everything else."""
    is_called = _CALLED.match(text, end) is not None
    if word in IF_CALLED:
        if not is_called:
            function = CALLED_WORDS[word]
            name = function.text if function.op is LOG else IF_CALLED[word]
            hint = f"write {name}(...), or {'*'.join(word)} for a product"
            raise ParseError(f"'{word}' is ambiguous; {hint}", text, start)
        tokens.append(Token(*CALLED_WORDS[word][:2], start, CALLED_WORDS[word].op))
        return end
    message = _refuse_word(text, word, start, end, is_called)
    if message is None and (is_called or not is_letters(word)):
        message = unknown_name(word, is_command=False, is_called=is_called)
    if message is not None:
        raise ParseError(message, text, start)
    tokens += [Token("name", letter, start + i) for i, letter in enumerate(word[:-1])]
    return _add_variable(tokens, text, word[-1], end - 1, end)


def _refuse_word(text: str, word: str, start: int, end: int, is_called: bool) -> str | None:
    """Return the message for a word that has a remedy, None for any other."""
    if text[end : end + 1] == "." and _MODULE.match(text, end):
        return f"leave out '{word[:40]}.' before the name"
    if text[end : end + 1] in _DIGITS and len(word) < 9:
        run = _LETTERS_AND_DIGITS.match(text, end)
        message = refusal_of_name(word + run.group()) if run else None
        if message is not None:
            return message
    if len(word) == 2 and word[0] == "d" and text[start - 1 : start] == "/":
        return refusal("d/dx", DERIVATIVE)
    return refusal_of_name(word, is_called=is_called)


def _refuse_call(text: str, word: str, start: int, end: int) -> None:
    """Refuse f(x), which is not a product; D is a derivative only as D[...]."""
    if word == "D" and text[end : end + 1] == "[":
        raise ParseError(refusal(word, DERIVATIVE), text, start)
    if word != "D" and _CALLED_DIRECTLY.match(text, end):
        remedy = f"write {word}*(...) for a product, or what {word}(...) stands for"
        raise ParseError(refusal(f"{word}(...)", remedy), text, start)


def add_command(tokens: list[Token], text: str, word: str, start: int, end: int) -> int:
    """Add what a LaTeX command stands for; return its end."""
    meaning = COMMANDS.get(word)
    if meaning is None:
        message = refusal_of_name(word, is_command=True)
        raise ParseError(message or unknown_name(word, is_command=True, is_called=False), text, start)
    if meaning.kind == "name":
        if word in LIKE_FUNCTIONS:
            _refuse_call(text, word, start, end)
        return _add_variable(tokens, text, meaning.text, start, end)
    if meaning.kind == "frac" and _DIFFERENTIAL.match(text, end):
        raise ParseError(refusal("d/dx", DERIVATIVE), text, start)
    if meaning.text == "log" and text[end : end + 1] in _DIGITS:  # \log2 x may be meant as \log_2 x
        return _add_function(tokens, text, word, meaning, start, end)
    tokens.append(Token(meaning.kind, meaning.text, start, meaning.op))
    return end


def add_worded(tokens: list[Token], text: str, word: str, start: int, end: int) -> int:
    r"""Add the name inside \operatorname{...} or \mathrm{...}, which is never a product; return its end."""
    meaning = WORDED.get(word)
    message = refusal(word, DERIVATIVE) if word == "d" else refusal_of_name(word)
    if meaning is None or word == "d":
        raise ParseError(message or unknown_name(word, is_command=False, is_called=False), text, start)
    if meaning.kind == "name":
        return _add_variable(tokens, text, meaning.text, start, end)
    tokens.append(Token(meaning.kind, meaning.text, start, meaning.op))
    return end
