"""Wrong types in the files of a reproduction are named before anything is computed from them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from messages import message
from reproduced import main_runs, study, write_plan, write_run
from treesmu.report.content import Metrics, Plan, RunSettings, RunTest, check_content
from treesmu.report.folder import Folder

WRONG = ("text", -1, 1.5, None, True, [], {}, [[]], {"a": {"b": []}})


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The content of plan.json and of the files of a run."""
    folder = tmp_path_factory.mktemp("reproduced")
    name = next(iter(main_runs(seeds=(1,))))
    write_plan(folder, {"productivity": study({name: ""})})
    write_run(folder, name)
    run = folder / "runs" / name
    metrics = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    read = {file: json.loads((path / file).read_text()) for path, file in ((folder, "plan.json"), (run, "settings.json"))}
    return {**read, "test.json": json.loads((run / "test.json").read_text()), "metrics.jsonl": {"epochs": metrics}}


KINDS = {"plan.json": Plan, "settings.json": RunSettings, "test.json": RunTest, "metrics.jsonl": Metrics}


@pytest.mark.parametrize("file", KINDS)
def test_what_treesmu_writes_is_accepted(files: dict[str, Any], file: str) -> None:
    check_content(files[file], KINDS[file], Path(file), "")


def changed(content: Any, wrong: Any) -> Iterator[tuple[str, Any]]:
    """Yield the content with each of its places, down to two levels, replaced by a wrong value, and the name of the place."""
    for key in content:
        yield key, {**content, key: wrong}
        if isinstance(content[key], dict):
            yield from ((f"{key}.{inner}", {**content, key: {**content[key], inner: wrong}}) for inner in content[key])


@pytest.mark.parametrize("file", KINDS)
def test_a_wrong_type_is_accepted_or_refused_by_its_place(files: dict[str, Any], file: str) -> None:
    refused = set()
    for wrong in WRONG:
        for place, content in changed(files[file], wrong):
            try:
                check_content(content, KINDS[file], Path(file), "make it again")
            except ValueError:
                said = message(check_content, content, KINDS[file], Path(file), "make it again")
                assert said.startswith((f"{file}: {place}", f"{file}: '{place}"))
                assert said.endswith("; make it again")
                refused.add(place)
    assert refused >= {"plan.json": {"preset", "preset.corpora", "studies", "machines"}, "metrics.jsonl": {"epochs"}}.get(
        file, set(KINDS[file].model_fields)
    )


@pytest.mark.parametrize(
    ("file", "content", "text"),
    [
        ("plan.json", {"studies": {"a": {"title": 3}}, "preset": {"corpora": {}}}, "plan.json: studies.a.title: "),
        ("plan.json", {"studies": {}, "preset": {"corpora": {"hard": 3}}}, "plan.json: preset.corpora.hard: "),
        ("plan.json", {"studies": {}, "preset": {"corpora": {}}, "machines": [3]}, "plan.json: machines.0: "),
    ],
)
def test_a_folder_with_a_wrong_plan_is_refused(tmp_path: Path, file: str, content: Any, text: str) -> None:
    (tmp_path / file).write_text(json.dumps(content))
    assert text in message(Folder, tmp_path)
