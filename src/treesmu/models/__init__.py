"""The room of models: cells, the encoder that runs them over forests, whole models, and files of weights."""

from .build import build
from .cell import Cell
from .encoder import TreeEncoder
from .model import Model
from .smu import TreeSMU
from .stack_rnn import StackTreeRNN
from .store import load, save
from .tree_lstm import TreeLSTM
from .tree_rnn import TreeRNN

__all__ = ["Cell", "Model", "StackTreeRNN", "TreeEncoder", "TreeLSTM", "TreeRNN", "TreeSMU", "build", "load", "save"]
