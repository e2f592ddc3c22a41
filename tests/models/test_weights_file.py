"""A file that is damaged or foreign is refused in one line, and can do no harm."""

from __future__ import annotations

import json
import pickle
import random
import sys
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch

from treesmu.models.store import load, save
from weights_files import assert_loads_or_is_refused, message_of, rewrite, tiny


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a safetensors file; use a file written by treesmu train or treesmu import-weights"),
        (b"hello, world", "not a safetensors file; use a file written by treesmu"),
        (pickle.dumps([1]), "not a safetensors file, but probably a PyTorch checkpoint; for one of the paper's authors run"),
        (b"\xff" * 7 + b"\x00{", "truncated within its header, after 9 bytes; copy the file or make it again"),
        (b"\x02" + b"\x00" * 7 + b"{}", "a safetensors file, but not a model of treesmu: it has no treesmu metadata; use"),
        (b"\x02" + b"\x00" * 7 + b"{}more", "damaged: bytes are missing or added at the end; copy the file or make"),
        (b"\x02" + b"\x00" * 7 + b"{{", "damaged: "),
    ],
)
def test_a_file_of_another_kind_is_refused_by_name(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(content)
    assert message_of(tmp_path / "bad").startswith(message)


@pytest.mark.parametrize(
    ("shape", "ends"),
    [([10**12], [0, 4 * 10**12]), ([10**12], [0, 4]), ([2**62, 8], [0, 0]), ([1], [10**15, 10**15 + 4]), ([-1], [0, 4])],
)
def test_claims_of_terabytes_are_refused_without_memory(shape: list[int], ends: list[int], tmp_path: Path) -> None:
    header = json.dumps({"w": {"dtype": "F32", "shape": shape, "data_offsets": ends}}).encode()
    (tmp_path / "bad").write_bytes(len(header).to_bytes(8, "little") + header + b"\0" * 4)
    assert message_of(tmp_path / "bad").startswith("damaged: ")


@pytest.mark.parametrize("name", ["../evil.py", "/tmp/evil.py", "evil:Cell", "os", "treesmu.models.build:build"])
def test_a_file_cannot_name_code_that_is_run(name: str, file: Path) -> None:
    """A model is looked up by its registered name; a plugin is named by the user, never by a file."""
    before = set(sys.modules)
    rewrite(file, lambda metadata, _: metadata["model"].update(name=name))
    assert message_of(file).startswith(f"unknown model {name!r}; give the Python file that registers it with --plugin FILE.py")
    rewrite(file, lambda metadata, _: metadata.update(plugin="/tmp/evil.py", code="/tmp/evil.py"))
    assert message_of(file).startswith("unknown model ")
    assert set(sys.modules) == before


def test_a_file_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    for missing in (tmp_path / "missing", Path("null\0byte")):
        assert message_of(missing).startswith("there is no such file; give a file of weights, or the name of a shipped model")
    assert message_of(tmp_path) == "cannot be read: Is a directory"


def test_a_truncated_file_says_so_wherever_it_ends(file: Path) -> None:
    whole = file.read_bytes()
    header = 8 + int.from_bytes(whole[:8], "little")
    for length in (*range(0, header, 37), *range(header - 3, len(whole), 11), len(whole) - 1):
        file.write_bytes(whole[:length])
        kind = "not a saf" if length < 9 else "truncated" if length < header else "damaged: "
        assert message_of(file)[:9] == kind


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (tmp_path / "sprung").touch, ()

    torch.save({"weight": Trap()}, tmp_path / "trap")
    assert "treesmu import-weights FILE OUT" in message_of(tmp_path / "trap")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "[" * 100_000, '{"format": 1e999}', "9" * 5000])
def test_metadata_that_are_not_a_json_object_are_refused(text: str, file: Path) -> None:
    file.write_bytes(safetensors.torch.save(safetensors.torch.load_file(file), {"treesmu": text}))
    assert message_of(file).startswith("its treesmu metadata ")


def test_unknown_metadata_are_ignored(file: Path) -> None:
    rewrite(file, lambda metadata, _: metadata.update(later={"a": 1}))
    assert load(file).note == {"seed": 1}


def test_flipped_bytes_are_refused_or_harmless(file: Path) -> None:
    whole, rng = file.read_bytes(), random.Random(1)
    header = 8 + int.from_bytes(whole[:8], "little")
    for _ in range(400):
        changed = bytearray(whole)
        for _ in range(rng.choice((1, 1, 3))):
            changed[rng.randrange(rng.choice((9, header, len(whole))))] = rng.randrange(256)
        file.write_bytes(changed)
        assert_loads_or_is_refused(file)


def test_a_changed_weight_or_setting_does_not_have_the_checksum(tmp_path: Path) -> None:
    file = tmp_path / "model.safetensors"
    save(tiny(dropout=0.25), file)
    content = file.read_bytes()
    setting = content.index(b"0.25")
    for place in (len(content) - 3, setting + 2):
        file.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert message_of(file).startswith("damaged: its content does not have the checksum that it names; copy")
    file.write_bytes(content)
    assert load(file).verify(["x = x"]).shape == (1,)
