"""A Ray cluster on 127.0.0.1 whose head is killed while a job runs; a helper of test_ray_cluster.py.

python ray_without_head.py OUT: writes what the first job returned and how the wait for the second one ended, as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from ray.cluster_utils import Cluster

from engine_jobs import wait_until
from treesmu.engine import EngineError, open_executor, ray_cluster


def job(number: int) -> int:
    """Return the number; the second job waits until it is killed."""
    wait_until(lambda: number == 0)
    return number


def main(out: Path) -> None:
    ray_cluster._HEAD_SECONDS = 0.5
    cluster = Cluster(initialize_head=True, head_node_args={"node_ip_address": "127.0.0.1", "num_cpus": 2})
    found: dict[str, object] = {}
    try:
        with open_executor("ray", address=cluster.address) as executor:
            ended = executor.as_completed(job, [(0,), (1,)])
            found["first"] = next(ended).result
            cluster.head_node.kill_gcs_server(check_alive=False)
            next(ended)
    except EngineError as error:
        found["error"] = str(error)
    out.write_text(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
