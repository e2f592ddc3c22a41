"""A corpus has the sizes and balance asked for, correct labels, disjoint splits, and the same rows on every executor."""

from __future__ import annotations

import signal
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

import treesmu
from small_corpus import generate_small
from treesmu.engine import open_executor
from treesmu.expr import FUNCTIONS, Expr, distinct, equation, from_prefix, parse
from treesmu.expr.numeric import precise
from treesmu.generate.columns import EquationColumns
from treesmu.generate.corpus import SPLITS, GeneratedCorpus, GeneratedSplit, generate_corpus
from treesmu.generate.fingerprint import Fingerprints
from treesmu.generate.settings import CorpusSettings


def equations(rows: EquationColumns) -> list[Expr]:
    return [from_prefix(p.split()) for p in rows.prefix]


def everything(corpus: GeneratedCorpus) -> list[tuple[str, EquationColumns]]:
    return [(name, corpus.splits[name].rows) for name in SPLITS]


def share_correct(rows: EquationColumns) -> float:
    return sum(rows.label) / len(rows)


def has_value(e: Expr) -> bool:
    """Return whether mpmath finds a real value with 50 digits."""
    return precise.sides_at(equation(e, e), {}) is not None


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise a TimeoutError instead of hanging."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


# -- sizes and balance ------------------------------------------------------------------------------------------------


def test_there_are_as_many_rows_as_asked(corpus):
    """Except at depths 1 and 2, where there are fewer, and in validation, where rounding by depth and label loses a few."""
    assert abs(len(corpus.splits["train"].rows) - 600) <= 6
    assert abs(len(corpus.splits["validation"].rows) - 100) <= 6
    found = Counter(corpus.splits["test"].rows.depth)
    assert set(found) <= set(range(1, 10))
    assert all(found[d] == 40 for d in range(3, 10))
    assert 10 <= found[1] <= 40
    assert 30 <= found[2] <= 40


def test_depths_are_within_the_range(corpus):
    for name, rows in everything(corpus):
        low, high = (1, 9) if name == "test" else (1, 7)
        assert set(rows.depth) <= set(range(low, high + 1))
        assert set(rows.depth) >= set(range(low + 2, high + 1))


def test_test_labels_are_balanced_at_every_depth(corpus):
    counts = Counter(zip(corpus.splits["test"].rows.depth, corpus.splits["test"].rows.label, strict=True))
    for d in range(1, 10):
        assert counts[d, 1] == counts[d, 0] > 0


@pytest.mark.parametrize(("name", "share"), [("plain", 0.5), ("mixed", 0.56)])
def test_training_has_the_share_of_correct_equations_asked_for_at_every_depth(name, share, request):
    for split in ("train", "validation"):
        rows = request.getfixturevalue(name).splits[split].rows
        assert share_correct(rows) == pytest.approx(share, abs=0.03)
        counts = Counter(zip(rows.depth, rows.label, strict=True))
        for d in range(2, 8):
            total = counts[d, 0] + counts[d, 1]
            assert counts[d, 1] == pytest.approx(share * total, abs=2.5)


def test_shallow_share_is_kept():
    corpus = generate_small(depths=(3, 9), test_depths=(3, 3), per_depth=2, shallow_share=0.7)
    depth = corpus.splits["train"].rows.depth
    assert sum(d <= 7 for d in depth) / len(depth) == pytest.approx(0.7, abs=0.02)


def test_negatives_are_of_the_kinds_asked_for(plain, mixed):
    for _, rows in everything(plain):
        assert set(rows.kind) == {"rewrite", "near-miss"}
    for name, rows in everything(mixed):
        assert set(rows.kind) == {"rewrite", "near-miss", "mutation"}
        wrong = Counter(kind for kind, label in zip(rows.kind, rows.label, strict=True) if label == 0 and kind != "rewrite")
        assert wrong["near-miss"] == pytest.approx(wrong["mutation"], rel=0.25), name


def test_rewriting_alone_makes_no_incorrect_equation(corpus):
    """Except at depth 1, where a leaf is set equal to a leaf."""
    for _, rows in everything(corpus):
        assert {
            label for label, kind, d in zip(rows.label, rows.kind, rows.depth, strict=True) if kind == "rewrite" and d > 1
        } == {1}


# -- columns ----------------------------------------------------------------------------------------------------------


def test_labels_are_those_of_the_check(corpus):
    for name, rows in everything(corpus):
        found = [v.label for v in treesmu.check_many(equations(rows))]
        wrong = [
            (text, label, verdict)
            for text, label, verdict in zip(rows.infix, rows.label, found, strict=True)
            if verdict not in ("correct" if label else "incorrect", "undecided")
        ]
        assert wrong == []
        assert found.count("undecided") <= 0.01 * len(rows), name


def test_labels_hold_at_other_points(corpus):
    for _, rows in everything(corpus):
        found = treesmu.check_many(equations(rows), seed=12345)
        contradictions = [
            (text, label, v.label)
            for text, label, v in zip(rows.infix, rows.label, found, strict=True)
            if v.label == ("incorrect" if label else "correct")
        ]
        assert contradictions == []


def test_columns_agree_with_the_tree(corpus):
    for _, rows in everything(corpus):
        for e, text, depth, size in zip(equations(rows), rows.infix, rows.depth, rows.size, strict=True):
            assert (parse(text), e.depth, e.size) == (e, depth, size)
            assert e.is_equation
            assert e.left is not e.right or e.depth == 1


def test_the_tree_is_small_for_its_depth_and_has_few_variables(corpus):
    for _, rows in everything(corpus):
        for e in equations(rows):
            assert e.size <= 22 + 7 * e.depth
            assert {v.token for v in e.variables()} <= set("xyzw")


def test_every_constant_part_has_a_real_value(corpus):
    for _, rows in everything(corpus):
        constants = [e for e in distinct(equations(rows)) if e.is_constant and e.op is not None and not e.is_equation]
        assert [str(e) for e in constants if not has_value(e)] == []
        assert len(constants) > 10


def test_variables_are_named_by_first_occurrence_where_asked(mixed, plain):
    for _, rows in everything(mixed):
        assert all(e.canonical() is e for e in equations(rows))
    assert not all(e.canonical() is e for e in equations(plain.splits["train"].rows))


def test_padding_is_below_a_fifth_at_every_depth(corpus):
    nodes, padded = Counter(), Counter()
    for _, rows in everything(corpus):
        for depth, size, padding in zip(rows.depth, rows.size, rows.padding, strict=True):
            nodes[depth] += size
            padded[depth] += padding
    assert {d: round(padded[d] / nodes[d], 2) for d in nodes if padded[d] >= 0.2 * nodes[d]} == {}


def test_all_functions_occur_in_both_labels(plain):
    used: dict[int, set[str]] = {0: set(), 1: set()}
    for _, rows in everything(plain):
        for p, label in zip(rows.prefix, rows.label, strict=True):
            used[label].update(p.split())
    assert {f.name for f in FUNCTIONS} <= used[0] & used[1]


def test_only_functions_of_the_families_occur():
    families, both = ("algebra", "numbers", "trigonometry"), ("near-miss", "mutation")
    corpus = generate_small(families=families, negatives=both, test_negatives=both, train_size=300, per_depth=20)
    tokens = {token for _, rows in everything(corpus) for p in rows.prefix for token in p.split()}
    allowed = {f.name for f in FUNCTIONS if f.family in ("arithmetic", "trigonometric")}
    assert tokens & {f.name for f in FUNCTIONS} == allowed


def test_what_was_proposed_and_undecided_is_counted_by_depth(corpus):
    assert set(corpus.proposed) >= set(range(1, 10))
    assert all(0 <= corpus.undecided[d] <= 0.25 * n for d, n in corpus.proposed.items() if n > 100)
    assert sum(corpus.undecided.values()) > 0


# -- disjoint splits ---------------------------------------------------------------------------------------------------


def test_no_equation_is_twice_up_to_names_sides_and_order(corpus):
    fingerprints = Fingerprints()  # computed from the text, as a reader of the files would
    found = Counter(f for _, rows in everything(corpus) for f in fingerprints.of(equations(rows)).tolist())
    assert set(found.values()) == {1}
    assert len(found) == sum(len(rows) for _, rows in everything(corpus))


def test_no_chain_is_in_two_splits(corpus):
    owners = defaultdict(set)
    for name, rows in everything(corpus):
        for chain in rows.chain:
            owners[chain].add(name)
    assert {len(names) for names in owners.values()} == {1}


def test_equations_of_a_chain_share_its_number(plain):
    """Chains have several equations, of different depths."""
    rows = plain.splits["train"].rows
    depths = defaultdict(list)
    for chain, depth in zip(rows.chain, rows.depth, strict=True):
        depths[chain].append(depth)
    assert sum(len(found) > 1 for found in depths.values()) > 30


# -- reproducibility --------------------------------------------------------------------------------------------------


def content(corpus: GeneratedCorpus) -> dict[str, list[list[object]]]:
    return {name: split.rows.columns() for name, split in corpus.splits.items()}


TINY = {"train_size": 150, "validation_size": 20, "per_depth": 10, "depths": (1, 5), "test_depths": (1, 6), "seed": 8}


def test_same_seed_same_rows_and_another_seed_others():
    first, again, other = (content(generate_small(**{**TINY, "seed": seed})) for seed in (8, 8, 9))
    assert first == again
    deep = [{p for p, depth in zip(rows["train"][0], rows["train"][3], strict=True) if depth >= 4} for rows in (first, other)]
    assert len(deep[0] & deep[1]) < 0.1 * len(deep[0])  # a few short ones occur in every corpus


def test_same_rows_for_any_number_of_jobs():
    with open_executor("local", 2) as executor:
        parallel = generate_corpus(CorpusSettings(**TINY), executor.in_order)
    alone = generate_small(**TINY)
    assert content(parallel) == content(alone)
    assert (parallel.proposed, parallel.undecided) == (alone.proposed, alone.undecided)


@pytest.mark.xdist_group("ray")
@pytest.mark.filterwarnings("ignore")
def test_same_rows_on_ray(monkeypatch):
    ray = pytest.importorskip("ray")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setattr(ray, "init", partial(ray.init, _node_ip_address="127.0.0.1"))
    with open_executor("ray", 2) as executor:
        assert ray.is_initialized()
        on_ray = content(generate_corpus(CorpusSettings(**TINY), executor.in_order))
    assert not ray.is_initialized()  # the executor stops the Ray that it has started
    assert on_ray == content(generate_small(**TINY))


# -- numeric equations -------------------------------------------------------------------------------------------------


def test_numeric_equations_are_not_shared_between_splits_either(numeric):
    test_no_equation_is_twice_up_to_names_sides_and_order(numeric)
    test_no_chain_is_in_two_splits(numeric)


def test_numeric_equations_leave_the_test_set_balanced(numeric):
    test_test_labels_are_balanced_at_every_depth(numeric)


# -- a user's identities -----------------------------------------------------------------------------------------------


def test_a_users_file_is_used(tmp_path: Path):
    file = tmp_path / "five.txt"
    file.write_text("sin(5*x) = 16*sin(x)^5 - 20*sin(x)^3 + 5*sin(x)\n")
    corpus = generate_small(**{**TINY, "families": ("numbers",), "axiom_files": (file,), "depths": (1, 7)})
    assert any("Mul 16 Pow sin" in p for _, rows in everything(corpus) for p in rows.prefix)


def test_identities_deeper_than_the_depths_asked_for_do_not_hang(tmp_path: Path):
    file = tmp_path / "double.txt"
    file.write_text("sin(2*x) = 2*sin(x)*cos(x)\n")
    with at_most(300):
        corpus = generate_small(
            **{**TINY, "families": (), "axiom_files": (file,), "depths": (2, 3), "test_depths": (4, 4), "per_depth": 4}
        )
    assert len(corpus.splits["train"].rows) == 0  # the identity itself has depth 4
    assert len(corpus.splits["test"].rows) == 4


def test_a_file_of_padding_beside_a_family_can_be_used(tmp_path: Path):
    file = tmp_path / "idle.txt"
    file.write_text("# padding\nx = x + 0\n")
    generate_small(**{**TINY, "families": ("algebra",), "axiom_files": (file,)})


# -- settings ----------------------------------------------------------------------------------------------------------


def test_a_split_knows_what_it_still_lacks():
    split = GeneratedSplit("train", Counter({(3, "correct"): 5, (3, "near-miss"): 4, (4, "correct"): 1}))
    split.taken[split.slot(3, 1, "mutation")] += 2  # a mutation that is still true counts as correct
    split.taken[split.slot(3, 0, "near-miss")] += 1
    assert (split.missing(3), split.missing(4)) == (6, 1)
