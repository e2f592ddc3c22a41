"""The numeric verdict: correctness, and speed compared with SymPy.   Run: python benchmarks/verdicts.py  (or: make bench)

1. 2,000 random equations (instances of true and of false identities over random sub-expressions, some with one node changed)
   against an independent witness, mpmath with 50 digits at new points. A contradiction is a 'correct' equation with a
   point at which the sides differ, or an 'incorrect' one that holds at every point.
2. A batch of 1,000 generated equations against SymPy one by one: lambdify (24 points at once) and evalf (one point).
"""

from __future__ import annotations

import random
import statistics
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import sympy

from treesmu.data.inspect.mpmath_witness import ask_mpmath, stays_equal
from treesmu.expr import FUNCTIONS, Expr, check_many, equation, leaf, node, parse
from treesmu.generate.axioms import FAMILIES
from treesmu.generate.chains.shard import ShardSettings, grow_chains

SEED, EQUATIONS, POINTS = 1, 2000, 12
IDENTITIES = [
    "sin(x)^2 + cos(x)^2 = 1",
    "sin(x + y) = sin(x)*cos(y) + cos(x)*sin(y)",
    "tan(x) = sin(x)/cos(x)",
    "cos(2x) = 1 - 2sin(x)^2",
    "cosh(x)^2 - sinh(x)^2 = 1",
    "exp(x + y) = exp(x)*exp(y)",
    "tanh(x) = sinh(x)/cosh(x)",
    "x*(y + z) = x*y + x*z",
    "x^2 - y^2 = (x + y)*(x - y)",
    "ln(exp(x)) = x",
    "exp(ln(x)) = x",
    "sin(asin(x)) = x",
    "cos(asin(x)) = sqrt(1 - x^2)",
    "cosh(asinh(x)) = sqrt(1 + x^2)",
    "acoth(x) = atanh(1/x)",
    "asin(x) + acos(x) = pi/2",
    "log(x, y) = ln(x)/ln(y)",
    "ln(x*y) = ln(x) + ln(y)",
    "sqrt(x^2) = x",
    "asin(sin(x)) = x",
    "sin(2x) = 2sin(x)",
    "(x + y)^2 = x^2 + y^2",
    "atan(x) + atan(y) = atan((x + y)/(1 - x*y))",
    "x/y = y/x",
    "sech(x) = 1/cosh(x)",
    "asinh(x) = ln(x + sqrt(x^2 + 1))",
]
LEAVES = "x y z x y 0 1 2 3 -1 -2 1/2 pi e 10".split()
UNARY = [f for f in FUNCTIONS if f.arity == 1]
BINARY = [f for f in FUNCTIONS if f.arity == 2]


def random_expression(rng: random.Random, depth: int) -> Expr:
    if depth == 0 or rng.random() < 0.1:
        return leaf(rng.choice(LEAVES))
    if rng.random() < 0.5:
        return node(rng.choice(UNARY), random_expression(rng, depth - 1))
    return node(rng.choice(BINARY), random_expression(rng, depth - 1), random_expression(rng, rng.randrange(depth)))


def random_equations(count: int, seed: int) -> list[Expr]:
    rng = random.Random(seed)
    identities = [parse(text) for text in IDENTITIES]
    found: list[Expr] = []
    while len(found) < count:
        identity = rng.choice(identities)
        e = identity.substitute({v: random_expression(rng, rng.randrange(4)) for v in identity.variables()})
        if rng.random() < 0.5:
            beside, function = random_expression(rng, 2), rng.choice(BINARY[:2])
            e = equation(node(function, e.left, beside), node(function, e.right, beside))
        if rng.random() < 0.3:
            path, _ = rng.choice(list(e.paths())[1:])
            e = e.replace(path, random_expression(rng, 1))
        if e.size <= 120:
            found.append(e)
    return found


# -- the independent witness ---------------------------------------------------------------------------------------------


def witness(e: Expr, rng: random.Random) -> tuple[int, int]:
    """Return at how many new points the sides are equal and at how many they differ, by mpmath as in `treesmu data audit`."""
    answers = []
    for _ in range(POINTS):
        ranges = [rng.choice([(-1, 1), (0, 1), (1, 4), (-6, 6)]) for _ in e.variables()]
        point = {v.token: Fraction(f"{rng.uniform(*r):.6f}") for v, r in zip(e.variables(), ranges, strict=True)}
        answer = ask_mpmath(e, point)
        lost = answer == "different" and stays_equal(e, point)  # cosh(u)^2 - sinh(u)^2 may take a thousand digits
        answers.append("equal" if lost else answer)
    return answers.count("equal"), answers.count("different")


def compare_with_witness() -> int:
    equations = random_equations(EQUATIONS, SEED)
    verdicts = check_many(equations)
    rng = random.Random(SEED + 1)
    contradictions = 0
    for e, verdict in zip(equations, verdicts, strict=True):
        equal, different = witness(e, rng)
        if (verdict.label == "correct" and different) or (verdict.label == "incorrect" and equal >= 3 and not different):
            contradictions += 1
            print(f"  contradiction: {verdict.label}, but equal at {equal} and different at {different} points: {e}")
    counts = ", ".join(f"{n} {label}" for label, n in sorted(Counter(v.label for v in verdicts).items()))
    print(f"{EQUATIONS} random equations ({counts}): {contradictions} contradictions")
    return contradictions


# -- SymPy ---------------------------------------------------------------------------------------------------------------


def to_sympy(e: Expr) -> sympy.Expr:
    """Return the same tree in SymPy, unevaluated; building it is not timed."""
    if e.is_leaf:
        if e.number is not None:
            return sympy.Rational(e.number.numerator, e.number.denominator)
        return {"pi": sympy.pi, "e": sympy.E}.get(e.token) or sympy.Symbol(e.token)
    children = [to_sympy(c) for c in e.children]
    if e.token == "log":  # SymPy's log of two arguments always evaluates
        top, bottom = (sympy.log(c, evaluate=False) for c in children)
        return sympy.Mul(top, sympy.Pow(bottom, -1, evaluate=False), evaluate=False)
    return getattr(sympy, e.token)(*children, evaluate=False)


def by_lambdify(pair: tuple[sympy.Expr, sympy.Expr], symbols: list[sympy.Symbol], points: np.ndarray) -> None:
    function = sympy.lambdify(symbols, pair, "numpy")
    left, right = function(*points[: len(symbols)])
    np.isclose(left, right)


def by_evalf(pair: tuple[sympy.Expr, sympy.Expr], symbols: list[sympy.Symbol], points: np.ndarray) -> None:
    values = {s: float(p[0]) for s, p in zip(symbols, points, strict=False)}
    for side in pair:
        side.evalf(subs=values)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare_with_sympy(families: tuple[str, ...], count: int = 1000, rounds: int = 3, sample: int = 60) -> None:
    found = grow_chains(ShardSettings(families), f"benchmark {SEED}", 200, 19)
    rng = random.Random(SEED)
    equations = rng.sample([e for e, *_ in found if e.depth >= 3], count)
    points = np.random.default_rng(0).uniform(0.1, 0.9, (10, 24))
    ours: list[float] = []
    theirs: dict[str, list[float]] = {"lambdify, 24 points": [], "evalf, 1 point": []}
    for round_ in range(rounds):  # interleaved, so that changes in the load of the machine affect all three equally
        ours.append(seconds(lambda round_=round_: check_many(equations, seed=round_)) / len(equations))
        for e in rng.sample(equations, sample):
            symbols = [sympy.Symbol(v.token) for v in e.variables()]
            for method, times in zip((by_lambdify, by_evalf), theirs.values(), strict=True):
                try:
                    pair = to_sympy(e.left), to_sympy(e.right)
                    times.append(seconds(lambda pair=pair, symbols=symbols, method=method: method(pair, symbols, points)))
                except (TypeError, ValueError, ArithmeticError, NameError, AttributeError, KeyError, NotImplementedError):
                    continue  # SymPy cannot compute some constants
    mine = statistics.median(ours)
    depths, size = sorted(e.depth for e in equations), statistics.mean(e.size for e in equations)
    print(f"{count} equations of {', '.join(families)}")
    print(f"  depth {depths[0]}-{depths[-1]}, mean size {size:.0f}: {1e6 * mine:.0f} us per equation")
    for name, times in theirs.items():
        mean = statistics.mean(times)
        print(f"  SymPy {name}: {1e6 * mean:.0f} us; treesmu is {mean / mine:.0f} times faster")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    compare_with_sympy(FAMILIES)
    compare_with_sympy(("algebra", "numbers", "trigonometry"))
    sys.exit(1 if compare_with_witness() else 0)
