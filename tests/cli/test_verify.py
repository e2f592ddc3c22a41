"""``treesmu verify`` without a model, and what all commands share; standard input and the version in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from in_process import treesmu


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, *arguments)


def run_process(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "treesmu", *arguments]
    return subprocess.run(command, capture_output=True, text=True, input=stdin, timeout=600, check=False)


def test_verify_prints_a_verdict_for_each_equation(run: Any):
    done = run("verify", "--no-model", "sin(x)^2 + cos(x)^2 = 1", "sin(2x) = 2 sin(x)", r"\sqrt{x^2} = x")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["correct", "incorrect", "undecided"]
    assert "at x = " in done.stdout.splitlines()[1]


def test_verify_says_how_it_reads_what_people_type(run: Any):
    done = run("verify", "--no-model", "log10(100) = 2", "log2(8) == 3", r"\sqrt[3]{-8} = -2", r"e^{i\pi} = -1")
    correct, also_correct, undecided, incorrect = done.stdout.splitlines()
    assert (correct.split()[0], also_correct.split()[0]) == ("correct", "correct")
    assert "log(100, 10) = 2" in correct
    assert "(-8)^(1/3) has no real principal value; for the real root" in undecided
    assert "i is a variable here, not the imaginary unit" in incorrect


def test_verify_reads_a_file_and_standard_input(run: Any, tmp_path: Path):
    text = "# identities\nsin(-x) = -sin(x)\n\ncos(-x) = -cos(x)\n"
    (tmp_path / "some.txt").write_text(text)
    from_file = run("verify", "--file", str(tmp_path / "some.txt"), "--json", "--no-model")
    assert [row["label"] for row in json.loads(from_file.stdout)] == ["correct", "incorrect"]
    assert run_process("verify", "--file", "-", "--json", "--no-model", stdin=text).stdout == from_file.stdout


def test_json_has_everything(run: Any):
    (row,) = json.loads(run("verify", "x + 1 = x", "--json", "--no-model").stdout)
    assert row["equation"] == "x + 1 = x"
    assert (row["label"], row["points"]) == ("incorrect", 24)
    assert row["sides"][0] == pytest.approx(row["counterexample"]["x"] + 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "sin(x"], "treesmu: expected ')' at the end:\n  sin(x\n       ^\n"),
        (["verify", "sin(x + 1 = 2"], "treesmu: expected ')' before '=':\n  sin(x + 1 = 2\n            ^\n"),
        (
            ["verify", "sin(x)"],
            "treesmu: expected '=' (this is an expression, not an equation) at the end:\n  sin(x)\n        ^\n",
        ),
        (
            ["verify", "x + _ = 1"],
            "treesmu: there is a blank: only a complete equation can be checked:\n  x + _ = 1\n      ^\n",
        ),
        (
            ["verify", "x_1 + ? = 1"],
            "treesmu: there is a blank: only a complete equation can be checked:\n  x_1 + ? = 1\n        ^\n",
        ),
        (["verify", "|x| = x"], "treesmu: '|' is not read; write sqrt(x^2) for |x|:\n  |x| = x\n  ^\n"),
        (["verify"], 'treesmu: no equation given; try: treesmu verify "sin(x)^2 + cos(x)^2 = 1"\n'),
        (["verify", "--file", "missing.txt"], "treesmu: missing.txt: cannot be read: No such file or directory\n"),
        (
            ["verify", "--colour"],
            "treesmu: No such option: --colour (see: treesmu verify --help); "
            "put -- before an equation that begins with a minus\n",
        ),
        (
            ["verify", "--seed", "-1", "x = x"],
            "treesmu: Invalid value for '--seed': Input should be greater than or equal to 0 (see: treesmu verify --help)\n",
        ),
        (["verify", "--model", "m", "--no-model", "x = x"], "treesmu: --model and --no-model: give one of them\n"),
        (
            ["verify", "--file", "/dev/null"],
            'treesmu: /dev/null: there is no equation in it; try: treesmu verify "sin(x)^2 + cos(x)^2 = 1"\n',
        ),
        (["verify", "--file", "/"], "treesmu: /: cannot be read: Is a directory\n"),
        (["judge"], "treesmu: No such command 'judge' (see: treesmu --help)\n"),
    ],
)
def test_bad_input_is_one_clear_message_and_exit_code_2(run: Any, arguments: list[str], message: str):
    done = run(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


def test_bad_equations_are_named_and_the_others_are_answered(run: Any, tmp_path: Path):
    (tmp_path / "some.txt").write_text("x = x\nsni(x) = 1\nx = 2x\n")
    done = run("verify", "--no-model", "1 = 1", "sin(x = 1", "--file", str(tmp_path / "some.txt"))
    assert done.returncode == 2
    assert [line.split()[:2] for line in done.stdout.splitlines()] == [["correct", "1"], ["correct", "x"], ["incorrect", "x"]]
    assert done.stderr.splitlines() == [
        "treesmu: equation 2: expected ')' before '=':",
        "  sin(x = 1",
        "        ^",
        f"treesmu: {tmp_path / 'some.txt'}, line 2: unknown name 'sni'; did you mean sin?:",
        "  sni(x) = 1",
        "  ^",
    ]
    as_json = run("verify", "--no-model", "1 = 1", "sin(x = 1", "--file", str(tmp_path / "some.txt"), "--json")
    assert (as_json.returncode, as_json.stderr) == (2, done.stderr)
    rows = json.loads(as_json.stdout)
    assert [row["label"] for row in rows] == ["correct", None, "correct", None, "incorrect"]
    assert [row["equation"] for row in rows] == ["1 = 1", "sin(x = 1", "x = x", "sni(x) = 1", "x = 2*x"]
    assert rows[1]["error"] == {"where": "equation 2", "message": "expected ')' before '='", "position": 6}
    assert rows[3]["error"]["where"] == f"{tmp_path / 'some.txt'}, line 2"
    assert {row["error"] is None for row in rows if row["label"]} == {True}
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    assert run("verify", "--file", str(tmp_path / "binary")).returncode == 2


def test_help_and_version_are_there(run: Any):
    assert run_process("--version").stdout.startswith("treesmu 0.")
    assert run().stdout == run("--help").stdout
    assert "equation" in run("verify", "--help").stdout
