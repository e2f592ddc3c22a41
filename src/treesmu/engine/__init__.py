"""Executors of independent jobs: this process, processes of this machine, or a Ray cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from .executor import EngineError, Executor, FinishedJob, Jobs

__all__ = ["EngineError", "Executor", "FinishedJob", "Jobs", "default_jobs", "open_executor"]


@contextmanager
def open_executor(
    name: str = "local", jobs: int = 1, address: str | None = None, *, beside: bool = False
) -> Iterator[Executor]:
    """Open an executor and close it on exit, which ends the jobs that are still running.

    name: ``local`` or ``ray``. jobs: how many run at a time on this machine. address: a running Ray cluster, ``HOST:PORT``;
    without it, Ray is started on this machine. beside: jobs run beside this process, also if there is one at a time.
    """
    executor = _create(name, jobs, address, beside)
    try:
        yield executor
    finally:
        executor.close()


def default_jobs() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _create(name: str, jobs: int, address: str | None, beside: bool) -> Executor:
    if name == "ray":
        from .ray_cluster import RayCluster

        return RayCluster(jobs, address)
    if name != "local":
        raise EngineError(f"unknown engine {name!r}; known: local, ray")
    if jobs == 1 and not beside:
        from .in_process import InProcess

        return InProcess()
    from .local_processes import LocalProcesses

    return LocalProcesses(jobs)
