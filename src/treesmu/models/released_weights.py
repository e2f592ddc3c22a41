"""Convert the weights that the paper's authors released (PyTorch state dicts) into treesmu models.

The authors' code has a linear map for each gate of each function; treesmu has one parameter for all gates of all functions of
one arity. The tables below list which of the authors' maps are the columns of that parameter, in order; everything else
follows from them. A missing or unknown name or a wrong shape is an error: no file is imported partially.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from reprlib import repr as short
from typing import Any, NamedTuple

import torch
from torch import Tensor

from treesmu.data import DataError, Vocab
from treesmu.expr import EQUALITY, VARIABLES

from .build import build
from .model import Model
from .verifier import count_parameters
from .weights_file import and_more

# The leaf of each row of the authors' Symbol.weight. Their code looks a leaf up by its value and takes the first row that has
# it: the row of Integer 1 is also used for One, that of Integer 0 also for Rational 0; the later rows are never used.
ROWS = (*VARIABLES, *map(str, range(11)), "-2", "-3", "2/5", "-1/2", "0", "0.7", "-1", "nan", "inf", "e", "pi", "1", "1/2")
LEAVES = tuple(dict.fromkeys(ROWS))
_UNARY = (
    "exp sin cos csc sec tan cot asin acos acsc asec atan acot "
    "sinh cosh csch sech tanh coth asinh acosh acsch asech atanh acoth"
).split()
ARITIES = dict.fromkeys(("Add", "Mul", "Pow", "log"), 2) | dict.fromkeys(_UNARY, 1)  # of the authors' functions, which stay 29
UNUSED_ROWS = {25: "Rational 0", 32: "One"}


class Gate(NamedTuple):
    """The names of the weights of one gate, W [h_l; h_r] + b. ``{f}`` stands for the name of the function."""

    weights: tuple[str, ...]  # one for [h_l; h_r], or one for each child
    bias: str


def _linear(name: str) -> Gate:
    return Gate((f"{name}.weight",), f"{name}.bias")


def _sum(name: str) -> Gate:
    return Gate((f"{{f}}.{name}_left.weight", f"{{f}}.{name}_right.weight"), f"{{f}}.{name}_bias")


def _forget(child: str) -> Gate:
    weights = tuple(f"{{f}}.forget_{child}_by_{other}.weight" for other in ("left", "right"))
    return Gate(weights, f"{{f}}.forget_bias_{child}")


def _stack(*names: str) -> list[Gate]:
    return [_linear(f"{{f}}_stack.{name}") for name in names]


# For each model and arity: the gates in the order of the columns of z (see ``step`` of the cells).
_TREE_RNN = {arity: [_linear("{f}.linear")] for arity in (1, 2)}
_TREE_LSTM = {
    1: [_linear(f"{{f}}.{name}") for name in ("input", "data", "output", "forget")],
    2: [*map(_sum, ("input", "data", "output")), *map(_forget, ("left", "right"))],
}
_ACTIONS = {True: ("push_gate_linear", "no_op_gate_linear", "pop_gate_linear"), False: ("push_gate_linear", "pop_gate_linear")}
_FORGET = {1: ("gate_linear",), 2: ("gate_linear_l", "gate_linear_r")}


def _tree_smu(no_op: bool) -> dict[int, list[Gate]]:
    return {
        arity: [*_stack("input_linear"), _linear("{f}.o_linear"), *_stack(*_ACTIONS[no_op], *_FORGET[arity])]
        for arity in (1, 2)
    }


_NUMBERS = ("linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias")


@dataclass(frozen=True)
class ImportSummary:
    """What was found in a file of weights."""

    model: str
    hidden: int
    settings: dict[str, Any]
    assumed: dict[str, Any]  # the settings that are not in the file, taken from the authors' code
    functions: tuple[str, ...]
    leaves: tuple[str, ...]
    parameters: int  # of the model made from it
    unused: tuple[str, ...]  # the weights that no equation needs


def import_weights(path: str | os.PathLike[str]) -> tuple[Model, ImportSummary]:
    """Return a model with the weights of a released file (``*-model-*.checkpoint``), ready for use, and a summary."""
    path = Path(path)
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    try:
        weights = _state_dict(data)
        model, summary = _import(weights, path.name)
    except DataError as error:
        raise DataError(f"{path}: {error}") from error
    digest = hashlib.sha256(data).hexdigest()
    model.note = {"imported_from": path.name, "sha256": digest, "assumed": summary.assumed, "unused": list(summary.unused)}
    return model.eval(), summary


# -- reading -------------------------------------------------------------------------------------------------------------


def _state_dict(data: bytes) -> dict[str, Tensor]:
    """Read names and tensors with PyTorch's restricted loader, which runs no code of the file."""
    try:
        with warnings.catch_warnings(action="ignore"):  # PyTorch's warnings about old files do not help the user
            found = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except Exception as error:  # the loader can raise anything
        fault = "PyTorch cannot read it as a checkpoint of tensors only"
        raise DataError(f"{fault}; download the *-model-*.checkpoint of the authors again") from error
    if isinstance(found, Mapping) and {"state", "param_groups"} <= found.keys():
        raise DataError("the state of an optimizer, not a model; use the file next to it with 'model' in its name")
    if not isinstance(found, Mapping) or not all(isinstance(name, str) for name in found):
        raise DataError(f"not a PyTorch state dict but {_kind(found)}; use a *-model-*.checkpoint of the authors")
    for name, weight in found.items():
        if not isinstance(weight, Tensor) or weight.dtype not in (torch.float32, torch.float64) or not _is_plain(weight):
            raise DataError(f"{short(name)} is {_kind(weight)}, not a plain tensor of float32 or float64")
    return {name: weight.detach() for name, weight in found.items()}


def _is_plain(weight: Tensor) -> bool:
    """Return whether every value of a tensor has its own place in memory."""
    if weight.layout != torch.strided or weight.device.type != "cpu":
        return False
    return weight.numel() * weight.element_size() <= weight.untyped_storage().nbytes()


def _kind(thing: object) -> str:
    return f"a tensor of {thing.dtype}" if isinstance(thing, Tensor) else f"a {type(thing).__name__}"


# -- converting ----------------------------------------------------------------------------------------------------------


def _import(weights: dict[str, Tensor], file_name: str) -> tuple[Model, ImportSummary]:
    symbols = weights.get("Symbol.weight")
    if symbols is None or symbols.ndim != 2 or not symbols.numel():
        raise DataError(f"it has no embedding of leaves (Symbol.weight), which the authors' files have; {_list_some(weights)}")
    n = symbols.shape[1]
    name, gates, settings, assumed = _recognise(weights, file_name)
    _check(weights, gates, n)
    vocab = Vocab(tuple(ARITIES), tuple(ARITIES.values()), LEAVES, EQUALITY.name, numbers=True)
    with torch.random.fork_rng(devices=[]):  # leaves the caller's random numbers as they are
        model = build(name, vocab, {"hidden": n, **settings})
    model.to(symbols.dtype).load_state_dict(_converted(weights, gates, vocab))
    unused = (
        *(w for w in weights if w.startswith("Number_dec.")),
        *(f"Symbol.weight[{i}] ({what})" for i, what in UNUSED_ROWS.items()),
    )
    summary = ImportSummary(
        name, n, model.encoder.cell.settings(), assumed, vocab.functions, vocab.leaves, count_parameters(model), unused
    )  # fmt: skip
    return model, summary


def _recognise(weights: Iterable[str], file_name: str) -> tuple[str, dict[int, list[Gate]], dict[str, Any], dict[str, Any]]:
    """Return the model, its gates, its settings, and which of these are assumed, by the names of the weights and the file."""
    parts = {name.partition(".")[2] for name in weights}
    dropout = re.search(r"(?:drop|_)(0\.\d{1,4})(?=[-_])", file_name)  # ..._drop0.1_hidden50_..., ..._50_0.1_12345-model-...
    from_name = {"dropout": float(dropout[1]) if dropout else 0.0}
    assumed: dict[str, Any] = {} if dropout else dict(from_name)
    if "o_linear.weight" in parts:
        fixed = {"stack": 5, "top": 1, "normalise": "softmax"}
        no_op = "no_op_gate_linear.weight" in parts
        return "tree-smu", _tree_smu(no_op), {**fixed, "no_op": no_op, **from_name}, {**fixed, **assumed}
    if "data.weight" in parts:
        return "tree-lstm", _TREE_LSTM, from_name, assumed
    if "linear.weight" in parts:
        fixed = {"activation": "sigmoid"}
        return "tree-rnn", _TREE_RNN, {"layers": 1, **fixed, **from_name}, {**fixed, **assumed}
    raise DataError(f"not a Tree-RNN, Tree-LSTM or Tree-SMU of the authors; {_list_some(weights)}")


def _list_some(names: Iterable[str]) -> str:
    found = list(names)
    return f"its weights are {', '.join(map(short, found[:4]))}{', ...' * (len(found) > 4)}" if found else "it has no weights"


def _check(weights: dict[str, Tensor], gates: dict[int, list[Gate]], n: int) -> None:
    """Raise a DataError unless exactly the expected weights are there, with the expected shapes."""
    expected = _expected(gates, n)
    if missing := [name for name in expected if name not in weights]:
        raise DataError(f"{missing[0]} is missing{and_more(missing)}; download the checkpoint of the authors again")
    if unexpected := [name for name in weights if name not in expected]:
        raise DataError(f"unexpected {short(unexpected[0])}{and_more(unexpected)}; only the released models can be imported")
    for name, shape in expected.items():
        if tuple(weights[name].shape) != shape:
            raise DataError(f"{name} has the shape {tuple(weights[name].shape)}, not {shape} (n is {n}, from Symbol.weight)")
        if weights[name].dtype != weights["Symbol.weight"].dtype:
            raise DataError(f"{name} has the type {weights[name].dtype}, but Symbol.weight {weights['Symbol.weight'].dtype}")
        if not bool(weights[name].isfinite().all()):
            raise DataError(f"{name} has values that are not finite; download the file again")


def _expected(gates: dict[int, list[Gate]], n: int) -> dict[str, tuple[int, ...]]:
    """Return the name and shape of every weight that a file must have."""
    found: dict[str, tuple[int, ...]] = {"Symbol.weight": (len(ROWS), n), "bias": (1,)}
    for network, (inputs, outputs) in {"Number_enc": (1, n), "Number_dec": (n, 1)}.items():
        shapes = ((n, inputs), (n,), (outputs, n), (outputs,))
        found |= {f"{network}.{name}": shape for name, shape in zip(_NUMBERS, shapes, strict=True)}
    for function, arity in ARITIES.items():
        for gate in gates[arity]:
            inputs = arity * n // len(gate.weights)
            found |= {name.format(f=function): (n, inputs) for name in gate.weights}
            found[gate.bias.format(f=function)] = (n,)
    return found


def _converted(weights: Mapping[str, Tensor], gates: dict[int, list[Gate]], vocab: Vocab) -> dict[str, Tensor]:
    """Return the same weights under the names of treesmu."""
    rows = [ROWS.index(leaf) for leaf in vocab.leaves]  # the first row of each leaf
    ours = {"encoder.leaves.embedding.weight": weights["Symbol.weight"][rows], "head.bias": weights["bias"]}
    ours |= {f"encoder.leaves.numbers.{name}": weights[f"Number_enc.{name}"] for name in _NUMBERS}
    for arity in (1, 2):
        functions = [f for f, a in zip(vocab.functions, vocab.arities, strict=True) if a == arity]
        of_functions = [_columns(weights, gates[arity], function) for function in functions]
        ours[f"encoder.wiring.gates.{arity}.weight"] = torch.stack([w for w, _ in of_functions])
        ours[f"encoder.wiring.gates.{arity}.bias"] = torch.stack([b for _, b in of_functions])
    return ours


def _columns(weights: Mapping[str, Tensor], gates: list[Gate], function: str) -> tuple[Tensor, Tensor]:
    """Return all gates of a function side by side: weights (a·n, columns) and biases (columns,)."""
    maps = [torch.cat([weights[name.format(f=function)] for name in gate.weights], dim=1) for gate in gates]  # (n, a·n) each
    return torch.cat(maps).t(), torch.cat([weights[gate.bias.format(f=function)] for gate in gates])
