"""build: a model by its name and settings; the same table serves files of weights, training and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch import nn

from treesmu.data import Vocab

from .cells.smu import TreeSMU
from .cells.stack_rnn import StackTreeRNN
from .cells.tree_lstm import TreeLSTM
from .cells.tree_rnn import TreeRNN
from .forest.encoder import TreeEncoder
from .head import HEADS
from .majority import MajorityEncoder, MajorityHead
from .model import Model
from .sequences.lstm import LSTMEncoder
from .sequences.transformer import TransformerEncoder
from .sequences.tree_transformer import TreeTransformerEncoder

CELLS = {"tree-smu": TreeSMU, "tree-lstm": TreeLSTM, "tree-rnn": TreeRNN, "stack-tree-rnn": StackTreeRNN}
SEQUENCES = {"lstm": LSTMEncoder, "transformer": TransformerEncoder, "tree-transformer": TreeTransformerEncoder}
NAMES = (*CELLS, *SEQUENCES, "majority")


def build(name: str, vocab: Vocab, settings: Mapping[str, Any] | None = None, head: str = "dot", unit: bool = False) -> Model:
    """A model with fresh weights. settings: the arguments of the cell or encoder; unit: states are scaled to length 1."""
    if name not in NAMES:
        raise ValueError(f"unknown model {name!r}; known: {', '.join(NAMES)}")
    if head not in HEADS:
        raise ValueError(f"unknown head {head!r}; known: {', '.join(HEADS)}")
    encoder, all_settings = _encoder(name, vocab, settings or {}, unit)
    # All settings, also those that were not given: a stored model must not change when a default does.
    made_with = {"name": name, "settings": all_settings, "head": head, "unit": unit}
    return Model(name, encoder, MajorityHead() if name == "majority" else HEADS[head](), made_with)


def _encoder(name: str, vocab: Vocab, settings: Mapping[str, Any], unit: bool) -> tuple[nn.Module, dict[str, Any]]:
    """The encoder and all settings that make it again."""
    if name in CELLS:
        cell = CELLS[name](**settings)
        return TreeEncoder(cell, vocab, unit=unit), cell.settings()
    if name == "majority":  # has no states to scale, and a head of its own
        majority = MajorityEncoder(vocab, **settings)
        return majority, majority.settings()
    encoder = SEQUENCES[name](vocab, **settings, unit=unit)
    return encoder, encoder.settings()
