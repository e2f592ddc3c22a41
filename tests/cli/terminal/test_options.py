"""How the values of options are read."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from in_process import assert_refused, treesmu
from treesmu.cli.terminal.options import InputError, check_device, check_engine, depth_range, parse_settings, read_model
from treesmu.data import Vocab
from treesmu.errors import DataError
from treesmu.models import build, device, save


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


@pytest.mark.parametrize("stored", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_weights_of_16_bits_are_computed_in_float32(stored: torch.dtype, tmp_path: Path) -> None:
    save(build("tree-rnn", Vocab.default(), {"hidden": 3}).to(stored), tmp_path / "model.safetensors")
    found = {weight.dtype for weight in read_model(tmp_path / "model.safetensors", "cpu").parameters()}
    assert found == {torch.float64 if stored == torch.float64 else torch.float32}


@pytest.mark.parametrize("engine", ["local", "ray"])
@pytest.mark.parametrize("command", ["reproduce", "sweep"])
def test_an_unknown_device_is_refused_before_anything_is_written(
    command: str, engine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    corpus = [tmp_path / "corpus"] if command == "sweep" else []
    done = treesmu(capsys, command, *corpus, "--out", out, "--engine", engine, "--device", "abacus")
    assert_refused(done, "unknown device 'abacus'; known: auto, cpu, cuda, cuda:N, mps")
    assert not out.exists()


def test_a_cluster_may_have_devices_that_this_machine_has_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "_available", lambda _: 0)
    for name in ("cpu", "cuda", "cuda:3", "mps"):
        check_device(name, "ray")
        with pytest.raises(DataError, match="on this machine"):
            check_device(name, "local")


def test_where_mps_is_chosen_automatically_float64_is_computed_on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "choose_device", lambda _: torch.device("mps"))
    model = read_model(None, "auto", "float64")
    assert {(p.device.type, p.dtype) for p in model.parameters()} == {("cpu", torch.float64)}
    with pytest.raises(InputError, match="--device mps cannot compute in float64: add --float32, or use --device cpu"):
        read_model(None, "mps", "float64")


@pytest.mark.parametrize(
    "address",
    ["x", "host", "host:", ":6379", "host:port", "host:99999", "a..b:1", "http://host:1", "ray://", "a b:1", "ü:1", ""],
)
def test_an_odd_address_is_refused_before_ray_is_asked(address: str) -> None:
    with pytest.raises(InputError, match=r"not the address of a Ray cluster; expected HOST:PORT"):
        check_engine("ray", address)


@pytest.mark.parametrize("address", [None, "auto", "localhost:6379", "10.0.0.1:6379", "ray://head.local:10001", "[::1]:6379"])
def test_addresses_of_clusters_are_accepted(address: str | None) -> None:
    check_engine("ray", address)
