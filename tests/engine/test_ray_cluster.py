"""RayCluster: a node that dies costs no result, and what is missing is said with a remedy."""

from __future__ import annotations

import json
import socket
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from commands import run_with_ray
from paths import HELPERS
from treesmu.engine import EngineError, open_executor
from treesmu.engine.ray_cluster import RayCluster, _check_reachable
from treesmu.errors import DataError


def test_ray_that_is_not_installed_is_an_error_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(DataError, match=r"^--engine ray needs ray: pip install 'treesmu\[cluster\]'$"), open_executor("ray"):
        pass


@pytest.mark.xdist_group("ray")
@pytest.mark.filterwarnings("ignore")
def test_an_address_where_nothing_answers_is_an_error_before_ray_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")
    monkeypatch.setattr(ray, "init", lambda **_: pytest.fail("Ray would try to connect for minutes"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(EngineError, match=rf"no Ray cluster at 127\.0\.0\.1:{port}: .*refused"):
        open_executor("ray", 2, f"127.0.0.1:{port}").__enter__()


class SlowRay:
    """In place of Ray: it starts at the given try, and fails with a message before."""

    def __init__(self, starts_at: int, message: str) -> None:
        self.starts_at, self.message, self.tries = starts_at, message, 0

    def init(self, **_: Any) -> None:
        self.tries += 1
        if self.tries < self.starts_at:
            raise Exception(self.message)  # as Ray does

    def shutdown(self) -> None:
        pass

    def is_initialized(self) -> bool:
        return False

    def remote(self, **_: Any) -> Any:
        return lambda function: function

    def get_runtime_context(self) -> Any:
        return SimpleNamespace(gcs_address="auto")


TOO_SLOW = "The current node timed out during startup. This could happen because some of the raylet failed to startup"


def test_a_start_that_is_too_slow_for_ray_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = SlowRay(3, TOO_SLOW)
    monkeypatch.setitem(sys.modules, "ray", slow)
    RayCluster(1, None).close()
    assert slow.tries == 3


def test_another_failure_of_the_start_is_an_error_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = SlowRay(3, "no space left\nTraceback ...")
    monkeypatch.setitem(sys.modules, "ray", broken)
    with pytest.raises(EngineError, match=r"^Ray does not start on this machine: no space left$"):
        RayCluster(1, None)
    assert broken.tries == 1


@pytest.mark.xdist_group("ray")
def test_a_node_of_a_cluster_that_is_killed_costs_no_result(tmp_path: Path) -> None:
    """Twenty jobs on two nodes: the first raises, the second always kills its worker; then one node is killed."""
    pytest.importorskip("ray")
    settings = {
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # 127.0.0.1 stays 127.0.0.1
        "RAY_health_check_period_ms": "500",  # a dead node is noticed in seconds
    }
    run_with_ray([str(HELPERS / "ray_two_nodes.py"), "ended.json"], tmp_path, settings)
    ended: list[dict[str, Any]] = json.loads((tmp_path / "ended.json").read_text())
    failed, fine = ([end for end in ended if (end["number"] < 2) is wrong] for wrong in (True, False))
    assert sorted(end["number"] for end in fine) == list(range(2, 20))
    assert {(end["number"] == end["result"], end["shared"], end["bytes"], end["error"]) for end in fine} == {
        (True, 1_000_000, 200_000, None)
    }
    assert len({end["node"] for end in fine}) == 2
    assert {end["tries"] for end in fine} == {1, 2}  # the dead node was in the middle of one
    assert sorted((end["number"], end["error"], end["tries"]) for end in failed) == [
        (0, "ValueError: job 0", 1),
        (1, "a job on the Ray cluster did not finish (WorkerCrashedError)", 2),
    ]


@pytest.mark.slow
@pytest.mark.xdist_group("ray")
def test_a_head_that_is_killed_ends_the_wait_with_one_line_and_keeps_what_was_finished(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    run_with_ray([str(HELPERS / "ray_without_head.py"), "ended.json"], tmp_path, {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"})
    ended = json.loads((tmp_path / "ended.json").read_text())
    assert ended == {"first": 0, "error": "the head of the Ray cluster does not answer any more; what was finished is kept"}


@pytest.mark.parametrize("address", ["a..b:1", "localhost:99999", f"{'x' * 70}.org:1", "ray://a..b:1"])
def test_what_is_no_name_of_a_machine_is_an_error_of_one_line(address: str) -> None:
    with pytest.raises(EngineError, match=f"^no Ray cluster at {address}: .*[^\n]$"):
        _check_reachable(address, "127.0.0.1")
