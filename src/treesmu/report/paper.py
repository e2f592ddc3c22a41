"""The numbers that the paper prints (paper.toml), for comparison with ours."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

PAPER_EPOCHS = 100
PAPER_EQUATIONS = 27_207  # of depth 1-7, training and validation together


@dataclass(frozen=True)
class PaperValue:
    """A number of the paper, in per cent or as a number of stack rows."""

    mean: float
    sd: float | None = None

    def __str__(self) -> str:
        return f"{self.mean:.2f}" + ("" if self.sd is None else f"±{self.sd:.3f}" if self.sd < 0.01 else f"±{self.sd:.2f}")


@cache
def _content() -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("paper.toml").read_text(encoding="utf-8"))


def paper_value(study: str, model: str, measure: str) -> PaperValue | None:
    """Return the paper's number, or None if it has none."""
    found = _content()[study].get(model, {}).get(measure)
    return None if found is None else PaperValue(*found)


def paper_lead(study: str, model: str, other: str, measure: str) -> float | None:
    """Return how far a model is ahead of another in the paper, as a share."""
    first, second = (paper_value(study, name, measure) for name in (model, other))
    return (first.mean - second.mean) / 100 if first and second else None


def paper_stack_rows(size: int) -> dict[int, float]:
    """Return the paper's number of rows in use by depth; empty for a stack size that it does not have."""
    rows = _content()["stack_rows"]
    return dict(zip(rows["depths"], rows.get(str(size), []), strict=False))
