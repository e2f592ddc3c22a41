"""What the parser does not read, and what to write instead: one sentence for each symbol, name and LaTeX command."""

from __future__ import annotations

import re
import unicodedata

_ABSOLUTE = "write sqrt(x^2) for |x|"
_ALIGNMENT = "write one equation at a time, without alignment marks"
_BINOMIAL = "write the number, as in 10 for 5 over 2"
_DEGREES = "angles are in radians: write 45*pi/180 for 45 degrees"
DERIVATIVE = "write the derivative instead, as in cos(x) for that of sin(x)"
_DOTS = "write out all terms"
_ENTRIES = "write one equation per entry"
_FACTORIAL = "write the number, as in 120 for 5!"
_INTEGRAL = "write the antiderivative instead"
_LIMIT = "write the value of the limit instead"
_OTHER_FUNCTION = (
    "the functions are powers, roots, exp, log, and the trigonometric and hyperbolic functions with their inverses"
)
_PERCENT = "write 50/100 for 50%"
_PLUS_OR_MINUS = "write two equations, one with + and one with -"
_POWER, _ROOT = "write x^y", "write x^(1/n)"
_PRODUCT, _SUM = "write the factors, as in 1*2*3", "write the terms, as in 1 + 2 + 3"
_REAL = "all values are real"
_RELATION = "write one equation with '=', and leave out conditions"
SMALL_ROOT = "write 8^(1/3) for the cube root of 8"
_WITHOUT = "write the variable without it"

# fmt: off
_WORD_GROUPS = {  # names that people type, and LaTeX commands of the same name
    "abs Abs ABS norm": _ABSOLUTE,
    "factorial Factorial fact FACT": _FACTORIAL,
    "binom dbinom tbinom binomial Binomial nCr nPr choose": _BINOMIAL,
    "deg Degree degree degrees": _DEGREES,
    "int iint iiint oint Integral Integrate integrate integral Int": _INTEGRAL,
    "sum Sum summation SUM": _SUM,
    "prod Prod Product product": _PRODUCT,
    "lim Lim Limit limit": _LIMIT,
    "diff Diff Derivative derivative deriv partial nabla": DERIVATIVE,
    "max Max MAX": "write (a + b + sqrt((a - b)^2))/2 for max(a, b)",
    "min Min MIN": "write (a + b - sqrt((a - b)^2))/2 for min(a, b)",
    "sgn sign Sign SIGN signum": "write x/sqrt(x^2)",
    "floor Floor ceil Ceiling ceiling round Round trunc mod Mod MOD fmod bmod pmod gcd GCD lcm LCM erf Erf erfc Erfc "
    "lfloor rfloor lceil rceil LambertW gammaln lgamma besselj BesselJ digamma Heaviside sinc Sinc sup det dim ker hypot":
        _OTHER_FUNCTION,
    "conj Conjugate conjugate arg Arg": _REAL,
    "pow Pow POW power Power POWER": _POWER,
    "root Root surd Surd nthroot nthRoot": _ROOT,
    "squareroot sqroot SquareRoot": "write sqrt(x)",
    "sine Sine sinus": "write sin(x)", "cosine Cosine cosinus": "write cos(x)", "tangent Tangent tangens": "write tan(x)",
    "Add Plus": "write x + y", "Mul Times": "write x*y", "Div Divide": "write x/y", "Subtract": "write x - y",
    "Eq Equality Equal Eqn": "write a = b", "Rational Fraction": "write 1/2",
    "Symbol symbols Integer Float": "write the name alone", "Matrix array matrix": _ENTRIES,
    "Piecewise": "write one equation per case", "And Or Not": "write one equation at a time",
    "base": "write log(x, b)", "arc Arc": "write asin(x) for arc sin x", "cis": _REAL,
    "rad rads radian radians": "leave it out: angles are in radians",
    "solve Solve simplify Simplify FullSimplify Factor Expand Reduce": "write only the equation",
    "Ans ANS ans": "write the number",
    "atan2 arctan2 ATAN2": "write atan(y/x)", "log1p": "write ln(1 + x)", "expm1": "write exp(x) - 1",
}
_COMMAND_GROUPS = {  # LaTeX commands only
    "lvert rvert vert mid Vert lVert rVert": _ABSOLUTE, "Re Im": _REAL,
    "le leq lt ge geq gt ne neq approx sim simeq cong propto to rightarrow Rightarrow implies iff leftrightarrow "
    "Leftrightarrow in notin forall exists mapsto ll gg leqslant geqslant": _RELATION,
    "pm mp": _PLUS_OR_MINUS,
    "circ": _DEGREES,
    "cdots ldots dots vdots ddots": _DOTS,
    "vec hat bar tilde overline underline widehat widetilde mathbf boldsymbol bm mathbb mathcal mathsf": _WITHOUT,
    "rm bf it boxed underbrace overbrace mathop mathopen mathclose": "leave it out", "coloneqq": "write =",
    "dot ddot prime": DERIVATIVE,
    "begin end": r"write one equation, without \begin and \end",
    "over": r"write \frac{a}{b}", "root": _ROOT,
    "text mbox textrm tag label": "leave out words",
}
_SYMBOLS = {
    "|": _ABSOLUTE, r"\|": _ABSOLUTE, "‖": _ABSOLUTE, "!": _FACTORIAL, "°": _DEGREES, "º": _DEGREES, "˚": _DEGREES,
    "%": _PERCENT, r"\%": _PERCENT, "±": _PLUS_OR_MINUS, "∓": _PLUS_OR_MINUS, "...": _DOTS, "…": _DOTS, "⋯": _DOTS,
    "∫": _INTEGRAL, "∬": _INTEGRAL, "∮": _INTEGRAL, "∑": _SUM, "∏": _PRODUCT, "∂": DERIVATIVE, "∇": DERIVATIVE, "'": DERIVATIVE,
    "’": DERIVATIVE, "′": DERIVATIVE, "″": DERIVATIVE, "&": _ALIGNMENT, "\\\\": _ALIGNMENT, ";": "write one equation at a time",
    "⌊": _OTHER_FUNCTION, "⌋": _OTHER_FUNCTION, "⌈": _OTHER_FUNCTION, "⌉": _OTHER_FUNCTION,
    ".": "leave it out, or write * for a product", ":": "write x/y for a ratio, or = for a definition",
    **dict.fromkeys("\"`“”„", "leave out quotation marks"),
    **dict.fromkeys(["!=", "<=", ">=", "->", "<>", *"<>≤≥≠≈≃≅∼∝→⇒⇔↔←⟶⟹∈∉∀∃≪≫⩽⩾"], _RELATION),
}
_SPELLED = frozenset("plus minus times over divided equals squared cubed square cube".split())  # operators as words
_TEXT = frozenset("if for and where with when then or in all let".split())  # words of a sentence
# fmt: on
_WORDS = {word: remedy for words, remedy in _WORD_GROUPS.items() for word in words.split()}
_COMMANDS = {word: remedy for words, remedy in _COMMAND_GROUPS.items() for word in words.split()}
_SYMBOL = re.compile(r"\.\.\.|[!<>]=|<>|\\.|.", re.DOTALL)


def refusal(shown: str, remedy: str) -> str:
    """Return the message that something is not read, and what to do instead."""
    quoted = f'"{shown}"' if "'" in shown else f"'{shown}'"
    return f"{quoted} is not read; {remedy}"


def refusal_of_name(word: str, *, is_command: bool = False, is_called: bool = True) -> str | None:
    """Return the message for a name or a LaTeX command that has a remedy, None for any other."""
    remedy = (_COMMANDS.get(word) if is_command else None) or _WORDS.get(word)
    if len(word) == 2 and not (is_command or is_called):
        remedy = None  # Eq is E*q
    if remedy:
        return refusal(f"\\{word}" if is_command else word, remedy)
    if word in _SPELLED and not is_command:
        return refusal(word, "write + - * / = ^2 sqrt(...) instead of words")
    if word in _TEXT and not is_command:
        return refusal(word, f"leave out words, or write {'*'.join(word)} for a product")
    return None


def refusal_of_symbol(text: str, place: int) -> str:
    """Return the message for a character that begins no token."""
    found = _SYMBOL.match(text, place)
    shown = found.group() if found else text[place]
    remedy = _SYMBOLS.get(shown) or _SYMBOLS.get(shown[0])
    if remedy:
        return refusal(shown if shown in _SYMBOLS else shown[0], remedy)
    plain = unicodedata.normalize("NFKC", text[place])
    if plain != text[place] and len(plain) == 1 and plain.isprintable():
        return f"{text[place]!r} is a styled {'letter' if plain.isalpha() else 'character'}; type {plain!r}"
    return f"unexpected character {text[place]!r}"
