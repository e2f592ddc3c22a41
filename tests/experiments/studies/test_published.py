"""As published: which runs there are, what remains without files, and what is counted on each test set."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from planned_runs import analyses_of
from treesmu.data import DataError, Dataset
from treesmu.data.corpus.authors import by_depth, write_authors
from treesmu.engine.in_process import InProcess
from treesmu.experiments import jobs
from treesmu.experiments.preset import Preset
from treesmu.experiments.reproduce import Reproduction
from treesmu.experiments.studies.published import Published
from treesmu.expr import parse

SMALL = """
depths = [1, 3]
train_size = 60
validation_size = 10
test_depths = [1, 4]
per_depth = 6
blanks_per_depth = 0
pool_size = 100
test_pool_size = 200
"""
PRESET = f"""
[corpora.original]
files = ["equations.json"]
[corpora.ours]
preset = "published"
{SMALL}
[corpora.without]
preset = "published"
closed = ["padding"]
{SMALL}
[training.paper]
epochs = 1
cell = {{ hidden = 3 }}
[studies.published]
corpora = ["original", "ours"]
models = ["lstm", "tree-lstm", "tree-smu"]
seeds = [1, 2]
seeds_of = {{ lstm = [1] }}
epochs_of = {{ lstm = 2 }}
more_seeds = [3]
more_corpora = ["original", "ours"]
whole = ["ours"]
chain = ["ours", "without"]
tests = ["original", "ours"]
same_way = {{ original = "original", ours = "original" }}
protocol = {{ ours = "ours" }}
per_depth = 4
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    equations = [parse(f"{k}*x = x*{k}") for k in range(2, 42)] + [parse(f"sin(sin(sin({k}*x))) = x") for k in range(8)]
    write_authors(tmp_path / "equations.json", by_depth((e, e.left.size < 4) for e in equations))
    return tmp_path


def test_every_corpus_has_all_models_and_the_pair_further_seeds_and_the_chain(files: Path) -> None:
    preset = Preset("test", PRESET, "test", folders=[files])
    runs = preset.runs(["published"])
    found = Counter((run.corpus, run.settings.model, run.settings.epochs) for run in runs if run.settings.depths)
    assert found == {
        **{(corpus, "lstm", 2): 1 for corpus in ("original", "ours")},
        **{(corpus, model, 1): 3 for corpus in ("original", "ours") for model in ("tree-lstm", "tree-smu")},
        **{("without", model, 1): 2 for model in ("tree-lstm", "tree-smu")},
    }
    assert [run.name for run in runs if run.settings.depths is None] == [
        f"ours/depth-all/{model}/paper/seed-{seed}" for seed in (1, 2) for model in ("tree-lstm", "tree-smu")
    ]
    assert preset.missing == {}
    assert list(preset.content["corpora"]["original"]["sha256"]) == ["equations.json"]


def test_without_its_files_a_corpus_is_left_out_everywhere() -> None:
    preset = Preset("test", PRESET, "test")
    assert preset.missing == {"original": "equations.json was not given; name its folder with --files"}
    study = preset.studies["published"]
    assert isinstance(study, Published)
    assert (study.corpora, study.more_corpora, study.tests) == (("ours",), ("ours",), ("ours",))
    assert (study.same_way, study.protocol) == ({}, {"ours": "ours"})
    assert {run.corpus for run in preset.runs(["published"])} == {"ours", "without"}
    assert "original" not in preset.content["corpora"]


def test_a_study_of_which_nothing_remains_is_left_out_or_refused() -> None:
    only = '[studies.localism]\ncorpora = ["original"]\n'
    preset = Preset("test", PRESET + only, "test")
    reason = "corpus original: equations.json was not given; name its folder with --files"
    assert preset.left_out == {"localism": reason}
    with pytest.raises(DataError, match=f"test: {reason}"):
        Preset("test", PRESET.partition("[studies")[0] + only, "test")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('chain = ["ours", "without"]', 'chain = ["ours", "nowhere"]', "study published: no corpus 'nowhere'"),
        ('protocol = { ours = "ours" }', 'protocol = { ours = "nowhere" }', "study published: no corpus 'nowhere'"),
        ("epochs_of = { lstm = 2 }", "epochs_of = { lsmt = 2 }", "unknown model 'lsmt'"),
        ('files = ["equations.json"]', 'files = ["equations.json"]\nsplit = 1', "corpus original: split: Extra inputs"),
    ],
)
def test_a_wrong_name_is_an_error(files: Path, old: str, new: str, message: str) -> None:
    assert old in PRESET
    with pytest.raises(DataError, match=message):
        Preset("test", PRESET.replace(old, new), "test", folders=[files])


def test_every_model_is_counted_on_its_own_test_set_and_on_the_others(files: Path, tmp_path: Path) -> None:
    settings = PRESET.replace("seeds = [1, 2]", "seeds = [1]").replace('"lstm", "tree-lstm", ', "").replace("[3]", "[]")
    preset = Preset("test", settings, "test", folders=[files])
    reproduction = Reproduction(preset, tmp_path / "out")
    assert reproduction.run(InProcess()) == []
    for run, found in analyses_of(reproduction, "published"):
        assert list(found["tests"]) == list(dict.fromkeys((run.corpus, "original", "ours")))
        for test, counts in found["tests"].items():
            data = Dataset.read(reproduction.corpus(test), "test")
            assert counts["all"] == {str(d): n for d, n in sorted(Counter(data.depth.tolist()).items())}
            drawn = sum(min(4, n) for n in counts["all"].values())
            assert sum(counts["equations"]) + counts["left_out"] == drawn
            assert all(0 <= right <= n for right, n in zip(counts["right"], counts["equations"], strict=True))


def test_an_analysis_is_the_same_where_corpora_travel_as_files(every_study: Reproduction) -> None:
    (run, found), *_ = [
        (run, found) for run, found in analyses_of(every_study, "published") if run.settings.model == "tree-smu"
    ]
    study, folder, corpus = (
        every_study.preset.studies["published"],
        every_study.run_folder(run).path,
        every_study.corpus("tiny"),
    )
    sent = jobs.analyse(study, run, jobs.read_files(folder), ("tiny",), jobs.read_files(corpus))
    assert sent == {key: value for key, value in found.items() if key != "asked_with"}
