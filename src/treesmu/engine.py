"""Where independent jobs run: in this process, in processes of this machine, or on a Ray cluster.

Results come in the order of the jobs, however many run at once and wherever: who consumes them in order is deterministic.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

Result = TypeVar("Result")
Run = Callable[[Callable[..., Result], Iterable[tuple[Any, ...]]], Generator[Result, None, None]]


class EngineError(RuntimeError):
    """The place where jobs run does not work; the message says why and what to do."""


@contextmanager
def engine(name: str = "local", jobs: int = 1, address: str | None = None) -> Iterator[Run[Any]]:
    """A function that runs a job for each tuple of arguments and yields the results in order."""
    if name == "ray":
        yield from _ray(jobs, address)
    elif name != "local":
        raise EngineError(f"unknown engine {name!r}; known: local, ray")
    elif jobs == 1:
        yield _here
    else:
        for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ.setdefault(variable, "1")  # a job is one thread: more would fight for the same cores
        with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_prepare) as pool:
            yield partial(_in_processes, pool, jobs)


def default_jobs() -> int:
    """As many as there are cores for us."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _here(function: Callable[..., Result], tasks: Iterable[tuple[Any, ...]]) -> Generator[Result, None, None]:
    for arguments in tasks:
        yield function(*arguments)


def _prepare() -> None:
    """What a worker has loaded is no garbage to look through; Ctrl-C is its parent's business, and it leaves with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """A worker whose parent was killed would wait for jobs for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _in_processes(
    pool: ProcessPoolExecutor, jobs: int, function: Callable[..., Result], tasks: Iterable[tuple[Any, ...]]
) -> Generator[Result, None, None]:
    try:
        yield from _in_order((pool.submit(function, *arguments) for arguments in tasks), jobs, Future.result, Future.cancel)
    except BrokenProcessPool:
        raise EngineError("a worker process was killed, perhaps for lack of memory; try fewer --jobs") from None


def _ray(jobs: int, address: str | None) -> Iterator[Run[Any]]:
    try:
        import ray
    except ImportError:
        raise EngineError("the engine 'ray' needs Ray: pip install 'treesmu[cluster]'") from None
    started = not ray.is_initialized()
    if started:
        try:
            here: dict[str, Any] = {} if address else {"num_cpus": jobs, "_node_ip_address": "127.0.0.1"}  # nobody else's
            ray.init(address=address or "local", include_dashboard=False, log_to_driver=False, **here)
        except ConnectionError as error:
            raise EngineError(f"no Ray cluster at {address}: {error}") from None

    def run(function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Generator[Any, None, None]:
        remote = ray.remote(function)
        width = max(1, int(ray.cluster_resources().get("CPU", 1)))  # type: ignore[no-untyped-call]
        yield from _in_order((remote.remote(*arguments) for arguments in tasks), width, ray.get, ray.cancel)

    try:
        yield run
    finally:
        if started:
            ray.shutdown()


def _in_order(
    submitted: Iterator[Any], width: int, wait: Callable[[Any], Result], cancel: Callable[[Any], object]
) -> Generator[Result, None, None]:
    """Keep one more job under way than can run at once, and wait for the oldest; whoever stops early cancels the others."""
    under_way: deque[Any] = deque()
    try:
        for job in submitted:
            under_way.append(job)
            if len(under_way) > width:
                yield wait(under_way.popleft())
        while under_way:
            yield wait(under_way.popleft())
    finally:
        for job in under_way:
            cancel(job)
