"""The room of expressions: what an equation is, how it is written, and whether it is true. No torch here."""

from .leaves import BLANK, VARIABLES
from .notation.parse import parse
from .notation.render import infix, latex, mathml
from .notation.tokens import ParseError
from .numeric.verdict import Verdict, check, check_many
from .ops import EQUALITY, FUNCTIONS, Op, op
from .tree import Expr, TreePath, distinct, equation, from_prefix, leaf, node

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
