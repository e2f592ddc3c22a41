"""Published accuracies on other trees, with their sources, which say how the data differ from ours."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class PublishedFigures:
    """What was published for the trees of one generator. source: where, and what differs from ours."""

    source: str
    overall: dict[str, str] = field(default_factory=dict)  # by model: an accuracy in per cent
    by_depth: dict[str, dict[int, float]] = field(default_factory=dict)  # by model and depth, or number of operators


PUBLISHED: dict[str, PublishedFigures] = {
    "listops": PublishedFigures(
        "Published, ListOps: Nangia and Bowman (2018), 128 dimensions, 90,000 training trees of all depths up to 20 "
        "as binary trees over tokens, with a network of two layers above the states (ours is linear), tested on the same "
        "depths: not a test of generalisation to depth. LSTM: mean of four runs, 74.4 at most.",
        overall={"tree-lstm": "98.7", "lstm": "71.5"},
    ),
    "logic": PublishedFigures(
        "Published, logic: LSTM and Transformer by number of operators as Table 5 of Tan et al. (2023, Sparse Universal "
        "Transformer) gives them; it takes the LSTM from Bowman, Manning and Potts (2015) and the Transformer from Shen et al. "
        "(2019). They were trained on 0 to 6 operators of the original data and are listed for 7 to 12; ours are trained on 1 "
        "to 4 operators of data drawn anew, of which at most a third are independent (#). Published figures of tree models on "
        "these data could not be checked, and are not quoted.",
        by_depth={
            "lstm": {7: 88, 8: 84, 9: 80, 10: 78, 11: 71, 12: 69},
            "transformer": {7: 51, 8: 52, 9: 51, 10: 51, 11: 51, 12: 48},
        },
    ),
}


def published_of(kind: str, model: str) -> str | None:
    """Return what was published for a model on the trees of a generator, in per cent, as text."""
    found = PUBLISHED.get(kind)
    if found is None:
        return None
    if model in found.overall:
        return found.overall[model]
    if not (depths := found.by_depth.get(model)):
        return None
    return f"{min(depths.values()):g} to {max(depths.values()):g} at {min(depths)}-{max(depths)}"
