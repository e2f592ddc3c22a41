"""Metadata and weights that make no model are refused in one line, before anything large is allocated."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import Tensor

from treesmu.models.store import load, save
from weights_files import assert_loads_or_is_refused, message_of, rewrite, tiny

WEIGHT, EMBEDDING = "encoder.wiring.gates.1.bias", "encoder.leaves.embedding.weight"
BAD: dict[str, tuple[Callable[[dict[str, Any], dict[str, Tensor]], object], str]] = {
    "no format": (lambda f, _: f.pop("format"), "its treesmu metadata have no format number; "),
    "format": (lambda f, _: f.update(format=True), "its treesmu metadata have no format number; "),
    "newer": (lambda f, _: f.update(format=4), "format 4 is newer than this treesmu 0.1.0 (format 3); upgrade treesmu"),
    "no vocab": (lambda f, _: f.pop("vocab"), "the treesmu metadata: 'vocab' is missing; "),
    "note": (lambda f, _: f.update(note=[]), "the treesmu metadata: 'note' is [], not an object; "),
    "norm": (lambda f, _: f["model"].update(norm=1), "'model' of the treesmu metadata: 'norm' is 1, not text; "),
    "unknown norm": (
        lambda f, _: f["model"].update(norm="batch"),
        "the model cannot be built: norm must be none, unit or layer, not 'batch'",
    ),
    "no head": (lambda f, _: f["model"].pop("head"), "'model' of the treesmu metadata: 'head' is missing; "),
    "model": (lambda f, _: f["model"].update(name="tree-gru"), "unknown model 'tree-gru'; give the Python file that"),
    "head": (lambda f, _: f["model"].update(head="cosine"), "the model cannot be built: unknown head 'cosine'; known: dot"),
    "setting": (lambda f, _: f["model"]["settings"].update(gates=2), "the model cannot be built: "),
    "value": (lambda f, _: f["model"]["settings"].update(top=3), "the model cannot be built: top "),
    "kind": (lambda f, _: f["model"]["settings"].update(hidden="3"), "the model cannot be built: "),
    "huge": (lambda f, _: f["model"]["settings"].update(hidden=10**12), "the setting 'hidden' is 1000000000000, more than "),
    "endless": (lambda f, _: f["model"]["settings"].update(stack=10**400), "the setting 'stack' is 1000"),
    "larger": (lambda f, _: f["model"]["settings"].update(hidden=900), f"the weight {EMBEDDING} has the shape 2x3, not 2x900"),
    "leaf twice": (lambda f, _: f["vocab"].update(leaves=["x", "x"]), "the vocabulary: the leaf 'x' is in the vocabulary "),
    "leaves": (lambda f, _: f["vocab"].update(leaves=["x", 1]), "the vocabulary: functions are pairs [name, arity]"),
    "leaf": (lambda f, _: f["vocab"].update(leaves="x1"), "the vocabulary: 'leaves' is 'x1', not a list; "),
    "pairs": (lambda f, _: f["vocab"].update(functions=["sin"]), "the vocabulary: functions are pairs [name, arity]"),
    "arity": (lambda f, _: f["vocab"].update(functions=[["sin", 0]]), "the vocabulary: every function needs an arity"),
    "order": (lambda f, _: f["vocab"]["functions"].reverse(), "the vocabulary: its functions are not in the order of arity; "),
    "wide": (lambda f, _: f["vocab"].update(functions=[["sin", 10**30]]), "the model cannot be built: "),
    "equality": (lambda f, _: f["vocab"].update(equality=["="]), "the vocabulary: functions are pairs [name, arity]"),
    "trained": (lambda f, _: f.update(trained=["sin"]), "the trained symbols are ['sin'], not an object; "),
    "no trained leaves": (lambda f, _: f.update(trained={"functions": []}), "the trained symbols: 'leaves' is missing; "),
    "trained name": (
        lambda f, _: f.update(trained={"functions": [], "leaves": ["x", 1]}),
        "the trained symbols: 1 is not a name; ",
    ),
    "calibration": (lambda f, _: f.update(calibration=[1]), "the calibration: depths, temperature and shift must be lists"),
    "missing": (lambda _, w: w.pop(WEIGHT), f"the weight {WEIGHT} is missing (file: treesmu 0.1.0, installed: 0.1.0; "),
    "several": (lambda _, w: w.clear(), f"the weight {EMBEDDING} (and 9 more) is missing (file: treesmu"),
    "unexpected": (lambda _, w: w.update({"new\nname": w["head.bias"] + 1}), "unexpected weight 'new\\nname' (file: treesmu "),
    "shape": (lambda _, w: w.update({WEIGHT: torch.zeros(2, 2)}), f"the weight {WEIGHT} has the shape 2x2, not 1x18 ("),
    "type": (lambda _, w: w.update({WEIGHT: w[WEIGHT].int()}), f"the weight {WEIGHT} has the type torch.int32, not torch."),
    "types": (lambda _, w: w.update({WEIGHT: w[WEIGHT].half()}), "weights of torch.float32 and torch.float16, not of one "),
    "nan": (lambda _, w: w[WEIGHT].fill_(torch.nan), f"the weight {WEIGHT} has values that are not finite; copy the file"),
    "inf": (lambda _, w: w[WEIGHT].fill_(torch.inf), f"the weight {WEIGHT} has values that are not finite; copy the file"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "message"), BAD.values(), ids=BAD)
def test_what_is_wrong_is_named(change: Callable[[Any, Any], object], message: str, file: Path) -> None:
    rewrite(file, change)
    assert message_of(file).startswith(message)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["sin", "x", 10**9, -1]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize(("unit", "norm"), [(False, "none"), (True, "unit")])
def test_a_file_of_format_1_says_unit_instead_of_norm(unit: bool, norm: str, file: Path) -> None:
    def older(metadata: Any, _: Any) -> None:
        metadata["format"] = 1
        metadata["model"]["unit"] = unit
        del metadata["model"]["norm"]

    rewrite(file, older)
    assert load(file).encoder.norm == norm


def places(record: Any) -> list[tuple[Any, Any]]:
    """Return every place in nested objects and lists, as a container and a key."""
    keys = list(record) if isinstance(record, dict) else range(len(record)) if isinstance(record, list) else ()
    return [(record, key) for key in keys] + [place for key in keys for place in places(record[key])]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_value_anywhere_in_the_metadata_is_refused_or_harmless(data: st.DataObject, tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    save(tiny(), file)

    def change(metadata: dict[str, Any], _: object) -> None:
        for _ in range(data.draw(st.integers(1, 2))):
            where, key = data.draw(st.sampled_from(places(metadata)))
            where[key] = data.draw(json_values)

    rewrite(file, change)
    assert_loads_or_is_refused(file)


def test_messages_stay_short(file: Path) -> None:
    rewrite(file, lambda metadata, _: metadata["model"]["settings"].update({"long" * 1000: 1}))
    assert re.fullmatch(r"the model cannot be built: .{10,200}\.\.\. \(file: treesmu .*\)", message_of(file))
    rewrite(file, lambda metadata, _: metadata["model"].update(name="long" * 1000))
    assert re.fullmatch(r"unknown model 'long.{10,30}'; give the Python file .{10,300}", message_of(file))
