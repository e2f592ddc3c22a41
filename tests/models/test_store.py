"""Files of weights: what goes in comes out, the same model is the same bytes, and no file can do harm."""

from __future__ import annotations

import json
import pickle
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import Tensor

import treesmu
from treesmu.data import DataError, Forest, Vocab
from treesmu.models import store
from treesmu.models.build import build
from treesmu.models.model import Model
from treesmu.models.store import load, save
from treesmu.registry import BUILT_IN, model_class

SMALL = Vocab(("sin", "Add"), (1, 2), ("x", "1"), "Equality", numbers=True)
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


def tiny(name: str = "tree-smu", **given: Any) -> Model:
    return build(name, SMALL, {"hidden": 3, **given})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A model in a file, to be damaged."""
    save(tiny(), tmp_path / "model.safetensors", {"seed": 1})
    return tmp_path / "model.safetensors"


# -- there and back ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", [False, True])
@pytest.mark.parametrize("head", ["dot", "distance"])
@pytest.mark.parametrize("name", BUILT_IN)
def test_a_model_comes_back_with_all_that_makes_it(name: str, head: str, unit: bool, tmp_path: Path) -> None:
    model = build(name, SMALL, OTHER[name], head, unit)
    save(model, tmp_path / "model.safetensors", {"corpus": "quick", "epochs": [1, 2]})
    back = load(tmp_path / "model.safetensors")
    assert np.array_equal(back.logits(EQUATIONS), model.logits(EQUATIONS))
    assert (back.name, back.vocab, back.build_arguments) == (name, SMALL, model.build_arguments)
    assert back.note == {"corpus": "quick", "epochs": [1, 2]}
    assert back.build_arguments is not None
    assert OTHER[name].items() <= back.build_arguments["settings"].items()


def test_a_loaded_model_drops_nothing(tmp_path: Path) -> None:
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


def test_any_labels_and_arities_come_back(tmp_path: Path) -> None:
    trees = [("MAX", "2", ("MIN", "4", "7", "1"), "9"), ("MAX", "2")]
    vocab = Vocab.from_trees(trees)
    assert vocab.variadic
    model = build("tree-lstm", vocab, {"hidden": 4})
    save(model, tmp_path / "model.safetensors")
    back = load(tmp_path / "model.safetensors")
    assert torch.equal(back.encoder(Forest.from_trees(trees, back.vocab)), model.encoder(Forest.from_trees(trees, vocab)))


def test_loading_leaves_the_random_numbers_alone(file: Path) -> None:
    before = torch.get_rng_state()
    load(file)
    assert torch.equal(torch.get_rng_state(), before)


def test_the_package_loads_models_too(file: Path) -> None:
    assert np.array_equal(treesmu.load(file).verify(EQUATIONS), load(str(file)).verify(EQUATIONS))
    assert treesmu.load(file, dtype=torch.float64).verify(EQUATIONS).dtype == np.float64


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
    facts = facts_of(file)
    assert list(facts) == sorted(facts)
    assert (facts["format"], facts["version"], facts["note"]) == (1, treesmu.__version__, {"seed": 1})
    assert facts["vocab"] == SMALL.to_dict()
    assert (facts["model"]["name"], facts["model"]["head"], facts["model"]["unit"]) == ("tree-smu", "dot", False)


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


def test_a_model_put_together_by_hand_says_why_it_cannot_be_stored(tmp_path: Path) -> None:
    parts = tiny()
    with pytest.raises(ValueError, match="cannot be stored: keep its state_dict"):
        save(Model("mine", parts.encoder, parts.head), tmp_path / "model.safetensors")


# -- what is wrong with a file -----------------------------------------------------------------------------------------


def facts_of(file: Path) -> dict[str, Any]:
    with safetensors.safe_open(file, "pt") as opened:
        return dict(json.loads(opened.metadata()["treesmu"]))


def rewrite(file: Path, change: Callable[[dict[str, Any], dict[str, Tensor]], object]) -> None:
    """The file with other facts or weights."""
    facts, weights = facts_of(file), safetensors.torch.load_file(file)
    change(facts, weights)
    file.write_bytes(safetensors.torch.save(weights, {"treesmu": json.dumps(facts)}))


def message_of(file: Path) -> str:
    with pytest.raises(DataError) as caught:
        load(file)
    text = str(caught.value)
    assert text.startswith(f"{file}: ")
    assert "\n" not in text
    return text.removeprefix(f"{file}: ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a safetensors file; take a file that treesmu train or treesmu import-weights has made"),
        (b"hello, world", "not a safetensors file; take a file that treesmu"),
        (pickle.dumps([1]), "not a safetensors file but, it seems, a PyTorch checkpoint; if it is one of the paper's authors"),
        (b"\xff" * 7 + b"\x00{", "cut off after 9 bytes, within its header; copy or make it again"),
        (b"\x02" + b"\x00" * 7 + b"{}", "a safetensors file, but not a model of treesmu: there are no treesmu metadata; take"),
        (b"\x02" + b"\x00" * 7 + b"{}more", "damaged: bytes are missing or added at its end; copy or make it again"),
        (b"\x02" + b"\x00" * 7 + b"{{", "damaged: "),
    ],
)
def test_a_file_that_is_none_is_refused_by_name(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(content)
    assert message_of(tmp_path / "bad").startswith(message)


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    assert message_of(tmp_path / "missing") == "cannot be read: No such file or directory"
    assert message_of(tmp_path) == "cannot be read: Is a directory"
    assert message_of(Path("null\0byte")).startswith("cannot be read: ")


def test_a_file_that_is_cut_off_says_so_wherever_it_is_cut(file: Path) -> None:
    whole = file.read_bytes()
    header = 8 + int.from_bytes(whole[:8], "little")
    for length in (*range(0, header, 37), *range(header - 3, len(whole), 11), len(whole) - 1):
        file.write_bytes(whole[:length])
        kind = "not a saf" if length < 9 else "cut off a" if length < header else "damaged: "
        assert message_of(file)[:9] == kind


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (tmp_path / "sprung").touch, ()

    torch.save({"weight": Trap()}, tmp_path / "trap")
    assert "treesmu import-weights FILE OUT" in message_of(tmp_path / "trap")
    assert not (tmp_path / "sprung").exists()


WEIGHT, EMBEDDING = "encoder.wiring.gates.1.bias", "encoder.leaves.embedding.weight"
BAD: dict[str, tuple[Callable[[dict[str, Any], dict[str, Tensor]], object], str]] = {
    "no format": (lambda f, _: f.pop("format"), "its treesmu metadata have no format number; "),
    "format": (lambda f, _: f.update(format=True), "its treesmu metadata have no format number; "),
    "newer": (lambda f, _: f.update(format=2), "format 2 is newer than this treesmu 0.1.0 (format 1); upgrade treesmu"),
    "no vocab": (lambda f, _: f.pop("vocab"), "the treesmu metadata: there is no 'vocab'; "),
    "note": (lambda f, _: f.update(note=[]), "the treesmu metadata: 'note' is [], not an object; "),
    "unit": (lambda f, _: f["model"].update(unit=1), "'model' of the treesmu metadata: 'unit' is 1, not true or false; "),
    "no head": (lambda f, _: f["model"].pop("head"), "'model' of the treesmu metadata: there is no 'head'; "),
    "model": (lambda f, _: f["model"].update(name="tree-gru"), "the model cannot be made: unknown model 'tree-gru'; known: "),
    "head": (lambda f, _: f["model"].update(head="cosine"), "the model cannot be made: unknown head 'cosine'; known: dot"),
    "setting": (lambda f, _: f["model"]["settings"].update(gates=2), "the model cannot be made: "),
    "value": (lambda f, _: f["model"]["settings"].update(top=3), "the model cannot be made: top is from 1 to the stack's size"),
    "kind": (lambda f, _: f["model"]["settings"].update(hidden="3"), "the model cannot be made: "),
    "huge": (lambda f, _: f["model"]["settings"].update(hidden=10**12), "the setting 'hidden' is 1000000000000, more than "),
    "endless": (lambda f, _: f["model"]["settings"].update(stack=10**400), "the setting 'stack' is 1000"),
    "larger": (lambda f, _: f["model"]["settings"].update(hidden=900), f"the weight {EMBEDDING} is 2x3, not 2x900 (the file "),
    "leaf twice": (lambda f, _: f["vocab"].update(leaves=["x", "x"]), "the vocabulary: the leaf 'x' is in the vocabulary "),
    "leaves": (lambda f, _: f["vocab"].update(leaves=["x", 1]), "the vocabulary: functions are pairs of a name and an arity"),
    "leaf": (lambda f, _: f["vocab"].update(leaves="x1"), "the vocabulary: 'leaves' is 'x1', not a list; "),
    "pairs": (lambda f, _: f["vocab"].update(functions=["sin"]), "the vocabulary: functions are pairs of a name and an arity"),
    "arity": (lambda f, _: f["vocab"].update(functions=[["sin", 0]]), "the vocabulary: every function needs an arity"),
    "order": (lambda f, _: f["vocab"]["functions"].reverse(), "the vocabulary: its functions are not in the order of arity; "),
    "wide": (lambda f, _: f["vocab"].update(functions=[["sin", 10**30]]), "the model cannot be made: "),
    "equality": (lambda f, _: f["vocab"].update(equality=["="]), "the vocabulary: functions are pairs of a name and an arity"),
    "missing": (lambda _, w: w.pop(WEIGHT), f"the weight {WEIGHT} is missing (the file is of treesmu 0.1.0, this is 0.1.0; "),
    "several": (lambda _, w: w.clear(), f"the weight {EMBEDDING} (and 9 more) is missing (the file is of treesmu"),
    "unexpected": (lambda _, w: w.update({"new\nname": w["head.bias"] + 1}), "unexpected weight 'new\\nname' (the file is of "),
    "shape": (lambda _, w: w.update({WEIGHT: torch.zeros(2, 2)}), f"the weight {WEIGHT} is 2x2, not 1x18 (the file is of"),
    "type": (lambda _, w: w.update({WEIGHT: w[WEIGHT].int()}), f"the weight {WEIGHT} is of torch.int32, not torch.float32 ("),
    "types": (lambda _, w: w.update({WEIGHT: w[WEIGHT].half()}), "weights of torch.float32 and torch.float16, not of one type"),
    "nan": (lambda _, w: w[WEIGHT].fill_(torch.nan), f"the weight {WEIGHT} has values that are not finite; copy the file or"),
    "inf": (lambda _, w: w[WEIGHT].fill_(torch.inf), f"the weight {WEIGHT} has values that are not finite; copy the file or"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "message"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_named(change: Callable[[Any, Any], object], message: str, file: Path) -> None:
    rewrite(file, change)
    assert message_of(file).startswith(message)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, '{"format": 1e999}', "9" * 5000])
def test_metadata_that_are_no_object_are_refused(text: str, file: Path) -> None:
    file.write_bytes(safetensors.torch.save(safetensors.torch.load_file(file), {"treesmu": text}))
    assert message_of(file).startswith("its treesmu metadata ")


def test_more_facts_than_we_know_do_no_harm(file: Path) -> None:
    rewrite(file, lambda facts, _: facts.update(later={"a": 1}))
    assert load(file).note == {"seed": 1}


# -- whatever is in it -------------------------------------------------------------------------------------------------


def loads_or_is_refused(file: Path) -> None:
    try:
        load(file)
        message = f"{file}: "
    except DataError as error:
        message = str(error)
    assert message.startswith(f"{file}: ")
    assert "\n" not in message


def test_flipped_bytes_are_refused_or_harmless(file: Path) -> None:
    whole, chance = file.read_bytes(), random.Random(1)
    header = 8 + int.from_bytes(whole[:8], "little")
    for _ in range(400):
        changed = bytearray(whole)
        for _ in range(chance.choice((1, 1, 3))):
            changed[chance.randrange(chance.choice((9, header, len(whole))))] = chance.randrange(256)
        file.write_bytes(changed)
        loads_or_is_refused(file)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["sin", "x", 10**9, -1]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def places(record: Any) -> list[tuple[Any, Any]]:
    """Every place in nested objects and lists: where it is, and its key."""
    keys = list(record) if isinstance(record, dict) else range(len(record)) if isinstance(record, list) else ()
    return [(record, key) for key in keys] + [place for key in keys for place in places(record[key])]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_value_anywhere_in_the_metadata_is_refused_or_harmless(data: st.DataObject, tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    save(tiny(), file)

    def change(facts: dict[str, Any], _: object) -> None:
        for _ in range(data.draw(st.integers(1, 2))):
            where, key = data.draw(st.sampled_from(places(facts)))
            where[key] = data.draw(json_values)

    rewrite(file, change)
    loads_or_is_refused(file)


def test_messages_stay_short(file: Path) -> None:
    rewrite(file, lambda facts, _: facts["model"].update(name="long" * 1000))
    assert re.fullmatch(r"the model cannot be made: unknown model .{10,200}\.\.\. \(the file is of .*\)", message_of(file))
