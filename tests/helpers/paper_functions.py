"""The functions of the paper. The table of treesmu may have more; these have identities and are in the authors' weights."""

from __future__ import annotations

from treesmu.expr.ops import op

UNARY = (
    "exp sin cos csc sec tan cot asin acos acsc asec atan acot "
    "sinh cosh csch sech tanh coth asinh acosh acsch asech atanh acoth"
).split()
BINARY = "Add Mul Pow log".split()
PAPER_FUNCTIONS = tuple(op(name) for name in (*BINARY, *UNARY))
