"""The functions of rows are exact to a few units in the last place, and what is not finite stays visible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from numba import njit
from numpy.typing import NDArray

from samples import compiles
from treesmu.models.compiled.kernels import arithmetic
from treesmu.models.compiled.native import OPTIONS

pytestmark = compiles
Row = NDArray[Any]


def callable_from_python(function: Callable[..., None]) -> Callable[..., None]:
    """Return a compiled function that Python may call, which calls a kernel."""

    def call(*rows: Row) -> None:
        function(*rows)

    return njit(**OPTIONS)(call)


exp_of = arithmetic.exp_of
add, copy, gelu_down, gelu_to, sigmoid, tanh = (
    callable_from_python(getattr(arithmetic, name)) for name in ("add", "copy", "gelu_down", "gelu_to", "sigmoid", "tanh")
)


@njit(**OPTIONS)
def _exp(row: Any) -> None:
    for c in range(len(row)):
        row[c] = exp_of(row[c])


def in_place(function: Callable[[Row], None]) -> Callable[[Row], Row]:
    def of(row: Row) -> Row:
        row = row.copy()
        function(row)
        return row

    return of


def gelu(row: Row) -> Row:
    out = np.empty_like(row)
    gelu_to(row, out)
    return out


EXACT: dict[str, tuple[Callable[[Row], Row], Callable[[Row], Row]]] = {
    "exp": (in_place(_exp), np.exp),
    "tanh": (in_place(tanh), np.tanh),
    "sigmoid": (in_place(sigmoid), lambda x: np.exp(-np.logaddexp(0, -x))),
    "gelu": (gelu, lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))),
}
UNITS = {"exp": 5, "tanh": 6, "sigmoid": 6, "gelu": 3}  # in the last place of the result, of gelu in that of its argument


@pytest.mark.parametrize("name", EXACT)
def test_single_precision_is_exact_to_a_few_units_in_the_last_place(name: str) -> None:
    function, exact = EXACT[name]
    random = np.random.default_rng(1)
    x = np.concatenate([random.normal(0, size, 20000) for size in (1e-3, 1, 10)] + [np.linspace(-86, 86, 20001)])
    x = x.astype(np.float32)
    wanted = exact(x.astype(np.float64))
    found = function(x)
    assert found.dtype == np.float32
    off = np.abs(found - wanted) / np.spacing(np.abs(x if name == "gelu" else wanted).astype(np.float32))
    assert off.max() <= UNITS[name], (x[off.argmax()], off.max())


@pytest.mark.parametrize("name", EXACT)
def test_double_precision_is_exact(name: str) -> None:
    function, exact = EXACT[name]
    x = np.concatenate([np.random.default_rng(1).normal(0, 3, 5000), np.linspace(-80, 80, 1001)])
    np.testing.assert_allclose(function(x), exact(x), rtol=1e-14, atol=1e-300 if name != "gelu" else 1e-14)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", EXACT)
def test_nan_stays_visible(name: str, dtype: type) -> None:
    row = np.array([0.5] * 9 + [np.nan] + [-0.5] * 9, dtype)
    for places in (slice(None), slice(9, 10)):  # among other numbers, where loops are vectorised, and alone
        found = EXACT[name][0](row[places].copy())
        assert np.isnan(found).tolist() == np.isnan(row[places]).tolist()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_ends_are_the_limits(dtype: type) -> None:
    ends = np.array([-np.inf, np.inf, -1e30, 1e30, 0.0], dtype)
    np.testing.assert_allclose(EXACT["tanh"][0](ends), [-1, 1, -1, 1, 0], rtol=4e-7, atol=0)
    np.testing.assert_allclose(EXACT["sigmoid"][0](ends), [0, 1, 0, 1, 0.5], atol=1e-37)
    with np.errstate(over="ignore", invalid="ignore"):
        found = EXACT["exp"][0](ends)
    assert found[[0, 2]].max() <= 1e-37
    assert found[[1, 3]].min() >= 1e38
    assert found[4] == 1


def test_a_state_is_never_larger_than_1() -> None:
    x = np.linspace(-20, 20, 100001).astype(np.float32)
    assert np.abs(EXACT["tanh"][0](x)).max() <= 1
    assert EXACT["sigmoid"][0](x).max() <= 1


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_slope_of_gelu_is_that_of_pytorch(dtype: torch.dtype) -> None:
    x = torch.linspace(-6, 6, 501, dtype=dtype, requires_grad=True)
    grad = torch.rand(501, dtype=dtype)
    torch.nn.functional.gelu(x, approximate="tanh").backward(grad)
    assert x.grad is not None
    found = grad.clone()
    gelu_down(found.numpy(), x.detach().numpy())
    torch.testing.assert_close(found, x.grad, rtol=0, atol=1e-5 if dtype == torch.float32 else 1e-13)


def test_rows_are_copied_and_added() -> None:
    row, out = np.arange(5.0), np.full(5, 2.0)
    add(row, out)
    assert out.tolist() == [2, 3, 4, 5, 6]
    copy(row, out)
    assert out.tolist() == [0, 1, 2, 3, 4]
