"""How the values of options are read."""

from __future__ import annotations

import pytest
import torch

from treesmu.cli.terminal.options import InputError, depth_range, parse_settings, read_model
from treesmu.errors import DataError
from treesmu.models import device


def test_depths_are_a_range_or_one_number() -> None:
    assert depth_range("1-7") == (1, 7)
    assert depth_range(" 5 ") == (5, 5)
    assert depth_range(None) is None
    for text in ("7-1", "deep", "1-", ""):
        with pytest.raises(InputError, match="expected A-B"):
            depth_range(text)


def test_values_of_settings_are_json_or_text() -> None:
    assert parse_settings(["clip=2.5", "rename=false", "head=dot", "cell.stack=5", "cell.order=queue"]) == {
        "clip": 2.5,
        "rename": False,
        "head": "dot",
        "cell": {"stack": 5, "order": "queue"},
    }


def test_a_model_is_loaded_on_a_device_by_name() -> None:
    assert read_model(None, "auto").head is not None
    with pytest.raises(DataError, match="unknown device 'abacus'; known: auto, cpu, cuda"):
        read_model(None, "abacus")


def test_where_mps_is_chosen_automatically_float64_is_computed_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "choose_device", lambda _: torch.device("mps"))
    model = read_model(None, "auto", "float64")
    assert {(p.device.type, p.dtype) for p in model.parameters()} == {("cpu", torch.float64)}
    with pytest.raises(InputError, match="--device mps cannot compute in float64: add --float32, or use --device cpu"):
        read_model(None, "mps", "float64")
