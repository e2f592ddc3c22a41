"""The room of expressions: what an equation is, how it is written, and whether it is true. No torch here."""

from .leaves import BLANK, VARIABLES
from .ops import EQUALITY, FUNCTIONS, Op, op
from .parse import parse
from .render import infix, latex, mathml
from .tokens import ParseError
from .tree import Expr, Path, distinct, equation, from_prefix, leaf, node
from .value import Verdict, check, check_many

__all__ = [
    "BLANK",
    "EQUALITY",
    "FUNCTIONS",
    "VARIABLES",
    "Expr",
    "Op",
    "ParseError",
    "Path",
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
