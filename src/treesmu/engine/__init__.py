"""Where independent jobs run: in this process, in processes of this machine, or on a Ray cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from .place import Done, EngineError, Here, Jobs, Place

__all__ = ["Done", "EngineError", "Jobs", "Place", "default_jobs", "engine"]


@contextmanager
def engine(name: str = "local", jobs: int = 1, address: str | None = None) -> Iterator[Place]:
    """A place to run jobs; who leaves it ends what is still under way."""
    place = _open(name, jobs, address)
    try:
        yield place
    finally:
        place.close()


def default_jobs() -> int:
    """As many as there are cores for us."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _open(name: str, jobs: int, address: str | None) -> Place:
    if name == "ray":
        from .cluster import Cluster

        return Cluster(jobs, address)
    if name != "local":
        raise EngineError(f"unknown engine {name!r}; known: local, ray")
    if jobs == 1:
        return Here()
    from .processes import Processes

    return Processes(jobs)
