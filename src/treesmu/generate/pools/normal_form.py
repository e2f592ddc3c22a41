"""Normal forms of expressions: a weak proof that two of them are equal, as that of the original generator is weak.

Numbers are computed, terms and factors collected and sorted, neutral elements removed. No identity of trigonometry is used:
an equation that needs one is not proved, whether it is true or not.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from treesmu.expr import Expr
from treesmu.expr.node import missing_from

Form = Any  # a Fraction, or a tuple that begins with the kind of the form
Memo = dict[Expr, Form]

_AT_ZERO = dict.fromkeys("sin tan asin atan sinh tanh asinh atanh".split(), Fraction(0))
_AT_ZERO |= dict.fromkeys("cos sec cosh sech exp".split(), Fraction(1))
_LARGEST = 8  # exponent of a number that is computed


def is_proved(e: Expr, memo: Memo) -> bool:
    """Return whether both sides of an equation have the same normal form. Equations with common parts can share the memo."""
    return bool(normal_form(e.left, memo) == normal_form(e.right, memo))


def normal_form(e: Expr, memo: Memo) -> Form:
    """Return the normal form of an expression, which is hashable."""
    for part in missing_from(memo, e):
        memo[part] = _form(part, [memo[c] for c in part.children])
    return memo[e]


def _form(part: Expr, below: list[Form]) -> Form:
    if part.is_leaf:
        number = part.number
        return ("leaf", part.token) if number is None else number
    rule = _RULES.get(part.token)
    if rule is not None:
        return rule(*below)
    if below[0] == 0 and part.token in _AT_ZERO:
        return _AT_ZERO[part.token]
    return (part.token, *below)


def _sum(*terms: Form) -> Form:
    """Return a sum: ("sum", number, (term, its coefficient), ...)."""
    number = Fraction(0)
    found: dict[Form, Fraction] = {}
    for term in terms:
        constant, parts = _terms(term)
        number += constant
        for rest, coefficient in parts:
            found[rest] = found.get(rest, Fraction(0)) + coefficient
    kept = [(rest, c) for rest, c in found.items() if c]
    if not kept:
        return number
    if not number and len(kept) == 1:
        return _product(kept[0][1], kept[0][0])
    return ("sum", number, *sorted(kept, key=repr))


def _terms(form: Form) -> tuple[Fraction, list[tuple[Form, Fraction]]]:
    """Return the number and the other terms of a sum, each with its coefficient; anything else is its own only term."""
    if isinstance(form, Fraction):
        return form, []
    if _is(form, "sum"):
        return form[1], list(form[2:])
    if not _is(form, "product"):
        return Fraction(0), [(form, Fraction(1))]
    rest = form[2:]
    alone = len(rest) == 1 and rest[0][1] == 1
    return Fraction(0), [(rest[0][0] if alone else ("product", Fraction(1), *rest), form[1])]


def _product(*factors: Form) -> Form:
    """Return a product: ("product", number, (base, exponent), ...). A number times a sum is a sum."""
    number = Fraction(1)
    found: dict[Form, Form] = {}
    for factor in factors:
        if isinstance(factor, Fraction):
            number *= factor
            continue
        number *= factor[1] if _is(factor, "product") else 1
        pairs = factor[2:] if _is(factor, "product") else [factor[1:] if _is(factor, "power") else (factor, Fraction(1))]
        for base, exponent in pairs:
            found[base] = _sum(found[base], exponent) if base in found else exponent
    kept = [(base, exponent) for base, exponent in found.items() if exponent != 0]
    if not number or not kept:
        return number
    if len(kept) == 1 and kept[0][1] == 1:
        base = kept[0][0]
        if number == 1:
            return base
        if _is(base, "sum"):
            return _sum(number * base[1], *(_product(number * c, rest) for rest, c in base[2:]))
    if number == 1 and len(kept) == 1:
        return ("power", *kept[0])
    return ("product", number, *sorted(kept, key=repr))


def _power(base: Form, exponent: Form) -> Form:
    if exponent == 0 or base == 1:
        return Fraction(1)
    if exponent == 1 or (base == 0 and not isinstance(exponent, tuple) and exponent > 0):
        return base
    if isinstance(base, Fraction) and isinstance(exponent, Fraction) and base:
        if exponent.denominator == 1 and abs(exponent) <= _LARGEST:
            return base**exponent.numerator
        if exponent == Fraction(1, 2) and base.denominator == 1 and base > 0:
            root = round(float(base) ** 0.5)
            return Fraction(root) if root * root == base else ("power", base, exponent)
    return ("power", base, exponent)


def _is(form: Form, kind: str) -> bool:
    return isinstance(form, tuple) and form[0] == kind


_RULES: dict[str, Callable[..., Form]] = {"Add": _sum, "Mul": _product, "Pow": _power}
