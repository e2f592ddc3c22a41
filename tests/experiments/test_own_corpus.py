"""A user's own corpus takes the place of a preset's corpora; studies that it is not enough for are left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpora import many_rows, write_corpus, write_manifest, write_split
from in_process import assert_refused, treesmu
from own_files import write_csv
from treesmu.data import DataError
from treesmu.experiments.own_corpus import OwnCorpus
from treesmu.experiments.preset import Preset
from treesmu.experiments.reproduce import Reproduction

PRESET = """
[corpora.hard]
preset = "hard"
[training.paper]
epochs = 1
batch = 64
cell = { hidden = 3 }
[studies.productivity]
corpora = ["hard"]
recipes = ["paper"]
models = ["majority", "tree-rnn"]
[studies.localism]
corpora = ["hard"]
[studies.completion]
corpora = ["hard"]
[studies.data_size]
corpora = ["hard"]
sizes = [1000000]
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = write_corpus(tmp_path / "my corpus")
    for split, count in {"train": 40, "validation": 10, "test": 10}.items():
        write_split(folder / f"{split}.parquet", many_rows(count))
    return write_manifest(folder)


def test_all_studies_use_the_corpus_that_it_is_enough_for(corpus: Path) -> None:
    own = OwnCorpus(corpus, corpus.name)
    preset = Preset("test", PRESET, "test", own)
    assert list(preset.studies) == ["productivity"]
    assert preset.left_out == {
        "localism": "there are no train equations of depth 5-13",
        "completion": "there are no blanks of depth 8-13",
        "data_size": "1,000,000 equations, but corpus 'my-corpus' has 40",
    }
    assert {run.corpus for run in preset.runs(["productivity"])} == {"my-corpus"}
    assert preset.content["corpora"] == {"my-corpus": own.content()}
    assert own.rows((1, 7)) == 40
    assert own.rows((1, 2)) < 40


def test_a_corpus_that_is_enough_for_nothing_and_a_study_that_is_left_out_are_refused(corpus: Path, tmp_path: Path) -> None:
    own = OwnCorpus(corpus, "own")
    with pytest.raises(DataError, match=r"no study is possible with this corpus; localism: there are no train equations"):
        Preset("test", PRESET.split("[studies.productivity]", 1)[0] + "[studies.localism]\n", "test", own)
    with pytest.raises(DataError, match="study localism: there are no train equations of depth 5-13"):
        Reproduction(Preset("test", PRESET, "test", own), tmp_path / "out", only=["localism"])


def test_the_files_of_the_corpus_are_verified_and_copied(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    OwnCorpus(corpus, "own").copy_to(tmp_path / "copy")
    assert {p.name: p.read_bytes() for p in corpus.iterdir()} == {p.name: p.read_bytes() for p in (tmp_path / "copy").iterdir()}
    write_split(corpus / "test.parquet", many_rows(3))
    with pytest.raises(DataError, match=r"test\.parquet: is not the file of manifest\.json"):
        OwnCorpus(corpus, "own")


@pytest.mark.parametrize(("given", "wanted"), [("equations.csv", "equations.csv"), ("..", "own"), ("a b/ü+c", "a-b-ü-c")])
def test_its_name_can_be_that_of_a_folder(corpus: Path, given: str, wanted: str) -> None:
    assert OwnCorpus(corpus, given).name == wanted


@pytest.mark.usefixtures("one_thread")
def test_reproduce_takes_a_file_as_it_comes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_csv(tmp_path / "mine.csv", 60)
    (tmp_path / "small.toml").write_text(PRESET)
    options = ["--preset", tmp_path / "small.toml", "--out", tmp_path / "out", "--jobs", 1]
    done = treesmu(capsys, "reproduce", "--corpus", tmp_path / "mine.csv", *options, "--json")
    assert done.returncode == 0, done.stderr
    assert "treesmu: study localism is left out: there are no train equations of depth 5-13\n" in done.stderr
    assert json.loads(done.stdout)["runs"] == 2
    assert (tmp_path / "out" / "report.html").exists()
    assert (tmp_path / "out" / "corpora" / "mine.csv" / "README.md").exists()
    write_csv(tmp_path / "mine.csv", 64)
    again = treesmu(capsys, "reproduce", "--corpus", tmp_path / "mine.csv", *options, "--resume")
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr.splitlines()[-1].endswith("made with another corpus 'mine.csv'; give a new folder")
    assert_refused(
        treesmu(capsys, "reproduce", "--corpus", tmp_path / "none.csv", "--out", tmp_path / "new"), "there is no such file"
    )
