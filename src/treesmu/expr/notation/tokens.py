"""Split text or LaTeX into tokens."""

from __future__ import annotations

import re
from decimal import Decimal

from ..ops import LOG
from .name_tokens import NOT_AN_INDEX, SUBSCRIPTS, add_command, add_name, add_worded
from .names import UNICODE_LETTERS, WOLFRAM_LETTERS, shorten
from .remedies import SMALL_ROOT, refusal, refusal_of_symbol
from .token import ParseError, Token, limit_digits

MAX_LENGTH = 1_000_000  # characters; longer input is refused before it is read

_SYMBOLS = {
    "×": "*",
    "·": "*",
    "⋅": "*",
    "∗": "*",
    "•": "*",
    "∙": "*",
    "−": "-",
    "–": "-",
    "—": "-",
    "‐": "-",
    "‑": "-",
    "÷": "/",
    "⁄": "/",
    "∕": "/",
    "**": "^",
}
_SYMBOLS |= {"==": "=", "≡": "="}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁽⁾ⁿⁱˣʸᶻᵃᵇᶜᵈᵉᵏᵐᵗ", "0123456789-+()nixyzabcdekmt")
_FRACTIONS = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅙": "1/6", "⅛": "1/8"}

_LEXEME = re.compile(
    rf"""
      (?P<wolfram> \\\[ (?:{"|".join(WOLFRAM_LETTERS)}) \] )
    | (?P<space>   [\s~$\u200b\u2060-\u2064\ufeff]+ | \\[,;:!>\s()\[\]] | \\q?quad\b
                 | \\(?:left|right|[bB]igg?[lrm]?|displaystyle|textstyle|limits)(?![A-Za-z]) )
    | (?P<number>  [0-9]+\.[0-9]* | \.[0-9]+ | [0-9]+ )
    | (?P<worded>  \\(?:operatorname\*?|mathrm|text|mathit)\s*\{{\s*([A-Za-z]+[0-9]*[a-z]?)\s*\}}
                 | \\(?:mathrm|mathit)\s+[A-Za-z](?![A-Za-z]) )
    | (?P<command> \\[A-Za-z]+ )
    | (?P<blank>   \\_ | \?+ | □ | _{{3,}} )
    | (?P<name>    [A-Za-z]+ | [{"".join(UNICODE_LETTERS)}] )
    | (?P<super>   [⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁽⁾ⁿⁱˣʸᶻᵃᵇᶜᵈᵉᵏᵐᵗ]+ )
    | (?P<sub>     [₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ₊₋₌₍₎]+ )
    | (?P<root>    [√∛] )
    | (?P<part>    [½⅓⅔¼¾⅕⅙⅛] )
    | (?P<brace>   \\[{{}}] )
    | (?P<symbol>  \*\* | ==? | [-+*/^,(){{}}\[\]_×·⋅∗•∙−–—‐‑÷⁄∕≡] )
    """,
    re.VERBOSE,
)
_PLAIN = frozenset("+-/^,() ")  # tokens by themselves, about half of all characters: matched without a regular expression
_EXPONENT = re.compile(r"(?:[eE]|\*\^)((?:[0-9]+|([+-])[0-9]+))")  # Wolfram prints 1.5*^-3


def tokenize(text: str) -> list[Token]:
    """Return the tokens of a string, followed by a token of kind ``end``."""
    if len(text) > MAX_LENGTH:
        raise ParseError(f"the text has {len(text):,} characters; the limit is {MAX_LENGTH:,}", text[:80], 0)
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        character = text[place]
        if character in _PLAIN:
            if character != " ":
                tokens.append(Token(character, character, place))
            place += 1
            continue
        found = _LEXEME.match(text, place)
        if found is None:
            raise ParseError(refusal_of_symbol(text, place), text, place)
        kind, start, place = str(found.lastgroup), place, found.end()
        word = found.group()
        if kind == "name":
            place = add_name(tokens, text, word, start, place)
        elif kind == "number":
            place = _add_number(tokens, text, word, start)
        elif kind == "symbol":
            _add_symbol(tokens, text, word, start)
        elif kind == "command":
            place = add_command(tokens, text, word[1:], start, place)
        elif kind == "worded":
            name = word[word.index("{") + 1 : -1] if word[-1] == "}" else word[-1]
            place = add_worded(tokens, text, name.strip(), start, place)
        elif kind == "super":
            _add_superscript(tokens, text, word, start)
        elif kind == "sub":
            _add_base(tokens, text, word, start)
        elif kind == "root":
            tokens.append(Token("sqrt", word, start))
        elif kind == "part":
            if tokens and tokens[-1].kind == "number":
                raise ParseError(f"a mixed number is not read; write {tokens[-1].text} + {_FRACTIONS[word]}", text, start)
            tokens.append(Token("number", _FRACTIONS[word], start))
        elif kind == "blank":
            tokens.append(Token("blank", "_", start))
        elif kind == "brace":
            tokens.append(Token(word[1], word, start))
        elif kind == "wolfram":
            tokens.append(Token("name", WOLFRAM_LETTERS[word[2:-1]], start))
    tokens.append(Token("end", "the end", len(text)))
    return tokens


# -- numbers and symbols -------------------------------------------------------------------------------------------------


def _add_number(tokens: list[Token], text: str, word: str, start: int) -> int:
    """Add a number; return its end."""
    end = start + len(word)
    bare = tokens and (tokens[-1].kind == "frac" or (len(tokens) > 1 and tokens[-2].kind == "frac" and _is_bare(tokens[-1])))
    if bare and word[0] != ".":
        word, end = word[0], start + 1  # \\frac12 is one half: without braces each argument is a single digit
    elif text[end : end + 1] in ("e", "E", "*") and (found := _EXPONENT.match(text, end)):
        end, sign = found.end(), found.group(2)
        if sign and text[end : end + 1].isalpha():  # 3e-2x is more likely 3*e - 2*x
            power = text[found.start(2) + 1 : end]
            hint = f"write {word}*e {sign} {power}, or {word}*10^({sign}{power})"
            raise ParseError(f"'{shorten(text[start:end])}' is ambiguous; {shorten(hint, 120)}", text, start)
        word = _write_out(text, word, found.group(1), start)
    limit_digits(text, len(word), start)
    whole, point, digits = word.partition(".")
    value = whole.lstrip("0") or "0"
    tokens.append(Token("number", f"{value}.{digits}" if point and digits else value, start))
    return end


def _write_out(text: str, word: str, exponent: str, start: int) -> str:
    """Return 1.5e-3 as 0.0015."""
    power = int(exponent) if len(exponent) < 9 else 10**9
    limit_digits(text, len(word) + abs(power), start)
    return f"{Decimal(f'{word}e{power}'):f}"


def _is_bare(token: Token) -> bool:
    return token.kind in ("number", "name") and len(token.text) == 1


def _add_superscript(tokens: list[Token], text: str, word: str, start: int) -> None:
    """Add the tokens of an exponent: x² is x^{2}, x⁻² is x^{-2}, and eˣ is e^{x}."""
    limit_digits(text, len(word), start)
    if text[start + len(word) : start + len(word) + 1] == "√":
        raise ParseError(refusal(f"{word}√", SMALL_ROOT), text, start)
    plain = word.translate(_SUPERSCRIPTS)
    if plain in ("-", "+") or ("-" in plain[1:] and plain.strip("-0123456789") == ""):
        raise ParseError("expected digits in the exponent", text, start)
    tokens += [Token("^", word, start), Token("{", word, start)]
    for part in re.findall("[0-9]+|.", plain):
        kind = "number" if part.isdigit() else "name" if part.isalpha() else part
        tokens.append(Token(kind, part.lstrip("0") or "0", start))
    tokens.append(Token("}", word, start))


def _add_base(tokens: list[Token], text: str, word: str, start: int) -> None:
    """Add the base of a logarithm that is written as a small number: log₂."""
    base = word.translate(SUBSCRIPTS)
    if not (tokens and tokens[-1].op is LOG and base.isdigit()):
        raise ParseError(NOT_AN_INDEX, text, start)
    limit_digits(text, len(base), start, "subscript")
    tokens += [Token("_", word, start), Token("number", base.lstrip("0") or "0", start)]


def _add_symbol(tokens: list[Token], text: str, word: str, start: int) -> None:
    symbol = _SYMBOLS.get(word, word)
    if symbol == "_":
        before = tokens[-1] if tokens else None
        if before is not None and before.kind == "number" and re.compile("[0-9]_[0-9]").match(text, start - 1):
            raise ParseError("a '_' inside a number; write 1000 for 1_000", text, start)
        symbol = "_" if before is not None and before.op is LOG else "blank"
    tokens.append(Token(symbol, word, start))
