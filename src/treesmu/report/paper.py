"""The paper's figures, which stand beside ours: paper.toml as objects."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any


@dataclass(frozen=True)
class PaperValue:
    """A figure as the paper prints it, in per cent."""

    mean: float
    sd: float | None = None

    def __str__(self) -> str:
        return f"{self.mean:.2f}" + ("" if self.sd is None else f"±{self.sd:.3f}" if self.sd < 0.01 else f"±{self.sd:.2f}")


@cache
def _content() -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("paper.toml").read_text(encoding="utf-8"))


def paper_value(study: str, model: str, measure: str) -> PaperValue | None:
    """None where the paper has no such figure."""
    found = _content()[study].get(model, {}).get(measure)
    return None if found is None else PaperValue(*found)


def lead(study: str, model: str, other: str, measure: str) -> float | None:
    """How far a model is ahead of another, as a share."""
    ours, theirs = (paper_value(study, name, measure) for name in (model, other))
    return (ours.mean - theirs.mean) / 100 if ours and theirs else None


def paper_stack_rows(size: int) -> dict[int, float]:
    """Rows in use by depth; empty for a stack size that the paper does not have."""
    rows = _content()["stack_rows"]
    return dict(zip(rows["depths"], rows.get(str(size), []), strict=False))
