"""A simulated second device, which finds tensors that are made on the wrong device without an accelerator.

    with second_device() as device:
        model.to(device)
        model(batch)            # raises DeviceMismatchError where an operation mixes this device and the CPU

Its tensors call themselves ``meta``, but hold real numbers in memory, so that whole training runs can be computed and compared
with those of the CPU. The rules are those of CUDA, or stricter: tensors are copied between devices by ``to``, ``cpu`` and
``copy_`` alone; a CPU tensor without dimensions may be a number in an operation; an index from the CPU is refused, too.
float64 is refused on request, as MPS does (``has_float64=False``).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter, tree_map

DEVICE = torch.device("meta")
CROSSING = {torch.ops.aten._to_copy, torch.ops.aten.copy_}  # operations between two devices


class DeviceMismatchError(RuntimeError):
    """An operation had tensors on two devices, or one that the device cannot hold."""


class DeviceTensor(torch.Tensor):
    """A tensor of the simulated device; ``inner`` holds its numbers."""

    inner: Tensor

    @staticmethod
    def __new__(cls, inner: Tensor) -> DeviceTensor:
        made: DeviceTensor = torch.Tensor._make_wrapper_subclass(  # type: ignore[attr-defined]
            cls, inner.size(), inner.stride(), inner.storage_offset(), dtype=inner.dtype, device=DEVICE
        )
        made.inner = inner
        return made

    def tolist(self) -> Any:
        return self.inner.tolist()

    def numpy(self, *, force: bool = False) -> Any:
        if not force:
            raise DeviceMismatchError("a tensor on a device is no numpy array; copy it first: .numpy(force=True)")
        return self.inner.numpy(force=True)

    def __repr__(self) -> str:  # type: ignore[override]
        return f"DeviceTensor({self.inner!r})"

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _compute(func, args, kwargs or {}, has_float64=True)


class _Constructors(TorchFunctionMode):
    """``torch.tensor(..., device=...)`` reaches no dispatch mode: make the tensor on the CPU, then copy it."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func in (torch.tensor, torch.as_tensor) and torch.device(kwargs.get("device") or "cpu") == DEVICE:
            return func(*args, **{**kwargs, "device": torch.device("cpu")}).to(DEVICE)
        return func(*args, **kwargs)


class _SecondDevice(TorchDispatchMode):
    def __init__(self, has_float64: bool) -> None:
        super().__init__()
        self.has_float64 = has_float64

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _compute(func, args, kwargs or {}, self.has_float64)


@contextmanager
def second_device(has_float64: bool = True) -> Iterator[torch.device]:
    """Yield the simulated device; its tensors must not be used after the block."""
    with warnings.catch_warnings(), _SecondDevice(has_float64), _Constructors():
        warnings.filterwarnings("ignore", ".*which is a no-op")  # what is said of real meta tensors is not true here
        yield DEVICE


def _compute(func: Any, args: Any, kwargs: dict[str, Any], has_float64: bool) -> Any:
    """Compute an operation on the CPU; its result is on the device that was asked for, or on that of the arguments."""
    tensors = [value for value in tree_iter((args, kwargs)) if isinstance(value, Tensor)]
    owners = {id(t.inner): t for t in tensors if isinstance(t, DeviceTensor)}
    on_cpu = [t for t in tensors if not isinstance(t, DeviceTensor)]
    if owners and func.overloadpacket not in CROSSING and any(t.dim() for t in on_cpu):
        places = [f"{'device' if isinstance(t, DeviceTensor) else 'cpu'} {tuple(t.shape)}" for t in tensors]
        raise DeviceMismatchError(f"{func}: tensors on two devices: {', '.join(places)}")
    device = kwargs.get("device")
    if func.overloadpacket is torch.ops.aten.copy_:
        is_here = isinstance(args[0], DeviceTensor)
    else:
        is_here = bool(owners) if device is None else torch.device(device) == DEVICE
    if device is not None:
        kwargs = {**kwargs, "device": torch.device("cpu")}
    found = func(*tree_map(_inner, args), **tree_map(_inner, kwargs))

    def wrap(value: Any) -> Any:
        if not isinstance(value, Tensor) or not is_here:
            return value
        if value.dtype == torch.float64 and not has_float64:
            raise DeviceMismatchError(f"{func}: this device has no float64")
        return owners[id(value)] if id(value) in owners else DeviceTensor(value)  # in place: the argument itself

    return tree_map(wrap, found)


def _inner(value: Any) -> Any:
    return value.inner if isinstance(value, DeviceTensor) else value
