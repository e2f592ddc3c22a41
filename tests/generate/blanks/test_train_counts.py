"""Candidates are counted by class in the equations of the training set."""

from __future__ import annotations

from random import Random

from fillers import prefix, tree
from treesmu.expr import equation, from_prefix
from treesmu.generate import blanks as module
from treesmu.generate.blanks import CandidateColumns, train_counts


def counts_by_prefix(found: CandidateColumns, equations: list[str]) -> dict[str, int]:
    return dict(zip(found.prefix, train_counts([prefix(e) for e in equations], found), strict=True))


def test_counts_worked_by_hand(found):
    counts = counts_by_prefix(found, ["x + 1 = 1 + x", "sin(x + 1)*2 = (x + x)*sin(0)"])
    assert counts["x"] == 5  # three times in the second equation
    assert counts["1"] == 3
    assert counts["Add x 1"] == counts["Add 1 x"] == 3  # one class: two in the first equation, one in the second
    assert counts["Add x x"] == counts["Mul 2 x"] == 1
    assert counts["0"] == counts["sin 0"] == 2  # 0 itself, and sin(0)
    assert counts["2"] == counts["Add 1 1"] == 1
    assert counts["sin x"] == counts["y"] == counts["Mul x 1"] - counts["x"] == 0


def test_functions_of_larger_arguments_and_unknown_leaves_are_not_counted(found):
    counts = counts_by_prefix(found, ["sin(sin(x)) = u + 2.5", "sin(x + sin(y)) = x*(y + 2)", "x = 7", "sin(7) = x"])
    assert (counts["sin x"], counts["sin y"], counts["Add y 2"], counts["x"], counts["y"], counts["2"]) == (1, 1, 1, 5, 2, 1)
    assert sum(counts[p] for p in ("Add x y", "Mul x y", "sin 0", "Add x 2", "5")) == 0


def test_counts_are_those_of_a_walk_over_the_trees(found):
    rng = Random("counts")
    rows = [" ".join(equation(tree(rng, 5), tree(rng, 7)).prefix()) for _ in range(300)]
    total = dict.fromkeys(found.class_id, 0)
    class_of = dict(zip(found.prefix, found.class_id, strict=True))
    for row in rows:
        for _, part in from_prefix(row.split()).paths():
            if part.depth <= 1 and (c := class_of.get(" ".join(part.prefix()))) is not None:
                total[c] += 1
    assert train_counts(iter(rows), found) == [total[c] for c in found.class_id]
    assert sum(total.values()) > 1000


def test_no_equations_no_counts(found):
    assert train_counts([], found) == [0] * len(found)


def test_counts_do_not_depend_on_the_chunks(found, monkeypatch):
    rows = [prefix("x + 1 = 1 + x"), prefix("sin(x) = cos(y)")] * 5
    whole = train_counts(rows, found)
    monkeypatch.setattr(module, "_CHUNK", 3)
    assert train_counts(rows, found) == whole
