"""The main function of a worker process: load the default model, then answer one question after the other."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
import traceback
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from treesmu.compilation import SWITCH
from treesmu.engine.local_processes import prepare_worker
from treesmu.engine.user_models import UserModels, call_with_models
from treesmu.errors import DataError

from ..catalogue import ModelFile

if TYPE_CHECKING:
    from .questions import Answers

READY = "ready"
IDLE = 2.0  # seconds without a question, after which a process gives back memory that it does not use
TIMED_OUT = -signal.SIGPROF  # the exit code of a process that has used up its processor time
Answer = tuple[int, Any]  # a status, and the JSON text of an answer or another value


@dataclass(frozen=True)
class WorkerSetup:
    """What a worker process needs to know.

    may_compile: whether it may compile tree models, which takes seconds the first time and is worth it for many equations.
    """

    models: Mapping[str, ModelFile]
    user_models: UserModels
    may_compile: bool = False


def run_worker(pipe: Connection, setup: WorkerSetup) -> None:
    """Answer the questions that come through the pipe, until the parent closes it."""
    prepare_worker()
    if not setup.may_compile:
        os.environ[SWITCH] = "0"
    answers = call_with_models(setup.user_models, _load, setup)
    gc.freeze()  # what is loaded stays
    pipe.send(READY)
    while True:
        try:
            if not pipe.poll(IDLE):
                give_back_memory()
            name, arguments, seconds = pipe.recv()
        except (EOFError, OSError):
            return
        signal.setitimer(signal.ITIMER_PROF, seconds)  # when it expires, the system ends this process
        found = answer(answers, name, arguments)
        signal.setitimer(signal.ITIMER_PROF, 0)
        pipe.send(found)


def _load(setup: WorkerSetup) -> Answers:
    import torch

    from .questions import Answers

    torch.set_num_threads(1)  # as many workers as cores compute at once
    answers = Answers(setup.models)
    answer(
        answers, "verify", {"model": next(iter(setup.models)), "text": "x = x"}
    )  # loads what the first person would wait for
    return answers


def give_back_memory() -> None:
    """Give free memory back to the system. The C library keeps it otherwise, after a completion some hundred MB."""
    gc.collect()
    with suppress(AttributeError, OSError, TypeError):  # only glibc has this function
        ctypes.CDLL(None).malloc_trim(0)


def answer(answers: Answers, name: str, arguments: Mapping[str, Any]) -> Answer:
    """Return the status and the answer to a question. Input that cannot be used is refused; all else is a fault of ours."""
    from ..refusal import Refusal

    try:
        return 200, answers.ask(name, arguments)
    except Refusal as refusal:
        return refusal.status, refusal.answer.model_dump_json().encode()
    except DataError as error:
        return 400, Refusal.from_error(error).answer.model_dump_json().encode()
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        message = f"unexpected error: {type(error).__name__}"
        return 500, Refusal(500, message, "please report it, with what you entered").answer.model_dump_json().encode()
