"""Holm's correction of p-values for the number of comparisons."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the corrected p-values in the order given (Holm 1979, step-down).

    The smallest of m is multiplied by m, the next by m − 1, and so on; none becomes smaller than one before it, or larger than
    1. If differences are claimed where the corrected value is at most 5%, the probability of any false claim among all m is at
    most 5%, whatever the dependence between the tests.
    """
    corrected, highest = [1.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = highest
    return corrected
