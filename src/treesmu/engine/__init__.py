"""Where independent jobs run: in this process, in processes of this machine, or on a Ray cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from .executor import Done, EngineError, Executor, InProcess, Jobs

__all__ = ["Done", "EngineError", "Executor", "Jobs", "default_jobs", "open_executor"]


@contextmanager
def open_executor(name: str = "local", jobs: int = 1, address: str | None = None) -> Iterator[Executor]:
    """An executor to run jobs; who leaves it ends what is still under way."""
    executor = _open(name, jobs, address)
    try:
        yield executor
    finally:
        executor.close()


def default_jobs() -> int:
    """As many as there are cores for us."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _open(name: str, jobs: int, address: str | None) -> Executor:
    if name == "ray":
        from .ray_cluster import RayCluster

        return RayCluster(jobs, address)
    if name != "local":
        raise EngineError(f"unknown engine {name!r}; known: local, ray")
    if jobs == 1:
        return InProcess()
    from .local_processes import LocalProcesses

    return LocalProcesses(jobs)
