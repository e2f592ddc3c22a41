"""The tokens of names: functions, variables with subscripts, products of letters; and what is refused instead of guessed."""

from __future__ import annotations

import re

from ..leaves import CONSTANTS, GREEK, SUBSCRIPT_WORD
from ..ops import LOG
from .names import (
    CALLED_WORDS,
    COMMANDS,
    IF_CALLED,
    LIKE_FUNCTIONS,
    UNICODE_LETTERS,
    WORDED,
    WORDS,
    Meaning,
    is_letters,
    unknown_name,
)
from .remedies import DERIVATIVE, refusal, refusal_of_name
from .token import ParseError, Token, limit_digits

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789aehijklmnoprstuvx")
NOT_AN_INDEX = (
    "a subscript is a whole number or a word, as in x_1, x_i or x_{max}; write another variable instead (a blank stands alone)"
)
_DIGITS = frozenset("0123456789")
_INDEX_STARTS = frozenset("_₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ₊₋₌₍₎")
_GREEK = rf"\\(?:{'|'.join(GREEK)}|pi)(?![A-Za-z])|[{''.join(UNICODE_LETTERS)}]"
_WORDED = rf"\\(?:text|mathrm|mathit|operatorname)\s*\{{\s*({SUBSCRIPT_WORD})\s*\}}"
_INDEX = re.compile(
    rf"""
      _ ( [0-9]+ | [A-Za-z](?![A-Za-z0-9]) | {_GREEK} )
    | _\{{\s* ( [0-9]+ | {SUBSCRIPT_WORD} | {_GREEK} ) \s*\}}
    | _ {_WORDED} | _\{{\s* {_WORDED} \s*\}}
    | ( (?: [₀₁₂₃₄₅₆₇₈₉]+(?![ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ]) | [ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ][₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ]{{0,15}} )(?![₊₋₌₍₎]) )
    """,
    re.VERBOSE,
)
_SEVERAL_LETTERS = re.compile(rf"_({SUBSCRIPT_WORD})(?![A-Za-z0-9])")
_INDEX_LIKE = re.compile(r"_[\w{]|[^_]")
_CALLED = re.compile(r"\s*\(|\[")
_MINUS_ONE_CALLED = re.compile(r"[-−]1\s*\(")
_BASE_IN_BRACKETS = re.compile(r"\[([^\[\]]{1,20})\]\s*\(")
_CALLED_DIRECTLY = re.compile(r"(?:\\left\s*)?[(\[]")
_LETTERS_AND_DIGITS = re.compile(r"[0-9A-Za-z]*")
_MODULE = re.compile(r"\.[A-Za-z]")
_DIFFERENTIAL = re.compile(
    r"\s*\{\s*(?:d|\\partial|\\mathrm\s*\{\s*d\s*\})[^{}]{0,40}\}\s*\{\s*(?:d(?=[A-Za-z\\])|\\partial|\\mathrm\s*\{\s*d\s*\})"
    r"|\s*\{\s*d(?:\^\{?[0-9]\}?)?\s*\}\s*\{\s*d\s"  # as SymPy prints it: \frac{d}{d x}
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
    """Add a variable or a constant, with its subscript; return its end. Spreadsheets write PI()."""
    if name == "pi" and text.startswith("()", end):
        end += 2
    if text[end : end + 1] in _INDEX_STARTS:
        found = _INDEX.match(text, end)
        if found and (name == "e" or name not in CONSTANTS):  # e_1 is a variable
            index, end = _index_name(text, found, end), found.end()
            if _CALLED_DIRECTLY.match(text, end) and (name in LIKE_FUNCTIONS or not index.isdigit()):
                raise ParseError(_refuse_as_function(f"{name}_{index}"), text, start)
            name = f"{name}_{index}"
        elif _INDEX_LIKE.match(text, end):
            raise ParseError(_refuse_index(text, name, end), text, end)
    tokens.append(Token("name", name, start))
    return end


def _index_name(text: str, found: re.Match[str], start: int) -> str:
    """Return the subscript in the name of a variable: a whole number, letters, or the name of a Greek letter."""
    index = next(part for part in found.groups() if part).translate(SUBSCRIPTS).removeprefix("\\")
    if not index.isdigit():
        return UNICODE_LETTERS.get(index, index)
    limit_digits(text, len(index), start, "subscript")
    return str(int(index))


def _refuse_index(text: str, name: str, start: int) -> str:
    """Return the message for a subscript that is not read; letters without braces may be a subscript and a product."""
    several = _SEVERAL_LETTERS.match(text, start)
    if several is None or name in CONSTANTS:
        return NOT_AN_INDEX
    word = several.group(1)
    product = f"{name}_{word[0]}*{'*'.join(word[1:])}"
    return f"'{name}_{word}' is ambiguous; write {name}_{{{word}}} for one subscript, or {product} for a product"


def _add_function(tokens: list[Token], text: str, word: str, meaning: Meaning, start: int, end: int) -> int:
    """Add a function or a root; digits that follow directly belong to a known name, as in log10, or are refused."""
    if text[end : end + 1] in _DIGITS:
        run = _LETTERS_AND_DIGITS.match(text, end)
        assert run is not None
        longer = WORDS.get(word + run.group())
        if longer is None or text[start] == "\\":
            raise ParseError(_refuse_digits(word, run.group()), text, start)
        meaning, end = longer, run.end()
    elif _MINUS_ONE_CALLED.match(text, end):  # a calculator's key for the inverse function
        raise ParseError(_refuse_minus_one(word, meaning), text, start)
    elif word == "log" and (base := _BASE_IN_BRACKETS.match(text, end)):  # as in Maple
        raise ParseError(refusal(f"log[{base.group(1)}](...)", f"write log(x, {base.group(1)})"), text, start)
    tokens.append(Token(meaning.kind, meaning.text, start, meaning.op))
    return end


def _refuse_minus_one(word: str, meaning: Meaning) -> str:
    inverse = f"a{word}" if meaning.op is not None and f"a{word}" in WORDS else f"1/{word}"
    return f"'{word}-1(...)' is ambiguous; write {inverse}(...), or {word}(-1)*(...)"


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
        raise ParseError(_refuse_as_function(word), text, start)


def _refuse_as_function(name: str) -> str:
    return refusal(f"{name}(...)", f"write {name}*(...) for a product, or what {name}(...) stands for")


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
