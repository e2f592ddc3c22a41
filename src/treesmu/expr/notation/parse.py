r"""Text or LaTeX -> Expr: exactly what was written, never simplified, never evaluated.

An operator-precedence parser with its own stack, so nesting is limited by memory and not by Python's recursion.

- ``a - b`` is ``Add(a, Mul(-1, b))`` and ``-x`` is ``Mul(-1, x)``.
- ``a / b`` is ``Mul(a, Pow(b, -1))`` and ``sqrt(a)`` is ``Pow(a, 1/2)``.
- A quotient of two integers in lowest terms is a fraction leaf (``1/2``); ``2/4`` stays a product.
- A minus before a number is part of the number (``-2x`` is ``Mul(-2, x)``), but for a power: ``-2^2`` is ``-(2^2)``.
- Implicit multiplication binds like ``*`` (``1/2x`` is ``(1/2)*x``). A function without parentheses takes the product that
  follows it, up to the next function: ``sin 2x cos y`` is ``sin(2x)*cos(y)``.
- ``sin^2 x`` is ``sin(x)^2``; ``sin^{-1} x`` is ``asin(x)``, as in every textbook. ``log(x)`` is the natural logarithm.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..leaves import BLANK, CONSTANTS
from ..ops import ADD, EQUALITY, LOG, MUL, POW, Op, op
from ..tree import Expr, leaf, node
from .quotient import quotient
from .tokens import MAX_LENGTH, ParseError, Token, shorten, tokenize

__all__ = ["MAX_LENGTH", "ParseError", "parse"]

# How strongly operators bind. "apply" is a function without parentheses; "juxtapose" a product inside its argument.
_BINDING = {"=": 0, "+": 1, "-": 1, "negate": 2, "*": 3, "/": 3, "apply": 4, "juxtapose": 5, "^": 6}
_RIGHT = ("^", "negate", "apply")  # right-associative: an equal one to the right is done first
_CLOSING = {"(": ")", "{": "}", "[": "]"}
_STARTS_OPERAND = ("number", "name", "function", "frac", "sqrt", "blank", "(", "{", "[")
_IMPLICIT = ("name", "function", "frac", "sqrt", "blank", "(", "{", "[")  # a number to the right needs an operator
_MINUS_ONE, _HALF, _E = leaf("-1"), leaf("1/2"), leaf("e")


def parse(text: str) -> Expr:
    """The expression or equation that a text says, as typed or in LaTeX."""
    if not isinstance(text, str):
        raise TypeError(f"parse() reads a text, not {type(text).__name__}")
    return _Parser(text).run()


@dataclass(slots=True)
class _Operator:
    """An operator that waits for its right operand, or an opened group that waits for its end."""

    symbol: str  # a key of _BINDING, or for a group: "group", "call", "numerator", "denominator", "index", "radicand", "base"
    token: Token
    binding: int = -1  # -1: a group, which no operator to its right can close
    closing: str = ""
    op: Op | None = None  # call, apply: the function ...
    power: Expr | None = None  # ... its exponent as in sin^2 x ...
    base: Expr | None = None  # ... and the base of a logarithm; also the first part of \frac and \sqrt[n]
    arguments: list[Expr] = field(default_factory=list)
    in_argument: bool = False  # inside the argument of a function without parentheses


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.place = 0
        self.operands: list[Expr] = []
        self.operators: list[_Operator] = []
        self.sides: list[Expr] = []  # the left side, once '=' is read
        self.has_blank = False

    def run(self) -> Expr:
        if self.token.kind == "end":
            raise ParseError("nothing to read: the text is empty", self.text, 0)
        while True:
            self.read_operand()
            while not self.read_operator():  # closing brackets leave an operand, so another operator follows
                if self.token.kind == "end":
                    return self.finish()

    # -- reading ---------------------------------------------------------------------------------------------------

    @property
    def token(self) -> Token:
        return self.tokens[self.place]

    def take(self) -> Token:
        token = self.tokens[self.place]
        self.place += 1
        return token

    def error(self, expected: str, token: Token | None = None) -> ParseError:
        token = token or self.token
        found = "at the end" if token.kind == "end" else f"before {shorten(token.text)!r}"
        return ParseError(f"expected {expected} {found}", self.text, token.start)

    def read_operand(self) -> None:
        """Everything up to and including one operand: signs, opening brackets, functions, then a leaf."""
        while True:
            token = self.take()
            if token.kind in ("number", "name"):
                self.operands.append(leaf(token.text))
                return
            if token.kind == "blank":
                self.read_blank(token)
                return
            if token.kind == "-":
                if self.read_negative_number():
                    return
                self.push_sign(token)
            elif token.kind == "+" and self.token.kind in (*_STARTS_OPERAND, "+", "-"):
                continue  # a plus sign changes nothing
            elif token.kind in _CLOSING:
                self.open("group", token)
            elif token.kind == "function":
                assert token.op is not None
                self.read_function(token, token.op)
            elif token.kind == "frac":
                if self.open_part("numerator", token):
                    return
            elif token.kind == "sqrt":
                if self.read_root(token):
                    return
            else:
                self.place -= 1
                raise self.error("a number, a variable, a function or '('")

    def read_blank(self, token: Token) -> None:
        if self.has_blank:
            raise ParseError("a second blank: an equation has one '_' at most", self.text, token.start)
        self.has_blank = True
        self.operands.append(leaf(BLANK))

    def read_negative_number(self) -> bool:
        """-2 is a leaf, unless a power follows (-2^2 is -(2^2)); -0 is a product, there is no leaf of that name."""
        number, after = self.token, self.tokens[min(self.place + 1, len(self.tokens) - 1)]
        if number.kind != "number" or after.kind == "^" or number.text == "0":
            return False
        self.operands.append(leaf(f"-{number.text}"))
        self.place += 1
        return True

    def push_sign(self, token: Token) -> None:
        """A minus takes the whole product that follows (-x*y), but binds tight behind an operator (x/-y*z, x^-y*z)."""
        before = self.operators[-1].binding if self.operators else -1
        self.stack("negate", token, max(before, _BINDING["negate"]))

    def read_operator(self) -> bool:
        """One operator, or one closing bracket; False where an operand is complete and no operator follows yet."""
        token = self.token
        if token.kind in _BINDING and token.kind != "=":
            self.push(token.kind, self.take())
            return True
        if token.kind == "=":
            self.read_equals()
            return True
        if token.kind in _IMPLICIT:
            inside = bool(self.operators) and self.operators[-1].in_argument and token.kind != "function"
            self.push("juxtapose" if inside else "*", token)
            return True
        if token.kind == ",":
            self.read_comma()
            return True
        if token.kind in (")", "}", "]"):
            return self.close()
        if token.kind != "end":
            raise self.error("an operator")
        return False

    def read_equals(self) -> None:
        token = self.take()
        group = self.innermost_group()
        if group is not None:
            raise self.error(f"{group.closing!r}", token)
        if self.sides:
            raise ParseError("a second '=': an equation has one", self.text, token.start)
        self.reduce(0)
        self.sides.append(self.operands.pop())

    def read_comma(self) -> None:
        token = self.take()
        self.reduce(0)
        call = self.operators[-1] if self.operators else None
        if call is None or call.symbol != "call" or call.op is not LOG or call.base or call.arguments:
            raise ParseError("a ',' belongs only between the two arguments of log(x, b)", self.text, token.start)
        call.arguments.append(self.operands.pop())

    # -- functions, roots and fractions ------------------------------------------------------------------------------

    def read_function(self, token: Token, function: Op) -> None:
        """What stands between a function's name and its argument: an exponent, the base of a logarithm, a bracket."""
        if token.text == "ln":
            self.read_argument(token, LOG, self.read_exponent(token), _E)
        elif function is LOG and self.token.kind == "_":
            self.take()
            if self.token.kind == "{":
                base = self.open("base", self.take())
                base.op = LOG
                return
            if self.token.kind not in ("number", "name"):
                raise self.error("the base of the logarithm")
            base_leaf = leaf(self.take().text)
            self.read_argument(token, LOG, self.read_exponent(token), base_leaf)
        else:
            power = self.read_exponent(token)
            if power is _MINUS_ONE and function is not LOG:
                try:
                    function, power = op(f"a{function.name}"), None
                except ValueError:
                    raise ParseError(
                        f"{token.text}^-1 is ambiguous; write 1/{token.text}(...)", self.text, token.start
                    ) from None
            self.read_argument(token, function, power, None)

    def read_exponent(self, token: Token) -> Expr | None:
        """The exponent in sin^2 x or \\sin^{-1} x: a number or a variable, with or without a bracket."""
        if self.token.kind != "^":
            return None
        self.take()
        closing = _CLOSING.get(self.token.kind)
        if closing:
            self.take()
        sign = "-" if self.token.kind == "-" else ""
        if sign:
            self.take()
        unsigned = self.token.kind == "name" or self.token.text == "0"  # there is no leaf -x, nor -0
        if self.token.kind not in ("number", "name") or (sign and unsigned) or self.token.text in CONSTANTS:
            raise self.error(f"a number as exponent (or write ({token.text}(...))^(...))")
        exponent = leaf(sign + self.take().text)
        if closing and self.take().kind != closing:
            self.place -= 1
            raise self.error(repr(closing))
        return exponent

    def read_argument(self, token: Token, function: Op, power: Expr | None, base: Expr | None) -> None:
        if self.token.kind in _CLOSING:
            operator = self.open("call", self.take())
        elif self.token.kind in (*_STARTS_OPERAND, "-"):
            operator = self.stack("apply", token, _BINDING["apply"])
        else:
            raise self.error(f"the argument of {token.text}")
        operator.token, operator.op, operator.power, operator.base = token, function, power, base

    def read_root(self, token: Token) -> bool:
        if self.token.kind == "[" and token.text == "sqrt" and self.text[token.start] == "\\":
            self.open("index", self.take())
            return False
        return self.open_part("radicand", token)

    def open_part(self, symbol: str, token: Token, first: Expr | None = None) -> bool:
        """An argument of \\frac or \\sqrt: a bracket opens (False), or a single symbol is taken as it is (True)."""
        if self.token.kind in _CLOSING:
            self.open(symbol, self.take()).base = first
            return False
        if self.token.kind not in ("number", "name", "blank"):
            raise self.error({"numerator": "a numerator", "denominator": "a denominator"}.get(symbol, "the argument of a root"))
        self.operators.append(_Operator(symbol, token, base=first))
        part = self.take()
        if part.kind == "blank":
            self.read_blank(part)
        else:
            self.operands.append(leaf(part.text))
        return self.finish_group(self.operators.pop())

    # -- groups ----------------------------------------------------------------------------------------------------

    def open(self, symbol: str, token: Token) -> _Operator:
        operator = _Operator(symbol, token, closing=_CLOSING[token.kind])
        self.operators.append(operator)
        return operator

    def innermost_group(self) -> _Operator | None:
        return next((o for o in reversed(self.operators) if o.binding < 0), None)

    def close(self) -> bool:
        """A closing bracket. True where the group goes on with another part (\\frac{a}{...)."""
        token = self.token
        self.reduce(0)
        group = self.operators.pop() if self.operators else None
        if group is None:
            raise ParseError(f"{token.text!r} closes nothing", self.text, token.start)
        if token.kind != group.closing:
            raise self.error(repr(group.closing))
        self.take()
        return not self.finish_group(group)

    def finish_group(self, group: _Operator) -> bool:
        """A group is read to its end. True where that leaves an operand, False where one is still to come."""
        value = self.operands.pop()
        if group.symbol == "numerator":
            return self.open_part("denominator", group.token, value)
        if group.symbol == "index":
            return self.open_part("radicand", group.token, value)
        if group.symbol == "base":
            self.read_argument(group.token, LOG, self.read_exponent(group.token), value)
            return False
        self.operands.append(self.build_group(group, value))
        return True

    def build_group(self, group: _Operator, value: Expr) -> Expr:
        if group.symbol == "denominator":
            assert group.base is not None
            return quotient(group.base, value)
        if group.symbol == "radicand":
            return node(POW, value, _HALF if group.base is None else quotient(leaf("1"), group.base))
        if group.symbol == "call":
            return self.build_call(group, [*group.arguments, value])
        return value

    def build_call(self, call: _Operator, arguments: list[Expr]) -> Expr:
        assert call.op is not None
        if call.op is LOG and len(arguments) == 1:
            arguments.append(call.base or _E)
        if len(arguments) != call.op.arity:
            raise ParseError(f"{call.op.name} takes {call.op.arity} arguments", self.text, call.token.start)
        value = node(call.op, *arguments)
        return value if call.power is None else node(POW, value, call.power)

    # -- operators -------------------------------------------------------------------------------------------------

    def push(self, symbol: str, token: Token) -> None:
        binding = _BINDING[symbol]
        self.reduce(binding + (symbol in _RIGHT))
        self.stack(symbol, token, binding)

    def stack(self, symbol: str, token: Token, binding: int) -> _Operator:
        inside = symbol == "apply" or (bool(self.operators) and self.operators[-1].in_argument)
        operator = _Operator(symbol, token, binding, in_argument=inside)
        self.operators.append(operator)
        return operator

    def reduce(self, binding: int) -> None:
        """Build everything that binds at least as strongly."""
        while self.operators and self.operators[-1].binding >= max(binding, 0):
            operator = self.operators.pop()
            right = self.operands.pop()
            if operator.symbol == "negate":
                self.operands.append(node(MUL, _MINUS_ONE, right))
            elif operator.symbol == "apply":
                self.operands.append(self.build_call(operator, [right]))
            else:
                self.operands.append(_binary(operator.symbol, self.operands.pop(), right))

    def finish(self) -> Expr:
        self.reduce(0)
        group = self.innermost_group()
        if group is not None:
            raise self.error(repr(group.closing))
        value = self.operands.pop()
        return node(EQUALITY, self.sides[0], value) if self.sides else value


def _binary(symbol: str, left: Expr, right: Expr) -> Expr:
    if symbol == "+":
        return node(ADD, left, right)
    if symbol == "-":
        return node(ADD, left, node(MUL, _MINUS_ONE, right))
    if symbol == "/":
        return quotient(left, right)
    return node(POW if symbol == "^" else MUL, left, right)
