"""A saved model is loaded with everything that makes it, and the same model always gives the same bytes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import treesmu
from treesmu.data import DataError, Forest, Vocab
from treesmu.data.augment.trained_symbols import TrainedSymbols
from treesmu.models import store
from treesmu.models.build import build
from treesmu.models.completion.prior import ValuePrior
from treesmu.models.fitted.calibration import Calibration
from treesmu.models.model import Model
from treesmu.models.normalise import Norm
from treesmu.models.store import load, save
from treesmu.models.weights_file import read_weights, write_weights
from treesmu.registry import BUILT_IN, model_class
from weights_files import SMALL, metadata_of, tiny

EQUATIONS = ["sin(x) + 1 = 0.25", "x + sin(1) = 1", "sin(sin(x + x)) = x"]
OTHER = {  # settings that are not the defaults
    "tree-smu": {"hidden": 6, "stack": 4, "top": 3, "no_op": False, "normalise": "softmax", "dropout": 0.25},
    "tree-lstm": {"hidden": 5, "child_sum": True},
    "tree-rnn": {"hidden": 4, "layers": 1, "activation": "tanh"},
    "stack-tree-rnn": {"hidden": 3, "stack": 3, "top": 2},
    "lstm": {"hidden": 4, "layers": 2},
    "transformer": {"hidden": 6, "heads": 3, "layers": 1, "feedforward": 5},
    "tree-transformer": {"hidden": 4, "heads": 2, "depth": 7},
    "majority": {},
}


# -- there and back ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("norm", ["none", "unit", "layer"])
@pytest.mark.parametrize("head", ["dot", "distance"])
@pytest.mark.parametrize("name", BUILT_IN)
def test_a_loaded_model_has_everything_that_makes_the_saved_one(name: str, head: str, norm: Norm, tmp_path: Path) -> None:
    model = build(name, SMALL, OTHER[name], head, norm)
    save(model, tmp_path / "model.safetensors", {"corpus": "quick", "epochs": [1, 2]})
    back = load(tmp_path / "model.safetensors")
    assert np.array_equal(back.logits(EQUATIONS), model.logits(EQUATIONS))
    assert (back.name, back.vocab, back.build_arguments) == (name, SMALL, model.build_arguments)
    assert back.note == {"corpus": "quick", "epochs": [1, 2]}
    assert back.build_arguments is not None
    assert OTHER[name].items() <= back.build_arguments["settings"].items()


def test_a_file_says_which_symbols_occurred_in_training_if_that_is_known(tmp_path: Path) -> None:
    model = tiny()
    save(model, tmp_path / "old.safetensors")
    assert "trained" not in metadata_of(tmp_path / "old.safetensors")
    assert load(tmp_path / "old.safetensors").trained is None
    assert load(tmp_path / "old.safetensors").untrained(["sin(x) = x"]) is None
    model.trained = TrainedSymbols(("Add",), ("x",))
    save(model, tmp_path / "model.safetensors")
    back = load(tmp_path / "model.safetensors")
    assert back.trained == model.trained
    assert back.untrained(["sin(x) = x", "x + x = 1", "x = x"]) == [("sin",), ("1",), ()]


def test_a_prior_is_stored_and_a_file_without_one_has_none(file: Path, tmp_path: Path) -> None:
    model = load(file)
    assert model.prior is None
    assert "prior" not in metadata_of(file)
    model.prior = ValuePrior(0.3, {"x": 3, "Add x 1": 2})
    save(model, tmp_path / "with.safetensors")
    back = load(tmp_path / "with.safetensors").prior
    assert back is not None
    assert (back.weight, back.counts) == (0.3, {"x": 3, "Add x 1": 2})
    model.prior = ValuePrior(0.3, {"nonsense x": 3})
    save(model, tmp_path / "damaged.safetensors")
    with pytest.raises(DataError, match=r"damaged.safetensors: the prior: unknown function 'nonsense'"):
        load(tmp_path / "damaged.safetensors")


def test_points_are_stored_also_if_their_number_was_changed(tmp_path: Path) -> None:
    model = build("tree-smu", Vocab.default(), {"hidden": 3}, "distance", "layer", points=4)
    for points in (4, 9):
        model.encoder.points = points
        save(model, tmp_path / "model.safetensors")
        back = load(tmp_path / "model.safetensors")
        assert back.encoder.points == points
        np.testing.assert_array_equal(back.verify(["sin(x) = y"]), model.verify(["sin(x) = y"]))


def test_a_file_of_format_2_has_no_points(file: Path, tmp_path: Path) -> None:
    weights, metadata = read_weights(file)
    del metadata["model"]["points"]
    write_weights(tmp_path / "old.safetensors", weights, metadata | {"format": 2})
    assert load(tmp_path / "old.safetensors").encoder.points == 0


def test_a_calibration_is_stored_and_a_file_without_one_has_none(file: Path, tmp_path: Path) -> None:
    model = load(file)
    assert model.calibration is None
    assert "calibration" not in metadata_of(file)
    plain = model.verify(EQUATIONS)
    model.calibration = Calibration((1.0, 7.0), (0.5, 2.25), (1.0, -0.1))
    calibrated = model.verify(EQUATIONS)
    save(model, tmp_path / "with.safetensors")
    back = load(tmp_path / "with.safetensors")
    assert back.calibration == model.calibration
    assert np.array_equal(back.verify(EQUATIONS), calibrated)
    assert not np.allclose(calibrated, plain)
    model.calibration = Calibration((1.0, 7.0), (0.5, -2.0), (1.0, -0.1))
    save(model, tmp_path / "damaged.safetensors")
    with pytest.raises(DataError, match=r"damaged.safetensors: the calibration: its temperature must be above 0; fit it again"):
        load(tmp_path / "damaged.safetensors")


def test_a_loaded_model_is_in_evaluation_mode(tmp_path: Path) -> None:
    model = tiny(dropout=0.5).train()
    save(model, tmp_path / "model.safetensors")
    assert model.training
    assert not load(tmp_path / "model.safetensors").training


def test_settings_that_were_not_given_are_stored_too(file: Path) -> None:
    build_arguments = load(file).build_arguments
    assert build_arguments is not None
    assert build_arguments["settings"] == model_class("tree-smu")(hidden=3).settings()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_weights_keep_their_type_unless_another_one_is_asked_for(dtype: torch.dtype, tmp_path: Path) -> None:
    model = tiny().to(dtype)
    save(model, tmp_path / "model.safetensors")
    back = load(tmp_path / "model.safetensors")
    assert {weight.dtype for weight in back.parameters()} == {dtype}
    assert all(torch.equal(a, b) for a, b in zip(back.parameters(), model.parameters(), strict=True))
    asked = load(tmp_path / "model.safetensors", dtype=torch.float64, device="cpu")
    assert {weight.dtype for weight in asked.parameters()} == {torch.float64}


def test_vocabularies_of_any_labels_and_arities_are_kept(tmp_path: Path) -> None:
    trees = [("MAX", "2", ("MIN", "4", "7", "1"), "9"), ("MAX", "2")]
    vocab = Vocab.from_trees(trees)
    assert vocab.variadic
    model = build("tree-lstm", vocab, {"hidden": 4})
    save(model, tmp_path / "model.safetensors")
    back = load(tmp_path / "model.safetensors")
    assert torch.equal(back.encoder(Forest.from_trees(trees, back.vocab)), model.encoder(Forest.from_trees(trees, vocab)))


def test_loading_does_not_change_the_random_numbers(file: Path) -> None:
    before = torch.get_rng_state()
    load(file)
    assert torch.equal(torch.get_rng_state(), before)


def test_the_package_loads_models_too(file: Path) -> None:
    assert np.array_equal(treesmu.load(file).verify(EQUATIONS), load(str(file)).verify(EQUATIONS))
    assert treesmu.load(file, dtype=torch.float64).verify(EQUATIONS).dtype == np.float64


def test_a_device_is_chosen_by_name(file: Path) -> None:
    assert {weight.device.type for weight in treesmu.load(file).parameters()} == {"cpu"}
    assert treesmu.load(file, device="auto").verify(EQUATIONS).shape == (3,)
    with pytest.raises(DataError, match="unknown device 'gpu'; known: auto, cpu, "):
        treesmu.load(file, device="gpu")


def test_without_a_path_it_is_the_shipped_model(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SHIPPED", file)
    assert treesmu.load().note == {"seed": 1}
    monkeypatch.setattr(store, "SHIPPED", file.parent / "none")
    with pytest.raises(DataError, match=r"^this treesmu comes without a trained model; give a file: "):
        treesmu.load()


# -- bytes -------------------------------------------------------------------------------------------------------------


def test_same_model_same_bytes(tmp_path: Path) -> None:
    files = [tmp_path / f"{i}.safetensors" for i in range(5)]
    for path in files[:3]:
        torch.manual_seed(3)
        save(tiny(), path, {"b": 1, "a": [2]})
    save(load(files[0]), files[3])  # the note stays with the model
    save(load(files[0]), files[4], {"a": [2], "b": 1})
    assert len({path.read_bytes() for path in files}) == 1


def test_a_file_says_in_its_header_what_it_is(file: Path) -> None:
    metadata = metadata_of(file)
    assert list(metadata) == sorted(metadata)
    assert (metadata["format"], metadata["version"], metadata["note"]) == (3, treesmu.__version__, {"seed": 1})
    assert metadata["vocab"] == SMALL.to_dict()
    assert (metadata["model"]["name"], metadata["model"]["head"], metadata["model"]["norm"]) == ("tree-smu", "dot", "none")


def test_failed_writing_leaves_the_old_file_and_nothing_else(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = file.read_bytes()
    with pytest.raises(DataError, match=r"model\.safetensors: not written: settings and note must be plain JSON: "):
        save(tiny(), file, {"where": Path("somewhere")})
    diverged = tiny()
    with torch.no_grad():
        diverged.head.bias.fill_(torch.nan)  # type: ignore[operator]
    with pytest.raises(DataError, match=r"not written: the weight head\.bias has values that are not finite; lower the"):
        save(diverged, file)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(DataError, match=r"model\.safetensors: cannot be written: No space left on device"):
        save(tiny(), file)
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert file.read_bytes() == old


def test_a_model_that_build_has_not_made_cannot_be_saved(tmp_path: Path) -> None:
    parts = tiny()
    with pytest.raises(ValueError, match=r"only models made by treesmu.models.build can be saved.*save the state_dict"):
        save(Model("mine", parts.encoder, parts.head), tmp_path / "model.safetensors")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"device": None}, "unknown device 'None'; known: auto, cpu, cuda, cuda:N, mps"),
        ({"device": ["cpu"]}, "unknown device \"['cpu']\"; known: auto, cpu, cuda, cuda:N, mps"),
        ({"path": 3}, "path must be that of a file of weights, or None for the shipped model, not 3"),
        ({"dtype": "float32"}, "dtype must be a floating-point type of PyTorch, such as torch.float64, not 'float32'"),
        ({"dtype": torch.int32}, "dtype must be a floating-point type of PyTorch, such as torch.float64, not torch.int32"),
    ],
)
def test_an_odd_argument_is_one_line_that_names_it(given: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, TypeError), match=f"^{re.escape(said)}$"):
        treesmu.load(**given)


def test_a_name_that_no_file_has_is_refused() -> None:
    with pytest.raises(DataError, match=r"^a{197}\.\.\.: cannot be read: File name too long; give a file of weights"):
        load("a" * 5000)
    with pytest.raises(DataError, match="the name of the file is empty; give a file of weights"):
        load("")
