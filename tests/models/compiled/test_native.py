"""Products by address, arrays at an address and powers of two are those of NumPy; calls by key skip the look at types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from samples import compiles
from treesmu.compilation import find_blas
from treesmu.models.compiled.native import (
    DirectCalls,
    entry,
    place,
    power_of_two,
    product,
    product_down,
    unowned,
    weight_gradient,
)

pytestmark = compiles


@entry
def _products(blas: int, x: Any, w: Any, out: Any, dx: Any, dw: Any, beta: Any) -> None:
    rows, inputs, outputs = len(x), w.shape[0], w.shape[1]
    at_x, at_w, at_out = place(x, 1, x.shape[1]), place(w, 0, outputs), place(out, 2, out.shape[1])
    product(blas, rows, inputs, outputs, at_x, at_w, beta, at_out, x.itemsize)
    product_down(blas, rows, inputs, outputs, at_out, at_w, beta, place(dx, 0, inputs), x.itemsize)
    weight_gradient(blas, rows, inputs, outputs, at_x, at_out, beta, place(dw, 0, outputs))


@pytest.mark.parametrize("beta", [0, 1])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [(5, 4, 3), (11, 400, 600)], ids=["small", "divided"])
def test_products_of_some_columns_are_those_of_numpy(size: tuple[int, int, int], dtype: type, beta: int) -> None:
    blas, random = find_blas(), np.random.default_rng(1)
    assert blas is not None
    rows, inputs, outputs = size
    x, w = random.normal(size=(rows, inputs + 2)).astype(dtype), random.normal(size=(inputs, outputs)).astype(dtype)
    out, dx, dw = np.ones((rows, outputs + 3), dtype), np.ones((rows, inputs), dtype), np.ones((inputs, outputs), dtype)
    seen = x[:, 1 : 1 + inputs]
    wanted = seen @ w + beta
    _products(blas.gemm[x.itemsize], x, w, out, dx, dw, dtype(beta))
    for found, exact in ((out[:, 2:-1], wanted), (dx, wanted @ w.T + beta), (dw, seen.T @ wanted + beta)):
        np.testing.assert_allclose(found, exact, rtol=0, atol=np.abs(exact).max() * (1e-5 if dtype == np.float32 else 1e-13))
    assert (out[:, [0, 1, -1]] == 1).all()


@entry
def _powers(exponents: Any, out: Any) -> None:
    for c in range(len(out)):
        out[c] = power_of_two(exponents[c])


def test_powers_of_two_are_exact() -> None:
    exponents = np.arange(-126, 128, dtype=np.float32)
    out = np.empty_like(exponents)
    _powers(exponents, out)
    np.testing.assert_array_equal(out, 2.0 ** exponents.astype(float))


@entry
def _fill_unowned(array: Any) -> None:
    same = unowned(array)
    for row in range(same.shape[0]):
        for column in range(same.shape[1]):
            same[row, column] = 10 * row + column


def test_an_array_that_does_not_count_its_users_is_the_same_memory() -> None:
    array = np.zeros((2, 3))
    _fill_unowned(array)
    assert array.tolist() == [[0, 1, 2], [10, 11, 12]]


@entry
def _add_to(array: Any, number: Any) -> None:
    array[0] += number


def test_direct_calls_compile_once_for_each_key() -> None:
    calls = DirectCalls(_add_to)
    whole, half = np.zeros(1, np.int64), np.zeros(1)
    for _ in range(3):
        calls("integers", whole, 2)
        calls("floats", half, 0.5)
    assert (whole[0], half[0]) == (6, 1.5)
    assert list(calls.known) == ["integers", "floats"]
