"""The parts of a stream are the same for any number of jobs and from any part on."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from streams import MIXTURE, stream_of
from treesmu.data import Vocab
from treesmu.data.augment.planned_rows import PlannedRows, Planner
from treesmu.engine import open_executor
from treesmu.training.settings import TrainSettings

SETTINGS = TrainSettings.of(stream=True, rows=30, depths=(1, 4), mixture=MIXTURE, seed=4)
PLANNER = Planner(Vocab.default(), has_values=True)


def parts(folder: Path, numbers: range, jobs: int, engine: str = "local") -> list[tuple[bytes, ...]]:
    with open_executor(engine, jobs, beside=jobs > 1) as executor:
        return [content(part) for part in stream_of(folder, SETTINGS, executor).parts(numbers, PLANNER)]


def content(part: PlannedRows) -> tuple[bytes, ...]:
    """Return equations, labels, plan and values."""
    assert part.values is not None
    arrays = part.rows.label, part.plan.children, part.plan.roots, part.values.code, part.values.value
    return "\n".join(part.rows.prefix.to_pylist()).encode(), *(array.tobytes() for array in arrays)


def test_parts_are_the_same_for_any_number_of_jobs_and_from_any_part_on(folder):
    alone = parts(folder, range(4), 1)
    assert len(set(alone)) == 4
    assert parts(folder, range(4), 2) == alone
    assert parts(folder, range(2, 4), 1) == alone[2:]


@pytest.mark.xdist_group("ray")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.slow
def test_parts_are_the_same_on_ray(folder, monkeypatch):
    ray = pytest.importorskip("ray")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setattr(ray, "init", partial(ray.init, _node_ip_address="127.0.0.1"))
    assert parts(folder, range(2), 2, "ray") == parts(folder, range(2), 1)


def test_parts_are_made_ahead_and_no_more_after_closing(folder):
    asked: list[int] = []

    def run(function, tasks):
        for task in tasks:
            asked.append(task[-1])
            yield function(*task)

    with open_executor("local", 1) as executor:
        stream = stream_of(folder, SETTINGS, executor)
    stream._run = run
    found = stream.parts(range(3, 9), PLANNER)
    next(found)
    found.close()
    assert asked == [3]


def test_the_identity_has_the_settings_and_the_held_out_equations(folder):
    with open_executor("local", 1) as executor:
        identity = stream_of(folder, SETTINGS, executor).identity()
    assert json.loads(json.dumps(identity)) == identity
    assert identity["mixture"] == dict(sorted(MIXTURE.items(), key=lambda pair: list(identity["mixture"]).index(pair[0])))
    assert identity["held_out"]["equations"] > 20
