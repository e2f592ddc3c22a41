"""Differential checks: two independent ways to the same answer, for random inputs. A difference is an AssertionError.

parser: calculator notation read by Python's own grammar (``ast``), compared in value with what our parser reads.
check: the numeric verdict against mpmath with 50 digits, at points of our own.
passes: the compiled pass over a forest against the hand-written one, in values and gradients.
"""

from __future__ import annotations

import ast
import math
import operator
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import mpmath

from strategies import random_tree
from treesmu.expr import Expr, check, equation, parse

DIGITS = 200
_exact = mpmath.MPContext()
_exact.dps = DIGITS


class Numbers(NamedTuple):
    """A kind of numbers to compute with."""

    calls: dict[str, Callable[[Any], Any]]
    number: Callable[[Any], Any]
    constants: dict[str, Any]


NAMES = "sin cos tan exp asin acos atan sinh cosh tanh asinh acosh atanh sqrt".split()
FLOATS = Numbers({**{f: getattr(math, f) for f in NAMES}, "ln": math.log}, float, {"pi": math.pi, "e": math.e})
EXACT = FLOATS._replace(  # sin(pi) is the same small number as of floats, and ln(e) is 1
    calls={**{f: getattr(_exact, f) for f in NAMES}, "ln": _exact.log}, number=_exact.mpf,
    constants={"pi": _exact.mpf(math.pi), "e": +_exact.e},
)  # fmt: skip
OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow,
    ast.USub: operator.neg, ast.UAdd: operator.pos,
}  # fmt: skip
NO_VALUE = (ValueError, ZeroDivisionError, OverflowError)


# -- parser ----------------------------------------------------------------------------------------------------------------


def calculator_text(rng: random.Random, depth: int) -> str:
    """Return random calculator notation, with brackets where they are needed and where they are not."""
    if depth == 0 or rng.random() < 0.1:
        return rng.choice(("x", "y", "z", "2", "3", "10", "0.5", "1.25", "pi", "e"))
    kind = rng.choice(("call", "binary", "binary", "binary", "minus", "bracket"))
    inner = calculator_text(rng, depth - 1)
    if kind == "call":
        return f"{rng.choice(list(FLOATS.calls))}({inner})"
    if kind == "bracket":
        return f"({inner})"
    if kind == "minus":
        return f"{rng.choice('-+')}{inner}"
    other, symbol, space = calculator_text(rng, rng.randrange(depth)), rng.choice("+-*/^"), rng.choice(("", " "))
    return f"{inner}{space}{symbol}{space}{other}"


def python_value(text: str, point: dict[str, float], kind: Numbers = FLOATS) -> Any:
    """Return the value of calculator notation as Python reads it, with ``**`` for ``^``."""
    names = {**kind.constants, **{name: kind.number(value) for name, value in point.items()}}

    def value(node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=float() | int() as number):
                return kind.number(number)
            case ast.Name(id=name):
                return names[name]
            case ast.UnaryOp(op=sign, operand=inner):
                return OPERATORS[type(sign)](value(inner))
            case ast.BinOp(left=left, op=sign, right=right):
                return _real(OPERATORS[type(sign)](value(left), value(right)))
            case ast.Call(func=ast.Name(id=name), args=[inner]):
                return _real(kind.calls[name](value(inner)))
        raise AssertionError(ast.dump(node))

    return value(ast.parse(text.replace("^", "**"), mode="eval").body)


def _real(number: Any) -> Any:
    if isinstance(number, complex | mpmath.ctx_mp_python._mpc) or not mpmath.isfinite(number):
        raise ValueError
    return number


def tree_value(e: Expr, point: dict[str, float], kind: Numbers = FLOATS) -> Any:
    """Return the value of our tree, with Python's functions."""
    if e.is_leaf:
        known = {**kind.constants, **point}
        above, _, below = e.token.partition("/")
        return kind.number(known[e.token]) if e.token in known else kind.number(above) / kind.number(below or 1)
    values, ln = [tree_value(child, point, kind) for child in e.children], kind.calls["ln"]
    two: dict[str, Callable[[Any, Any], Any]] = {
        "Add": operator.add, "Mul": operator.mul, "Pow": operator.pow, "log": lambda x, base: ln(x) / ln(base)
    }  # fmt: skip
    return _real(two[e.token](*values) if e.token in two else kind.calls[e.token](*values))


def parser_case(rng: random.Random) -> bool:
    """Compare the value of a random text as Python reads it with that of our tree. Return whether both have one."""
    text = calculator_text(rng, rng.randint(1, 6))
    point = {name: rng.uniform(0.1, 2) for name in "xyz"}
    tree = parse(text)
    try:
        wanted, found = python_value(text, point), tree_value(tree, point)
        if math.isclose(wanted, found, rel_tol=1e-6, abs_tol=1e-9):
            return True
        wanted, found = python_value(text, point, EXACT), tree_value(tree, point, EXACT)  # float64 may have lost all digits
    except NO_VALUE:
        return False
    same = abs(wanted - found) <= 1e-20 * max(1, abs(wanted))
    assert same, f"{text!r} at {point}: Python {float(wanted)}, ours {float(found)} ({tree})"
    return True


# -- check -----------------------------------------------------------------------------------------------------------------


def check_case(rng: random.Random) -> bool:
    """Compare the verdict on a random equation with mpmath. Return whether there is a verdict to compare."""
    from treesmu.data.inspect.mpmath_witness import ask_mpmath, stays_equal

    side = random_tree(rng, rng.randint(1, 5))
    e = equation(side, _variant(rng, side))
    verdict = check(e)
    if verdict.label == "incorrect" and verdict.counterexample is not None:
        exact = {name: Fraction(value) for name, value in verdict.counterexample.items()}
        assert ask_mpmath(e, exact) != "equal" or not stays_equal(e, exact), f"{e}: {verdict}"
    if verdict.label == "correct":
        names = [v.token for v in e.variables()]
        for _ in range(6):
            point = {name: Fraction(rng.randint(-3000, 3000), 1000) for name in names}
            assert ask_mpmath(e, point) != "different", f"{e} at {point}: {verdict}"
    return verdict.label != "undecided"


def _variant(rng: random.Random, e: Expr) -> Expr:
    """Return an expression that is equal to another one, or nearly, or not at all."""
    written = {
        "same": "({0})", "twice": "({0})/2 + ({0})/2", "zero": "({0}) + 0*x", "square": "sqrt(({0})^2)", "exp": "ln(exp({0}))",
        "log": "exp(ln({0}))", "near": "({0}) + 10^-9", "pythagoras": "({0})*(sin(x)^2 + cos(x)^2)", "minus": "-({0})",
    }  # fmt: skip
    return parse(written[rng.choice(list(written))].format(e))


# -- passes ----------------------------------------------------------------------------------------------------------------


def passes_case(rng: random.Random) -> bool:
    """Compare the compiled pass with the hand-written one, for random trees, settings, normalisation and precision."""
    import torch

    from samples import SETTINGS, encoder_of
    from treesmu.data import Forest, Vocab

    functions = {"f": 1, "g": 2, "h": 3}
    vocab = Vocab(tuple(functions), tuple(functions.values()), ("a", "b", "c"), numbers=True)
    heights = [rng.randint(1, 7), *(rng.randint(0, 7) for _ in range(rng.randrange(12)))]  # encoders read leaves without a pass
    trees = [_nested(rng, functions, height) for height in heights]
    forest = Forest.from_trees(trees, vocab, share=rng.random() < 0.5)
    torch.manual_seed(rng.randrange(10**6))
    setting, inputs, norm = rng.choice(SETTINGS), rng.choice((0, 2)), rng.choice(("none", "unit", "layer"))
    encoder, dropout = encoder_of(setting, vocab, hidden=rng.randint(1, 12), inputs=inputs), rng.random() < 0.5
    error = 1e-12
    if rng.random() < 0.3:
        encoder, error = encoder.float(), 2e-5 if norm == "none" else 2e-3  # small states that are scaled lose digits
    compare_passes(encoder, forest, norm, dropout, error, f"{setting} {norm} {trees}")
    return True


def _nested(rng: random.Random, functions: dict[str, int], height: int) -> Any:
    if height == 0:
        return rng.choice(("a", "b", "c", "0.25", "-2.5"))
    name = rng.choice(list(functions))
    heights = [height - 1, *(rng.randrange(height) for _ in range(functions[name] - 1))]
    return (name, *(_nested(rng, functions, h) for h in rng.sample(heights, len(heights))))


def compare_passes(encoder: Any, forest: Any, norm: Any, dropout: bool, error: float, what: str) -> None:
    """Assert that states, memories and gradients of both passes are equal up to rounding."""
    from pass_numbers import numbers_of
    from treesmu.models.compiled.forest_pass import CompiledPass
    from treesmu.models.forest.by_hand import HandWrittenPass

    ours, wanted = (numbers_of(kind, encoder, forest, norm, dropout) for kind in (CompiledPass, HandWrittenPass))
    for one, other in zip(ours, wanted, strict=True):
        largest = max(1.0, other.abs().max().item()) if other.numel() else 1.0
        assert one.shape == other.shape, what
        assert not other.numel() or (one - other).abs().max().item() <= error * largest, what


CASES: dict[str, Callable[[random.Random], bool]] = {"parser": parser_case, "check": check_case, "passes": passes_case}
