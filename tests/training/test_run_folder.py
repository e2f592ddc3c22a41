"""A run folder is for one run: any other folder is refused before anything is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpora import many_rows, write_small_corpus, write_split
from treesmu.data import DataError
from treesmu.training.run_folder import RunFolder, run_identity
from treesmu.training.settings import TrainSettings


@pytest.fixture
def wanted(tmp_path: Path) -> dict[str, Any]:
    return run_identity(TrainSettings.of(epochs=3), write_small_corpus(tmp_path / "corpus", 8, 4, 4))


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return RunFolder(tmp_path / "deep" / "run")


def test_a_new_folder_is_made_when_the_run_starts_and_not_before(folder: RunFolder, wanted: dict[str, Any]) -> None:
    assert folder.open(wanted, resume=False) is None
    assert not folder.path.parent.exists()
    folder.start({**wanted, "rows": 8})
    assert folder.stored_settings() == {**wanted, "rows": 8}
    assert [path.name for path in folder.path.iterdir()] == ["settings.json"]


def test_resuming_returns_the_checkpoint_or_starts_a_run(folder: RunFolder, wanted: dict[str, Any]) -> None:
    assert folder.open(wanted, resume=True) is None
    folder.start(wanted)
    assert folder.open(wanted, resume=True) is None  # killed before the first checkpoint
    folder.checkpoint.write_bytes(b"state")
    assert folder.open(wanted, resume=True) == b"state"


def test_files_that_exist_are_never_overwritten(folder: RunFolder, wanted: dict[str, Any]) -> None:
    folder.start(wanted)
    with pytest.raises(DataError, match="the folder is not empty; continue with --resume, or give a new folder"):
        folder.open(wanted, resume=False)
    folder.settings.rename(folder.path / "precious.txt")
    with pytest.raises(DataError, match="the folder is not empty; give a new folder"):
        folder.open(wanted, resume=True)


def test_a_run_with_other_settings_or_another_corpus_is_not_resumed(folder: RunFolder, wanted: dict[str, Any]) -> None:
    folder.start(wanted)
    other = {**wanted, "settings": {**wanted["settings"], "epochs": 4}}
    with pytest.raises(DataError, match=r"a run with other settings \(epochs 3, not 4\); resume it with the same"):
        folder.open(other, resume=True)
    with pytest.raises(DataError, match="a run on another corpus; resume it with the same"):
        folder.open({**wanted, "corpus": {}}, resume=True)


def test_a_run_of_other_code_is_not_resumed(folder: RunFolder, wanted: dict[str, Any]) -> None:
    assert "code" not in wanted  # a built-in model
    folder.start({**wanted, "code": "before"})
    folder.open({**wanted, "code": "before"}, resume=True)
    remedy = "resume it with the code as it was, or train into another folder"
    with pytest.raises(DataError, match=f"the code of the model 'tree-smu' has changed since this run began; {remedy}"):
        folder.open({**wanted, "code": "after"}, resume=True)


def test_a_run_of_an_older_version_is_resumed_as_before(folder: RunFolder, wanted: dict[str, Any]) -> None:
    folder.start(wanted)
    assert folder.open({**wanted, "code": "after"}, resume=True) is None


def test_a_run_from_before_there_was_a_setting_is_resumed_with_its_default(folder: RunFolder, wanted: dict[str, Any]) -> None:
    older = {name: value for name, value in wanted["settings"].items() if name not in ("values", "warmup", "average", "norm")}
    folder.start({**wanted, "settings": {**older, "unit": False}})
    assert folder.open(wanted, resume=True) is None
    with pytest.raises(DataError, match=r"a run with other settings \(warmup 0, not 5\)"):
        folder.open({**wanted, "settings": {**wanted["settings"], "warmup": 5}}, resume=True)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        *((text, "damaged, not a JSON object") for text in ("", "[]", "[" * 100_000, "\xff")),
        *((text, "not the settings of a run") for text in ("{}", '{"settings": 3, "corpus": {}}', '{"settings": {"seed": 1}}')),
        ('{"settings": {}, "corpus": {}}', "not the settings of a run"),
    ],
    ids=lambda text: text[:20],
)
def test_a_settings_file_of_something_else_is_refused(
    content: str, fault: str, folder: RunFolder, wanted: dict[str, Any]
) -> None:
    folder.create()
    folder.settings.write_text(content, encoding="latin-1")
    with pytest.raises(DataError, match=rf"settings.json: {fault}; train into another folder$"):
        folder.open(wanted, resume=True)


MEASURES = {"equations": 2, "accuracy": 0.5, "precision": None}
TESTED: dict[str, Any] = {"source": "test.parquet", "overall": MEASURES, "train": MEASURES, "validation": MEASURES}


def test_the_measures_of_a_run_are_returned(folder: RunFolder) -> None:
    folder.create()
    folder.test.write_text(json.dumps(TESTED))
    assert folder.stored_test("accuracy") == TESTED


@pytest.mark.parametrize(
    "content",
    [
        *('{"overall":', "[]", "{}", "[" * 100_000, "\xff"),
        *(json.dumps(TESTED | {rows: facts}) for rows in ("overall", "validation") for facts in (3, {}, {"accuracy": 0.5})),
        json.dumps(TESTED).replace("accuracy", "accurbcy"),
        json.dumps(TESTED).replace("0.5", '"0.5"'),
    ],
    ids=lambda text: text[:20],
)
def test_damaged_measures_are_named_and_can_be_made_again(content: str, folder: RunFolder) -> None:
    folder.create()
    folder.test.write_text(content, encoding="latin-1")
    remedy = "remove it and continue with --resume: it is measured again"
    with pytest.raises(DataError, match=f"^{folder.test}: damaged, not .*; {remedy}$"):
        folder.stored_test("accuracy")


def test_the_score_of_each_epoch_is_returned(folder: RunFolder) -> None:
    assert folder.stored_scores("score") == []
    folder.create()
    folder.write_metrics([{"score": 0.5}, {"score": 1}])
    assert folder.stored_scores("score") == [0.5, 1]


@pytest.mark.parametrize(
    "content", ['{"epo', "{}\n", '{"score": "1"}', "[]", "\xff", '{"score": 1}\n' + "[" * 100_000], ids=lambda text: text[:20]
)
def test_damaged_scores_are_named(content: str, folder: RunFolder) -> None:
    folder.create()
    folder.metrics.write_text(content, encoding="latin-1")
    remedy = f"remove {folder.path} and continue with --resume: it is trained again"
    with pytest.raises(DataError, match=rf"^{folder.metrics}(, line \d)?: damaged, .*; {remedy}$"):
        folder.stored_scores("score")


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path, wanted: dict[str, Any]) -> None:
    (tmp_path / "file").write_text("a file")
    with pytest.raises(DataError, match="file: a file, not a folder for a run; give another folder"):
        RunFolder(tmp_path / "file").open(wanted, resume=False)
    with pytest.raises(DataError, match="below: cannot be written: Not a directory"):
        RunFolder(tmp_path / "file" / "below").create()


def test_metrics_have_one_line_per_epoch(folder: RunFolder) -> None:
    folder.create()
    lines = [{"epoch": 1, "loss": 0.5}, {"epoch": 2, "loss": 0.25}]
    folder.write_metrics(lines)
    assert [json.loads(line) for line in folder.metrics.read_text().splitlines()] == lines


def test_the_identity_of_a_run_has_only_checksums_that_are_right(tmp_path: Path) -> None:
    corpus = write_small_corpus(tmp_path / "corpus", train=8, validation=4, test=4)
    manifest = json.loads((corpus / "manifest.json").read_text())
    assert run_identity(TrainSettings(), corpus)["corpus"] == manifest["files"]
    write_split(corpus / "train.parquet", many_rows(6))
    with pytest.raises(DataError, match=r"train\.parquet: is not the file of manifest\.json"):
        run_identity(TrainSettings(), corpus)


def test_a_run_of_trees_from_before_there_was_a_setting_is_resumed_with_its_default(folder: RunFolder) -> None:
    settings = TrainSettings.of(task="classify").model_dump(mode="json")
    folder.start({"settings": {name: value for name, value in settings.items() if name != "most_children"}, "corpus": {}})
    assert folder.open({"settings": settings, "corpus": {}}, resume=True) is None


def test_of_two_processes_that_train_one_run_the_second_is_refused(folder: RunFolder, wanted: dict[str, Any]) -> None:
    other = RunFolder(folder.path)
    folder.open(wanted, resume=True)
    other.open(wanted, resume=True)
    with folder.locked(), pytest.raises(DataError, match="another process is using this folder"), other.locked():
        pass
    with folder.locked():
        folder.start(wanted)
    with (
        pytest.raises(DataError, match="another process has trained this run meanwhile; continue with --resume"),
        other.locked(),
    ):
        pass
    other.open(wanted, resume=True)
    with other.locked(), pytest.raises(DataError, match="another process"), folder.locked():
        pass
    with folder.locked():  # which knows what it has done itself
        pass
