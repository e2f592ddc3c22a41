"""A cell in a file of at most 25 lines is built, stored, loaded in a fresh process, and used like the built-in ones."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import treesmu
from treesmu import plugins, registry
from treesmu.data import DataError, Forest, Vocab
from treesmu.models import Cell, Model, TreeEncoder, build, save
from treesmu.models.weights_file import read_weights, write_weights

OWN_CELL = '''"""A leaky sum: the memory of a node is a decayed sum of its children's memories and a candidate."""

import treesmu
from treesmu.models import Cell


class LeakySum(Cell):
    def __init__(self, hidden=8, decay=0.5, horizon=10**9):
        super().__init__(hidden, width=2 * hidden, memory=(hidden,))
        self.decay, self.horizon = decay, horizon

    def step(self, z, memory, at):
        u, o = z.chunk(2, dim=1)
        c = u.tanh() + self.decay * memory.sum(1)
        return o.sigmoid() * c.tanh(), c, {"o": o.sigmoid()}


treesmu.register("leaky-sum", LeakySum)
'''
EQUATIONS = ["sin(x)^2 + cos(x)^2 = 1", "x + 0.25 = y"]
USE = """
import json, sys, treesmu
model = treesmu.load(sys.argv[1])
filler, score, verdict = model.complete("x + _ = 2*x", top=1)[0]
logits = model.logits(sys.argv[2:]).tolist()
print(json.dumps({"logits": logits, "best": [str(filler), score], "settings": model.build_arguments}))
"""


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the file of the cell, which is loaded into this process until the test ends."""
    monkeypatch.setattr(registry, "_entries", dict(registry._entries))
    monkeypatch.setattr(plugins, "_loaded", dict(plugins._loaded))
    file = tmp_path / "leaky.py"
    file.write_text(OWN_CELL)
    plugins.load_plugin(file)
    return file


@pytest.fixture
def model(plugin: Path) -> Model:  # noqa: ARG001
    return build("leaky-sum", Vocab.default(), {"hidden": 6, "decay": 0.25}, "distance", norm="unit").eval()


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh process."""
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)


def test_the_file_is_short() -> None:
    assert len(OWN_CELL.splitlines()) <= 25


def test_it_is_built_with_its_settings(model: Model) -> None:
    assert isinstance(model.encoder, TreeEncoder)
    assert isinstance(model.encoder.cell, Cell)
    settings = {"hidden": 6, "decay": 0.25, "horizon": 10**9}
    assert model.build_arguments == {"name": "leaky-sum", "settings": settings, "head": "distance", "norm": "unit", "points": 0}


def test_it_verifies_embeds_completes_and_is_traced(model: Model) -> None:
    assert model.verify(EQUATIONS).shape == (2,)
    assert model.embed(["sin(x)", "1"]).shape == (2, 6)
    for filler, score, _ in model.complete("x + _ = 2*x", top=3):
        assert score == pytest.approx(float(model.verify([f"x + ({filler}) = 2*x"])[0]), abs=1e-5)
    trace = model.encoder.trace(Forest.from_exprs(["sin(x) + 1"], model.vocab))
    assert {name: tuple(values.shape) for name, values in trace.items()} == {"h": (4, 6), "memory": (4, 6), "o": (4, 6)}
    assert torch.isnan(trace["o"][:2]).all()  # leaves have no gates
    drawn = model.trace("sin(x) + 1")
    assert [set(node.gates) for node in drawn.nodes] == [{"o"}, {"o"}, set(), set()]
    assert drawn.other_gates == ("o",)
    assert {node.rows.shape for node in drawn.nodes} == {(1, 6)}
    assert "<svg" in drawn.svg()


def test_it_is_stored_and_loaded_in_a_fresh_process(model: Model, plugin: Path, tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    save(model, file)
    done = run(f"from treesmu.plugins import load_plugin; load_plugin({str(plugin)!r}){USE}", str(file), *EQUATIONS)
    assert done.stderr == ""
    found: dict[str, Any] = json.loads(done.stdout)
    np.testing.assert_allclose(found["logits"], model.logits(EQUATIONS), rtol=1e-6)
    filler, score, _ = model.complete("x + _ = 2*x", top=1)[0]
    assert found["best"] == [str(filler), pytest.approx(score, rel=1e-6)]
    assert found["settings"] == model.build_arguments


def test_a_file_of_a_model_that_is_not_registered_says_so(model: Model, tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    save(model, file)
    code = "import sys, treesmu\ntry: treesmu.load(sys.argv[1])\nexcept ValueError as error: print(type(error).__name__, error)"
    said = run(code, str(file)).stdout
    remedy = "give the Python file that registers it with --plugin FILE.py, or import it before treesmu.load"
    assert said.startswith(f"DataError {file}: unknown model 'leaky-sum'; {remedy}; known: tree-smu, ")
    assert said.count("\n") == 1


def test_a_file_with_another_hidden_size_is_refused_before_it_is_built(model: Model, tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    assert model.build_arguments is not None
    model.build_arguments["settings"]["hidden"] = 10**12
    save(model, file)
    with pytest.raises(DataError, match="the setting 'hidden' is 1000000000000, more than the file has weights"):
        treesmu.load(file)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("2 * hidden", "3 * hidden", "the weight encoder.wiring."),
        ("u, o = z.chunk", "u, o, _ = z.chunk", "model 'leaky-sum': LeakySum.step (leaky.py, line 13): ValueError: not enough"),
        ("decay", "rate", "the model cannot be built: "),
    ],
)
def test_a_file_of_a_cell_whose_code_has_changed_says_so(
    old: str, new: str, said: str, model: Model, plugin: Path, tmp_path: Path
) -> None:
    file = tmp_path / "model.safetensors"
    save(model, file)
    plugin.write_text(OWN_CELL.replace(old, new))
    plugins.load_plugin(plugin)
    with pytest.raises(DataError) as caught:
        treesmu.load(file)
    text = str(caught.value)
    assert text.startswith(f"{file}: {said}")
    if ".step" not in said:
        code = "the code of the model 'leaky-sum' differs from when the file was written; load it with the code that wrote it"
        assert text.endswith(f" ({code})")
    assert "\n" not in text


SAME_SHAPES = [("u.tanh()", "u.sin()"), ("sum(1)", "mean(1)")]


@pytest.mark.parametrize(("old", "new"), SAME_SHAPES)
def test_a_file_of_a_cell_that_computes_something_else_in_the_same_shapes_is_loaded_with_a_warning(
    old: str, new: str, model: Model, plugin: Path, tmp_path: Path
) -> None:
    file = tmp_path / "model.safetensors"
    save(model, file)
    plugin.write_text(OWN_CELL.replace(old, new))
    plugins.load_plugin(plugin)
    said = f"{file}: the code of the model 'leaky-sum' has changed since this file was written, so its results may be wrong"
    with pytest.warns(UserWarning, match=re.escape(said)) as warned:
        changed = treesmu.load(file)
    assert "\n" not in str(warned[0].message)
    save(changed, file)  # of the present code
    treesmu.load(file)


@pytest.mark.parametrize("code", [OWN_CELL.replace("A leaky sum", "Another text"), OWN_CELL.replace("class", "# why\nclass")])
def test_comments_are_not_code(code: str, model: Model, plugin: Path, tmp_path: Path) -> None:
    save(model, tmp_path / "model.safetensors")
    plugin.write_text(code)
    plugins.load_plugin(plugin)
    treesmu.load(tmp_path / "model.safetensors")


def test_a_file_of_an_older_version_is_loaded_as_before(model: Model, plugin: Path, tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    save(model, file)
    weights, metadata = read_weights(file)
    del metadata["code"]
    write_weights(file, weights, metadata)
    plugin.write_text(OWN_CELL.replace(*SAME_SHAPES[0]))
    plugins.load_plugin(plugin)
    treesmu.load(file)
