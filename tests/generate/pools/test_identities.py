"""The identities of pools are true, apart from those that are wrong in the original too."""

from __future__ import annotations

import treesmu
from treesmu.expr import VARIABLES
from treesmu.generate.pools.identities import WRONG_CAUSES, basic_identities


def verdicts(has_padding: bool, causes: tuple[str, ...]) -> dict[str, str]:
    identities = basic_identities(has_padding, causes)
    return {
        str(a.equation): v.label for a, v in zip(identities, treesmu.check_many(a.equation for a in identities), strict=True)
    }


def test_without_wrong_causes_every_identity_is_correct():
    assert set(verdicts(True, ()).values()) == {"correct"}


def test_the_wrong_ones_hold_on_half_of_the_line_or_nowhere():
    right = verdicts(True, ())
    wrong = {text: label for text, label in verdicts(True, WRONG_CAUSES).items() if text not in right}
    assert sorted(wrong.values()) == ["incorrect"] + 4 * ["undecided"]


def test_each_cause_adds_its_own_identities():
    sizes = {cause: len(basic_identities(False, (cause,))) - len(basic_identities(False, ())) for cause in WRONG_CAUSES}
    assert sizes == {"half-line": 4, "loose": 0, "mistyped": 1}


def test_identities_are_different_and_in_the_first_variables():
    equations = [a.equation for a in basic_identities(True, WRONG_CAUSES)]
    assert len(set(equations)) == len(equations)
    for e in equations:
        names = {v.token for v in e.variables()}
        assert names == set(VARIABLES[: len(names)])


def test_padding_can_be_left_out():
    without = basic_identities(False, ())
    assert {a.family for a in without} == {"basic"}
    assert {a.family for a in basic_identities(True, ())} == {"basic", "padding"}
