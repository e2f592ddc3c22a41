"""Files of weights: one safetensors file holds all that is needed to make a model again. Nothing is ever unpickled.

The metadata have one entry, ``treesmu``, a JSON text (one entry, because their order is not fixed):

    format    1, counted up when an older treesmu could not read the file
    version   of the treesmu that wrote it
    model     what ``build`` was called with: name, settings, head, unit
    vocab     ``Vocab.to_dict()``
    note      where the model comes from; free

A file is trusted in nothing: sizes are compared before anything of that size is made, and whatever is wrong with it is a
DataError of one line. The same model and note give the same bytes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from reprlib import repr as short
from typing import Any

import safetensors.torch
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from treesmu import SHIPPED, __version__
from treesmu.data import DataError, Vocab
from treesmu.files import atomic_write

from .build import build
from .model import Model

FORMAT = 1
KEY = "treesmu"
_ORIGIN = "take a file that treesmu train or treesmu import-weights has made"
_RECIPE = {"name": str, "settings": dict, "head": str, "unit": bool}
_FACTS = {"version": str, "model": dict, "vocab": dict, "note": dict}
_VOCAB = {"functions": list, "leaves": list, "numbers": bool}
_KINDS = {str: "text", dict: "an object", bool: "true or false", list: "a list"}


def save(model: Model, path: str | os.PathLike[str], note: Mapping[str, Any] | None = None) -> None:
    """Write a model to a file, wholly or not at all. note: where it comes from; by default what the model has already."""
    path = Path(path)
    if getattr(model, "build_arguments", None) is None:
        raise ValueError(
            "only models of treesmu.models.build can be stored; one that was put together by hand cannot be stored: "
            "keep its state_dict() with torch.save"
        )
    weights = {name: weight.detach().cpu().clone().contiguous() for name, weight in model.state_dict().items()}
    if wrong := _not_finite(weights):
        raise DataError(f"{path}: not written: the weight {wrong} has values that are not finite; lower the learning rate")
    facts = {
        "format": FORMAT,
        "version": __version__,
        "model": model.build_arguments,
        "vocab": model.vocab.to_dict(),
        "note": dict(model.note if note is None else note),
    }
    try:
        text = json.dumps(facts, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise DataError(f"{path}: not written: settings and note must be plain JSON: {error}") from error
    with atomic_write(path) as temporary:
        temporary.write_bytes(safetensors.torch.save(weights, {KEY: text}))


def load(
    path: str | os.PathLike[str] | None = None,
    dtype: torch.dtype | None = None,
    device: torch.device | str | None = None,
) -> Model:
    """The model of a file, ready for use (``eval()``); without a path the one that is shipped with treesmu.

    dtype: of the weights, by default as they are stored (the shipped ones, stored in 16 bits, become float32). device: by
    default the CPU.
    """
    if path is None:
        path, dtype = SHIPPED, dtype or torch.float32
        if not path.exists():
            raise DataError("this treesmu comes without a trained model; give a file: treesmu.load('model.safetensors')")
    try:
        weights, facts = _content(_bytes(Path(path)))
        model = _model(facts, weights)
    except DataError as error:
        raise DataError(f"{os.fspath(path)}: {error}") from error
    return model.to(device=device, dtype=dtype).eval()


# -- from bytes to weights and facts -------------------------------------------------------------------------------------


def _bytes(path: Path) -> bytes:
    """The whole file, if its first bytes promise that it is one of ours."""
    try:
        with path.open("rb") as file:
            size, start = os.fstat(file.fileno()).st_size, file.read(9)
            if len(start) < 9 or start[8:] != b"{":
                raise DataError(f"not a safetensors file{_what_else(start)}")
            if 8 + int.from_bytes(start[:8], "little") > size:
                raise DataError(f"cut off after {size:,} bytes, within its header; copy or make it again")
            return start + file.read()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}") from error
    except DataError:
        raise
    except ValueError as error:  # a zero byte in the path
        raise DataError(f"cannot be read: {error}") from error


def _what_else(start: bytes) -> str:
    if start.startswith((b"PK", b"\x80")):  # a zip archive or a pickle
        return " but, it seems, a PyTorch checkpoint; if it is one of the paper's authors: treesmu import-weights FILE OUT"
    return f"; {_ORIGIN}"


def _content(data: bytes) -> tuple[dict[str, Tensor], dict[str, Any]]:
    try:
        weights = safetensors.torch.load(data)
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
        metadata = header.get("__metadata__") or {}
    except Exception as error:  # whatever a damaged file may lead to, below safetensors too
        fault = _one_line(error).removeprefix("Error while deserializing: ")
        fault = "bytes are missing or added at its end" if "not fully covered" in fault else fault
        raise DataError(f"damaged: {fault}; copy or make it again") from error
    if KEY not in metadata:
        raise DataError(f"a safetensors file, but not a model of treesmu: there are no treesmu metadata; {_ORIGIN}")
    return weights, _facts(metadata[KEY])


def _facts(text: str) -> dict[str, Any]:
    """The metadata, of which everything but settings, vocabulary and note is checked now."""
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"its treesmu metadata are not JSON: {_one_line(error)}; copy or make it again") from error
    found = facts.get("format") if isinstance(facts, dict) else None
    if type(found) is not int or found < 1:
        raise DataError(f"its treesmu metadata have no format number; {_ORIGIN}")
    if found > FORMAT:
        raise DataError(f"format {short(found)} is newer than this treesmu {__version__} (format {FORMAT}); upgrade treesmu")
    _check_fields(facts, _FACTS, "the treesmu metadata")
    _check_fields(facts["model"], _RECIPE, "'model' of the treesmu metadata")
    return facts


def _check_fields(record: Mapping[str, Any], fields: Mapping[str, type], where: str) -> None:
    for name, kind in fields.items():
        if name not in record:
            raise DataError(f"{where}: there is no {name!r}; {_ORIGIN}")
        if not isinstance(record[name], kind):
            raise DataError(f"{where}: {name!r} is {short(record[name])}, not {_KINDS[kind]}; {_ORIGIN}")


# -- from weights and facts to a model -----------------------------------------------------------------------------------


class _ShapesOnly(TorchFunctionMode):
    """Tensors on the meta device have shapes only, so filling them with random values would be a waste of time.

    A model that takes many more steps to make than the file has weights (a million layers) is not made at all.
    """

    def __init__(self, weights: int) -> None:
        super().__init__()
        self.steps_left = 10_000 + 100 * weights

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        del types
        self.steps_left -= 1
        if self.steps_left < 0:
            raise ValueError("by its settings it is much larger than the file")
        kwargs = kwargs or {}
        if getattr(func, "__name__", "") in ("normal_", "uniform_"):  # of a tensor, or of torch.nn.init
            return args[0] if args else kwargs["tensor"]
        return func(*args, **kwargs)


def _model(facts: dict[str, Any], weights: dict[str, Tensor]) -> Model:
    vocab, build_arguments = _vocab(facts["vocab"]), facts["model"]
    _check_sizes(build_arguments["settings"], weights)
    arguments = (build_arguments["name"], vocab, build_arguments["settings"], build_arguments["head"], build_arguments["unit"])
    try:
        with torch.device("meta"), _ShapesOnly(len(weights)):
            shape = build(*arguments)
    except Exception as error:  # settings may be anything that JSON can hold
        origin = f"the file is of treesmu {short(facts['version'])[1:-1]}, this is {__version__}"
        raise DataError(f"the model cannot be made: {_one_line(error)} ({origin})") from error
    stored = _check_weights(shape.state_dict(), weights, facts["version"])
    with torch.random.fork_rng(devices=[]):  # a file is read without a trace in the caller's random numbers
        model = build(*arguments)
    if stored is not None:
        model.to(stored)
    model.load_state_dict(weights)
    model.note = facts["note"]
    return model


def _check_sizes(settings: Mapping[str, Any], weights: Mapping[str, Tensor]) -> None:
    """That nothing is asked for that would take hours or all memory to make."""
    most = max(1_000, sum(weight.numel() for weight in weights.values()))
    for name, value in settings.items():
        if isinstance(value, int | float) and value > most:
            raise DataError(f"the setting {short(name)} is {short(value)}, more than there are weights; {_ORIGIN}")


def _vocab(data: dict[str, Any]) -> Vocab:
    _check_fields(data, _VOCAB, "the vocabulary")
    names = [name for name, _ in data["functions"]] if all(map(_is_function, data["functions"])) else [None]
    if not all(isinstance(name, str) for name in (*names, *data["leaves"], data.get("equality") or "")):
        raise DataError(f"the vocabulary: functions are pairs of a name and an arity, leaves and the equality names; {_ORIGIN}")
    try:
        vocab = Vocab.from_dict({"equality": None, **data})
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise DataError(f"the vocabulary: {_one_line(error)}; {_ORIGIN}") from error
    if [list(pair) for pair in zip(vocab.functions, vocab.arities, strict=True)] != data["functions"]:
        raise DataError(f"the vocabulary: its functions are not in the order of arity; {_ORIGIN}")
    return vocab


def _is_function(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and type(pair[1]) is int


def _check_weights(expected: Mapping[str, Tensor], found: Mapping[str, Tensor], version: str) -> torch.dtype | None:
    """That these are the weights of the model, one by one; the dtype that the floating ones have in common."""
    origin = f"the file is of treesmu {short(version)[1:-1]}, this is {__version__}; {_ORIGIN}"
    if missing := [name for name in expected if name not in found]:
        raise DataError(f"the weight {missing[0]}{and_more(missing)} is missing ({origin})")
    if unexpected := [name for name in found if name not in expected]:
        raise DataError(f"unexpected weight {short(unexpected[0])}{and_more(unexpected)} ({origin})")
    for name, wanted in expected.items():
        weight = found[name]
        if weight.shape != wanted.shape:
            raise DataError(f"the weight {name} is {_shape(weight)}, not {_shape(wanted)} ({origin})")
        if weight.dtype != wanted.dtype and not (weight.is_floating_point() and wanted.is_floating_point()):
            raise DataError(f"the weight {name} is of {weight.dtype}, not {wanted.dtype} ({origin})")
    dtypes = list(dict.fromkeys(found[name].dtype for name in expected if found[name].is_floating_point()))
    if len(dtypes) > 1 or any(dtype.itemsize < 2 for dtype in dtypes):
        raise DataError(f"weights of {' and '.join(map(str, dtypes))}, not of one type of 16 bits or more; {_ORIGIN}")
    if wrong := _not_finite(found):
        raise DataError(f"the weight {wrong} has values that are not finite; copy the file or train the model again")
    return dtypes[0] if dtypes else None


def _not_finite(weights: Mapping[str, Tensor]) -> str | None:
    """The name of a weight with NaN or infinity in it."""
    return next((name for name, weight in weights.items() if not bool(weight.isfinite().all())), None)


def and_more(names: list[str]) -> str:
    return f" (and {len(names) - 1} more)" if len(names) > 1 else ""


def _shape(weight: Tensor) -> str:
    return "x".join(map(str, weight.shape)) or "a single number"


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 200 else f"{text[:197]}..."
