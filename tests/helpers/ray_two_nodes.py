"""A Ray cluster of two nodes on 127.0.0.1, one of which is killed in the middle; a helper of test_engine.py.

python two_nodes.py OUT: runs jobs on both, kills one node's raylet and its worker, and writes how the jobs ended as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import ray
from ray.cluster_utils import Cluster

from treesmu.engine import Done, open_executor

NODE = {"node_ip_address": "127.0.0.1", "num_cpus": 1}


def job(number: int, common: bytes) -> dict[str, Any]:
    """The first raises, the second kills its worker; what the others return is too large to be sent at once: it waits there."""
    if number == 0:
        raise ValueError(f"job {number}")
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.4)
    node = ray.get_runtime_context().get_node_id()
    return {"result": number, "common": len(common), "node": node, "pid": os.getpid(), "bytes": bytes(200_000)}


def run(cluster: Cluster, second: Any) -> list[Done]:
    """How the jobs end, if the second node is killed in the middle of one."""
    ended: list[Done] = []
    alive = True
    with open_executor("ray", address=cluster.address) as executor:
        common = executor.share(bytes(1_000_000))
        for done in executor.as_completed(job, [(number, common) for number in range(20)]):
            ended.append(done)
            if alive and done.result and done.result["node"] == second.node_id:
                time.sleep(0.2)  # it is at its next job
                os.kill(done.result["pid"], signal.SIGKILL)
                cluster.remove_node(second, allow_graceful=False)
                alive = False
    return ended


def told(done: Done) -> dict[str, Any]:
    facts = {**done.result, "bytes": len(done.result["bytes"])} if done.result else {}
    return {"number": done.number, "error": done.error, "tries": done.tries, **facts}


def main(out: Path) -> None:
    cluster = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    try:
        ended = run(cluster, cluster.add_node(**NODE))
    finally:
        cluster.shutdown()
    out.write_text(json.dumps([told(done) for done in ended]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
