"""The lead of Tree-SMU: paired by seed, with an interval; and the order of the models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from published_study import FILES, analysis_of, results_of, run_of
from treesmu.report.published.lead import (
    find_lead,
    lead_family,
    lead_sentences,
    lead_table,
    leads,
    order_family,
    order_sentences,
)

PROTOCOL = {"tree-lstm": (75, 77, 76), "tree-smu": (78, 80, 78)}  # by seed


def analyses(protocol: dict[str, tuple[int, ...]]) -> dict[str, object]:
    return {
        run_of("published", model, seed): analysis_of({"published": percent})
        for model, percents in protocol.items()
        for seed, percent in enumerate(percents, 1)
    }


def sentences(path: Path, protocol: dict[str, tuple[int, ...]], **changes: Any) -> list[str]:
    study = results_of(path, analyses(protocol), **changes)
    return lead_sentences(study, lead_family(study))


def test_differences_are_of_models_with_the_same_seed(tmp_path: Path) -> None:
    """A shuffled pairing would give another interval: +0 and +6 instead of +3 and +3."""
    done = analyses(PROTOCOL) | {run_of("published", "tree-smu", 9): analysis_of({"published": 10})}  # without a Tree-LSTM
    study = results_of(tmp_path, done)
    (lead,) = (lead for (_, way, depths), lead in leads(study, lead_family(study)) if (way, depths) == ("protocol", "8-19"))
    assert lead.difference.by_seed == pytest.approx((0.03, 0.03, 0.02))
    assert find_lead(study, "published", None, (8, 19)) is None
    assert find_lead(study, "hard", "published", (8, 19)) is None


def test_a_lead_holds_if_it_survives_the_correction_for_all_leads(tmp_path: Path) -> None:
    models = {"tree-lstm": (75, 77, 76, 75), "tree-smu": (78, 80, 80, 78)}
    assert sentences(tmp_path / "a", models, without=FILES) == [
        "The lead of Tree-SMU over Tree-LSTM at depth 8-19, trained on published, tested by the paper's protocol: +3.2 points; "
        "it holds (95% interval +2.5 to +4.0, p 0.002 after correction, 4 seeds)."
    ]
    study = results_of(tmp_path / "b", analyses(models), without=FILES)
    row = lead_table(study, lead_family(study)).rows[1]
    assert row[:3] == ("published", "by the paper's protocol", "8-19")
    assert row[3:] == (
        pytest.approx(0.0325),
        pytest.approx(0.0325 - 3.18245 * 0.005 / 2, abs=1e-5),  # with 3 degrees of freedom
        pytest.approx(0.0325 + 3.18245 * 0.005 / 2, abs=1e-5),
        pytest.approx(0.0199),
        4,
        pytest.approx(0.00098, abs=1e-5),
        pytest.approx(2 * 0.00098, abs=2e-5),  # two leads: depth 1-7 and depth 8-19
        "yes",
    )


def test_a_lead_that_is_not_shown_or_below_zero_does_not_hold(tmp_path: Path) -> None:
    (noisy,) = sentences(tmp_path / "b", {"tree-lstm": (75, 77), "tree-smu": (78, 76)}, without=FILES)
    assert "+1.0 points; it is not shown (95% interval −24.4 to +26.4, p 1.000 after correction, 2 seeds)" in noisy
    (below,) = sentences(tmp_path / "c", {"tree-lstm": (75, 77, 76, 75), "tree-smu": (60, 61, 61, 60)}, without=FILES)
    assert (
        "−15.3 points; it is significantly below 0 (95% interval −16.0 to −14.5, p below 0.001 after correction, 4 seeds)"
        in below
    )


def test_one_seed_shows_nothing(tmp_path: Path) -> None:
    study = results_of(tmp_path, analyses({"tree-lstm": (75,), "tree-smu": (78,)}))
    family = lead_family(study)
    assert lead_sentences(study, family)[0].endswith("+3.0 points; one seed, so this may be due to chance.")
    assert [row[-1] for row in lead_table(study, family).rows] == ["one seed", "one seed"]


def test_the_order_of_the_models_is_compared_with_the_papers(tmp_path: Path) -> None:
    def said(name: str, protocol: dict[str, tuple[int, ...]]) -> list[str]:
        study = results_of(tmp_path / name, analyses(protocol))
        return order_sentences(study, order_family(study))

    models = "LSTM < Tree-RNN < Tree-LSTM < Tree-SMU"
    order = f"The paper's order {models} at depth 8-19, trained on published, tested by the paper's protocol"
    clear = {"lstm": (40, 41, 41), "tree-rnn": (60, 60, 61), "tree-lstm": (75, 76, 75), "tree-smu": (88, 90, 89)}
    assert said("a", clear) == [f"{order}: holds."]
    assert said("b", clear | {"tree-lstm": (40, 41, 40)}) == [f"{order}: does not hold: Tree-LSTM is behind Tree-RNN."]
    assert said("c", clear | {"tree-smu": (76, 75, 76)}) == [f"{order}: not shown: Tree-SMU ahead of Tree-LSTM."]
    assert said("d", {model: right[:1] for model, right in clear.items()}) == [
        f"{order}: one seed, so this may be due to chance."
    ]
    assert said("e", {"tree-lstm": (69, 69), "tree-smu": (70, 70)}) == []  # two models have no order to speak of
