"""A wrong filler replaces one leaf, or one function of leaves, by another one."""

from __future__ import annotations

from random import Random

import treesmu
from treesmu.expr import FUNCTIONS, op, parse
from treesmu.expr.numeric.equal_classes import FILLER_LEAVES, enumerate_fillers
from treesmu.generate.fillers import Refiller

E = parse("sin(2*x)*y = 2*sin(x)*cos(x)*y")


def test_one_part_of_height_at_most_one_is_replaced_by_a_candidate():
    refiller = Refiller(FUNCTIONS, Random(0))
    fillers = set(enumerate_fillers(map(treesmu.expr.leaf, FILLER_LEAVES)))
    small = [path for path, part in E.paths() if path and part.depth <= 1]
    for _ in range(300):
        new = refiller.refill(E)
        assert new is not E
        assert any(
            path in dict(new.paths()) and new.replace(path, E.at(path)) is E and new.at(path) in fillers for path in small
        )


def test_fillers_have_only_the_functions_given():
    refiller = Refiller([op("Add"), op("sin")], Random(0))
    tokens = {token for _ in range(200) for token in refiller.refill(parse("x = y")).prefix()}
    assert tokens & {f.name for f in FUNCTIONS} == {"Add", "sin"}


def test_most_fillers_make_a_correct_equation_incorrect_and_the_same_generator_gives_the_same():
    one, again = ([refiller.refill(E) for _ in range(100)] for refiller in (Refiller(FUNCTIONS, Random(s)) for s in (5, 5)))
    assert one == again
    labels = [verdict.label for verdict in treesmu.check_many(one)]
    assert labels.count("incorrect") > 80
