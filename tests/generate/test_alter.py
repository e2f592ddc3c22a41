"""Near misses are single small changes, worked out by hand; mutations are those of the paper, with functions in use."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import treesmu
from treesmu.expr import FUNCTIONS, Expr, distinct, from_prefix, leaf, op, parse
from treesmu.expr.ops import ADD, MUL
from treesmu.generate.alter import Mutator, near_miss
from treesmu.generate.axioms import FAMILIES, collect_axioms
from treesmu.generate.chains.grow import Grower
from treesmu.generate.chains.shard import ShardSettings, grow_chains

MINUS_ONE = leaf("-1")
NUMBERS = {e.token for a in collect_axioms(FAMILIES) for e in distinct([a.left, a.right]) if e.number is not None}


def near_misses(text: str, draws: int = 3000) -> set[str]:
    """Return all near misses of an equation, by drawing many times."""
    rng = Random(0)
    e = parse(text)
    return {" ".join(new.prefix()) for _ in range(draws) if (new := near_miss(e, rng)) is not None}


def prefixes(lines: str) -> set[str]:
    return {line.partition("#")[0].strip() for line in lines.strip().splitlines()}


def neighbours(token: str) -> set[str]:
    """Return the next two numbers of the identities on both sides; those of an integer are integers."""
    order = sorted((n for n in NUMBERS if "/" not in n or "/" in token), key=Fraction)
    i = order.index(token)
    return {*order[max(0, i - 2) : i], *order[i + 1 : i + 3]}


# -- near misses -------------------------------------------------------------------------------------------------------


def test_all_near_misses_of_a_difference_worked_by_hand():
    assert near_misses("x - y = 2") == prefixes("""
        Equality Add x y 2                  # sign of the term
        Equality Add Mul -1 x Mul -1 y 2    # of x
        Equality Add x Mul -1 Mul -1 y 2    # of y
        Equality Add x Mul Mul -1 -1 y 2    # of -1
        Equality Add x Mul -1 y Mul -1 2    # of 2
        Equality Mul x Mul -1 y 2           # another function
        Equality Pow x Mul -1 y 2
        Equality Add x Add -1 y 2
        Equality Add x Pow -1 y 2
        Equality Add y Mul -1 x 2           # swapped
        Equality Add y Mul -1 y 2           # another variable
        Equality Add x Mul -1 x 2
        Equality x 2                        # dropped
        Equality Mul -1 y 2
        Equality Add x -1 2
    """) | {f"Equality Add x Mul {n} y 2" for n in neighbours("-1")} | {f"Equality Add x Mul -1 y {n}" for n in neighbours("2")}


def test_all_near_misses_of_a_function_worked_by_hand():
    others = [f.name for f in FUNCTIONS if f.family == "hyperbolic" and f.name != "sinh"]
    assert near_misses("sinh(x) = 1/2") == prefixes(
        """
        Equality Mul -1 sinh x 1/2
        Equality sinh Mul -1 x 1/2
        Equality sinh x Mul -1 1/2
        Equality x 1/2
        Equality sinh y 1/2                 # the only variable becomes a new one
        """
        + "".join(f"Equality {name} x 1/2\n" for name in others)
    ) | {f"Equality sinh x {n}" for n in neighbours("1/2")}


def test_another_constant_is_a_neighbour_among_those_of_the_identities():
    """1000 or 1/17 would reveal the change; after 1/2 -> 2/3 either could be the original."""
    assert {"1", "3"} <= neighbours("2")
    assert not any("/" in n for n in neighbours("2"))
    assert near_misses("1/2 = 1/2") >= {f"Equality {n} 1/2" for n in neighbours("1/2")}
    for text in ("x = 1234", "x = -1234", "x = 1/1000", "x = pi", "x = e"):  # where there is no such number, the next ones
        new = {t.split()[-1] for t in near_misses(text) if t.startswith("Equality x ") and len(t.split()) == 3}
        assert new
        assert new <= NUMBERS


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x^y = 2", "y^x = 2"),
        ("log(x, y) = 2", "log(y, x) = 2"),
        ("x^y = 2", "x + y = 2"),
        ("asin(x) = 2", "atan(x) = 2"),
        ("exp(x) = 2", "x = 2"),
        ("x*y = 2", "y = 2"),
        ("x + y = 2", "x - y = 2"),
        ("sin(pi) = 0", "sin(3) = 0"),
        ("exp(1) = e", "exp(1) = 3"),
        ("x = 3/4", "x = 3/5"),
    ],
)
def test_small_changes_worked_by_hand(before, after):
    assert " ".join(parse(after).prefix()) in near_misses(before)


@pytest.mark.parametrize(
    ("before", "never"),
    [
        ("x + y = 2", "y + x = 2"),  # to swap a sum is no mistake
        ("x*y = 2", "y*x = 2"),
        ("sin(x) = 2", "exp(x) = 2"),  # of another family
        ("sin(x) = 2", "2 = sin(x)"),
        ("exp(x) = 2", "log(x, 2) = 2"),  # of another arity
        ("x = 2", "x = 10"),  # no neighbour
    ],
)
def test_what_is_not_a_small_change_is_never_drawn(before, never):
    assert " ".join(parse(never).prefix()) not in near_misses(before)


def small_change(a: Expr, b: Expr) -> str:
    """Return the kind of change from a to b, by walking down to the one place where they differ; '' if there is none."""
    while a.op is not None and a.op is b.op:
        differing = [i for i, (c, d) in enumerate(zip(a.children, b.children, strict=True)) if c is not d]
        if len(differing) != 1:
            break
        a, b = a.children[differing[0]], b.children[differing[0]]
    if a.is_leaf and b.is_leaf:
        return "leaf"
    if b in a.children:
        return "drop"
    if b.op is MUL and b.children == (MINUS_ONE, a):
        return "sign"
    if a.op is not None and a.children == b.children and b.op is not None and a.op.family == b.op.family:
        return "function"
    if a.op is not None and a.op is b.op and a.children == b.children[::-1] and a.op not in (ADD, MUL):
        return "swap"
    if a.op is ADD and b.op is ADD and a.right.children == (MINUS_ONE, b.left) and b.right.children == (MINUS_ONE, a.left):
        return "swap"
    return ""


def test_every_near_miss_is_one_small_change_at_one_place():
    rng = Random("slips")
    grower = Grower(collect_axioms(FAMILIES), rng)
    kinds: dict[str, int] = {}
    for _ in range(300):
        e = grower.start()
        e = grower.grow(e, 9) or e
        for _ in range(4):
            new = near_miss(e, rng)
            if new is not None:
                assert new is not e
                assert new.is_equation
                kind = small_change(e, new)
                kinds[kind] = kinds.get(kind, 0) + 1
                assert kind, (str(e), str(new))
    assert min(kinds[k] for k in ("leaf", "drop", "sign", "function", "swap")) > 5


def test_same_seed_same_near_miss():
    e = parse("sin(2*x) = 2*sin(x)*cos(x)")
    first, again = ([near_miss(e, rng) for _ in range(30)] for rng in (Random(5), Random(5)))
    assert first == again


# -- mutations ---------------------------------------------------------------------------------------------------------


def test_all_mutations_worked_by_hand():
    """sin(x) = 1 with the functions +, sin and cos: every node grown, shrunk or replaced."""
    leaves = "x y z 0 1 2 3 4 10 -1 -2 1/2 pi".split()
    places = {"Equality {} 1": "sin x", "Equality sin {} 1": "x", "Equality sin x {}": "1"}
    expected = set()
    for frame, here in places.items():
        wrapped = [f"sin {here}", f"cos {here}", *(f"Add {here} {t}" for t in leaves), *(f"Add {t} {here}" for t in leaves)]
        replaced = ["x", "cos x"] if here == "sin x" else [t for t in leaves if t != here]
        expected |= {frame.format(new) for new in wrapped + replaced}
    mutator = Mutator([op("Add"), op("sin"), op("cos")], Random(0))
    e = parse("sin(x) = 1")
    assert {" ".join(mutator.mutate(e).prefix()) for _ in range(12_000)} == expected


def test_mutations_use_only_the_functions_given():
    allowed = [f for f in FUNCTIONS if f.family in ("arithmetic", "trigonometric")]
    rng = Random("domain")
    grower = Grower(collect_axioms(("algebra", "trigonometry")), rng)
    mutator = Mutator(allowed, rng)
    names = {f.name for f in FUNCTIONS}
    used = {t for _ in range(1500) for t in mutator.mutate(grower.start()).prefix() if t in names}
    assert used == {f.name for f in allowed}


def test_mutations_need_no_unary_functions():
    mutator = Mutator([ADD, MUL], Random(1))
    found = {mutator.mutate(parse("x + 1 = 2")) for _ in range(500)}
    assert parse("x*1 = 2") in found
    assert all(e.is_equation for e in found)


def test_with_one_function_mutations_grow_where_they_cannot_replace():
    mutator = Mutator([ADD], Random(1))
    assert all(mutator.mutate(parse("x + 1 = 2")).is_equation for _ in range(300))


# -- labels ------------------------------------------------------------------------------------------------------------


def test_a_mutation_that_leaves_the_equation_true_is_labelled_correct():
    found = grow_chains(ShardSettings(("algebra", "numbers"), negatives=("mutation",)), "true", 150, 4)
    mutations = [(e, label) for e, label, _, kind in found if kind == "mutation"]
    labels = [label for _, label in mutations]
    assert 0 < labels.count(1) < labels.count(0)
    verdicts = treesmu.check_many([e for e, _ in mutations])
    assert all(
        v.label == "undecided" or (v.label == "correct") == bool(label)
        for v, (_, label) in zip(verdicts, mutations, strict=True)
    )


def test_a_near_miss_that_becomes_true_again_is_labelled_correct():
    """Rewriting may turn an incorrect equation into a correct one (by a factor of 0, for example); the label follows."""
    found = [row for i in range(4) for row in grow_chains(ShardSettings(FAMILIES), f"good/{i}", 120, 7)]
    near = [(e, label) for e, label, _, kind in found if kind == "near-miss"]
    assert sum(label == 0 for _, label in near) > 0.9 * len(near)
    true = [e for e, label in near if label == 1]
    assert {v.label for v in treesmu.check_many(true)} <= {"correct", "undecided"}


def test_prefix_of_a_near_miss_reads_back():
    for text in near_misses("x^2 - 1/2 = sin(y)", 300):
        assert " ".join(from_prefix(text.split()).prefix()) == text
