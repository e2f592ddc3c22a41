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
from typing import Any

from strategies import random_tree
from treesmu.expr import Expr, check, equation, parse

CALLS: dict[str, Callable[[float], float]] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "exp": math.exp, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh, "asinh": math.asinh, "acosh": math.acosh, "atanh": math.atanh,
    "sqrt": math.sqrt, "ln": math.log,
}  # fmt: skip
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
        return f"{rng.choice(list(CALLS))}({inner})"
    if kind == "bracket":
        return f"({inner})"
    if kind == "minus":
        return f"{rng.choice('-+')}{inner}"
    other, symbol, space = calculator_text(rng, rng.randrange(depth)), rng.choice("+-*/^"), rng.choice(("", " "))
    return f"{inner}{space}{symbol}{space}{other}"


def python_value(text: str, point: dict[str, float]) -> float:
    """Return the value of calculator notation as Python reads it, with ``**`` for ``^``."""
    names = {**point, "pi": math.pi, "e": math.e}

    def value(node: ast.expr) -> float:
        match node:
            case ast.Constant(value=float() | int() as number):
                return float(number)
            case ast.Name(id=name):
                return names[name]
            case ast.UnaryOp(op=sign, operand=inner):
                return float(OPERATORS[type(sign)](value(inner)))
            case ast.BinOp(left=left, op=sign, right=right):
                return _real(OPERATORS[type(sign)](value(left), value(right)))
            case ast.Call(func=ast.Name(id=name), args=[inner]):
                return CALLS[name](value(inner))
        raise AssertionError(ast.dump(node))

    return value(ast.parse(text.replace("^", "**"), mode="eval").body)


def _real(number: Any) -> float:
    if isinstance(number, complex) or not math.isfinite(number):
        raise ValueError
    return float(number)


def tree_value(e: Expr, point: dict[str, float]) -> float:
    """Return the value of our tree, with Python's functions."""
    if e.is_leaf:
        constants = {**point, "pi": math.pi, "e": math.e}
        if e.token in constants:
            return constants[e.token]
        above, _, below = e.token.partition("/")
        return float(above) / float(below or 1)
    values = [tree_value(child, point) for child in e.children]
    two: dict[str, Callable[[float, float], Any]] = {
        "Add": operator.add, "Mul": operator.mul, "Pow": operator.pow, "log": lambda x, base: math.log(x) / math.log(base)
    }  # fmt: skip
    return _real(two[e.token](*values)) if e.token in two else CALLS[e.token](*values)


def parser_case(rng: random.Random) -> bool:
    """Compare the value of a random text as Python reads it with that of our tree. Return whether both have one."""
    text = calculator_text(rng, rng.randint(1, 6))
    point = {name: rng.uniform(0.1, 2) for name in "xyz"}
    tree = parse(text)
    try:
        wanted, found = python_value(text, point), tree_value(tree, point)
    except NO_VALUE:
        return False
    if not math.isclose(wanted, found, rel_tol=1e-6, abs_tol=1e-9):  # rounding may grow; a wrong reading differs by more
        assert abs(wanted) > 1e12 or abs(found) > 1e12, f"{text!r} at {point}: Python {wanted}, ours {found} ({tree})"
    return True


# -- check -----------------------------------------------------------------------------------------------------------------


def check_case(rng: random.Random) -> bool:
    """Compare the verdict on a random equation with mpmath. Return whether there is a verdict to compare."""
    from treesmu.data.inspect.mpmath_witness import ask_mpmath

    side = random_tree(rng, rng.randint(1, 5))
    e = equation(side, _variant(rng, side))
    verdict = check(e)
    if verdict.label == "incorrect" and verdict.counterexample is not None:
        exact = {name: Fraction(value) for name, value in verdict.counterexample.items()}
        assert ask_mpmath(e, exact) != "equal", f"{e}: {verdict}"
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
    trees = [_nested(rng, functions, rng.randint(0, 7)) for _ in range(rng.randint(1, 12))]
    forest = Forest.from_trees(trees, vocab, share=rng.random() < 0.5)
    torch.manual_seed(rng.randrange(10**6))
    setting, inputs, norm = rng.choice(SETTINGS), rng.choice((0, 2)), rng.choice(("none", "unit", "layer"))
    encoder, dropout = encoder_of(setting, vocab, hidden=rng.randint(1, 12), inputs=inputs), rng.random() < 0.5
    error = 1e-12
    if rng.random() < 0.3:
        encoder, error = encoder.float(), 2e-5
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
