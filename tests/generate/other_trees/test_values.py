"""The value of a tree is computed from the leaves up, with arguments in their order, at any depth."""

from __future__ import annotations

from typing import Any

from treesmu.generate.other_trees.values import value_of


def _written(name: str, arguments: list[str]) -> str:
    return f"{name}({', '.join(arguments)})"


def test_an_operator_gets_the_values_of_its_children_in_order() -> None:
    tree = ["f", 1, ["g", 2, ["h", 3]], ["g", 4, 5, 6]]
    assert value_of(tree, str, _written) == "f(1, g(2, h(3)), g(4, 5, 6))"
    assert value_of(7, str, _written) == "7"


def test_deep_trees_need_no_recursion() -> None:
    tree: Any = 1
    for _ in range(20_000):
        tree = ["+", tree, 1]
    assert value_of(tree, int, lambda _, arguments: sum(arguments)) == 20_001
