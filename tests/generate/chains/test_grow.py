"""Growth makes equations deeper, within the limits, and correct."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import treesmu
from treesmu.expr import Expr, parse
from treesmu.generate.axioms import FAMILIES, collect_axioms
from treesmu.generate.chains.grow import Grower, largest_size
from treesmu.generate.fingerprint import MAX_VARIABLES

SHIPPED = collect_axioms(FAMILIES)


def chain(seed: object, ceiling: int, families: tuple[str, ...] = FAMILIES) -> list[Expr]:
    """Return a start and all equations that grow from it."""
    grower = Grower(collect_axioms(families), Random(f"{seed}"))
    found = [grower.start(ceiling)]
    while (e := grower.grow(found[-1], ceiling)) is not None:
        found.append(e)
    return found


@pytest.fixture(scope="module")
def chains() -> list[list[Expr]]:
    return [chain(i, 12) for i in range(60)]


def test_every_step_is_deeper_and_within_the_ceiling_and_the_size_limit(chains):
    for equations in chains:
        for before, after in pairwise(equations):
            assert before.depth < after.depth <= 12
            assert after.size <= largest_size(after.depth)
            assert after.is_equation
            assert after.left is not after.right


def test_most_chains_reach_the_ceiling(chains):
    assert sum(equations[-1].depth == 12 for equations in chains) > 0.8 * len(chains)


def test_growth_keeps_equations_correct(chains):
    """Few equations are undecided; an incorrect one could come only from a gap in the domain of an identity."""
    found = [e for equations in chains for e in equations]
    assert len(found) > 300
    labels = [v.label for v in treesmu.check_many(found)]
    wrong = [str(e) for e, label in zip(found, labels, strict=True) if label == "incorrect"]
    assert len(wrong) <= 0.01 * len(found), wrong
    assert labels.count("undecided") <= 0.12 * len(found)


def test_same_seed_same_chain_and_another_seed_another():
    assert chain("a", 10) == chain("a", 10) != chain("b", 10)


def test_a_chain_does_not_depend_on_what_was_grown_before():
    first = chain("a", 8)
    chain("b", 8)
    assert chain("a", 8) == first


@pytest.mark.parametrize("ceiling", [2, 3, 4, 7])
def test_a_start_is_no_deeper_than_the_ceiling(ceiling):
    grower = Grower(SHIPPED, Random(ceiling))
    found = [grower.start(ceiling) for _ in range(150)]
    assert max(e.depth for e in found) <= ceiling
    assert all(e.left is not e.right and e.is_equation for e in found)
    assert len(set(found)) > 40


def test_starts_are_correct_and_have_few_variables():
    grower = Grower(SHIPPED, Random("starts"))
    found = [grower.start() for _ in range(600)]
    labels = [v.label for v in treesmu.check_many(found)]
    assert "incorrect" not in labels
    assert labels.count("undecided") < 60  # an axiom at a number outside of its domain
    assert 3 <= max(len(e.variables()) for e in found) <= MAX_VARIABLES
    assert all(e.canonical() is e for e in found)


def test_at_most_four_variables(chains):
    """Only x, y, z, w; the free variables of a rewrite become one of them."""
    assert {v.token for equations in chains for e in equations for v in e.variables()} <= set("xyzw")


def test_every_family_starts_chains_of_its_own():
    for family in FAMILIES:
        deepest = max(chain(i, 8, (family,))[-1].depth for i in range(6))
        assert deepest >= (4 if family == "numbers" else 8), family


def test_the_same_is_done_to_both_sides():
    grower = Grower(SHIPPED, Random("both"))
    e = parse("sin(x) = cos(y)")
    for _ in range(60):
        new = grower.apply_to_both_sides(e)
        assert new.left.op is new.right.op
        (left, right) = (side.children for side in new.children)
        assert e.left in left
        assert e.right in right
        rest = [c for c in left if c is not e.left], [c for c in right if c is not e.right]
        assert rest[0] == rest[1]


def test_a_variable_is_replaced_everywhere():
    grower = Grower(SHIPPED, Random("everywhere"))
    e = parse("sin(x) + x = cos(x)")
    for _ in range(40):
        new = grower.substitute(e)
        assert new.left.left.left is new.left.right is new.right.left
        assert new.left.right.depth > 0
    assert grower.substitute(parse("1 + 1 = 2")) is None


def test_the_size_limit_rises_with_depth():
    assert [largest_size(d) for d in (1, 10, 19)] == [21, 84, 147]


def test_depth_comes_from_varied_structure(chains):
    """A deep equation has many different functions, not the same one repeated."""
    deep = [equations[-1] for equations in chains if equations[-1].depth == 12]
    kinds = [len({e.op for e in equation.subexpressions()}) for equation in deep]
    assert sum(kinds) / len(kinds) > 6
