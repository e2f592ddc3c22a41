"""LocalProcesses: the executor that runs jobs in processes of this machine. A process that is killed affects only its job."""

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
from .user_models import call_with_models, user_models

_SPAWN = multiprocessing.get_context("spawn")  # a fork would copy locks that other threads may hold


class LocalProcesses(Executor):
    """One worker process per job that runs, started when it is needed; one thread of this process waits for each."""

    def __init__(self, jobs: int) -> None:
        for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            os.environ.setdefault(variable, "1")  # one thread per job: more would compete for the same cores
        self.jobs = jobs
        self.threads = ThreadPoolExecutor(jobs)
        self.workers: set[_Worker] = set()
        self.idle: list[_Worker] = []
        self.is_closed = False
        self.lock = threading.Lock()

    def close(self) -> None:
        with self.lock:
            self.is_closed = True
            for worker in self.workers:
                worker.process.kill()
        self.threads.shutdown(cancel_futures=True)
        for worker in self.workers:
            worker.release()

    def _capacity(self) -> int:
        return self.jobs

    def _submit(self, function: Function, arguments: Arguments) -> Future[Any]:
        return self.threads.submit(self._run_in_worker, (user_models(), function, *arguments))

    def _result(self, job: Future[Any]) -> Any:
        return job.result()

    def _wait(self, jobs: list[Future[Any]]) -> list[Future[Any]]:
        finished = wait(jobs, return_when=FIRST_COMPLETED).done
        return [job for job in jobs if job in finished]

    def _cancel(self, job: Future[Any]) -> None:
        job.cancel()

    def _run_in_worker(self, call: Arguments) -> Any:
        worker = self._take_worker()
        try:
            return worker.run(call)
        finally:
            with self.lock:
                if worker.is_lost:
                    self.workers.remove(worker)
                    worker.release()
                else:
                    self.idle.append(worker)

    def _take_worker(self) -> _Worker:
        with self.lock:
            if self.is_closed:
                raise LostWorkerError("the executor is closed")
            if not self.idle:
                self.idle.append(_Worker())
                self.workers.add(self.idle[-1])
            return self.idle.pop()


class _Worker:
    """A process that runs one job after the other."""

    def __init__(self) -> None:
        self.pipe, far_end = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_serve, args=(far_end,))
        self.process.start()
        far_end.close()  # otherwise the end of the process would not close the pipe
        self.is_lost = False

    def run(self, call: Arguments) -> Any:
        """Run ``call_with_models(*call)`` in the process, and return or raise what it does."""
        message = pickle.dumps(call, pickle.HIGHEST_PROTOCOL)
        try:
            self.pipe.send_bytes(message)
            answer = self.pipe.recv_bytes()
        except (EOFError, ConnectionError):
            self.is_lost = True
            raise LostWorkerError(self._reason_of_exit()) from None
        result, error = pickle.loads(answer)
        if error is not None:
            raise error
        return result

    def release(self) -> None:
        """Free the system's resources of a process that has ended."""
        self.process.join()
        self.process.close()
        self.pipe.close()

    def _reason_of_exit(self) -> str:
        self.process.join()
        code = self.process.exitcode or 0
        if code == -signal.SIGKILL:
            return "a worker process was killed, perhaps for lack of memory; try fewer --jobs"
        reason = f"crashed ({signal.Signals(-code).name})" if code < 0 else f"exited with code {code}"
        return f"a worker process {reason}"


def _serve(pipe: Connection) -> None:
    """Run the jobs that come through the pipe, until the parent closes it."""
    prepare_worker()
    while True:
        try:
            message = pipe.recv_bytes()
        except EOFError:
            return
        pipe.send_bytes(_answer(message))


def prepare_worker() -> None:
    """Leave Ctrl-C to the parent, end with the parent, and keep loaded modules out of garbage collection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """Exit when the parent was killed: otherwise the worker would finish a job whose result nobody reads."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _answer(message: bytes) -> bytes:
    """Return the job's result or exception, pickled here, so that a result that cannot be pickled is the job's error."""
    try:
        return pickle.dumps((call_with_models(*pickle.loads(message)), None), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:  # also SystemExit: it ends the job, not the worker
        raised = _picklable(error)
        raised.add_note(traceback.format_exc())
        return pickle.dumps((None, raised), pickle.HIGHEST_PROTOCOL)


def _picklable(error: BaseException) -> BaseException:
    """Return the exception if it can be pickled and is an Exception, otherwise an EngineError with the same message."""
    try:
        if isinstance(pickle.loads(pickle.dumps(error)), Exception):
            return error
    except Exception:
        pass
    return EngineError(f"{type(error).__name__}: {error}")
