"""A Ray cluster, or Ray on this machine alone. Its nodes need treesmu, and share no files with us."""

from __future__ import annotations

import logging
import socket
from typing import Any

from .executor import Arguments, EngineError, Executor, Function, LostWorkerError

_PATIENCE = 10  # seconds to wait for somebody to answer at an address; Ray itself would wait for minutes


class RayCluster(Executor):
    """Where Ray has room: one CPU a job. Nodes that come later are used, those that die are done without."""

    shares_files = False

    def __init__(self, jobs: int, address: str | None) -> None:
        try:
            import ray
        except ImportError:
            raise EngineError("the engine 'ray' needs Ray: pip install 'treesmu[cluster]'") from None
        self.ray: Any = ray
        self.started = not ray.is_initialized()
        if self.started:
            self._connect(jobs, address)
        self.call = self.ray.remote(num_cpus=1, max_retries=0)(_call)  # tried again by us, who count

    def share(self, value: Any) -> Any:
        return self.ray.put(value)

    def close(self) -> None:
        if self.started:
            self.ray.shutdown()

    def _connect(self, jobs: int, address: str | None) -> None:
        if address:
            _see_whether_somebody_answers(address, self.ray.util.get_node_ip_address())
        here: dict[str, Any] = {} if address else {"num_cpus": jobs, "_node_ip_address": "127.0.0.1"}  # nobody else's
        try:
            self.ray.init(
                address=address or "local", include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR, **here
            )
        except Exception as error:  # Ray has no kind of its own for a node that does not start in time
            where = f"no Ray cluster at {address}" if address else "Ray does not start here"
            raise EngineError(f"{where}: {_first_line(error)}") from None

    def _room(self) -> int:
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def _begin(self, function: Function, arguments: Arguments) -> Any:
        return self.call.remote(function, *arguments)

    def _result(self, job: Any) -> Any:
        errors = self.ray.exceptions
        lost = (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.NodeDiedError, errors.ObjectLostError)
        try:
            return self.ray.get(job)
        except errors.RayError as error:
            if isinstance(error, errors.RayTaskError):  # around what the job raised
                raised = error.cause
            else:
                kind = LostWorkerError if isinstance(error, lost) else EngineError
                raised = kind(f"a job on the Ray cluster did not come to its end ({type(error).__name__})")
            raised.add_note(str(error))
            raise raised from None

    def _ended(self, jobs: list[Any]) -> list[Any]:
        ended: list[Any] = self.ray.wait(jobs)[0]
        return ended

    def _cancel(self, job: Any) -> None:
        self.ray.cancel(job)


def _call(function: Function, *arguments: Any) -> Any:
    return function(*arguments)


def _see_whether_somebody_answers(address: str, our_own: str) -> None:
    host, _, port = address.rpartition(":")
    if "/" in address or not port.isdecimal():
        return  # "auto", or ray://..., for which Ray has a time limit of its own
    if host in ("localhost", "127.0.0.1", "[::1]"):
        host = our_own  # Ray does so too
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE).close()
    except OSError as error:
        raise EngineError(f"no Ray cluster at {address}: {host}:{port}: {error.strerror or error}") from None


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
