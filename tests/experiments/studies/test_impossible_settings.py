"""Settings of studies with which an analysis would fail are refused before anything is generated or trained."""

from __future__ import annotations

import re
from typing import Any

import pytest

from messages import message
from tiny_presets import tiny_preset
from treesmu.experiments.preset import Preset

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("completion", {"depths": [13, 3]}, "depths: expected [A, B] with 0 <= A <= B, such as [3, 13], not [13, 3]"),
    ("completion", {"depths": [1, 3]}, "depths [1, 3], but blanks are in equations of depth 8-13; change depths"),
    ("completion", {"depths": [10, 13]}, "depths [10, 13], but corpus 'tiny' has test equations of depth 1-9"),
    ("completion", {"blanks": 0}, "blanks: Input should be greater than or equal to 1"),
    ("completion", {"fitted_on": -1}, "fitted_on: "),
    ("stack_size", {"depths": [13, 3]}, "depths: expected [A, B]"),
    ("stack_size", {"depths": [12, 13], "sizes": [2]}, "depths [12, 13], but corpus 'tiny' has test equations of depth 1-9"),
    ("stack_size", {"equations": 0}, "equations: "),
    ("substitutivity", {"classes": 1}, "classes: Input should be greater than or equal to 2"),
    ("substitutivity", {"perplexity": 0.1}, "perplexity: "),
    ("substitutivity", {"neighbours": 0}, "neighbours: "),
    ("step_by_step", {"equations": -3}, "equations: "),
    ("data_size", {"sizes": [0]}, "sizes.0: "),
    ("data_size", {"sizes": [40], "seen": -1}, "seen: "),
    ("published", {"tests": ["tiny"], "per_depth_of": {"tree-smu": 0}}, "per_depth_of.tree-smu: "),
    ("variants", {"variants": {"a": {"model": "tree-rnn"}}}, "variants.a: 'model' is no setting that can be changed here"),
    ("variants", {"variants": {"a": {"variant": "b"}}}, "variants.a: 'variant' is no setting that can be changed here"),
    ("variants", {"variants": {"a": {"exceptions": 3}}}, "variants.a: 'exceptions' is no setting"),
]


@pytest.mark.parametrize(("study", "settings", "text"), REFUSED, ids=lambda value: str(value)[:40])
def test_an_impossible_setting_is_refused(study: str, settings: dict[str, Any], text: str) -> None:
    assert re.match(f"mine.toml: study {study}: {re.escape(text)}", message(_read, tiny_preset(**{study: settings})))


def test_a_corpus_without_blanks_is_refused_for_completion() -> None:
    text = tiny_preset(completion={"models": ["tree-rnn"]}).replace("blanks_per_depth = 2", "blanks_per_depth = 0")
    assert (
        message(_read, text) == "mine.toml: study completion: corpus 'tiny' has no blanks; set blanks_per_depth of the corpus"
    )


def test_lists_nested_too_deep_are_refused() -> None:
    assert message(_read, "a = " + "[" * 100_000).startswith("mine.toml: ")


def _read(text: str) -> Preset:
    return Preset("mine", text, "mine.toml")
