"""Neural networks on trees whose memory is a differentiable stack, and data to measure whether they generalise."""

from .expr import Expr, ParseError, Verdict, check, check_many, parse

__version__ = "0.1.0"

__all__ = ["Expr", "ParseError", "Verdict", "__version__", "check", "check_many", "parse"]
