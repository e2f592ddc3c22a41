"""Split text or LaTeX into tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from ..leaves import CONSTANTS, GREEK, MAX_DIGITS
from ..ops import FUNCTIONS, Op

MAX_LENGTH = 1_000_000  # characters; longer input is refused before it is read


class ParseError(ValueError):
    """Raised for a string that cannot be parsed; the message says what is wrong, where, and what would be right."""

    def __init__(self, message: str, text: str, position: int) -> None:
        self.message, self.text, self.position = message, text, position
        super().__init__(f"{message}:\n{_caret(text, position)}" if text.strip() else message)


def _caret(text: str, position: int, width: int = 72) -> str:
    """Return the text with a caret below the position, cut to a window if it is long."""
    text = "".join(c if c.isprintable() else " " for c in text)
    start = max(0, min(position - width // 2, len(text) - width))
    end = start + width
    head, tail = "..." if start else "", "..." if end < len(text) else ""
    return f"  {head}{text[start:end]}{tail}\n  {' ' * (len(head) + position - start)}^"


@dataclass(slots=True)  # not frozen, which would make the tokenizer a third slower
class Token:
    """A word or symbol of a string."""

    kind: str  # number name function frac sqrt blank end, or the symbol itself: + - * / ^ = , ( ) { } [ ] _
    text: str
    start: int
    op: Op | None = None


_ALIASES = {alias: f for f in FUNCTIONS for alias in (f.name, *f.aliases) if f.name not in ("Add", "Mul", "Pow")}
_LOG_NAMES = ("ln", "log")
_FUNCTION_NAMES = (*_ALIASES, "sqrt", "ln")
_NAMES = {**{g: g for g in GREEK}, **{c: c for c in CONSTANTS}, "Pi": "pi", "oo": "inf", "infty": "inf", "NaN": "nan",
          "varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho"}  # fmt: skip
_UNICODE = dict(zip("αβγδεζηθικλμνξρστυφχψωΓΔΘΛΞΣΥΦΨΩ", GREEK, strict=True)) | {"π": "pi", "∞": "inf"}
_SYMBOLS = {"×": "*", "·": "*", "⋅": "*", "∗": "*", "−": "-", "–": "-", "÷": "/", "⁄": "/", "**": "^"}
_COMMANDS = {"cdot": "*", "times": "*", "ast": "*", "div": "/", "lbrack": "[", "rbrack": "]"}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_GREEK_LETTERS = "".join(_UNICODE)

_LEXEME = re.compile(
    rf"""
      (?P<space>   [\s~$]+ | \\[,;:!\s] | \\q?quad\b | \\(?:left|right|big|Big|displaystyle)(?![A-Za-z]) )
    | (?P<number>  [0-9]+\.[0-9]* | \.[0-9]+ | [0-9]+ )
    | (?P<worded>  \\(?:operatorname|mathrm|text|mathit)\s*\{{\s*([A-Za-z]+)\s*\}} )
    | (?P<command> \\[A-Za-z]+ )
    | (?P<blank>   \\_ )
    | (?P<name>    [A-Za-z]+ | [{_GREEK_LETTERS}] )
    | (?P<super>   [⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+ )
    | (?P<root>    √ )
    | (?P<brace>   \\[{{}}] )
    | (?P<symbol>  \*\* | [-+*/^=,(){{}}\[\]_×·⋅∗−–÷⁄] )
    """,
    re.VERBOSE,
)
_PLAIN = frozenset("+-/^=,() ")  # tokens by themselves, about half of all characters: matched without a regular expression
_SUBSCRIPT_LIKE = re.compile(r"\w_[\w{]")
_CALLED = re.compile(r"\s*\(")
_SUBSCRIPT = re.compile(r"_(?:([0-9]+)|\{\s*([0-9]+)\s*\})")


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
            raise ParseError(f"unexpected character {text[place]!r}", text, place)
        kind, start, place = str(found.lastgroup), place, found.end()
        word = found.group()
        if kind in ("number", "super") and len(word) > MAX_DIGITS:
            raise ParseError(f"a number of {len(word):,} digits; the limit is {MAX_DIGITS:,}", text, start)
        if kind == "number":
            place = _add_number(tokens, word, start)
        elif kind == "symbol":
            if word == "_" and tokens and tokens[-1].kind == "name" and _SUBSCRIPT_LIKE.match(text, start - 1):
                raise ParseError("a subscript is a whole number, as in x_1 (a blank stands alone)", text, start)
            _add_symbol(tokens, word, start)
        elif kind in ("name", "command", "worded"):
            bare = word.lstrip("\\") if kind != "worded" else word[word.index("{") + 1 : -1].strip()
            place = _add_name(tokens, text, bare, start, place, command=kind == "command")
        elif kind == "super":
            _add_superscript(tokens, text, word, start)
        elif kind == "root":
            tokens.append(Token("sqrt", word, start))
        elif kind == "blank":
            tokens.append(Token("blank", "_", start))
        elif kind == "brace":
            tokens.append(Token(word[1], word, start))
    tokens.append(Token("end", "the end", len(text)))
    return tokens


def _add_number(tokens: list[Token], word: str, start: int) -> int:
    """Add a number; return its end."""
    bare = tokens and (tokens[-1].kind == "frac" or (len(tokens) > 1 and tokens[-2].kind == "frac" and _is_bare(tokens[-1])))
    if bare and word[0] != ".":
        word = word[0]  # \\frac12 is one half: without braces each argument is a single digit
    whole, point, digits = word.partition(".")
    value = whole.lstrip("0") or "0"
    tokens.append(Token("number", f"{value}.{digits}" if point and digits else value, start))
    return start + len(word)


def _is_bare(token: Token) -> bool:
    return token.kind in ("number", "name") and len(token.text) == 1


def _add_superscript(tokens: list[Token], text: str, word: str, start: int) -> None:
    """Add the tokens of an exponent: x² is x^{2}, and x⁻² is x^{-2}."""
    if not re.fullmatch("⁻?[^⁻]+", word):
        raise ParseError("expected digits in the exponent", text, start)
    sign = [Token("-", word, start)] if word[0] == "⁻" else []
    digits = Token("number", word.translate(_SUPERSCRIPTS).lstrip("-0") or "0", start)
    tokens += [Token("^", word, start), Token("{", word, start), *sign, digits, Token("}", word, start)]


def _add_symbol(tokens: list[Token], word: str, start: int) -> None:
    symbol = _SYMBOLS.get(word, word)
    subscript = tokens and tokens[-1].kind == "function" and tokens[-1].text in _LOG_NAMES
    tokens.append(Token("blank" if symbol == "_" and not subscript else symbol, word, start))


def _add_name(tokens: list[Token], text: str, word: str, start: int, end: int, *, command: bool) -> int:
    """Add a function, a constant, a variable with its subscript, or a product of letters such as xy; return its end."""
    if word in _COMMANDS and command:
        tokens.append(Token(_COMMANDS[word], word, start))
    elif word in ("frac", "dfrac", "tfrac") and command:
        tokens.append(Token("frac", word, start))
    elif word == "sqrt":
        tokens.append(Token("sqrt", word, start))
    elif word in _ALIASES or word == "ln":
        tokens.append(Token("function", word, start, _ALIASES["log" if word == "ln" else word]))
    elif (name := _NAMES.get(word) or _UNICODE.get(word)) or (len(word) == 1 and not command):
        name = name or word
        found = _SUBSCRIPT.match(text, end)
        if found and (name == "e" or name not in CONSTANTS):  # e_1 is a variable
            index = found.group(1) or found.group(2)
            if len(index) > MAX_DIGITS:
                raise ParseError(f"a subscript of {len(index):,} digits; the limit is {MAX_DIGITS:,}", text, end)
            name, end = f"{name}_{int(index)}", found.end()
        tokens.append(Token("name", name, start))
    elif command or _CALLED.match(text, end) or not _is_letters(word):
        raise ParseError(_unknown_name(word, command), text, start)
    else:
        tokens += [Token("name", letter, start + i) for i, letter in enumerate(word[:-1])]
        return _add_name(tokens, text, word[-1], end - 1, end, command=False)
    return end


@lru_cache(maxsize=65536)
def _is_letters(word: str) -> bool:
    """Return whether a word is a product of letters: two or three that do not look like a mistyped function."""
    likeness = 0.6 if len(word) == 3 else 0.75
    return len(word) <= 3 and not get_close_matches(word, _FUNCTION_NAMES, cutoff=likeness) and "pi" not in word


def _unknown_name(word: str, command: bool) -> str:
    """Return the message for an unknown name, with a suggestion."""
    slash = "\\" if command else ""
    for name in sorted(_FUNCTION_NAMES, key=len, reverse=True):
        if word.startswith(name) and len(word) - len(name) == 1:
            return f"unknown name {slash + word!r}; did you mean {name}({word[len(name) :]})?"
    close = get_close_matches(word, [*_FUNCTION_NAMES, *_NAMES], n=1, cutoff=0.6)
    hint = f"did you mean {slash}{close[0]}?" if close else "variables are single letters, Greek names or x_1, x_2, ..."
    return f"unknown name {shorten(slash + word)!r}; {hint}"


def shorten(word: str) -> str:
    """Return a word cut to a length that fits into a message."""
    return word if len(word) <= 40 else f"{word[:37]}..."
