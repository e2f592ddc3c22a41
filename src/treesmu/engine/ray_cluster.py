"""RayCluster: the executor that runs jobs on a Ray cluster, or on this machine with Ray. Its nodes share no files with us."""

from __future__ import annotations

import logging
import os
import socket
import time
from typing import Any

from treesmu.extras import require

from .executor import Arguments, EngineError, Executor, Function, LostWorkerError
from .user_models import call_with_models, user_models

_CONNECT_SECONDS = 60  # for a TCP connection to a cluster's address; Ray itself would try for minutes
_START_SECONDS = 600  # for Ray's processes on this machine to come up, which takes a few seconds on an idle machine
_HEAD_SECONDS = 5  # between two looks whether the cluster's head is alive, while no job finishes
_HEAD_LOOKS = 4  # in vain, one after the other: a head that is started again has this time; Ray itself waits for 60 s
_START_SETTINGS = {  # Ray's own limits are 30 and 60 seconds, too few for a busy machine
    "RAY_gcs_server_port_wait_time_s": str(_START_SECONDS),  # until the head's server (GCS) listens
    "RAY_worker_register_timeout_seconds": str(_START_SECONDS),  # until a worker process has loaded Ray
}


class RayCluster(Executor):
    """One CPU of the cluster per job. Nodes that join later are used; the jobs of nodes that die are run again elsewhere."""

    shares_files = False

    def __init__(self, jobs: int, address: str | None) -> None:
        require("--engine ray", "ray")
        import ray

        self.ray: Any = ray
        self.has_connected = not ray.is_initialized()
        if self.has_connected:
            if address:
                self._connect(address)
            else:
                self._start(jobs)
        is_client = (address or "").startswith("ray://")  # a client is told by the server to which it is connected
        self.head = "auto" if is_client else self.ray.get_runtime_context().gcs_address
        self.remote_call = self.ray.remote(num_cpus=1, max_retries=0)(call_with_models)  # Executor counts the retries

    def share(self, value: Any) -> Any:
        return self.ray.put(value)

    def close(self) -> None:
        if self.has_connected:
            self.ray.shutdown()

    def _connect(self, address: str) -> None:
        _check_reachable(address, self.ray.util.get_node_ip_address())
        try:
            self._init(address=address)
        except Exception as error:  # Ray has no exception class of its own for this
            raise EngineError(f"no Ray cluster at {address}: {_first_line(error)}") from None

    def _start(self, jobs: int) -> None:
        """Start Ray on this machine, for this process only. A start that was too slow for Ray is tried again."""
        for name, value in _START_SETTINGS.items():
            os.environ.setdefault(name, value)
        deadline = time.monotonic() + _START_SECONDS
        while True:
            try:
                self._init(address="local", num_cpus=jobs, _node_ip_address="127.0.0.1")
                return
            except Exception as error:  # a plain Exception says that Ray's node agent (raylet) did not register within 30 s
                self.ray.shutdown()
                if "timed out" not in str(error) or time.monotonic() > deadline:
                    raise EngineError(f"Ray does not start on this machine: {_first_line(error)}") from None

    def _init(self, **options: Any) -> None:
        self.ray.init(include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR, **options)

    def _capacity(self) -> int:
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def _submit(self, function: Function, arguments: Arguments) -> Any:
        return self.remote_call.remote(user_models(), function, *arguments)

    def _result(self, job: Any) -> Any:
        errors = self.ray.exceptions
        lost = (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.NodeDiedError, errors.ObjectLostError)
        try:
            return self.ray.get(job)
        except errors.RayError as error:
            if isinstance(error, errors.RayTaskError):  # wraps what the job raised
                raised = error.cause
            else:
                kind = LostWorkerError if isinstance(error, lost) else EngineError
                raised = kind(f"a job on the Ray cluster did not finish ({type(error).__name__})")
            raised.add_note(str(error))
            raise raised from None

    def _wait(self, jobs: list[Any]) -> list[Any]:
        finished: list[Any] = []
        looks = 0
        while not finished:
            finished = self.ray.wait(jobs, timeout=_HEAD_SECONDS)[0]
            looks = 0 if finished or self._has_head() else looks + 1
            if looks == _HEAD_LOOKS:
                raise EngineError("the head of the Ray cluster does not answer any more; what was finished is kept")
        return finished

    def _has_head(self) -> bool:
        """Return whether the head accepts connections. Without it, Ray would end this process after a minute."""
        try:
            _check_reachable(self.head, self.ray.util.get_node_ip_address())
        except EngineError:
            return False
        return True

    def _cancel(self, job: Any) -> None:
        self.ray.cancel(job)


def _check_reachable(address: str, own_address: str) -> None:
    """Raise an EngineError if nothing accepts connections at HOST:PORT or ray://HOST:PORT."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if "/" in host or not port.isdecimal():
        return  # "auto", for which Ray has a time limit itself
    if host in ("localhost", "127.0.0.1", "[::1]") and not address.startswith("ray://"):
        host = own_address  # as Ray does
    try:
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_SECONDS).close()
    except (OSError, ValueError, OverflowError) as error:  # also no name of a machine, no port
        reason = getattr(error, "strerror", None) or error
        raise EngineError(f"no Ray cluster at {address}: {host}:{port}: {reason}") from None


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
