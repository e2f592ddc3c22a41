"""Agreement: how often a verdict stays when the equation is written differently."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def agreement(before: Array, after: Array, label: Array, depth: Array) -> dict[str, Any]:
    """Of verdicts (rows,) on equations as they were and as they became, overall and by the depth that they had."""
    by_depth = {}
    for d in sorted(set(depth.tolist())):
        there = depth == d
        by_depth[str(d)] = _shares(before[there], after[there], label[there])
    return _shares(before, after, label) | {"by_depth": by_depth}


def _shares(before: Array, after: Array, label: Array) -> dict[str, Any]:
    return {
        "equations": len(label),
        "agreement": _share(before == after),
        "accuracy_before": _share(before == (label == 1)),
        "accuracy_after": _share(after == (label == 1)),
    }


def _share(of: Array) -> float | None:
    return float(np.mean(of)) if len(of) else None
