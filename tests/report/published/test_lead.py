"""The lead of Tree-SMU: paired by seed, with an interval; and the order of the models."""

from __future__ import annotations

from pathlib import Path

import pytest

from published_study import FILES, analysis_of, results_of, run_of
from treesmu.report.published.lead import Lead, find_lead, lead_sentences, lead_table, order_sentences

PROTOCOL = {"lstm": (60, 61), "tree-rnn": (70, 71), "tree-lstm": (75, 77), "tree-smu": (78, 80)}  # by seed


def analyses(protocol: dict[str, tuple[int, ...]]) -> dict[str, object]:
    return {
        run_of("published", model, seed): analysis_of({"published": percent})
        for model, percents in protocol.items()
        for seed, percent in enumerate(percents, 1)
    }


def test_the_interval_is_that_of_the_t_distribution() -> None:
    lead = Lead((0.01, 0.02, 0.03))
    assert lead.mean == pytest.approx(0.02)
    assert lead.interval == pytest.approx((0.02 - 4.30265 * 0.01 / 3**0.5, 0.02 + 4.30265 * 0.01 / 3**0.5), abs=1e-6)
    assert not lead.holds
    assert Lead((0.019, 0.02, 0.021)).holds
    assert not Lead((-0.019, -0.02, -0.021)).holds
    assert (Lead((0.5,)).interval, Lead((0.5,)).holds) == (None, False)


def test_differences_are_of_models_with_the_same_seed(tmp_path: Path) -> None:
    """A shuffled pairing would give another interval: +0 and +6 instead of +3 and +3."""
    done = analyses(PROTOCOL) | {run_of("published", "tree-smu", 9): analysis_of({"published": 10})}  # without a Tree-LSTM
    study = results_of(tmp_path, done)
    found = find_lead(study, "published", "published", (8, 19))
    assert found is not None
    assert found.differences == pytest.approx((0.03, 0.03))
    assert find_lead(study, "published", None, (8, 19)) is None
    assert find_lead(study, "hard", "published", (8, 19)) is None


def test_a_lead_holds_if_its_interval_is_above_zero(tmp_path: Path) -> None:
    study = results_of(tmp_path / "a", analyses({"tree-lstm": (75, 77, 76), "tree-smu": (78, 80, 80)}), without=FILES)
    assert lead_sentences(study) == [
        "The lead of Tree-SMU over Tree-LSTM at depth 8-19, trained on published, tested by the paper's protocol: +3.3 points; "
        "it holds (95% interval +1.9 to +4.8, 3 seeds)."
    ]
    row = lead_table(study).rows[1]
    assert row[:3] == ("published", "by the paper's protocol", "8-19")
    assert row[3:] == (
        pytest.approx(0.1 / 3),
        pytest.approx(0.01899, abs=1e-4),
        pytest.approx(0.04768, abs=1e-4),
        pytest.approx(0.0199),
        3,
        "yes",
    )
    study = results_of(tmp_path / "b", analyses({"tree-lstm": (75, 77), "tree-smu": (78, 76)}), without=FILES)
    assert "+1.0 points; it does not hold (95% interval −24.4 to +26.4, which includes 0, 2 seeds)" in lead_sentences(study)[0]
    study = results_of(tmp_path / "c", analyses({"tree-lstm": (75, 77), "tree-smu": (70, 72)}), without=FILES)
    assert "−5.0 points; it does not hold (95% interval −5.0 to −5.0, which is below 0, 2 seeds)" in lead_sentences(study)[0]


def test_one_seed_shows_nothing(tmp_path: Path) -> None:
    study = results_of(tmp_path, analyses({"tree-lstm": (75,), "tree-smu": (78,)}))
    assert lead_sentences(study)[0].endswith("+3.0 points; it may be due to chance (one seed).")
    assert [row[-1] for row in lead_table(study).rows] == ["one seed", "one seed"]


def test_the_order_of_the_models_is_compared_with_the_papers(tmp_path: Path) -> None:
    study = results_of(tmp_path / "a", analyses(PROTOCOL))
    models = "LSTM < Tree-RNN < Tree-LSTM < Tree-SMU"
    order = f"The paper's order {models} at depth 8-19, trained on published, tested by the paper's protocol"
    assert order_sentences(study) == [f"{order}: holds."]
    study = results_of(tmp_path / "b", analyses(PROTOCOL | {"tree-lstm": (69, 69)}))
    assert order_sentences(study) == [f"{order}: does not hold: Tree-LSTM is not ahead of Tree-RNN."]
    study = results_of(tmp_path / "c", analyses({"tree-lstm": (69, 69), "tree-smu": (70, 70)}))
    assert order_sentences(study) == []  # two models have no order to speak of
