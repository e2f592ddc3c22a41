"""The names that the parser knows: functions under all their names, constants and Greek letters; and hints for the others."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from ..leaves import CONSTANTS, GREEK
from ..ops import FUNCTIONS, POW, Op, op


class Meaning(NamedTuple):
    """What a name stands for: the kind, the text and the function of its token."""

    kind: str
    text: str
    op: Op | None = None


_OTHER_NAMES = {  # names of the functions in other languages and programs, besides those in the table of functions
    "tg": "tan", "ctg": "cot", "cotg": "cot", "cotan": "cot", "cosec": "csc", "cosech": "csch",
    "arctg": "atan", "arcctg": "acot", "arccotg": "acot", "arccosec": "acsc",
    "arsh": "asinh", "arch": "acosh", "arth": "atanh", "arcth": "acoth",
}  # fmt: skip
IF_CALLED = {"sh": "sinh", "ch": "cosh", "th": "tanh", "cth": "coth", "lb": "log2"}  # s*h, unless it is sh(...) or \sh
FIXED_BASES = {"ln": "e", "lg": "10", "log10": "10", "log2": "2", "exp2": "2", "exp10": "10"}  # of logarithms and powers
CUBE_ROOTS = ("cbrt", "Cbrt", "CubeRoot", "∛")
LIKE_FUNCTIONS = frozenset("f g h D gamma beta zeta Gamma".split())  # f(x) is no product, though x(y) is

_CONSTANT_NAMES = {"Pi": "pi", "PI": "pi", "oo": "inf", "infty": "inf", "Infinity": "inf", "infinity": "inf", "NaN": "nan"}
_LETTER_NAMES = {"varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho"}
UNICODE_LETTERS = dict(zip("αβγδεζηθικλμνξρστυφχψωΓΔΘΛΞΣΥΦΨΩ", GREEK, strict=True)) | {
    "π": "pi", "∞": "inf", "ϕ": "phi", "ϵ": "epsilon", "ϑ": "theta", "µ": "mu", "ℯ": "e",
}  # fmt: skip
WOLFRAM_LETTERS = {  # \\[Alpha], \\[CapitalGamma]
    **{name.capitalize() if name.islower() else f"Capital{name}": name for name in GREEK},
    "Pi": "pi", "Infinity": "inf", "ExponentialE": "e",
}  # fmt: skip
_BY_NAME = {name: f for f in FUNCTIONS for name in (f.name, *f.aliases) if f.name not in ("Add", "Mul", "Pow")}
_FUNCTION_NAMES = (*_BY_NAME, "sqrt", "ln")  # a word that looks like one of these is a typing error, not a product


def _functions() -> dict[str, Meaning]:
    """Return the meaning of every name of a function, also as Sin, ArcSin and SIN."""
    table = {name: Meaning("function", name, f) for name, f in _BY_NAME.items()}
    table |= {name: Meaning("function", name, op(other)) for name, other in _OTHER_NAMES.items()}
    table |= {name: Meaning("function", name, POW if name.startswith("exp") else op("log")) for name in FIXED_BASES}
    for name, meaning in list(table.items()):
        variants = [name.capitalize(), name.upper()]
        if name.startswith("arc"):
            variants.append(f"Arc{name[3:].capitalize()}")
        for variant in variants:
            table[variant] = meaning if name in FIXED_BASES else meaning._replace(text=variant)
    roots = ("sqrt", "Sqrt", "SQRT", *CUBE_ROOTS)
    return table | {name: Meaning("sqrt", name) for name in roots}


def _names() -> dict[str, Meaning]:
    words = {name: name for name in (*GREEK, *CONSTANTS)} | _CONSTANT_NAMES | _LETTER_NAMES | UNICODE_LETTERS
    return {word: Meaning("name", name) for word, name in words.items()}


def _commands() -> dict[str, Meaning]:
    symbols = {"cdot": "*", "times": "*", "ast": "*", "div": "/", "lbrack": "[", "rbrack": "]", "equiv": "="}
    table = {word: Meaning(symbol, word) for word, symbol in symbols.items()}
    table |= {word: Meaning("frac", word) for word in ("frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac")}
    return table | {word: Meaning("blank", "_") for word in ("square", "Box")}


_SHARED = _functions() | _names()
_SHORT = {word: _SHARED[name]._replace(text=word if name not in FIXED_BASES else name) for word, name in IF_CALLED.items()}
_LETTERS = {c: Meaning("name", c) for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"}
WORDS = _LETTERS | _SHARED  # typed as they are
CALLED_WORDS = _SHORT  # ... and directly before a parenthesis
COMMANDS = _SHARED | _SHORT | _commands()  # after a backslash
WORDED = _LETTERS | _SHARED | _SHORT  # inside \operatorname{...} and \mathrm{...}


@lru_cache(maxsize=65536)
def is_letters(word: str) -> bool:
    """Return whether a word is a product of letters: two or three that do not look like a mistyped function."""
    if len(word) > 3 or "pi" in word or word[:2] in ("tg", "lg"):
        return False
    return not get_close_matches(word, _FUNCTION_NAMES, cutoff=0.6 if len(word) == 3 else 0.75)


def unknown_name(word: str, *, is_command: bool, is_called: bool) -> str:
    """Return the message for an unknown name, with a suggestion."""
    if is_called and is_letters(word):
        return f"unknown function {word!r}; write {'*'.join(word)}*(...) for a product"
    slash = "\\" if is_command else ""
    hint = _split_hint(word, slash) or _likely_hint(word, slash)
    return f"unknown name '{shorten(slash + word)}'; {hint or 'variables are single letters, Greek names or x_1, x_2, ...'}"


def _split_hint(word: str, slash: str) -> str:
    """Return the hint for a name that touches a letter: sinx, xsin(x), pir, thetay."""
    for name in sorted((*_FUNCTION_NAMES, "tg", "lg", "ctg"), key=len, reverse=True):
        if len(word) - len(name) == 1 and word.startswith(name):
            return f"did you mean {name}({word[-1]})?"
    for name in _FUNCTION_NAMES:
        if len(word) - len(name) == 1 and word.endswith(name):
            return f"did you mean {word[0]}*{name}(...)?"
    if len(word) <= 4 and word.startswith("pi"):
        return f"did you mean pi*{'*'.join(word[2:])}?"
    if len(word) <= 4 and word.endswith("pi"):
        return f"did you mean {'*'.join(word[:-2])}*pi?"
    if word[:-1] in GREEK:
        return f"did you mean {slash}{word[:-1]}{' ' if slash else '*'}{word[-1]}?"
    return ""


def _likely_hint(word: str, slash: str) -> str:
    names = [*_FUNCTION_NAMES, *GREEK, *CONSTANTS, "infinity", *_LETTER_NAMES]
    likely = get_close_matches(word[:40], names, n=1, cutoff=0.6)
    if likely and len(word) - len(likely[0]) < 4:
        return f"did you mean {slash}{likely[0]}?"
    function = max((name for name in _FUNCTION_NAMES if word.startswith(name)), key=len, default="")
    return f"write arguments in parentheses, {function}(...)" if function else ""


def shorten(word: str, most: int = 40) -> str:
    """Return a word cut to a length that fits into a message."""
    return word if len(word) <= most else f"{word[: most - 3]}..."
