"""Read and write safetensors files with treesmu's metadata, without building models; nothing is ever unpickled.

The metadata have one entry, ``treesmu``, a JSON text (one entry, because safetensors does not keep the order of entries):

    format    3; increased when an older treesmu could not read the file. Format 2 had no ``points`` (0), and format 1 had
              ``unit`` (true or false) instead of ``norm``.
    version   the treesmu that wrote the file
    model     the arguments of ``build``: name, settings, head, norm, points
    vocab     ``Vocab.to_dict()``
    note      where the model comes from; any JSON object
    trained   the functions and leaves of the training equations (``TrainedSymbols.to_dict()``); absent if they are not known
    prior     how common values are in training (``ValuePrior.to_dict()``), for completion; absent if it was not fitted
    calibration  how logits become probabilities at each depth (``Calibration.to_dict()``); absent if it was not fitted
    task      of a model of trees: ``answer_kind`` (task, classes, mean and scale) and ``reading``; absent for equations
    code      a hash of the code of a model that is not built in (``treesmu.plugins.code_hash``); absent otherwise
    sha256    of all tensors and of all other entries (:func:`pack`); absent in files of older versions

The same content always gives the same bytes. No file is trusted: any fault raises a DataError with a one-line message.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from reprlib import repr as short
from typing import Any

import safetensors.torch
from torch import Tensor

from treesmu import __version__
from treesmu.errors import DataError, one_line
from treesmu.files import atomic_write

FORMAT = 3
KEY = "treesmu"
REMEDY = "use a file written by treesmu train or treesmu import-weights"
_METADATA_FIELDS = {"version": str, "model": dict, "vocab": dict, "note": dict}
_ALL_FORMATS: dict[str, type] = {"name": str, "settings": dict, "head": str}
_MODEL_FIELDS: dict[int, dict[str, type]] = {  # by format
    1: {**_ALL_FORMATS, "unit": bool},
    2: {**_ALL_FORMATS, "norm": str},
    3: {**_ALL_FORMATS, "norm": str, "points": int},
}
_TYPE_NAMES = {int: "a whole number", str: "text", dict: "an object", bool: "true or false", list: "a list"}


def write_weights(path: Path, weights: Mapping[str, Tensor], metadata: Mapping[str, Any]) -> None:
    """Write a file completely or not at all. metadata: model, vocab, note, and perhaps trained, prior, calibration and code."""
    try:
        content = pack(weights, KEY, {"format": FORMAT, "version": __version__, **metadata}, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise DataError(f"{path}: not written: settings and note must be plain JSON: {error}") from error
    with atomic_write(path) as temporary:
        temporary.write_bytes(content)


def read_weights(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return the weights by name, and the metadata, whose fields have been checked for presence and type."""
    data = _read_bytes(path)
    try:
        weights = safetensors.torch.load(data)
        header = json.loads(_header(data))
        texts = header.get("__metadata__") or {}
    except Exception as error:  # a damaged file can raise anything, in safetensors too
        fault = one_line(error).removeprefix("Error while deserializing: ")
        fault = "bytes are missing or added at the end" if "not fully covered" in fault else fault
        raise DataError(f"damaged: {fault}; copy the file or make it again") from error
    if KEY not in texts:
        raise DataError(f"a safetensors file, but not a model of treesmu: it has no treesmu metadata; {REMEDY}")
    metadata = _parse_metadata(texts[KEY])
    check_sha256(data, KEY)
    metadata.pop("sha256", None)  # of this file: whoever writes another one makes its own
    return weights, metadata


# -- checksums -----------------------------------------------------------------------------------------------------------


def pack(tensors: Mapping[str, Tensor], key: str, content: Mapping[str, Any], *, allow_nan: bool) -> bytes:
    """Return a safetensors file with one entry in its metadata, a JSON text of the content and a checksum of everything."""
    plain = json.loads(json.dumps(content, sort_keys=True, allow_nan=allow_nan))  # as it will be read: keys are text
    digest = _sha256(safetensors.torch.save(dict(tensors)), plain)
    return safetensors.torch.save(dict(tensors), {key: json.dumps({**plain, "sha256": digest}, sort_keys=True)})


def check_sha256(data: bytes, key: str) -> None:
    """Raise a DataError if a file of :func:`pack` has another content than its checksum says; older files have none."""
    content = json.loads(json.loads(_header(data))["__metadata__"][key])
    stored = content.pop("sha256", None)
    if stored is not None and stored != _sha256(data, content):
        raise DataError("damaged: its content does not have the checksum that it names; copy the file or make it again")


def _sha256(data: bytes, content: dict[str, Any]) -> str:
    """Return the checksum of a safetensors file, but for its metadata, and of the content that these have."""
    layout = {name: place for name, place in json.loads(_header(data)).items() if name != "__metadata__"}
    found = hashlib.sha256(json.dumps([layout, content], sort_keys=True).encode())
    found.update(memoryview(data)[8 + len(_header(data)) :])
    return found.hexdigest()


def _header(data: bytes) -> bytes:
    return data[8 : 8 + int.from_bytes(data[:8], "little")]


# -- reading -------------------------------------------------------------------------------------------------------------


def _read_bytes(path: Path) -> bytes:
    """Return the whole file if its first bytes are those of a safetensors file."""
    try:
        with path.open("rb") as file:
            size, start = os.fstat(file.fileno()).st_size, file.read(9)
            if len(start) < 9 or start[8:] != b"{":
                raise DataError(f"not a safetensors file{_hint(start)}")
            if 8 + int.from_bytes(start[:8], "little") > size:
                raise DataError(f"truncated within its header, after {size:,} bytes; copy the file or make it again")
            return start + file.read()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}") from error
    except DataError:
        raise
    except ValueError as error:  # a null byte in the path
        raise DataError(f"cannot be read: {error}") from error


def _hint(start: bytes) -> str:
    """Return what else a file may be, by its first bytes, and what to do."""
    if start.startswith((b"PK", b"\x80")):  # a zip archive or a pickle
        return ", but probably a PyTorch checkpoint; for one of the paper's authors run treesmu import-weights FILE OUT"
    return f"; {REMEDY}"


def _parse_metadata(text: str) -> dict[str, Any]:
    try:
        metadata = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"its treesmu metadata are not JSON: {one_line(error)}; copy the file or make it again") from error
    number = metadata.get("format") if isinstance(metadata, dict) else None
    if type(number) is not int or number < 1:
        raise DataError(f"its treesmu metadata have no format number; {REMEDY}")
    if number > FORMAT:
        raise DataError(f"format {short(number)} is newer than this treesmu {__version__} (format {FORMAT}); upgrade treesmu")
    check_fields(metadata, _METADATA_FIELDS, "the treesmu metadata")
    model, where = metadata["model"], "'model' of the treesmu metadata"
    check_fields(model, _MODEL_FIELDS[number], where)
    if number == 1:
        model["norm"] = "unit" if model.pop("unit") else "none"
    model.setdefault("points", 0)
    checked: dict[str, Any] = metadata
    return checked


def check_fields(record: Mapping[str, Any], fields: Mapping[str, type], where: str) -> None:
    """Raise a DataError unless the record has all fields, each of its type."""
    for name, type_ in fields.items():
        if name not in record:
            raise DataError(f"{where}: {name!r} is missing; {REMEDY}")
        if not isinstance(record[name], type_):
            raise DataError(f"{where}: {name!r} is {short(record[name])}, not {_TYPE_NAMES[type_]}; {REMEDY}")


def find_not_finite(weights: Mapping[str, Tensor]) -> str | None:
    """Return the name of a weight with NaN or infinity in it, or None."""
    return next((name for name, weight in weights.items() if not bool(weight.isfinite().all())), None)


def and_more(names: list[str]) -> str:
    """Return the count of all names but the first, for messages: ``" (and 3 more)"``."""
    return f" (and {len(names) - 1} more)" if len(names) > 1 else ""
