"""Expressions and equations: immutable trees, their notations, and the numeric check. Does not import PyTorch."""

from .leaves import BLANK, VARIABLES
from .node import TreePath, distinct
from .notation.infix import infix
from .notation.latex import latex
from .notation.mathml import mathml
from .notation.parse import parse
from .notation.token import ParseError
from .numeric.verdict import Verdict, check, check_many
from .ops import EQUALITY, FUNCTIONS, Op, op
from .tree import Expr, equation, from_prefix, leaf, node

__all__ = [
    "BLANK",
    "EQUALITY",
    "FUNCTIONS",
    "VARIABLES",
    "Expr",
    "Op",
    "ParseError",
    "TreePath",
    "Verdict",
    "check",
    "check_many",
    "distinct",
    "equation",
    "from_prefix",
    "infix",
    "latex",
    "leaf",
    "mathml",
    "node",
    "op",
    "parse",
]
