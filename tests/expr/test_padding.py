"""Padding: the nodes of an expression that change nothing."""

from __future__ import annotations

import pytest

from treesmu.expr import parse
from treesmu.expr.padding import count_padding


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("x*sin(x) = -x", 0),
        ("1*x = x*1", 4),
        ("0 + x = x^1", 4),
        ("-(-x) = x", 4),
        ("-(-(-x)) = x", 6),
        ("(x^(-1))^(-1) = x", 4),
        ("asin(sin(x)) = x", 2),
        ("asin(sin(asin(x))) = x", 3),
        ("exp(ln(x)) = ln(exp(x))", 6),
        ("e^ln(x) = x", 4),
        ("log(2^x, 2) = 2^log(x, 2)", 8),
        ("log(2^x, 3) = 2^log(x, 3)", 0),
        ("sinh(asin(x)) = sin(sin(x))", 0),
    ],
)
def test_padding_is_counted_node_by_node(text: str, nodes: int) -> None:
    assert count_padding(parse(text), {}) == nodes
