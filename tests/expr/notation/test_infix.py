"""Infix text of many expressions with a memo."""

from __future__ import annotations

import random

from strategies import random_expr
from treesmu.expr.notation.infix import InfixMemo, infix, infix_with_memo


def test_writing_many_with_common_parts_is_the_same_as_one_by_one():
    rng = random.Random(11)
    memo: InfixMemo = {}
    found = [random_expr(rng, rng.randrange(1, 9)) for _ in range(300)]
    assert [infix_with_memo(e, memo) for e in found] == [infix(e) for e in found]
