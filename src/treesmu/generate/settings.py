"""Settings of a generated corpus: presets, and the quotas of rows that follow from the settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from .axioms import FAMILIES
from .pools.identities import WRONG_CAUSES, WrongCause

Negatives = Literal["near-miss", "mutation", "slip", "filler"]
NEGATIVES: tuple[Negatives, ...] = get_args(Negatives)
Leak = Literal["lopsided", "seen-sides", "padding", "functions"]
LEAKS: tuple[Leak, ...] = get_args(Leak)
BLANK_DEPTHS = (8, 13)  # of the test equations that blanks are put into


class CorpusSettings(BaseModel):
    """Settings of a corpus. An unknown key is an error. docs/reference/settings.md is made of the comments."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    preset: str = "quick"  # defaults of the settings below
    seed: int = Field(0, ge=0)  # the same seed gives the same bytes
    way: Literal["chains", "pools"] = "chains"  # of making equations: ours, or that of the original generator
    labels: Literal["checked", "derived"] = "checked"  # by the numeric check; or (pools only) by how an equation was made
    families: tuple[str, ...] = FAMILIES  # of identities; pools have identities of their own
    weights: tuple[tuple[str, float], ...] = ()  # how often a family is used, where not once; --families algebra:2
    axiom_files: tuple[Path, ...] = ()  # files of further identities
    negatives: tuple[Negatives, ...] = ("near-miss",)  # how incorrect equations are made for training and validation
    test_negatives: tuple[Negatives, ...] = ("near-miss",)  # the same for the test
    first_occurrence: bool = False  # variables named x, y, z, ... by first occurrence, as in the original data
    depths: tuple[int, int] = (1, 13)  # of training and validation
    train_size: int = Field(24_000, ge=1)  # training equations
    validation_size: int = Field(2_400, ge=1)  # validation equations
    shallow_share: float | None = Field(None, ge=0, le=1)  # of depth 1-7 in training and validation; by default evenly by depth
    correct_share: float = Field(0.5, gt=0, lt=1)  # in training and validation; the test set is balanced
    test_depths: tuple[int, int] = (1, 19)  # of the test
    per_depth: int = Field(500, ge=1)  # test equations at each depth
    blanks_per_depth: int = Field(100, ge=0)  # blanks at each depth 8-13
    numeric: float = Field(0.0, ge=0, lt=0.5)  # share of numeric equations, such as sin(2.5) = 0.598
    pool_size: int = Field(400, ge=1)  # equations that are added to the identities of a pool, for training and validation
    test_pools: Literal["larger", "same"] = "larger"  # of the test: larger ones that seek depth (the paper), or as in training
    test_pool_size: int = Field(5_000, ge=1)  # like pool_size, for the larger pools of the test
    wrong_causes: tuple[WrongCause, ...] = WRONG_CAUSES  # of wrong equations in pools, as in the original generator
    closed: tuple[Leak, ...] = ()  # leaks of the original generator that pools do not have

    @model_validator(mode="after")
    def _check(self) -> CorpusSettings:
        if unknown := [f for f in self.families if f not in FAMILIES]:
            raise ValueError(f"unknown family {unknown[0]!r}; known: {', '.join(FAMILIES)}")
        known = (*self.families, *(path.stem for path in self.axiom_files))
        if unknown := [f for f, _ in self.weights if f not in known]:
            raise ValueError(f"weights: unknown family {unknown[0]!r}; known: {', '.join(known)}")
        if self.way == "pools":
            self._check_pools()
        elif not self.families and not self.axiom_files:
            raise ValueError("no identities: name at least one family or one file of identities")
        if self.way == "chains" and (self.labels != "checked" or self.closed or self.test_pools != "larger"):
            raise ValueError("labels, test_pools and closed leaks are settings of pools; take the preset published")
        if not all(0 < weight <= LARGEST_WEIGHT for _, weight in self.weights):
            raise ValueError(f"families: a weight must be above 0 and at most {LARGEST_WEIGHT:g}, such as algebra:2")
        if not self.negatives or not self.test_negatives:
            raise ValueError(f"negatives: name at least one of {', '.join(NEGATIVES)}")
        for name, (low, high) in (("depths", self.depths), ("test_depths", self.test_depths)):
            if not 1 <= low <= high <= 30:
                raise ValueError(f"{name} {low}-{high}: expected 1 <= A <= B <= 30")
        return self

    def _check_pools(self) -> None:
        if self.families or self.axiom_files:
            raise ValueError("families: pools have identities of their own; take another preset to choose families")
        if {*self.negatives, *self.test_negatives} != {"mutation"}:
            raise ValueError("negatives: those of pools are mutations; take another preset for others")
        if self.numeric:
            raise ValueError("numeric: pools have no numeric equations; take another preset")


# Training and validation of the paper: 41,894 equations of depth 1-13, 27,207 of them of depth 1-7, 56% correct.
_PAPER_SIZES = {
    "train_size": 37_705,
    "validation_size": 4_189,
    "shallow_share": 27_207 / 41_894,
    "per_depth": 10_000,
    "blanks_per_depth": 700,
}

LARGEST_WEIGHT = 1e9  # of a family or a source, so that the sum of weights is finite

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
    "published": {
        **_PAPER_SIZES,
        "way": "pools",
        "labels": "derived",
        "families": (),
        "negatives": ("mutation",),
        "test_negatives": ("mutation",),
        "correct_share": 0.56,
    },
}


def corpus_settings(name: str, **changes: Any) -> CorpusSettings:
    """Return the settings of a preset, with some of them changed."""
    if name not in PRESETS:
        raise ValueError(f"unknown preset {name!r}; known: {', '.join(PRESETS)}")
    return CorpusSettings(**{"preset": name, **PRESETS[name], **changes})


# -- quotas --------------------------------------------------------------------------------------------------------------

Slot = tuple[int, str]  # a depth, and 'correct' or a kind of negative

# What comes out of pools by depth, correct and incorrect: the 37,741 equations that 45 runs of the original generator made.
_POOL_MIX = {
    **{1: (10, 97), 2: (605, 1254), 3: (2696, 3240), 4: (3678, 3996), 5: (3525, 4180), 6: (3063, 3239), 7: (1917, 2042)},
    **{8: (1062, 986), 9: (600, 548), 10: (254, 235), 11: (150, 138), 12: (67, 53), 13: (35, 30)},
}
_RAREST = (16, 14)  # deeper
FINDABLE = {1: 200, 2: 2_000, 3: 10_000, 4: 50_000}  # about how many different equations can be found at these depths


def apportion(total: int, weights: Mapping[int, float]) -> dict[int, int]:
    """Divide a total into integers in proportion to weights; rounding errors are spread evenly."""
    whole = sum(weights.values())
    found: dict[int, int] = {}
    so_far, given = 0.0, 0
    for key, weight in weights.items():
        so_far += weight
        found[key] = round(total * so_far / whole) - given
        given += found[key]
    return found


def row_quotas(settings: CorpusSettings, split: str, negatives: tuple[str, ...]) -> Counter[Slot]:
    """Return how many rows of each depth and slot a split is to have."""
    if split == "test":
        share, sizes = 0.5, _test_sizes(settings)
        weights: Mapping[int, float] = sizes
    else:
        total = settings.train_size if split == "train" else settings.validation_size
        share, sizes = settings.correct_share, _sizes(total, settings)
        weights = _correct_weights(sizes) if settings.way == "pools" else sizes
    correct = apportion(round(share * sum(sizes.values())), weights)
    slots: Counter[Slot] = Counter()
    for depth, size in sizes.items():
        slots[depth, "correct"] = correct[depth]
        for i, kind in enumerate(negatives):
            slots[depth, kind] = (size - correct[depth] + i) // len(negatives)
    return slots


def _test_sizes(settings: CorpusSettings) -> dict[int, int]:
    """Return the test rows of each depth: equally many, or the mix that comes out of pools like those of training."""
    depths = range(settings.test_depths[0], settings.test_depths[1] + 1)
    if settings.way == "pools" and settings.test_pools == "same":
        return apportion(settings.per_depth * len(depths), _pool_mix(depths))
    return dict.fromkeys(depths, settings.per_depth)


def _pool_mix(depths: Iterable[int]) -> dict[int, float]:
    """Return the weights of depths among the equations that come out of pools."""
    return {d: float(sum(_POOL_MIX.get(d, _RAREST))) for d in depths}


def _correct_weights(sizes: Mapping[int, int]) -> dict[int, float]:
    """Return the weights of depths among the correct equations of pools: at depth 1 and 2 few of them are correct."""
    return {d: size * (found := _POOL_MIX.get(d, _RAREST))[0] / sum(found) for d, size in sizes.items()}


def _sizes(total: int, settings: CorpusSettings) -> dict[int, int]:
    """Return the rows of each depth. Shallow depths have few different equations, so they get few, and the others the rest."""
    (low, high), shallow_share = settings.depths, settings.shallow_share
    if settings.way == "pools":
        weights = _pool_mix(range(low, high + 1))
    else:
        weights = {d: min(1.0, FINDABLE.get(d, total) * (high - low + 1) / total) for d in range(low, high + 1)}
    return apportion(total, with_shallow_share(weights, shallow_share))


def with_shallow_share(weights: Mapping[int, float], share: float | None) -> Mapping[int, float]:
    """Return the weights of depths, changed so that depth 1-7 has this share, if there are other depths besides."""
    if share is None or not min(weights) <= 7 < max(weights):
        return weights
    shallow, deep = (sum(w for d, w in weights.items() if (d <= 7) == is_shallow) for is_shallow in (True, False))
    return {d: w * (share / shallow if d <= 7 else (1 - share) / deep) for d, w in weights.items()}


def shift_missing_rows(slots: Counter[Slot], taken: Counter[Slot]) -> Counter[Slot]:
    """Move the rows that are missing at depths 1-4 to depths 5-7 (or the depths there are), slot by slot."""
    depths = sorted({d for d, _ in slots})
    rich = [d for d in depths if d not in FINDABLE][:3] or [d for d in depths if d > 2]
    scarce = [d for d in depths if d in FINDABLE and d not in rich]
    missing: Counter[str] = Counter()
    found = Counter(slots)
    for depth, kind in slots:
        if depth in scarce:
            missing[kind] += slots[depth, kind] - taken[depth, kind]
            found[depth, kind] = taken[depth, kind]
    for kind, number in missing.items():
        for depth, more in apportion(number, dict.fromkeys(rich, 1.0)).items():
            found[depth, kind] += more
    return found
