"""The fields of requests: types, defaults and limits; nothing is converted or ignored."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from treesmu.web import limits
from treesmu.web.requests import CompleteRequest, CorpusQuery, ModelRequest, NeighboursRequest, ReadRequest


def test_defaults() -> None:
    assert ModelRequest(text="x").model is None
    assert (NeighboursRequest(text="x").path, NeighboursRequest(text="x").count) == ([], 8)
    assert CompleteRequest(text="x").top == 5
    assert (CorpusQuery().offset, CorpusQuery().limit, CorpusQuery().sort) == (0, 20, "row")


def test_a_whole_number_may_be_written_as_a_decimal_because_json_does_not_tell_them_apart() -> None:
    assert NeighboursRequest.model_validate({"text": "x", "path": [1.0, 0], "count": 3.0}).path == [1, 0]


@pytest.mark.parametrize(
    ("request_type", "fields"),
    [
        (ReadRequest, {}),
        (ReadRequest, {"text": 5}),
        (ReadRequest, {"text": None}),
        (ReadRequest, {"text": "x" * (limits.CHARACTERS + 1)}),
        (ReadRequest, {"text": "x", "file": "/etc/passwd"}),
        (ModelRequest, {"text": "x", "model": 1}),
        (CompleteRequest, {"text": "x = _", "top": 0}),
        (CompleteRequest, {"text": "x = _", "top": limits.TOP + 1}),
        (CompleteRequest, {"text": "x = _", "top": "5"}),
        (CompleteRequest, {"text": "x = _", "top": 1.5}),
        (NeighboursRequest, {"text": "x", "path": [-1]}),
        (NeighboursRequest, {"text": "x", "path": "0"}),
        (NeighboursRequest, {"text": "x", "path": [0] * (limits.DEPTH + 1)}),
        (CorpusQuery, {"limit": limits.ROWS + 1}),
        (CorpusQuery, {"offset": -1}),
        (CorpusQuery, {"sort": "size"}),
        (CorpusQuery, {"split": "train"}),
    ],
)
def test_what_does_not_fit_is_refused(request_type: type[BaseModel], fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        request_type.model_validate(fields)
