"""A pool grows from the identities by small steps, as its settings say."""

from __future__ import annotations

from random import Random
from statistics import mean

import treesmu
from treesmu.expr import VARIABLES, Expr, parse
from treesmu.generate.fingerprint import MAX_VARIABLES
from treesmu.generate.pools.identities import WRONG_CAUSES, basic_identities
from treesmu.generate.pools.pool import GrowthSettings, Pool, with_first_names

STEPS = 300


def grown(seed: str = "pool", ceiling: int = 15, **changes: object) -> list[Expr]:
    """Return the equations that a pool has besides the identities."""
    settings = GrowthSettings(**{"steps": STEPS, "causes": (), **changes})
    pool = Pool(settings, Random(seed), ceiling)
    pool.grow()
    start = len({a.equation for a in basic_identities(settings.has_padding, settings.causes)})
    assert len(pool.equations) == start + settings.steps
    return pool.equations[start:]


def test_same_seed_same_equations_and_another_seed_others():
    assert grown() == grown()
    assert grown() != grown(seed="other")


def test_sound_steps_never_make_an_incorrect_equation():
    labels = [v.label for v in treesmu.check_many(grown())]
    assert "incorrect" not in labels
    assert labels.count("correct") > 0.9 * STEPS  # the others are defined nowhere, such as (-1)^cos(x) = ...


def test_unsound_steps_make_some():
    found = [e for seed in "abc" for e in grown(seed, causes=WRONG_CAUSES)]
    labels = [v.label for v in treesmu.check_many(found)]
    assert 0 < labels.count("incorrect") < 0.1 * len(found)


def test_nothing_is_deeper_than_the_ceiling_and_names_have_no_gaps():
    found = grown(ceiling=9)
    assert max(e.depth for e in found) == 9
    for e in found:
        names = {v.token for v in e.variables()}
        assert names == set(VARIABLES[: len(names)])
        assert len(names) <= MAX_VARIABLES


def test_equations_are_lopsided_unless_the_smaller_side_is_rewritten():
    open_, closed = grown(), grown(is_lopsided=False)
    ratio = [
        mean(min(s.size for s in e.children) / max(s.size for s in e.children) for e in found) for found in (open_, closed)
    ]
    assert ratio[0] < 0.6 < ratio[1]


def test_without_padding_there_are_fewer_zeros_and_ones():
    share = [
        mean(sum(part.token in ("0", "1") for part in e.preorder()) / e.size for e in grown(has_padding=has))
        for has in (True, False)
    ]
    assert share[1] < 0.6 * share[0]


def test_depth_is_found_where_it_is_sought():
    assert mean(e.depth for e in grown(seeks_depth=True)) > mean(e.depth for e in grown()) + 1


def test_variables_get_the_first_names_in_the_order_of_their_names():
    assert with_first_names(parse("z + y = w")) is parse("y + x = z")
    assert with_first_names(parse("y + x = x")) is parse("y + x = x")
