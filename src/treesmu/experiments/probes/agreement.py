"""Agreement: how often a model predicts the same for an equation before and after it is rewritten."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def agreement(before: Array, after: Array, label: Array, depth: Array) -> dict[str, Any]:
    """Compare predictions (rows,) before and after, overall and by the depth of the equation before."""
    by_depth = {}
    for d in sorted(set(depth.tolist())):
        chosen = depth == d
        by_depth[str(d)] = _shares(before[chosen], after[chosen], label[chosen])
    return _shares(before, after, label) | {"by_depth": by_depth}


def _shares(before: Array, after: Array, label: Array) -> dict[str, Any]:
    return {
        "equations": len(label),
        "agreement": share(before == after),
        "accuracy_before": share(before == (label == 1)),
        "accuracy_after": share(after == (label == 1)),
    }


def share(is_true: Array) -> float | None:
    """Return the share of true values (rows,); None if there are no rows."""
    return float(np.mean(is_true)) if len(is_true) else None
