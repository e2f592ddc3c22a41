"""Processes of this machine, each fed by a thread of ours: one that is killed takes no other's job with it."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from multiprocessing.connection import Connection
from typing import Any

from .executor import Arguments, EngineError, Executor, Function, LostWorkerError

_SPAWN = multiprocessing.get_context("spawn")  # a fork would copy locks that threads of ours may hold


class LocalProcesses(Executor):
    """As many workers as jobs that run at once, started as they are needed."""

    def __init__(self, jobs: int) -> None:
        for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ.setdefault(variable, "1")  # a job is one thread: more would fight for the same cores
        self.jobs = jobs
        self.threads = ThreadPoolExecutor(jobs)
        self.workers: set[_Worker] = set()
        self.idle: list[_Worker] = []
        self.closed = False
        self.lock = threading.Lock()

    def close(self) -> None:
        with self.lock:
            self.closed = True
            for worker in self.workers:
                worker.process.kill()
        self.threads.shutdown(cancel_futures=True)
        for worker in self.workers:
            worker.release()

    def _room(self) -> int:
        return self.jobs

    def _begin(self, function: Function, arguments: Arguments) -> Future[Any]:
        return self.threads.submit(self._do, function, arguments)

    def _result(self, job: Future[Any]) -> Any:
        return job.result()

    def _ended(self, jobs: list[Future[Any]]) -> list[Future[Any]]:
        ended = wait(jobs, return_when=FIRST_COMPLETED).done
        return [job for job in jobs if job in ended]

    def _cancel(self, job: Future[Any]) -> None:
        job.cancel()

    def _do(self, function: Function, arguments: Arguments) -> Any:
        worker = self._take_worker()
        try:
            return worker.do(function, arguments)
        finally:
            with self.lock:
                if worker.lost:
                    self.workers.remove(worker)
                    worker.release()
                else:
                    self.idle.append(worker)

    def _take_worker(self) -> _Worker:
        with self.lock:
            if self.closed:
                raise LostWorkerError("the engine is closed")
            if not self.idle:
                self.idle.append(_Worker())
                self.workers.add(self.idle[-1])
            return self.idle.pop()


class _Worker:
    """A process that does one job after the other."""

    def __init__(self) -> None:
        self.pipe, far_end = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_work, args=(far_end,))
        self.process.start()
        far_end.close()  # or its end would not be seen here
        self.lost = False

    def do(self, function: Function, arguments: Arguments) -> Any:
        call = pickle.dumps((function, arguments), pickle.HIGHEST_PROTOCOL)
        try:
            self.pipe.send_bytes(call)
            answer = self.pipe.recv_bytes()
        except (EOFError, ConnectionError):
            self.lost = True
            raise LostWorkerError(self._how_it_ended()) from None
        result, error = pickle.loads(answer)
        if error is not None:
            raise error
        return result

    def release(self) -> None:
        """Give back to the system what belonged to a process that has ended."""
        self.process.join()
        self.process.close()
        self.pipe.close()

    def _how_it_ended(self) -> str:
        self.process.join()
        code = self.process.exitcode or 0
        if code == -signal.SIGKILL:
            return "a worker process was killed, perhaps for lack of memory; try fewer --jobs"
        how = f"crashed ({signal.Signals(-code).name})" if code < 0 else f"left with exit code {code}"
        return f"a worker process {how}"


def _work(pipe: Connection) -> None:
    """What a worker does until its parent closes the pipe."""
    _prepare()
    while True:
        try:
            call = pipe.recv_bytes()
        except EOFError:
            return
        pipe.send_bytes(_answer(call))


def _prepare() -> None:
    """What a worker has loaded is no garbage to look through; Ctrl-C is its parent's business, and it leaves with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """A worker whose parent was killed would finish a job that nobody waits for."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _answer(call: bytes) -> bytes:
    """The job's result or what it raised; pickled here, so that what cannot be pickled is the job's error."""
    try:
        function, arguments = pickle.loads(call)
        return pickle.dumps((function(*arguments), None), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:  # also SystemExit: only the job has ended
        raised = _portable(error)
        raised.add_note(traceback.format_exc())
        return pickle.dumps((None, raised), pickle.HIGHEST_PROTOCOL)


def _portable(error: BaseException) -> BaseException:
    """The exception itself if it survives the way and ends nobody else, or one that says the same."""
    try:
        if isinstance(pickle.loads(pickle.dumps(error)), Exception):
            return error
    except Exception:
        pass
    return EngineError(f"{type(error).__name__}: {error}")
