"""Figures are written completely, have the same bytes every time, and state their conclusion in the title."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora import write_corpus
from treesmu.data import DataError
from treesmu.data.corpus.dataset import Dataset
from treesmu.data.inspect.figures import draw
from treesmu.expr import parse


def test_three_figures_in_two_formats_the_same_each_time(tmp_path: Path) -> None:
    data = Dataset.read(write_corpus(tmp_path / "corpus"))
    first, second = (draw(data, tmp_path / name) for name in ("one", "two"))
    assert [p.name for p in first] == [f"{n}.{s}" for n in ("depth", "size", "functions") for s in ("svg", "png")]
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]
    assert first[1].read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("labels", "title"), [([1, 0], "Both labels are equally frequent"), ([1, 1], "The labels are out of balance")]
)
def test_the_title_is_the_conclusion(labels: list[int], title: str, tmp_path: Path) -> None:
    data = Dataset.of([parse("x + 1 = 1 + x"), parse("x + 1 = 2 + x")], labels)
    draw(data, tmp_path)
    assert title in (tmp_path / "depth.svg").read_text()


def test_nothing_to_draw_and_nowhere_to_draw_it_are_errors(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no labelled equations to draw"):
        draw(Dataset.of([], []), tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="cannot be made: File exists"):
        draw(Dataset.of([parse("x = x")], [1]), tmp_path / "file")
