"""``treesmu complete`` in the process of the test."""

from __future__ import annotations

import json
import subprocess
import sys
from math import log
from pathlib import Path
from typing import Any

import pytest
import torch

from in_process import Done, treesmu
from treesmu.data import Vocab
from treesmu.expr import check, parse
from treesmu.models import build, load, save, store
from treesmu.models.completion.prior import ValuePrior

QUESTION = "x + _ = 2x"


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(1)
    file = tmp_path_factory.mktemp("run") / "model.safetensors"
    save(build("tree-lstm", Vocab.default(), {"hidden": 5}), file)
    return file


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], weights: Path) -> Any:
    return lambda *arguments: treesmu(capsys, "complete", *arguments, "--model", weights)


def assert_refused(done: Done, said: str) -> None:
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_one_line_per_completion_with_the_mark_of_the_numeric_check(call: Any, weights: Path) -> None:
    done = call(QUESTION, "--top", 3, "--no-search")
    assert (done.returncode, done.stderr) == (0, "")
    header, *lines = done.stdout.splitlines()
    assert header.split() == ["rank", "filler", "P(correct)", "numeric", "equation"]
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]
    for line, (filler, score, verdict) in zip(lines, load(weights).complete(QUESTION, top=3, search=False), strict=True):
        assert f"  {filler} " in line
        assert f" {100 * score:.1f}%  " in line
        assert {"correct": "✓", "incorrect": "✗", "undecided": "?"}[verdict.label] in line
        assert str(parse(QUESTION).replace((0, 1), filler)) in line


@pytest.mark.parametrize("options", [[], ["--json"], ["--verified"], ["--height", 2]])
def test_a_model_whose_values_are_not_finite_is_refused(
    call: Any, weights: Path, options: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load(weights)
    for weight in model.parameters():
        weight.data.fill_(torch.nan)
    monkeypatch.setattr(store, "load", lambda *_: model)  # a file with such weights would not be loaded
    done = call(QUESTION, *options)
    assert_refused(done, "treesmu: the model's values are not finite; train it again")
    assert len(done.stderr.splitlines()) == 1


def test_equal_fillers_are_named_on_one_line(call: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x\n1*x\nx^1\n0 + x\n5\nx*1\n")
    done = call(QUESTION, "--candidates", tmp_path / "mine.txt")
    lines = done.stdout.splitlines()[1:]
    assert len(lines) == 2
    (line,) = [line for line in lines if "✓" in line]
    assert " or " in line
    assert line.endswith(" and 1 more")


def test_json_has_everything(call: Any) -> None:
    found = json.loads(call(QUESTION, "--top", 2, "--json", "--no-search").stdout)
    assert (found["question"], found["model"]) == ("x + _ = 2*x", "tree-lstm")
    first, second = found["answers"]
    assert (first["rank"], second["rank"]) == (1, 2)
    assert first["logit"] >= second["logit"]
    verdict = check(first["equation"])
    assert (first["numeric"], first["points"], first["counterexample"]) == (
        verdict.label,
        verdict.points,
        verdict.counterexample,
    )


def test_verified_lists_only_fillers_that_make_the_equation_correct(call: Any, tmp_path: Path) -> None:
    (answer,) = json.loads(call(QUESTION, "--verified", "--json").stdout)["answers"]
    assert answer["numeric"] == "correct"
    assert "x" in (answer["filler"], *answer["equal"])
    (tmp_path / "mine.txt").write_text("5\n6\n")
    done = call(QUESTION, "--verified", "--candidates", tmp_path / "mine.txt")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "treesmu: none of the first 2,000 fillers makes the equation correct\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--height", "0"], "no filler of height 0 or less makes the equation correct; try --height 1"),
        (["--height", "1"], "no filler of height 1 or less makes the equation correct; try --height 2"),
        ([], "no filler of height 2 or less makes the equation correct; give fillers of your own with --candidates FILE"),
        (["--no-search"], "none of the first 2,000 fillers makes the equation correct; try it without --no-search"),
    ],
)
def test_a_search_without_a_correct_filler_says_what_to_try(call: Any, options: list[str], said: str) -> None:
    question = "x + _ = x + sin(cos(exp(y)))"
    done = call(question, "--verified", *options)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"treesmu: {said}\n")
    if "--no-search" not in options:
        done = call(question, "--top", 1, *options)
        assert (done.returncode, len(done.stdout.splitlines()), done.stderr) == (0, 2, f"treesmu: {said}\n")


def test_the_example_of_the_help_gets_a_true_answer_marked_as_found_by_search(call: Any) -> None:
    done = call("sin(x)^2 + _ = 1", "--top", 2)
    assert (done.returncode, done.stderr) == (0, "")
    *_, last = done.stdout.splitlines()
    assert "✓        sin(x)^2 + cos(x)^2 = 1" in last
    assert "  found by search  or " in last
    answers = json.loads(call("sin(x)^2 + _ = 1", "--top", 2, "--json").stdout)["answers"]
    assert [(a["rank"], a["found_by"]) for a in answers] == [(1, "model"), (2, "model"), (3, "search")]
    assert len(call("sin(x)^2 + _ = 1", "--top", 2, "--no-search").stdout.splitlines()) == 3


def test_the_prior_of_a_model_can_be_left_out(call: Any, weights: Path) -> None:
    def scores(*options: object) -> list[tuple[float, float]]:
        return [(a["logit"], a["score"]) for a in json.loads(call(QUESTION, "--json", *options).stdout)["answers"]]

    plain = scores()
    model = load(weights)
    before = weights.read_bytes()
    model.prior = ValuePrior(50.0, {"sin x": 9})
    save(model, weights)
    try:
        assert scores("--no-prior") == plain
        assert scores()[0][1] == pytest.approx(scores()[0][0] + 50 * log(10))
    finally:
        weights.write_bytes(before)


def test_heights_and_variables(call: Any) -> None:
    def fillers(*options: object) -> set[str]:
        return {a["filler"] for a in json.loads(call(QUESTION, "--top", 100, "--json", *options).stdout)["answers"]}

    leaves = fillers("--height", 0)
    assert len(leaves) == 16
    assert fillers("--height", 0, "--any-variable") - leaves == set("yzwuvabcd")
    assert len(fillers("--height", 0, "--all-leaves")) == 54


def test_latex_and_variables_that_are_not_in_the_vocabulary(call: Any) -> None:
    found = json.loads(call(r"\sin^2\theta + \_ = 1", "--json").stdout)
    assert found["question"] == "sin(theta)^2 + _ = 1"
    assert len(found["answers"]) == 6  # the last one is found by search
    assert found["answers"][5]["filler"] == "cos(theta)^2"


def test_an_output_that_cannot_encode_the_marks_has_words(weights: Path) -> None:
    command = [sys.executable, "-m", "treesmu", "complete", QUESTION, "--model", str(weights), "--verified"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}, timeout=600
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert " yes " in done.stdout


def test_bad_input_is_one_clear_message(call: Any, tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("x +\n")
    for arguments, said in [
        (["x + 1 = 2x"], "there is no blank in x + 1 = 2*x: write _ for the missing part, as in tan(x) = sin(x)/_"),
        (["_ + _ = 2x"], "a second blank"),
        (["x + _"], "is not an equation"),
        (["x + sin( = _"], "treesmu: "),
        ([QUESTION, "--height", "3"], "Invalid value for '--height'"),
        ([QUESTION, "--top", "0"], "Invalid value for '--top'"),
        ([QUESTION, "--candidates", mine], "mine.txt, line 1: "),
        ([QUESTION, "--candidates", mine, "--height", "1"], "leave them out with --candidates"),
        (["x + _ = 7/13"], "the model cannot read x + _ = 7/13: 7/13 is not in the vocabulary"),
    ]:
        assert_refused(call(*arguments), said)


def test_the_question_is_checked_before_the_model_is_loaded(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert_refused(treesmu(capsys, "complete", "x = 1", "--model", tmp_path / "nothing"), "there is no blank")
    assert_refused(
        treesmu(capsys, "complete", "x = _", "--model", tmp_path / "nothing"),
        "nothing: there is no such file or folder; give a run folder of treesmu train",
    )


def test_without_a_shipped_model_the_message_asks_for_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "none")
    assert_refused(treesmu(capsys, "complete", "x = _"), "this treesmu comes without a trained model; give a file")
