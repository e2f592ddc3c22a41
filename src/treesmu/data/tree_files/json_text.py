"""Read JSON of any depth: Python's own reader is recursive and gives up after about a thousand nested lists."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, Literal

from treesmu.errors import DataError

_STRING = r'"(?:[^"\\]|\\.)*"'
_TOKEN = re.compile(rf'\s*(?:(?P<key>{_STRING})\s*:|(?P<scalar>{_STRING}|[^\s\[\]{{}},:"]+)|(?P<sign>[\[\]{{}},]))', re.DOTALL)
_OPENED = {"[": list, "{": dict, "]": list, "}": dict}


def read_json(text: str) -> Any:
    """Return what ``json.loads`` returns, also for text that is nested more deeply than Python's recursion allows.

    A key that an object has twice is a DataError: ``json.loads`` would silently take the last.
    """
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        return _Parser(text.strip()).parse()


def _object(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        _put(found, key, value)
    return found


def _put(found: dict[str, Any], key: str, value: Any) -> None:
    if key in found:
        raise DataError(f"the key {key!r:.60} occurs twice in one object; keep one of them")
    found[key] = value


class _Parser:
    """A JSON parser with a stack of unfinished lists and objects instead of recursion; used for deep text only."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.open: list[list[Any] | dict[str, Any]] = []
        self.keys: list[str | None] = []  # of each open object, the key whose value comes next
        self.expected: Literal["value", "value or end", "comma or end", "nothing"] = "value"
        self.result: Any = None

    def parse(self) -> Any:
        place = 0
        while place < len(self.text):
            match = _TOKEN.match(self.text, place)
            if match is None or not self._take(match["key"], match["scalar"], match["sign"]):
                raise json.JSONDecodeError("Unexpected text", self.text, place)
            place = match.end()
        if self.expected != "nothing":
            raise json.JSONDecodeError("Unexpected end", self.text, place)
        return self.result

    def _take(self, key: str | None, scalar: str | None, sign: str | None) -> bool:
        """Take a token; return whether it may be there."""
        in_object = bool(self.open) and isinstance(self.open[-1], dict)
        may_begin = self.expected in ("value", "value or end")
        if key is not None:
            if not (in_object and may_begin and self.keys[-1] is None):
                return False
            self.keys[-1], self.expected = json.loads(key), "value"
            return True
        if sign == ",":
            is_right, self.expected = self.expected == "comma or end", "value"
            return is_right
        if sign in ("]", "}"):
            return self._close(sign)
        if not may_begin or (in_object and self.keys[-1] is None):
            return False
        if sign is None:
            self._put(json.loads(scalar or ""))
        else:
            self.open.append(_OPENED[sign]())
            self.keys.append(None)
            self.expected = "value or end"
        return True

    def _close(self, sign: str) -> bool:
        is_right = bool(self.open) and isinstance(self.open[-1], _OPENED[sign]) and self.expected.endswith("or end")
        if is_right:
            self.keys.pop()
            self._put(self.open.pop())
        return is_right

    def _put(self, value: Any) -> None:
        self.expected = "comma or end" if self.open else "nothing"
        if not self.open:
            self.result = value
        elif isinstance(container := self.open[-1], list):
            container.append(value)
        else:
            _put(container, str(self.keys[-1]), value)
            self.keys[-1] = None
