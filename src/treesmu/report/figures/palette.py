"""Names and colours of models: the same in all figures, told apart by every eye (after Okabe and Ito)."""

from __future__ import annotations

NAMES = {
    "majority": "Majority",
    "lstm": "LSTM",
    "transformer": "Transformer",
    "tree-transformer": "Tree Transformer",
    "tree-rnn": "Tree-RNN",
    "stack-tree-rnn": "Stack Tree-RNN",
    "tree-lstm": "Tree-LSTM",
    "tree-smu": "Tree-SMU",
}

COLOURS = {
    "majority": "#8A8A8A",
    "lstm": "#56B4E9",
    "transformer": "#E69F00",
    "tree-transformer": "#CC79A7",
    "tree-rnn": "#009E73",
    "stack-tree-rnn": "#4D4D4D",
    "tree-lstm": "#0072B2",
    "tree-smu": "#D55E00",
}

GREY, INK = "#777777", "#222222"
ORDER = tuple(NAMES)
CELLS = ("tree-rnn", "tree-lstm", "tree-smu")  # the three that the paper compares


def model_name(model: str) -> str:
    return NAMES.get(model, model)


def model_colour(model: str) -> str:
    return COLOURS.get(model, INK)


def model_style(model: str) -> str:
    """Models that read equations as sequences are dashed: no eye needs the colour."""
    return "-" if "tree-" in model and model != "tree-transformer" else "--"


def in_order(model: str) -> int:
    return ORDER.index(model) if model in ORDER else len(ORDER)


def darker(colour: str, share: float = 0.25) -> str:
    """For text: pale colours are hard to read on white."""
    return _mixed(colour, 0, share)


def paler(colour: str, share: float) -> str:
    return _mixed(colour, 255, share)


def _mixed(colour: str, other: int, share: float) -> str:
    channels = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round((1 - share) * channel + share * other):02X}" for channel in channels)
