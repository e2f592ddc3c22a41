"""Whether the tree models can be compiled is found out without PyTorch, and the reason is given if they cannot."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from treesmu import compilation
from treesmu.compilation import Blas, Library, description, find_blas, libraries, why_not

WITHOUT_NUMBA = "import sys; sys.modules['numba'] = None; "
BROKEN_NUMBA = """if True:
    import sys
    class Broken:
        def find_spec(self, name, path, target=None):
            if name == 'numba.core':
                raise SystemError('initialization of _internal failed')
    sys.meta_path.insert(0, Broken())
    """
SAY = "from treesmu.compilation import description; print(description())"


def said(code: str, **variables: str) -> str:
    """Run code in a fresh interpreter and return what it prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | variables)
    return done.stdout.strip()


def test_it_is_compiled_here_with_the_libraries_named() -> None:
    blas = find_blas()
    assert why_not() is None
    assert blas is not None
    assert description().startswith("compiled (Numba 0.")
    assert description().endswith(f", {blas.name})")


def test_the_switch_is_named_as_the_reason() -> None:
    assert said(SAY, TREESMU_COMPILED="0") == "not compiled: switched off by TREESMU_COMPILED=0"
    assert said(SAY, TREESMU_COMPILED="1").startswith("compiled (")


def test_without_numba_the_remedy_is_named() -> None:
    assert said(WITHOUT_NUMBA + SAY) == "not compiled: Numba is not installed: pip install numba"


def test_a_numba_that_cannot_be_imported_is_no_error() -> None:
    found = said(BROKEN_NUMBA + SAY)
    assert found == "not compiled: Numba cannot be imported: initialization of _internal failed"


def test_pytorch_is_not_imported_for_it() -> None:
    assert said(f"import sys; {SAY}; print('torch' in sys.modules)").splitlines()[1] == "False"


def test_the_library_computes_products_in_both_precisions() -> None:
    blas = find_blas()
    assert blas is not None
    for size, dtype in ((4, np.float32), (8, np.float64)):
        a, b, c = np.eye(3, dtype=dtype), np.arange(9, dtype=dtype).reshape(3, 3), np.zeros((3, 3), dtype)
        number = ctypes.c_float if size == 4 else ctypes.c_double
        three, letter = ctypes.byref(ctypes.c_int64(3)), ctypes.c_char_p(b"N")
        one, zero = ctypes.byref(number(1)), ctypes.byref(number(0))
        places = [ctypes.c_void_p(array.ctypes.data) for array in (b, a, c)]
        product = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 13)(blas.gemm[size])
        product(letter, letter, three, three, three, one, places[0], three, places[1], three, zero, places[2], three)
        np.testing.assert_array_equal(c, b)


def test_the_library_uses_one_thread_within_a_pass_and_as_many_as_before_afterwards() -> None:
    blas = find_blas()
    assert blas is not None
    if blas._threads is None:
        pytest.skip(f"{blas.name} has no setting for its threads")
    get, set_to = blas._threads
    before = get()
    set_to(2)
    try:
        with blas.one_thread():
            assert get() == 1
        assert get() == 2
    finally:
        set_to(before)


def test_a_library_or_function_that_is_missing_leads_to_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    real = next(library for library in libraries() if library.path.exists())
    missing, other = Library("missing", Path("/nowhere/lib.so"), "{}gemm_", None), real._replace(product="no_{}gemm_")
    monkeypatch.setattr(compilation, "libraries", lambda: iter([missing, other, real]))
    found = find_blas.__wrapped__()
    assert isinstance(found, Blas)
    assert found.name == real.name
    monkeypatch.setattr(compilation, "libraries", lambda: iter([missing, other]))
    assert find_blas.__wrapped__() is None
    monkeypatch.setattr(compilation, "find_blas", lambda: None)
    assert why_not.__wrapped__() == "no BLAS library was found in NumPy or PyTorch"
