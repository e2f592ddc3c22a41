"""Names, colours and line styles of models, the same in all figures; the colours suit colour-blind readers (Okabe and Ito)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle

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
OTHER_COLOURS = ("#882255", "#999933", "#332288", "#44AA99", "#661100", "#AA4499")  # of registered models, after Tol
GREY, INK = "#777777", "#222222"
SEQUENCES = ("lstm", "transformer", "tree-transformer")
CELLS = ("tree-rnn", "tree-lstm", "tree-smu")  # the three that the paper compares


def model_name(model: str) -> str:
    """Return the name of a model for readers; a registered model is shown by the name it was registered with."""
    return NAMES.get(model, model)


def is_registered(model: str) -> bool:
    """Return whether a model is a user's own, not one of the built-in models."""
    return model not in NAMES


def compared_cells(models: Iterable[str]) -> list[str]:
    """Return the cells that the summary compares: the paper's three, then the registered models."""
    models = list(dict.fromkeys(models))
    return [cell for cell in CELLS if cell in models] + [model for model in models if is_registered(model)]


def assign_colours(models: Iterable[str]) -> dict[str, str]:
    """Return the colour of every model; registered models get the other colours in turn."""
    registered = dict.fromkeys(model for model in models if is_registered(model))
    return COLOURS | dict(zip(registered, cycle(OTHER_COLOURS), strict=False))


def model_style(model: str) -> str:
    """Return a line style: models that read equations as sequences, and the majority, are dashed."""
    return "--" if model in (*SEQUENCES, "majority") else "-"


def model_order(model: str) -> int:
    """Return the position of a model in tables; registered models come last."""
    return list(NAMES).index(model) if model in NAMES else len(NAMES)


def darker(colour: str, share: float = 0.25) -> str:
    """Mix a colour with black: pale colours are hard to read as text."""
    return _mix(colour, 0, share)


def paler(colour: str, share: float) -> str:
    """Mix a colour with white."""
    return _mix(colour, 255, share)


def _mix(colour: str, other: int, share: float) -> str:
    channels = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round((1 - share) * channel + share * other):02X}" for channel in channels)
