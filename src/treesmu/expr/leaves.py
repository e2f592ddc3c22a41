"""The tokens of leaves: variables, numbers, constants and the blank."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from math import gcd

BLANK = "_"
CONSTANTS = ("pi", "e", "inf", "nan")
GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau upsilon phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Sigma Upsilon Phi Psi Omega"
).split()
VARIABLES = ("x", "y", "z", "w", "u", "v", "a", "b", "c", "d")  # the canonical names, in order

MAX_DIGITS = 1_000  # on each side of a point or a slash; Python converts integers of at most 4300 digits
_WHOLE = rf"(?:0|[1-9][0-9]{{0,{MAX_DIGITS - 1}}})"
_NUMBER = re.compile(rf"-?{_WHOLE}(?:/(?!0){_WHOLE}|\.[0-9]{{1,{MAX_DIGITS}}})?")
SUBSCRIPT_WORD = "[A-Za-z][A-Za-z0-9]{0,15}"  # a subscript that is not a whole number, as in x_i and x_max
_VARIABLE = re.compile(rf"(?:[A-Za-z]|{'|'.join(GREEK)})(?:_(?:{_WHOLE}|{SUBSCRIPT_WORD}))?")


@lru_cache(maxsize=4096)
def leaf_kind(token: str) -> str:
    """Return 'variable', 'number', 'constant' or 'blank', or '' for a token that is not a leaf."""
    if token == BLANK:
        return "blank"
    if token in CONSTANTS:
        return "constant"
    if _VARIABLE.fullmatch(token):
        return "variable"
    if _NUMBER.fullmatch(token) and token != "-0":
        top, _, bottom = token.partition("/")
        if not bottom or (bottom != "1" and gcd(int(top), int(bottom)) == 1):
            return "number"
    return ""


@lru_cache(maxsize=4096)
def exact_value(token: str) -> Fraction | None:
    """Return the exact value of a number, None for any other token."""
    return Fraction(token) if leaf_kind(token) == "number" else None
