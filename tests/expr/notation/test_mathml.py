"""MathML: well formed, with the children that each element needs."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from strategies import random_exprs
from treesmu.expr.notation.mathml import mathml
from treesmu.expr.notation.parse import parse

MATHML = {
    "x - 1/2": "<mrow><mi>x</mi><mo>−</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></mrow>",
    "sqrt(theta_1)": "<msqrt><mrow><msub><mi>θ</mi><mn>1</mn></msub></mrow></msqrt>",
    "x_i y_{theta}": "<mrow><msub><mi>x</mi><mi>i</mi></msub><mo>\u2062</mo><msub><mi>y</mi><mi>θ</mi></msub></mrow>",
    "2x": "<mrow><mn>2</mn><mo>\u2062</mo><mi>x</mi></mrow>",
    "x^2 = _": "<mrow><msup><mrow><mi>x</mi></mrow><mrow><mn>2</mn></mrow></msup><mo>=</mo><mi>□</mi></mrow>",
    "sin(x)/y": "<mfrac><mrow><mrow><mi>sin</mi><mo>\u2061</mo><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow></mrow></mrow>"
    "<mrow><mi>y</mi></mrow></mfrac>",
    "(x + 1)(-2)": "<mrow><mrow><mo>(</mo><mrow><mi>x</mi><mo>+</mo><mn>1</mn></mrow><mo>)</mo></mrow><mo>\u2062</mo>"
    "<mrow><mo>(</mo><mrow><mo>−</mo><mn>2</mn></mrow><mo>)</mo></mrow></mrow>",
}  # fmt: skip


ARITY = {"mfrac": 2, "msup": 2, "msub": 2, "mroot": 2, "msqrt": 1}


TOKENS = {"mi", "mn", "mo"}


@pytest.mark.parametrize(("text", "body"), MATHML.items())
def test_mathml_of(text: str, body: str):
    root = ElementTree.fromstring(mathml(parse(text)))
    namespace = "http://www.w3.org/1998/Math/MathML"
    assert root.tag == f"{{{namespace}}}math"
    written = "".join(ElementTree.tostring(child, encoding="unicode") for child in root)
    assert re.sub(r'ns0:| xmlns:ns0="[^"]*"', "", written) == body


def test_mathml_is_well_formed_and_its_elements_have_the_children_they_need():
    seen = set()
    for e in random_exprs(7, 3000):
        for element in ElementTree.fromstring(mathml(e)).iter():
            name = element.tag.rpartition("}")[2]
            seen.add(name)
            assert name not in ARITY or len(element) == ARITY[name], mathml(e)
            assert bool(element.text) == (name in TOKENS), mathml(e)
    assert seen == {"math", "mrow", *ARITY, *TOKENS}
