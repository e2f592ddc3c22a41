"""The dataset card of a corpus, and what the ``datasets`` library reads by it."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from corpora import ROWS, write_corpus, write_split
from treesmu.data.corpus.card import CARD, CardText, write_card

TEXT = CardText("It's a title: #1", "By hand.", "1 is correct.", ("Few rows.", "No zeros."), "1.2.3")


def _head(folder: Path) -> dict:
    text = (folder / CARD).read_text(encoding="utf-8")
    assert text.startswith("---\n")
    return yaml.safe_load(text.split("---\n")[1])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_corpus(tmp_path)
    write_card(tmp_path, TEXT)
    return tmp_path


def test_the_head_is_yaml_that_names_every_table(folder):
    pq.write_table(pa.table({"prefix": ["x"], "height": [0]}), folder / "candidates.parquet")
    write_card(folder, TEXT)
    head = _head(folder)
    splits = [name for name in ("train", "validation", "test") if (folder / f"{name}.parquet").exists()]
    assert head["pretty_name"] == TEXT.title
    assert (head["license"], head["task_categories"], head["size_categories"]) == ("other", ["text-classification"], ["n<1K"])
    assert head["configs"] == [
        {"config_name": "default", "default": True, "data_files": [{"split": s, "path": f"{s}.parquet"} for s in splits]},
        {"config_name": "candidates", "data_files": [{"split": "test", "path": "candidates.parquet"}]},
    ]


def test_the_text_has_what_is_given_and_what_is_counted(tmp_path):
    rows = [*ROWS[:3], ("x = y", -1, ""), ("sin(sin(x)) = x", 0, "")]
    write_split(tmp_path / "train.parquet", rows)
    write_card(tmp_path, TEXT)
    text = (tmp_path / CARD).read_text(encoding="utf-8")
    assert "# It's a title: #1\n" in text
    assert "- Few rows.\n- No zeros.\n" in text
    assert "version = {1.2.3}" in text
    correct = sum(label == 1 for _, label, _ in rows)
    assert re.search(rf"\| train \| 5 \| {correct} \| {4 - correct} \| 1 \| 1-\d+ \|", text)
    assert "| not known |" in text
    columns = pq.read_schema(tmp_path / "train.parquet").names
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == columns


def test_the_licence_of_other_peoples_equations_is_asked_for(folder):
    assert "Name one here and in the head before you share it." in (folder / CARD).read_text(encoding="utf-8")
    write_card(folder, CardText("t", "o", "l", (), "1", license="mit"))
    assert "\n`mit`\n" in (folder / CARD).read_text(encoding="utf-8")
    assert _head(folder)["license"] == "mit"


def test_the_same_tables_give_the_same_bytes(folder):
    before = (folder / CARD).read_bytes()
    write_card(folder, TEXT)
    assert (folder / CARD).read_bytes() == before
