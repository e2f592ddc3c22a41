r"""Parse text or LaTeX into an Expr: exactly what was written, without any simplification.

An operator-precedence parser with an explicit stack, so nesting is limited by memory and not by Python's recursion limit.

- ``a - b`` is ``Add(a, Mul(-1, b))`` and ``-x`` is ``Mul(-1, x)``.
- ``a / b`` is ``Mul(a, Pow(b, -1))`` and ``sqrt(a)`` is ``Pow(a, 1/2)``.
- A quotient of two integers in lowest terms is a fraction leaf (``1/2``); ``2/4`` stays a product.
- A minus before a number is part of the number (``-2x`` is ``Mul(-2, x)``), except before a power: ``-2^2`` is ``-(2^2)``.
- Implicit multiplication binds like ``*`` (``1/2x`` is ``(1/2)*x``). A function without parentheses takes the product that
  follows it, up to the next function: ``sin 2x cos y`` is ``sin(2x)*cos(y)``. A blank ends it like a function, except after a
  number: ``2 sin x _`` is ``2*sin(x)*_``, and ``sin 2 _`` is ``sin(2*_)``.
- ``sin^2 x`` is ``sin(x)^2``; ``sin^{-1} x`` is ``asin(x)``, as in textbooks. ``log(x)`` is the natural logarithm.
- ``log10(x)`` is ``log(x, 10)``, ``cbrt(x)`` is ``x^(1/3)``, ``exp2(x)`` is ``2^x``.

A name is never split silently. Two or three letters that look like no function are a product (``xy``), and so is a single
letter or Greek letter before a parenthesis (``x(y + 1)``), except for ``f``, ``g``, ``h`` and the special functions. Digits
directly after a name (``x2``, ``sin2``), and longer names directly before a parenthesis (``ab(x)``), are refused, with what to
write instead; so is the rest of mathematics (``|x|``, ``5!``, integrals; :mod:`~treesmu.expr.notation.remedies`).
"""

from __future__ import annotations

from ..leaves import BLANK
from ..ops import EQUALITY, LOG, Op
from ..tree import Expr, leaf, node
from .names import CUBE_ROOTS, FIXED_BASES
from .operator_stack import BINDING, CLOSING, MINUS_ONE, Operator, OperatorStack
from .token import ParseError, Token

_BASES = {name: leaf(base) for name, base in FIXED_BASES.items()}
_THREE = leaf("3")
_STARTS_OPERAND = ("number", "name", "function", "frac", "sqrt", "blank", "(", "{", "[")
_IMPLICIT_FACTOR = ("name", "function", "frac", "sqrt", "blank", "(", "{", "[")  # a number needs an operator before it


def parse(text: str) -> Expr:
    """Return the expression or equation that a string describes, as people type it or in LaTeX."""
    if not isinstance(text, str):
        raise TypeError(f"parse() takes a string, not {type(text).__name__}")
    return _Parser(text).run()


class _Parser(OperatorStack):
    """Reads operands and operators in turn."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.sides: list[Expr] = []  # the left side, once '=' is read
        self.has_blank = False

    def run(self) -> Expr:
        if self.token.kind == "end":
            raise ParseError("nothing to read: the text is empty", self.text, 0)
        while True:
            self.read_operand()
            while not self.read_operator():  # a closing bracket leaves an operand, so another operator follows
                if self.token.kind == "end":
                    return self.finish()

    def finish(self) -> Expr:
        self.reduce(0)
        group = self.innermost_group()
        if group is not None:
            raise self.error(repr(group.closing))
        value = self.operands.pop()
        return node(EQUALITY, self.sides[0], value) if self.sides else value

    # -- operands --------------------------------------------------------------------------------------------------

    def read_operand(self) -> None:
        """Read everything up to and including one operand: signs, opening brackets, functions, then a leaf."""
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
            elif token.kind in CLOSING:
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
            elif token.kind == ",":
                raise self.misplaced_comma(token)
            else:
                self.position -= 1
                raise self.error("a number, a variable, a function or '('")

    def read_blank(self, token: Token) -> None:
        if self.has_blank:
            raise ParseError("a second blank: an equation has one '_' at most", self.text, token.start)
        self.has_blank = True
        self.operands.append(leaf(BLANK))

    def read_negative_number(self) -> bool:
        """Read -2 as a leaf, unless a power follows (-2^2 is -(2^2)); -0 is a product, there is no such leaf."""
        number, after = self.token, self.tokens[min(self.position + 1, len(self.tokens) - 1)]
        if number.kind != "number" or after.kind == "^" or number.text == "0":
            return False
        self.operands.append(leaf(f"-{number.text}"))
        self.position += 1
        return True

    # -- operators -------------------------------------------------------------------------------------------------

    def read_operator(self) -> bool:
        """Read an operator or a closing bracket, if there is one; return True if an operand must follow."""
        token = self.token
        if token.kind in BINDING and token.kind != "=":
            self.push(token.kind, self.take())
        elif token.kind == "=":
            self.read_equals()
        elif token.kind in _IMPLICIT_FACTOR:
            self.push("juxtapose" if self.continues_argument(token) else "*", token)
        elif token.kind == ",":
            self.read_comma()
        elif token.kind in (")", "}", "]"):
            return self.close()
        elif token.kind == "end":
            return False
        else:
            raise self.missing_operator()
        return True

    def continues_argument(self, factor: Token) -> bool:
        """Return whether a factor belongs to the argument of a function without parentheses.

        A blank belongs to a mere number (sin 2 _). After anything else it may stand for a function, so it ends the argument as
        a function does: 2 sin x _ is 2*sin(x)*_.
        """
        if not self.operators or not self.operators[-1].in_argument or factor.kind == "function":
            return False
        if factor.kind != "blank":
            return True
        self.reduce(BINDING["juxtapose"])
        return self.operands[-1].is_constant

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
            raise self.misplaced_comma(token)
        if call.token.text == "Log":
            raise ParseError("Log[b, x] has the base first; write log(x, b)", self.text, token.start)
        call.arguments.append(self.operands.pop())

    # -- functions, roots and fractions ------------------------------------------------------------------------------

    def read_function(self, token: Token, function: Op) -> None:
        """Read what stands between a function's name and its argument: an exponent, the base of a logarithm, a bracket."""
        base = _BASES.get(token.text)
        if base is not None:
            self.read_argument(token, function, self.read_exponent(token), base)
        elif function is LOG and self.token.kind == "_":
            self.take()
            if self.token.kind == "{":
                self.open("base", self.take()).op = LOG
                return
            if self.token.kind not in ("number", "name"):
                raise self.error("the base of the logarithm")
            base = leaf(self.take().text)
            self.read_argument(token, LOG, self.read_exponent(token), base)
        else:
            power = self.read_exponent(token)
            if power is MINUS_ONE and function is not LOG:
                function, power = self.inverse_of(token, function), None
            self.read_argument(token, function, power, None)

    def read_argument(self, token: Token, function: Op, power: Expr | None, base: Expr | None) -> None:
        if self.token.kind in CLOSING:
            operator = self.open("call", self.take())
        elif self.token.kind in (*_STARTS_OPERAND, "-"):
            operator = self.add("apply", token, BINDING["apply"])
        else:
            raise self.error(f"the argument of {token.text}")
        operator.token, operator.op, operator.power, operator.base = token, function, power, base

    def read_root(self, token: Token) -> bool:
        if self.token.kind == "[" and token.text == "sqrt" and self.text[token.start] == "\\":
            self.open("index", self.take())
            return False
        return self.open_part("radicand", token, _THREE if token.text in CUBE_ROOTS else None)

    def open_part(self, symbol: str, token: Token, first: Expr | None = None) -> bool:
        """Begin an argument of \\frac or \\sqrt, a bracket or a single symbol; return True if that completes an operand."""
        if self.token.kind in CLOSING:
            self.open(symbol, self.take()).base = first
            return False
        if self.token.kind not in ("number", "name", "blank"):
            raise self.error({"numerator": "a numerator", "denominator": "a denominator"}.get(symbol, "the argument of a root"))
        part = self.take()
        if part.kind == "blank":
            self.read_blank(part)
        else:
            self.operands.append(leaf(part.text))
        return self.finish_group(Operator(symbol, token, base=first))

    # -- groups ----------------------------------------------------------------------------------------------------

    def close(self) -> bool:
        """Read a closing bracket; return True if an operand must follow, as the second part of \\frac{a}{b}."""
        token = self.token
        self.reduce(0)
        group = self.operators.pop() if self.operators else None
        if group is None:
            raise ParseError(f"{token.text!r} without an opening bracket", self.text, token.start)
        if token.kind != group.closing:
            raise self.error(repr(group.closing))
        self.take()
        return not self.finish_group(group)

    def finish_group(self, group: Operator) -> bool:
        """Finish a group; return True if that completes an operand, False if another part must follow."""
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
