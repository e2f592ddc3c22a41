"""What a tree model computes at every node of an expression, as numbers and as drawings. Does not import PyTorch."""

from .trace import Trace
from .tree import TracedNode

__all__ = ["Trace", "TracedNode"]
