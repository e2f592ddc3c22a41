"""``treesmu verify`` with a model: its probability and verdict beside the numeric check."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from explorer import save_readers_of_numbers
from in_process import Done, treesmu
from treesmu import parse, shipped
from treesmu.cli import verify as command
from treesmu.cli.tables.verdicts import HEADER, ModelVerdict
from treesmu.data.augment.trained_symbols import TrainedSymbols
from treesmu.models import load, save, store

HINT = "treesmu: only the numeric check; this installation has no trained model: "
EQUATIONS = ["sin(x)^2 + cos(x)^2 = 1", "sin(2*x) = 2*sin(x)", "sqrt(x^2) = x"]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Any:
    return lambda *arguments: treesmu(capsys, "verify", *arguments)


def rows_of(done: Done) -> list[dict[str, Any]]:
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_the_models_probability_and_verdict_stand_beside_the_numeric_check(call: Any, run: Path) -> None:
    done = call("--model", run, *EQUATIONS)
    assert (done.returncode, done.stderr) == (0, "")
    header, *found = done.stdout.splitlines()
    assert header.split() == ["numeric", "model", "P(correct)", "equation", "reason"]
    wanted = load(run / "model.safetensors").verify(EQUATIONS).tolist()
    for line, equation, numeric, p in zip(found, EQUATIONS, ("correct", "incorrect", "undecided"), wanted, strict=True):
        assert line.startswith(f"{numeric:10} {'correct' if p >= 0.5 else 'incorrect':10} {p:>10.1%}  {equation}  ")
        assert line[header.index("reason") :].startswith(("equal at", "different at"))


def test_json_has_the_probability_and_the_verdict(call: Any, run: Path) -> None:
    rows = rows_of(call("--model", run, "--json", *EQUATIONS))
    wanted = load(run / "model.safetensors").verify(EQUATIONS)
    assert [row["probability"] for row in rows] == wanted.tolist()
    assert [row["model"] == "correct" for row in rows] == (wanted >= 0.5).tolist()
    assert [row["label"] for row in rows] == ["correct", "incorrect", "undecided"]
    assert {row["model_reason"] for row in rows} == {None}


def test_without_a_model_the_same_fields_are_empty(call: Any) -> None:
    (row,) = rows_of(call("--no-model", "--json", "x = x"))
    assert (row["label"], row["probability"], row["model"], row["model_reason"]) == ("correct", None, None, None)
    assert HEADER not in call("--no-model", "x = x").stdout


def test_a_file_of_weights_and_its_run_folder_give_the_same(call: Any, run: Path) -> None:
    assert call("--model", run / "model.safetensors", *EQUATIONS) == call("--model", run, *EQUATIONS)


def test_many_equations_of_a_file_or_of_standard_input_keep_their_order(
    call: Any, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [f"{i % 9} + {i % 11}*x = {i % 7}*x" for i in range(1100)]  # more than two batches
    (tmp_path / "many.txt").write_text("\n".join(texts))
    rows = rows_of(call("--model", run, "--json", "--file", tmp_path / "many.txt"))
    assert [row["equation"] for row in rows] == [str(parse(text)) for text in texts]
    assert [row["probability"] for row in rows] == load(run / "model.safetensors").verify(texts).tolist()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\n".join(texts).encode())))
    assert rows_of(call("--model", run, "--json", "--file", "-")) == rows


# -- outside of the vocabulary -----------------------------------------------------------------------------------------


def test_an_equation_in_theta_is_read_as_one_in_x(call: Any, run: Path) -> None:
    theta, x = rows_of(call("--model", run, "--json", "sin(theta) = 2 theta", "sin(x) = 2 x"))
    assert theta["probability"] == x["probability"] is not None
    assert theta["equation"] == "sin(theta) = 2*theta"


def test_what_the_model_cannot_read_has_no_probability_and_a_reason(call: Any, run: Path) -> None:
    many = "+".join("abcdfghjklm")
    texts = ["x = x", "7/13 = x", "12345 = 999 x", f"{many} = {many}", "sin(x) = x"]
    rows = rows_of(call("--model", run, "--json", *texts))
    assert [row["model"] is None for row in rows] == [False, True, True, True, False]
    assert [row["probability"] is None for row in rows] == [False, True, True, True, False]
    assert [row["model_reason"] for row in rows[1:4]] == [
        "7/13 is not in the vocabulary",
        "12345, 999 are not in the vocabulary",
        "there are 11 different variables, and the vocabulary has 10",
    ]
    assert [rows[0]["probability"], rows[4]["probability"]] == (
        load(run / "model.safetensors").verify([texts[0], texts[4]]).tolist()
    )
    line = call("--model", run, *texts).stdout.splitlines()[2]
    assert line.split()[:3] == ["incorrect", "-", "-"]
    assert line.endswith("; no probability: 7/13 is not in the vocabulary")


def test_it_is_no_error_if_the_model_can_read_none_of_the_equations(call: Any, run: Path) -> None:
    (row,) = rows_of(call("--model", run, "--json", "7/13 = 7/13"))
    assert (row["label"], row["probability"]) == ("correct", None)


def test_a_model_whose_values_overflow_gives_no_probability(call: Any, run: Path) -> None:
    model = load(run / "model.safetensors")
    with torch.no_grad():
        for weight in model.parameters():
            weight.fill_(3e38)
    save(model, run / "model.safetensors")
    (row,) = rows_of(call("--model", run, "--json", "sin(x + x) = cos(x)^2"))
    assert row["probability"] is None or 0 <= row["probability"] <= 1  # never NaN, which is no JSON
    assert ModelVerdict.from_probability(float("nan")).reason == "the model's values are not finite"


# -- the shipped model -------------------------------------------------------------------------------------------------


def test_the_shipped_model_is_used_by_default(call: Any, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SHIPPED", run / "model.safetensors")
    monkeypatch.setattr(command, "SHIPPED", run / "model.safetensors")
    assert call(*EQUATIONS) == call("--model", run, *EQUATIONS)


def test_a_package_without_a_model_checks_numerically_and_says_why(
    call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "SHIPPED", tmp_path / "none")
    for options in ([], ["--json"]):
        done = call(*options, *EQUATIONS)
        assert (done.returncode, done.stdout) == (0, call("--no-model", *options, *EQUATIONS).stdout)
        assert done.stderr.startswith(HINT)
        assert len(done.stderr.splitlines()) == 1


def test_a_shipped_model_that_is_damaged_is_an_error(call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.safetensors").write_bytes(b"")
    monkeypatch.setattr(store, "SHIPPED", tmp_path / "broken.safetensors")
    monkeypatch.setattr(command, "SHIPPED", tmp_path / "broken.safetensors")
    done = call("x = x")
    assert (done.returncode, done.stdout) == (2, "")
    assert "broken.safetensors: not a safetensors file" in done.stderr


def test_a_shipped_model_is_chosen_by_its_name_unless_a_folder_has_that_name(
    call: Any, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped, "SHIPPED", save_readers_of_numbers(tmp_path) / "tree-smu.safetensors")
    for name in ("tree-smu", "tree-lstm"):
        assert call("--model", name, *EQUATIONS) == call("--model", tmp_path / f"{name}.safetensors", *EQUATIONS)
    done = call("--model", "tree-rnn", "x = x")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("a file of weights, or the name of a shipped model: tree-smu or tree-lstm\n")
    (tmp_path / "here").mkdir()
    shutil.copytree(run, tmp_path / "here" / "tree-lstm")
    monkeypatch.chdir(tmp_path / "here")
    assert call("--model", "tree-lstm", *EQUATIONS) == call("--model", run, *EQUATIONS)


@pytest.mark.parametrize("options", [["--no-model"], []])
def test_torch_is_not_loaded_if_no_model_is_used(options: list[str], tmp_path: Path) -> None:
    code = f"""if True:
        import sys
        from pathlib import Path
        from treesmu.cli import main, verify
        verify.SHIPPED = Path({str(tmp_path / "none")!r})
        sys.argv = ["treesmu", "verify", "x = x", *{options!r}]
        try:
            main()
        except SystemExit as end:
            print(end.code, "torch" in sys.modules)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 False"


def test_a_model_that_cannot_be_loaded_is_one_line_and_exit_code_2(call: Any, run: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.safetensors").write_text("this is no model at all")
    (tmp_path / "short.safetensors").write_bytes((run / "model.safetensors").read_bytes()[:-10])
    for name, said in [
        ("nowhere", "nowhere: there is no such file or folder; give a run folder of treesmu train, a file of weights, or "),
        ("empty", "empty: a folder without a model (model.safetensors); give a run folder of treesmu train"),
        ("text.safetensors", "text.safetensors: not a safetensors file"),
        ("short.safetensors", "short.safetensors: damaged"),
    ]:
        done = call("--model", tmp_path / name, "x = x")
        assert (done.returncode, done.stdout) == (2, "")
        assert len(done.stderr.splitlines()) == 1
        assert said in done.stderr


# -- symbols that training lacked --------------------------------------------------------------------------------------


@pytest.fixture
def trained(run: Path) -> Path:
    """The run folder of a model that was trained on sums of x and y."""
    model = load(run / "model.safetensors")
    model.trained = TrainedSymbols(("Add",), ("x", "y"))
    save(model, run / "model.safetensors")
    return run


def test_symbols_that_training_lacked_are_warned_of_in_one_line(capsys: pytest.CaptureFixture[str], trained: Path) -> None:
    done = treesmu(capsys, "verify", "--model", trained, "x + y = y + x", "sin(x) = x + 2", "sin(y) = 7/13")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 4
    assert done.stderr == (
        "treesmu: warning: sin, 2 do not occur in the training equations of the model: it reads 1 equation with untrained "
        "weights\n"
    )
    rows = json.loads(treesmu(capsys, "verify", "--model", trained, "--json", "x + y = y + x", "sin(x) = x + 2").stdout)
    assert [row["untrained"] for row in rows] == [[], ["sin", "2"]]
    quiet = treesmu(capsys, "verify", "--model", trained, "x + theta = theta + x")
    assert quiet.stderr == ""


def test_files_that_do_not_say_what_was_trained_are_read_without_a_warning(call: Any, run: Path) -> None:
    (row,) = rows_of(call("--model", run, "--json", "sin(x) = 2"))
    assert row["untrained"] is None


def test_complete_and_trace_warn_as_well(capsys: pytest.CaptureFixture[str], trained: Path) -> None:
    done = treesmu(capsys, "complete", "x + _ = sin(x)", "--model", trained, "--top", "1", "--height", "0", "--json")
    assert "sin" in json.loads(done.stdout)["untrained"]
    assert done.stderr.startswith("treesmu: warning: ")
    assert done.stderr.count("warning") == 1
    done = treesmu(capsys, "trace", "sin(x)", "--model", trained, "--json")
    assert json.loads(done.stdout)["untrained"] == ["sin"]
    assert done.stderr.startswith("treesmu: warning: sin does not occur in the training equations")
    assert treesmu(capsys, "trace", "x + y", "--model", trained).stderr == ""
