"""Numeric equations: their share, and labels that are right to the digits shown."""

from __future__ import annotations

import pytest

from treesmu.expr import from_prefix
from treesmu.expr.numeric import precise


def test_numeric_equations_have_their_share_in_every_split(numeric):
    for rows in (split.rows for split in numeric.splits.values()):
        assert rows.kind.count("numeric") == pytest.approx(0.2 * len(rows), rel=0.15)


def test_numeric_equations_are_right_to_the_digits_shown(numeric):
    decimals = 0
    for rows in (split.rows for split in numeric.splits.values()):
        chosen = [i for i, kind in enumerate(rows.kind) if kind == "numeric"]
        labels = {rows.label[i] for i in chosen}
        assert labels == {0, 1}
        for i in chosen:
            e = from_prefix(rows.prefix[i].split())
            assert e.is_constant
            left, right = precise.sides_at(e, {})
            if e.right.is_decimal:
                decimals += 1
                half = 0.5 * 10.0 ** -len(e.right.token.partition(".")[2])
                assert (abs(left - right) <= half * (1 + 1e-9)) == bool(rows.label[i]), rows.infix[i]
            else:
                assert (abs(left - right) < 1e-12) == bool(rows.label[i]), rows.infix[i]
    assert decimals > 50
