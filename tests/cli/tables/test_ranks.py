"""The ranks of answers by depth, as a table with remarks."""

from __future__ import annotations

from typing import Any

from treesmu.cli.tables.ranks import table


def rank(first: float, fifth: float, mrr: float) -> dict[str, Any]:
    """Return what a rank has: ten shares, and intervals of ±1 point."""
    top = [first, *[fifth] * 9]
    return {
        "top": top, "mrr": mrr, "top_interval": [[share - 0.01, share + 0.01] for share in top],
        "mrr_interval": [mrr - 0.02, mrr + 0.02],
    }  # fmt: skip


def measures(**overall: Any) -> dict[str, Any]:
    row = {"blanks": 1200, "raw": rank(0.1, 0.5, 0.25), "class": rank(0.2, 0.6, 0.35)}
    prior = {"raw": rank(0.01, 0.05, 0.03), "class": rank(0.02, 0.06, 0.04)}
    return {
        "by_depth": {"8": row},
        "overall": {**row, "prior": prior, "no_candidate": 0, **overall},
        "candidates": {"fillers": 1500, "classes": 900},
        "left_out": {"blanks": 0, "candidates": 0},
        "prior": "frequency in training",
        "search": 500,
    }


def test_only_the_ranks_that_were_computed_have_columns() -> None:
    assert table(measures()).splitlines() == [
        "                       raw                  class",
        "depth  blanks  top-1  top-5    MRR   top-1  top-5    MRR",
        "    8   1,200   10.0   50.0   25.0    20.0   60.0   35.0",
        "  all   1,200   10.0   50.0   25.0    20.0   60.0   35.0",
        "            ±    1.0    1.0    2.0     1.0    1.0    2.0",
        "        prior    1.0    5.0    3.0     2.0    6.0    4.0",
        "1,500 candidates in 900 classes; prior: frequency in training; ±: half of the 95% interval",
    ]


def test_what_is_left_out_or_not_found_is_said() -> None:
    found = measures(no_candidate=3, verified=0.125, holds=1100)
    found["left_out"] = {"blanks": 7, "candidates": 1000}
    assert table(found).splitlines()[-3:] == [
        "left out, since the model's vocabulary does not have all of their symbols: 7 blanks, 1,000 candidates",
        "3 answers are not among the candidates, and count as not found",
        "a true filler among the first 500: 12.5% of the 1,100 blanks whose original equation is correct",
    ]


def test_the_ranking_with_the_prior_has_a_line_and_a_remark() -> None:
    found = measures(with_prior={"raw": rank(0.3, 0.7, 0.5), "class": rank(0.4, 0.8, 0.6)})
    lines = table(found | {"weight": 0.35}).splitlines()
    assert lines[5] == "   with prior   30.0   70.0   50.0    40.0   80.0   60.0"
    assert lines[6].startswith("        prior ")
    assert "with prior: the model's default ranking, logit + 0.35 * log(1 + count of the value in its training)" in lines[8]
