"""JSON of any depth is read as ``json.loads`` reads it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from treesmu.data.tree_files.json_text import _Parser, read_json
from treesmu.errors import DataError

VALUES = ['{"a": [1, "x]", {"b": null, "c": []}], "d": {}, "e": -1.5e3, "f": "\\"\\u00e9,"}', "[]", "3", " [ [ ] , [ true ] ] "]


@pytest.mark.parametrize("text", VALUES)
def test_the_parser_without_recursion_agrees_with_that_of_python(text: str) -> None:
    assert _Parser(text.strip()).parse() == json.loads(text)


@pytest.mark.parametrize(
    "text", ["[1,]", "[1 2]", '{"a"}', '{"a": 1,}', "[1}", "[", "1 2", "{1: 2}", "[,]", "", '{"a": }', "[nope]"]
)
def test_what_python_refuses_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        _Parser(text).parse()


def test_a_list_of_depth_100000_is_read() -> None:
    depth = 100_000
    row = read_json('{"tree": ' + '["f", ' * depth + "1" + "]" * depth + ', "label": 2}')
    assert row["label"] == 2
    node = row["tree"]
    for _ in range(depth):
        assert node[0] == "f"
        node = node[1]
    assert node == 1


@pytest.mark.parametrize("read", [read_json, lambda text: _Parser(text).parse()])
@pytest.mark.parametrize("text", ['{"label": 1, "label": 2}', '[{"a": {"label": 1, "b": 2, "label": 1}}]'])
def test_a_repeated_key_is_refused_by_both_parsers(read: Callable[[str], object], text: str) -> None:
    with pytest.raises(DataError, match="the key 'label' occurs twice in one object; keep one of them"):
        read(text)


def test_the_same_key_in_two_objects_is_no_repetition() -> None:
    assert read_json('{"a": {"a": 1}}') == _Parser('{"a": {"a": 1}}').parse() == {"a": {"a": 1}}
