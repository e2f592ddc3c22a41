"""A Ray cluster of two nodes on 127.0.0.1, one of which is killed while it runs a job; a helper of test_ray_cluster.py.

python ray_two_nodes.py OUT: runs jobs on both, kills one node's raylet and its worker, and writes how the jobs ended as JSON.
Jobs and driver wait for each other's files, not for a time: the first node's jobs finish only when the second node has
started two, and of these the later one finishes only after its node was killed, which means elsewhere.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

from engine_jobs import wait_until
from treesmu.engine import FinishedJob, open_executor
from treesmu.files import atomic_write

NODE = {"node_ip_address": "127.0.0.1", "num_cpus": 1}
KILLED = "killed"  # the file that says that the second node was killed


def job(number: int, shared: bytes, folder: str, second_node: str) -> dict[str, Any]:
    """Raise (0), kill the worker (1), or return more bytes than Ray sends at once: they stay on the node until fetched."""
    if number == 0:
        raise ValueError(f"job {number}")
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    marks, node = Path(folder), ray.get_runtime_context().get_node_id()
    if node == second_node:
        with atomic_write(marks / f"second-{number}") as temporary:
            temporary.write_text(str(os.getpid()))
        is_first = started_on_second(marks) == [number]
        wait_until(lambda: is_first or (marks / KILLED).exists())
    else:
        wait_until(lambda: len(started_on_second(marks)) >= 2)
    return {"result": number, "shared": len(shared), "node": node, "pid": os.getpid(), "bytes": bytes(200_000)}


def started_on_second(marks: Path) -> list[int]:
    """Return the numbers of the jobs that the second node has started."""
    return [int(file.name.removeprefix("second-")) for file in marks.glob("second-*") if not file.suffix]


def run(cluster: Cluster, second: Any, marks: Path) -> list[FinishedJob]:
    """Return how the jobs ended, if the second node is killed in the middle of its second job."""
    ended: list[FinishedJob] = []
    with open_executor("ray", address=cluster.address) as executor:
        shared = executor.share(bytes(1_000_000))
        for done in executor.as_completed(job, [(number, shared, str(marks), second.node_id) for number in range(20)]):
            ended.append(done)
            if done.result and done.result["node"] == second.node_id and not (marks / KILLED).exists():
                wait_until(lambda: len(started_on_second(marks)) >= 2)
                for pid in {int(file.read_text()) for file in marks.glob("second-*") if not file.suffix}:
                    os.kill(pid, signal.SIGKILL)
                cluster.remove_node(second, allow_graceful=False)
                (marks / KILLED).touch()
    return ended


def to_json(done: FinishedJob) -> dict[str, Any]:
    facts = {**done.result, "bytes": len(done.result["bytes"])} if done.result else {}
    return {"number": done.number, "error": done.error, "tries": done.tries, **facts}


def main(out: Path) -> None:
    marks = out.resolve().parent / "marks"
    marks.mkdir()
    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    try:
        ended = run(cluster, cluster.add_node(**NODE), marks)
    finally:
        cluster.shutdown()
    out.write_text(json.dumps([to_json(done) for done in ended]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
