"""A trace shows itself: in a notebook, as text, and as files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from traces import fixed_trace
from treesmu.errors import DataError
from treesmu.expr import from_prefix
from treesmu.trace import Trace
from treesmu.trace.trace import LARGEST_SHOWN

TRACE = fixed_trace()


def test_a_notebook_shows_the_drawing_unless_it_is_too_large() -> None:
    assert TRACE._repr_svg_() == TRACE.svg()
    size = LARGEST_SHOWN + 1
    large = Trace.from_rows(from_prefix(["sin"] * (size - 1) + ["x"]), {"h": np.ones((size, 2))}, 0, model="m")
    assert large._repr_svg_() is None


def test_it_says_what_it_is() -> None:
    assert repr(TRACE) == "<Trace of x + x = 2*x by tree-smu, 6 nodes>"
    assert repr(TRACE.at((0,))) == "<TracedNode x + x at (0,)>"
    assert str(TRACE) == TRACE.text()


@pytest.mark.parametrize("ending", ["svg", "html", "SVG"])
def test_a_file_contains_the_drawing(ending: str, tmp_path: Path) -> None:
    TRACE.save(tmp_path / f"tree.{ending}")
    assert (tmp_path / f"tree.{ending}").read_text(encoding="utf-8") == (TRACE.html() if ending == "html" else TRACE.svg())
    assert len(list(tmp_path.iterdir())) == 1


def test_a_json_file_is_what_to_dict_returns(tmp_path: Path) -> None:
    TRACE.save(tmp_path / "tree.json")
    assert json.loads((tmp_path / "tree.json").read_text()) == TRACE.to_dict()


def test_another_kind_of_file_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"tree\.png: a trace is written to a file that ends with \.svg, \.html or \.json"):
        TRACE.save(tmp_path / "tree.png")
    with pytest.raises(DataError, match="cannot be written"):
        TRACE.save(tmp_path / "absent" / "tree.svg")
    assert list(tmp_path.iterdir()) == []
