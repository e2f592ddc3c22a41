"""Rewriting matches identities exactly, gives results worked out by hand, and predicts their depth and size."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from strategies import random_tree
from treesmu.expr import Expr, leaf, parse
from treesmu.generate.axioms import FAMILIES, Axiom, collect_axioms, read_axioms
from treesmu.generate.rewrite import Bindings, Rewrite, RewriteIndex, compile_axiom, index_of

SHIPPED = collect_axioms(FAMILIES)
REWRITES = [r for a in SHIPPED for r in compile_axiom(a)]


def axiom(text: str) -> Axiom:
    (found,) = read_axioms(text, "test", "test")
    return found


def rewrite(rule: Rewrite, e: Expr) -> Expr | None:
    """Return the expression rewritten at its root; None where the rewrite does not match."""
    bound: Bindings = [None] * rule.slots
    return rule.build(bound) if rule.match(e, bound) else None


def instance(rule: Rewrite, rng: Random, depth: int) -> dict[Expr, Expr]:
    """Return random expressions for all variables of a rewrite."""
    names = dict.fromkeys([*rule.pattern.variables(), *rule.result.variables()])
    return {v: random_tree(rng, rng.randint(0, depth)) for v in names}


def bindings(rule: Rewrite, values: dict[Expr, Expr]) -> Bindings | None:
    """Return the bindings from matching the pattern, with the values of the free variables."""
    bound: Bindings = [None] * rule.slots
    if not rule.match(rule.pattern.substitute(values), bound):
        return None
    free = [v for v in rule.result.variables() if v not in rule.pattern.variables()]
    assert len(free) == len(rule.free)
    for slot, v in zip(rule.free, free, strict=True):
        bound[slot] = values[v]
    return bound


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        ("sin(2*x) = 2*sin(x)*cos(x)", "sin(2*y)", "2*sin(y)*cos(y)"),
        ("sin(2*x) = 2*sin(x)*cos(x)", "sin(2*(z + exp(x)))", "2*sin(z + exp(x))*cos(z + exp(x))"),
        ("sin(2*x) = 2*sin(x)*cos(x)", "sin(2*pi)", "2*sin(pi)*cos(pi)"),
        ("sin(2*x) = 2*sin(x)*cos(x)", "sin(3*x)", None),
        ("sin(2*x) = 2*sin(x)*cos(x)", "sin(x*2)", None),  # order is for x*y = y*x to change
        ("sin(2*x) = 2*sin(x)*cos(x)", "cos(2*x)", None),
        ("sin(2*x) = 2*sin(x)*cos(x)", "x", None),
        ("x + x = 2*x", "y + y", "2*y"),
        ("x + x = 2*x", "sin(y) + sin(y)", "2*sin(y)"),
        ("x + x = 2*x", "x + y", None),
        ("x + x = 2*x", "sin(x) + sin(y)", None),
        ("x + x = 2*x", "x*x", None),
        ("x*y + x*z = x*(y + z)", "2*a + 2*b", "2*(a + b)"),
        ("x*y + x*z = x*(y + z)", "2*a + 3*b", None),
        ("sin(x)^2 + cos(x)^2 = 1", "sin(2*y)^2 + cos(2*y)^2", "1"),
        ("sin(x)^2 + cos(x)^2 = 1", "sin(y)^2 + cos(2*y)^2", None),
        ("x + y = y + x", "y + x", "x + y"),  # the names of the rule and of the expression are different things
        ("x + y = y + x", "1 + y*x", "y*x + 1"),
        ("2 + 3 = 5", "2 + 3", "5"),
        ("2 + 3 = 5", "2 + x", None),
        ("x = tan(atan(x))", "sin(y)", "tan(atan(sin(y)))"),
        ("pi/2 = asin(1)", "pi/2", "asin(1)"),
        ("log(x, b) = ln(x)/ln(b)", "log(y, 2)", "ln(y)/ln(2)"),
    ],
)
def test_left_to_right_as_worked_by_hand(rule, before, after):
    found = rewrite(compile_axiom(axiom(rule))[0], parse(before))
    assert found is (parse(after) if after else None)


@pytest.mark.parametrize(
    ("rule", "before", "after"),
    [
        ("sin(2*x) = 2*sin(x)*cos(x)", "2*sin(y*z)*cos(y*z)", "sin(2*(y*z))"),
        ("sin(2*x) = 2*sin(x)*cos(x)", "2*sin(y)*cos(z)", None),
        ("x + x = 2*x", "2*sin(y)", "sin(y) + sin(y)"),
        ("2 + 3 = 5", "5", "2 + 3"),
        ("x = tan(atan(x))", "tan(atan(y))", "y"),
        ("x = tan(atan(x))", "tan(y)", None),
    ],
)
def test_right_to_left_as_worked_by_hand(rule, before, after):
    found = rewrite(compile_axiom(axiom(rule))[1], parse(before))
    assert found is (parse(after) if after else None)


def test_variables_that_only_the_result_has_are_free():
    forward, back = compile_axiom(axiom("x - x = 0"))
    assert (len(forward.free), len(back.free)) == (0, 1)
    bound: Bindings = [None] * back.slots
    assert back.match(leaf("0"), bound)
    bound[back.free[0]] = parse("sin(y)")
    assert back.build(bound) is parse("sin(y) - sin(y)")


def test_every_rewrite_of_every_axiom_gives_exactly_the_substituted_other_side():
    rng = Random("instances")
    for rule in REWRITES:
        for depth in (0, 2, 4):
            values = instance(rule, rng, depth)
            bound = bindings(rule, values)
            assert bound is not None, (str(rule.pattern), values)
            built = rule.build(bound)
            assert built is rule.result.substitute(values)
            assert (rule.depth(bound), rule.size(bound)) == (built.depth, built.size)


def test_repeated_variables_are_compared_in_every_axiom():
    """Where a variable occurs twice in a pattern, two different expressions do not match."""
    rng, seen = Random("repeated"), 0
    for rule in REWRITES:
        places = [(path, e) for path, e in rule.pattern.paths() if e.is_variable]
        names = [e for _, e in places]
        for path, v in places:
            if names.count(v) > 1:
                other = rule.pattern.substitute(instance(rule, rng, 2)).replace(path, leaf("u_7"))  # u_7 occurs nowhere else
                assert rewrite(rule, other) is None
                seen += 1
    assert seen > 100


def test_directions_are_those_of_the_axioms():
    assert len(REWRITES) == sum(2 if a.both_ways else 1 for a in SHIPPED)
    assert {(r.pattern, r.result) for r in REWRITES} >= {(a.left, a.right) for a in SHIPPED}
    one_way = {(a.right, a.left) for a in SHIPPED if not a.both_ways}
    assert one_way.isdisjoint({(r.pattern, r.result) for r in REWRITES})


def test_what_grows_and_what_narrows_is_known():
    grows, shrinks = compile_axiom(axiom("sin(2*x) = 2*sin(x)*cos(x)"))
    assert (grows.grows, shrinks.grows) == (True, False)
    assert not grows.narrows
    assert compile_axiom(axiom("x -> exp(ln(x))"))[0].narrows


def test_the_index_finds_every_rewrite_that_matches():
    """No rewrite that matches is missed, whether it makes the expression deeper or not."""
    index = index_of(SHIPPED)
    rng = Random("index")
    for rule in rng.sample(REWRITES, 300):
        e = rule.pattern.substitute(instance(rule, rng, 2))
        offered = index.matching(e, growing=False).rewrites
        fitting = [r for r in REWRITES if r.match(e, [None] * r.slots)]
        assert len(fitting) > 0
        assert {id(r.pattern) for r in fitting} <= {id(r.pattern) for r in offered}
        assert {(r.pattern, r.result) for r in fitting} <= {(r.pattern, r.result) for r in offered}
        growing = index.matching(e, growing=True).rewrites
        assert {(r.pattern, r.result) for r in growing} == {(r.pattern, r.result) for r in offered if r.grows}


def test_rewrites_are_drawn_by_weight():
    rules = read_axioms("x + y = y + x\nx + y -> (sqrt(x) + sqrt(y))^2\n# padding\nx + y = 1*x + y", "test", "test")
    index = RewriteIndex(rules)
    choice = index.matching(parse("a + b"), growing=False)
    rng = Random(0)
    drawn = [choice.draw(rng) for _ in range(2000)]
    counts = Counter(str(r.result) for r in drawn)
    assert counts["y + x"] + counts["x + y"] > 0.85 * 2000
    assert counts["(sqrt(x) + sqrt(y))^2"] < 0.1 * 2000  # what narrows the domain is rare
    assert 0 < counts["1*x + y"] < 0.03 * 2000  # padding is rarer
    assert counts["1*x + y"] < counts["(sqrt(x) + sqrt(y))^2"]


def test_where_nothing_matches_nothing_is_drawn():
    index = RewriteIndex([axiom("sin(2*x) = 2*sin(x)*cos(x)")])
    assert index.matching(parse("exp(x)"), growing=False).draw(Random(0)) is None
