"""The card of a generated corpus: its command makes it again, and the ``datasets`` library reads it as it is."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from small_corpus import generate_small
from treesmu.cli import generate as command_line
from treesmu.generate.settings import CorpusSettings, corpus_settings
from treesmu.generate.write import card_text, generate_command, write_corpus

TINY = {"train_size": 60, "validation_size": 10, "per_depth": 6, "depths": (1, 4), "test_depths": (2, 9)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("card")
    write_corpus(generate_small(**TINY), folder, "1.2.3")
    return folder


@pytest.fixture
def load_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    return lambda *args, **options: datasets.load_dataset(*args, cache_dir=str(tmp_path / "cache"), **options)


@pytest.mark.filterwarnings("ignore")  # those of other people's code
def test_the_datasets_library_reads_every_table(folder, load_dataset):
    found = load_dataset(str(folder))
    assert list(found) == ["train", "validation", "test"]
    for split, rows in found.items():
        assert rows.to_list() == pq.read_table(folder / f"{split}.parquet").to_pylist()
    for name in ("blanks", "candidates"):
        assert load_dataset(str(folder), name, split="test").to_list() == pq.read_table(folder / f"{name}.parquet").to_pylist()


def test_the_card_says_how_the_corpus_was_made(folder):
    text = (folder / "README.md").read_text(encoding="utf-8")
    assert "license: mit\n" in text
    assert "With treesmu 1.2.3" in text
    assert "--seed 3 --train-size 60 --validation-size 10 --per-depth 6 --depths 1-4 --test-depths 2-9\n" in text


CHANGES: list[dict[str, Any]] = [
    {},
    {"preset": "paper", "seed": 7},
    {"train_size": 10, "numeric": 0.125, "depths": (2, 3)},
    {"families": ("algebra", "inverse"), "weights": (("algebra", 2.5),)},
    {"preset": "hard", "negatives": ("mutation",), "test_negatives": ("near-miss",)},
    {"preset": "paper", "negatives": ("near-miss", "mutation"), "axiom_files": (Path("my own.txt"),)},
    {"preset": "published", "per_depth": 20},
    {"preset": "published", "labels": "checked", "closed": ("lopsided", "seen-sides")},
]


@pytest.mark.parametrize("changes", CHANGES)
def test_the_command_gives_the_same_settings(changes, tmp_path, monkeypatch):
    """The command line is parsed as it is, up to the point where the corpus would be generated."""
    from typer.testing import CliRunner

    from treesmu.cli.app import app

    monkeypatch.chdir(tmp_path)
    Path("my own.txt").write_text("x + x = 2*x\n")
    changes = dict(changes)
    settings = corpus_settings(changes.pop("preset", "quick"), **changes)
    read: list[CorpusSettings] = []
    make = command_line._settings

    def remember(preset: str, given: dict[str, Any]) -> Any:
        read.append(make(preset, given))
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line, "_settings", remember)
    CliRunner().invoke(app, shlex.split(generate_command(settings))[1:])
    assert read == [settings]


def test_a_setting_without_an_option_is_named():
    text = card_text(corpus_settings("hard", blanks_per_depth=0, per_depth=20), "1").origin
    assert "--per-depth 20" in text
    assert "It was made from Python, with `blanks_per_depth = 0` besides." in text
    assert "from Python" not in card_text(corpus_settings("hard"), "1").origin


def test_the_weight_of_a_family_of_ones_own_is_named(tmp_path):
    (tmp_path / "mine.txt").write_text("x + x = 2*x\n")
    settings = corpus_settings("quick", axiom_files=(tmp_path / "mine.txt",), weights=(("mine", 3.0),))
    assert "with `mine` chosen 3.0 times as often besides." in card_text(settings, "1").origin


def test_slips_and_wrong_fillers_are_explained_where_there_are_some():
    without, with_both = (
        card_text(corpus_settings("hard", negatives=n), "1").origin for n in (("near-miss",), ("slip", "filler"))
    )
    assert "`slip`" not in without
    assert "`slip`: a mistake that people make" in with_both
    assert "`filler`: a correct equation in which" in with_both


def test_the_card_of_pools_says_whose_labels_they_are():
    derived, checked = (card_text(corpus_settings("published", labels=how), "1") for how in ("derived", "checked"))
    assert "some labels are wrong" in derived.labels
    assert "never that of the process" in checked.labels
    for text in (derived, checked):
        assert "Pools of equations grow from basic identities" in text.origin
        assert not any("up to names of variables" in limit for limit in text.limits)
    assert "`wrong_causes = ()`" in card_text(corpus_settings("published", wrong_causes=()), "1").origin
