"""Make a model from the weights and metadata of a file, after comparing all sizes, so that a faulty file allocates little."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from reprlib import repr as short
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from treesmu import __version__, registry
from treesmu.data import Vocab
from treesmu.data.augment.trained_symbols import TrainedSymbols
from treesmu.data.tree_files.reading import Reading
from treesmu.errors import DataError, one_line

from .build import build, build_tree_model
from .completion.prior import ValuePrior
from .fitted.calibration import Calibration
from .model import Model
from .trees.answer_kind import AnswerKind
from .trees.tree_model import TreeModel
from .weights_file import REMEDY, and_more, check_fields, find_not_finite

_OTHER_CODE = "the code of the model {!r} differs from when the file was written; load it with the code that wrote it"
_VOCAB_FIELDS = {"functions": list, "leaves": list, "numbers": bool}


def restore(weights: Mapping[str, Tensor], metadata: Mapping[str, Any]) -> Model | TreeModel:
    """Return the model of a file on the CPU, in the dtype of its weights: of equations, or of trees if there is a task."""
    arguments, versions = metadata["model"], f"file: treesmu {short(metadata['version'])[1:-1]}, installed: {__version__}"
    name, settings = arguments["name"], arguments["settings"]
    if name not in registry.names():
        remedy = "give the Python file that registers it with --plugin FILE.py, or import it before treesmu.load"
        raise DataError(f"unknown model {short(name)}; {remedy}; known: {', '.join(registry.names())}")
    is_of_user = name not in registry.BUILT_IN
    vocab = _make_vocab(metadata["vocab"])
    _check_settings(name, settings, weights)
    make = _maker(arguments, vocab, metadata.get("task"))
    try:
        with torch.device("meta"), _ShapesOnly(len(weights)):
            expected = make().state_dict()
    except Exception as error:  # the settings can be anything that JSON can hold
        cause = _OTHER_CODE.format(name) if is_of_user and not isinstance(error, DataError) else versions
        raise DataError(f"the model cannot be built: {one_line(error)} ({cause})") from error
    dtype = _check_weights(expected, weights, _OTHER_CODE.format(name) if is_of_user else f"{versions}; {REMEDY}")
    with torch.random.fork_rng(devices=[]):  # leaves the caller's random numbers as they are
        model = make()
    if dtype is not None:
        model.to(dtype)
    model.load_state_dict(dict(weights))
    model.note = metadata["note"]
    if isinstance(model, TreeModel):
        return model
    model.trained = _trained_symbols(metadata.get("trained"))
    model.prior = None if metadata.get("prior") is None else ValuePrior.from_dict(metadata["prior"])
    calibration = metadata.get("calibration")
    model.calibration = None if calibration is None else Calibration.from_dict(calibration)
    return model


def _maker(arguments: Mapping[str, Any], vocab: Vocab, task: Any) -> Callable[[], Model | TreeModel]:
    """Return a function that builds the model with random weights. task: of a model of trees; None for equations."""
    name, settings, head, norm, points = (arguments[key] for key in ("name", "settings", "head", "norm", "points"))
    if task is None:
        return lambda: build(name, vocab, settings, head, norm, points)
    try:
        reading, answer_kind = Reading.from_dict(vocab, task["reading"]), AnswerKind.from_dict(task["answer_kind"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise DataError(f"'task' of the treesmu metadata: {one_line(error)}; {REMEDY}") from error
    return lambda: build_tree_model(name, reading, answer_kind, settings, head, norm)


class _ShapesOnly(TorchFunctionMode):
    """Skips random initialisation, which tensors on the meta device do not need, and limits the number of torch calls.

    A model that needs many more calls than the file has weights (a million layers) is an error before it takes hours.
    """

    def __init__(self, weights: int) -> None:
        super().__init__()
        self.calls_left = 10_000 + 100 * weights

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        del types
        self.calls_left -= 1
        if self.calls_left < 0:
            raise ValueError("its settings describe a much larger model than the file holds")
        kwargs = kwargs or {}
        if getattr(func, "__name__", "") in ("normal_", "uniform_"):  # of a tensor, or of torch.nn.init
            return args[0] if args else kwargs["tensor"]
        return func(*args, **kwargs)


def _check_settings(name: str, settings: Mapping[str, Any], weights: Mapping[str, Tensor]) -> None:
    """Raise a DataError for a size that would take hours or all memory to build.

    All numbers among the settings of built-in models are sizes or rates; of other models only ``hidden`` is known to be one.
    """
    largest = max(1_000, sum(weight.numel() for weight in weights.values()))
    for key, value in settings.items():
        is_size = name in registry.BUILT_IN or key == "hidden"
        if is_size and isinstance(value, int | float) and value > largest:
            raise DataError(f"the setting {short(key)} is {short(value)}, more than the file has weights; {REMEDY}")


def _make_vocab(data: dict[str, Any]) -> Vocab:
    check_fields(data, _VOCAB_FIELDS, "the vocabulary")
    names = [name for name, _ in data["functions"]] if all(map(_is_function, data["functions"])) else [None]
    if not all(isinstance(name, str) for name in (*names, *data["leaves"], data.get("equality") or "")):
        raise DataError(f"the vocabulary: functions are pairs [name, arity], leaves and equality are names; {REMEDY}")
    try:
        vocab = Vocab.from_dict({"equality": None, **data})
    except (ValueError, TypeError, KeyError, OverflowError) as error:
        raise DataError(f"the vocabulary: {one_line(error)}; {REMEDY}") from error
    if [list(pair) for pair in zip(vocab.functions, vocab.arities, strict=True)] != data["functions"]:
        raise DataError(f"the vocabulary: its functions are not in the order of arity; {REMEDY}")
    return vocab


def _trained_symbols(data: Any) -> TrainedSymbols | None:
    """Return the symbols that occurred in training; None for a file that does not say."""
    if data is None:
        return None
    if not isinstance(data, dict):
        raise DataError(f"the trained symbols are {short(data)}, not an object; {REMEDY}")
    check_fields(data, {"functions": list, "leaves": list}, "the trained symbols")
    if wrong := next((name for name in (*data["functions"], *data["leaves"]) if not isinstance(name, str)), None):
        raise DataError(f"the trained symbols: {short(wrong)} is not a name; {REMEDY}")
    return TrainedSymbols.from_dict(data)


def _is_function(pair: Any) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and type(pair[1]) is int


def _check_weights(expected: Mapping[str, Tensor], weights: Mapping[str, Tensor], context: str) -> torch.dtype | None:
    """Raise a DataError unless names, shapes and types are as expected; return the floating-point type, if there is one."""
    if missing := [name for name in expected if name not in weights]:
        raise DataError(f"the weight {missing[0]}{and_more(missing)} is missing ({context})")
    if unexpected := [name for name in weights if name not in expected]:
        raise DataError(f"unexpected weight {short(unexpected[0])}{and_more(unexpected)} ({context})")
    for name, like in expected.items():
        weight = weights[name]
        if weight.shape != like.shape:
            raise DataError(f"the weight {name} has the shape {_shape(weight)}, not {_shape(like)} ({context})")
        if weight.dtype != like.dtype and not (weight.is_floating_point() and like.is_floating_point()):
            raise DataError(f"the weight {name} has the type {weight.dtype}, not {like.dtype} ({context})")
    dtypes = list(dict.fromkeys(weights[name].dtype for name in expected if weights[name].is_floating_point()))
    if len(dtypes) > 1 or any(dtype.itemsize < 2 for dtype in dtypes):
        raise DataError(f"weights of {' and '.join(map(str, dtypes))}, not of one type with at least 16 bits; {REMEDY}")
    if name_of_wrong := find_not_finite(weights):
        raise DataError(f"the weight {name_of_wrong} has values that are not finite; copy the file or train again")
    return dtypes[0] if dtypes else None


def _shape(weight: Tensor) -> str:
    return "x".join(map(str, weight.shape)) or "of a single number"
