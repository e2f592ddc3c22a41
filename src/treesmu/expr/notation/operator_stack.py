"""OperatorStack: the state of the parser, which is its position in the tokens and its stacks of operands and operators."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..leaves import CONSTANTS
from ..ops import ADD, LOG, MUL, POW, Op, op
from ..tree import Expr, leaf, node
from .names import shorten
from .shapes import is_fraction
from .token import ParseError, Token
from .tokens import tokenize

# How strongly operators bind. "apply" is a function without parentheses; "juxtapose" a product inside its argument.
BINDING = {"=": 0, "+": 1, "-": 1, "negate": 2, "*": 3, "/": 3, "apply": 4, "juxtapose": 5, "^": 6}
CLOSING = {"(": ")", "{": "}", "[": "]"}
_RIGHT_ASSOCIATIVE = ("^", "negate", "apply")
MINUS_ONE, E = leaf("-1"), leaf("e")
_HALF, _ONE = leaf("1/2"), leaf("1")


@dataclass(slots=True)
class Operator:
    """An operator that waits for its right operand, or an open group that waits for its closing bracket."""

    symbol: str  # a key of BINDING, or for a group: "group", "call", "numerator", "denominator", "index", "radicand", "base"
    token: Token
    binding: int = -1  # -1: a group, which no operator to its right can close
    closing: str = ""
    op: Op | None = None  # call, apply: the function ...
    power: Expr | None = None  # ... its exponent as in sin^2 x ...
    base: Expr | None = None  # ... and the base of a logarithm; also the first part of \frac and \sqrt[n]
    arguments: list[Expr] = field(default_factory=list)
    in_argument: bool = False  # inside the argument of a function without parentheses


class OperatorStack:
    """The tokens of a string with the current position, and what has been read but not yet combined."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.position = 0
        self.operands: list[Expr] = []
        self.operators: list[Operator] = []

    # -- tokens ----------------------------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    def take(self) -> Token:
        """Return the current token and move on to the next."""
        token = self.tokens[self.position]
        self.position += 1
        return token

    def error(self, expected: str, token: Token | None = None) -> ParseError:
        """Return the error that something else was expected at a token (by default the current one)."""
        token = token or self.token
        where = "at the end" if token.kind == "end" else f"before {shorten(token.text)!r}"
        return ParseError(f"expected {expected} {where}", self.text, token.start)

    def missing_operator(self) -> ParseError:
        """Return the error that a number follows an operand without an operator, as in x2."""
        name, error = self.tokens[self.position - 1], self.error("an operator")
        if self.token.kind != "number" or name.kind != "name":
            return error
        x, n = name.text, shorten(self.token.text)
        has_index = "_" in x or x in CONSTANTS
        hint = f"write {x}*{n} or {x}^{n}" if has_index else f"write {x}*{n}, {x}^{n} or {x}_{n}"
        return ParseError(f"{error.message} ({hint})", self.text, self.token.start)

    def misplaced_comma(self, token: Token) -> ParseError:
        """Return the error for a comma that does not separate the arguments of a logarithm."""
        before, after = self.text[max(token.start - 2, 0) : token.start], self.text[token.start + 1 : token.start + 3]
        if re.search(r"[0-9]\{?$", before) and re.match(r"\}?[0-9]", after):
            message = "a ',' inside a number is not read; write 0.5 for 0,5 and 1000 for 1,000"
        else:
            message = "a ',' belongs only between the two arguments of log(x, b)"
        return ParseError(message, self.text, token.start)

    # -- operators -------------------------------------------------------------------------------------------------

    def push(self, symbol: str, token: Token) -> None:
        """Add a binary operator, after applying the operators to its left that bind more strongly."""
        binding = BINDING[symbol]
        self.reduce(binding + (symbol in _RIGHT_ASSOCIATIVE))
        self.add(symbol, token, binding)

    def push_sign(self, token: Token) -> None:
        """Add a minus: it takes the whole product that follows (-x*y), but binds tightly after an operator (x/-y*z, x^-y*z)."""
        before = self.operators[-1].binding if self.operators else -1
        self.add("negate", token, max(before, BINDING["negate"]))

    def add(self, symbol: str, token: Token, binding: int) -> Operator:
        in_argument = symbol == "apply" or (bool(self.operators) and self.operators[-1].in_argument)
        operator = Operator(symbol, token, binding, in_argument=in_argument)
        self.operators.append(operator)
        return operator

    def reduce(self, binding: int) -> None:
        """Apply the operators on top of the stack that bind at least this strongly to their operands."""
        while self.operators and self.operators[-1].binding >= max(binding, 0):
            operator = self.operators.pop()
            right = self.operands.pop()
            if operator.symbol == "negate":
                self.operands.append(node(MUL, MINUS_ONE, right))
            elif operator.symbol == "apply":
                self.operands.append(self.build_call(operator, [right]))
            else:
                self.operands.append(_build_binary(operator.symbol, self.operands.pop(), right))

    # -- functions -------------------------------------------------------------------------------------------------

    def inverse_of(self, token: Token, function: Op) -> Op:
        """Return the function that sin^-1 means."""
        try:
            return op(f"a{function.name}")
        except ValueError:
            message = f"{token.text}^-1 is ambiguous; write 1/{token.text}(...)"
            raise ParseError(message, self.text, token.start) from None

    def read_exponent(self, token: Token) -> Expr | None:
        """Read the exponent in sin^2 x or \\sin^{-1} x: a number or a variable, with or without a bracket."""
        if self.token.kind != "^":
            return None
        self.take()
        closing = CLOSING.get(self.token.kind)
        if closing:
            self.take()
        sign = "-" if self.token.kind == "-" else ""
        if sign:
            self.take()
        has_no_negative = self.token.kind == "name" or self.token.text == "0"  # there is no leaf -x, nor -0
        if self.token.kind not in ("number", "name") or (sign and has_no_negative) or self.token.text in CONSTANTS:
            raise self.error(f"a number as exponent (or write ({token.text}(...))^(...))")
        exponent = leaf(sign + self.take().text)
        if closing and self.take().kind != closing:
            self.position -= 1
            raise self.error(repr(closing))
        return exponent

    # -- groups ----------------------------------------------------------------------------------------------------

    def open(self, symbol: str, token: Token) -> Operator:
        """Open a group with a bracket."""
        group = Operator(symbol, token, closing=CLOSING[token.kind])
        self.operators.append(group)
        return group

    def innermost_group(self) -> Operator | None:
        return next((o for o in reversed(self.operators) if o.binding < 0), None)

    def build_group(self, group: Operator, value: Expr) -> Expr:
        """Return the expression of a group that is complete."""
        if group.symbol == "denominator":
            assert group.base is not None
            return _quotient(group.base, value)
        if group.symbol == "radicand":
            return node(POW, value, _HALF if group.base is None else _quotient(_ONE, group.base))
        if group.symbol == "call":
            return self.build_call(group, [*group.arguments, value])
        return value

    def build_call(self, call: Operator, arguments: list[Expr]) -> Expr:
        """Return a function applied to its arguments; a logarithm without a base is the natural one."""
        assert call.op is not None
        if call.op is LOG and len(arguments) == 1:
            arguments.append(call.base or E)
        elif call.op is POW and call.base is not None:
            arguments.insert(0, call.base)  # exp2(x) is 2^x
        if len(arguments) != call.op.arity:
            raise ParseError(f"{call.op.name} takes {call.op.arity} arguments", self.text, call.token.start)
        value = node(call.op, *arguments)
        return value if call.power is None else node(POW, value, call.power)


def _build_binary(symbol: str, left: Expr, right: Expr) -> Expr:
    if symbol == "+":
        return node(ADD, left, right)
    if symbol == "-":
        return node(ADD, left, node(MUL, MINUS_ONE, right))
    if symbol == "/":
        return _quotient(left, right)
    return node(POW if symbol == "^" else MUL, left, right)


def _quotient(top: Expr, bottom: Expr) -> Expr:
    """Return top/bottom: a fraction leaf where it is one (1/2, -3/4), else a product with a power of -1."""
    if is_fraction(top, bottom):
        return leaf(f"{top.token}/{bottom.token}")
    return node(MUL, top, node(POW, bottom, MINUS_ONE))
