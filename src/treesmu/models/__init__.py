"""Models: cells, the encoder that runs them over forests, encoders of sequences, completion, and files of weights."""

from .build import build
from .cells.base import Cell
from .cells.smu import TreeSMU
from .cells.stack_rnn import StackTreeRNN
from .cells.tree_lstm import TreeLSTM
from .cells.tree_rnn import TreeRNN
from .forest.encoder import TreeEncoder
from .model import Model
from .store import load, save

__all__ = ["Cell", "Model", "StackTreeRNN", "TreeEncoder", "TreeLSTM", "TreeRNN", "TreeSMU", "build", "load", "save"]
