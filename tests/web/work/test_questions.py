"""Every question of the service has an answer: JSON text for clients, values for the service."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from explorer import EQUATION, save_models
from treesmu.web.work.questions import QUESTIONS, Answers


@pytest.fixture
def answers(tmp_path: Path) -> Answers:
    return Answers(save_models(tmp_path, "tree-smu"))


def test_answers_for_clients_are_json(answers: Answers) -> None:
    found = answers.ask("verify", {"model": "tree-smu", "text": EQUATION})
    assert json.loads(found)["expression"] == EQUATION


def test_answers_for_the_service_are_values(answers: Answers) -> None:
    facts, faults = answers.ask("describe", {})
    assert ([f.name for f in facts], faults) == (["tree-smu"], {})
    assert len(answers.ask("score", {"model": "tree-smu", "prefixes": ["Equality x x"]})) == 1


def test_an_unknown_question_is_a_fault_of_ours(answers: Answers) -> None:
    assert "delete" not in QUESTIONS
    with pytest.raises(KeyError):
        answers.ask("delete", {"model": "tree-smu"})
