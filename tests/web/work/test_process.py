"""What a worker process answers: bad input is refused, and only our own faults are faults."""

from __future__ import annotations

import ctypes
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from explorer import EQUATION, save_models
from treesmu.web.work.process import answer, give_back_memory
from treesmu.web.work.questions import Answers


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    folder: Path = tmp_path_factory.mktemp("models")
    return Answers(save_models(folder, "tree-smu", "lstm"))


def test_an_answer_has_the_status_200(answers: Answers) -> None:
    status, text = answer(answers, "verify", {"model": "tree-smu", "text": EQUATION})
    assert (status, json.loads(text)["model"]) == (200, "tree-smu")


@pytest.mark.parametrize(
    ("question", "model", "text", "message"),
    [
        ("verify", "tree-smu", "x +", "expected"),
        ("verify", "tree-smu", "x", "not an equation"),
        ("trace", "lstm", "x", "lstm has no states of nodes"),
        ("complete", "tree-smu", "_ + _ = x", "a second blank"),
    ],
)
def test_bad_input_is_refused(answers: Answers, question: str, model: str, text: str, message: str) -> None:
    arguments = {"model": model, "text": text} | ({"top": 3} if question == "complete" else {})
    status, body = answer(answers, question, arguments)
    assert status == 400
    assert json.loads(body)["error"]["message"].startswith((message, "this is an expression, " + message))


def test_a_fault_of_ours_is_reported_and_does_not_end_the_process(answers: Answers, capsys: pytest.CaptureFixture[str]) -> None:
    status, body = answer(answers, "verify", {"model": "tree-smu", "words": EQUATION})
    assert (status, json.loads(body)["error"]["message"]) == (500, "unexpected error: TypeError")
    assert "Traceback" in capsys.readouterr().err


def test_memory_is_given_back_where_the_c_library_can(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(malloc_trim=asked.append))
    give_back_memory()
    assert asked == [0]
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace())  # a C library without this function
    give_back_memory()
