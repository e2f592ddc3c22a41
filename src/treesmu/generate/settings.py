"""What a corpus is made of: settings, and the presets that fill them in."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from .axioms import FAMILIES

Negatives = Literal["near-miss", "mutation"]


class CorpusSettings(BaseModel):
    """Settings of a corpus. An unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    preset: str = "quick"
    seed: int = Field(0, ge=0)
    families: tuple[str, ...] = FAMILIES
    weights: tuple[tuple[str, float], ...] = ()  # how often a family is used, where it is not 1
    axiom_files: tuple[Path, ...] = ()  # identities of one's own, beside the families
    negatives: tuple[Negatives, ...] = ("near-miss",)  # how incorrect training equations are made
    test_negatives: tuple[Negatives, ...] = ("near-miss",)
    first_occurrence: bool = False  # variables named x, y, z, ... by first occurrence, as in the original data
    depths: tuple[int, int] = (1, 13)  # of training and validation
    train_size: int = Field(24_000, ge=1)
    validation_size: int = Field(2_400, ge=1)
    shallow_share: float | None = Field(
        None, ge=0, le=1
    )  # of training and validation at depth 1-7; None: as many at every depth
    correct_share: float = Field(0.5, gt=0, lt=1)  # of training and validation; the test set is balanced
    test_depths: tuple[int, int] = (1, 19)
    per_depth: int = Field(500, ge=1)  # test equations at each depth
    blanks_per_depth: int = Field(100, ge=0)  # at each depth 8-13
    numeric: float = Field(0.0, ge=0, lt=0.5)  # share of numeric equations, such as sin(2.5) = 0.598

    @model_validator(mode="after")
    def _check(self) -> CorpusSettings:
        if unknown := [f for f in self.families if f not in FAMILIES]:
            raise ValueError(f"unknown family {unknown[0]!r}; known: {', '.join(FAMILIES)}")
        there = (*self.families, *(path.stem for path in self.axiom_files))
        if unknown := [f for f, _ in self.weights if f not in there]:
            raise ValueError(f"weights: no family {unknown[0]!r}; there are: {', '.join(there)}")
        if not self.families and not self.axiom_files:
            raise ValueError("no identities: name at least one family or a file of your own")
        if any(weight <= 0 for _, weight in self.weights):
            raise ValueError("families: a weight is above 0, such as algebra:2")
        if not self.negatives or not self.test_negatives:
            raise ValueError("negatives: name near-miss, mutation or both")
        for name, (low, high) in (("depths", self.depths), ("test_depths", self.test_depths)):
            if not 1 <= low <= high <= 30:
                raise ValueError(f"{name} {low}-{high}: expected 1 <= A <= B <= 30")
        return self


# Training and validation of the paper: 41,894 equations of depth 1-13, 27,207 of them of depth 1-7, 56% correct.
_PAPER_SIZES = {
    "train_size": 37_705,
    "validation_size": 4_189,
    "shallow_share": 27_207 / 41_894,
    "per_depth": 10_000,
    "blanks_per_depth": 700,
}

PRESETS: dict[str, dict[str, Any]] = {
    "quick": {},
    "paper": {
        **_PAPER_SIZES,
        "families": ("algebra", "numbers", "trigonometry"),
        "negatives": ("mutation",),
        "test_negatives": ("mutation",),
        "first_occurrence": True,
        "correct_share": 0.56,
    },
    "hard": {**_PAPER_SIZES, "test_negatives": ("near-miss", "mutation")},
}


def corpus_settings(name: str, **changes: Any) -> CorpusSettings:
    """The settings of a preset, with some of them changed."""
    if name not in PRESETS:
        raise ValueError(f"unknown preset {name!r}; known: {', '.join(PRESETS)}")
    return CorpusSettings(**{"preset": name, **PRESETS[name], **changes})
