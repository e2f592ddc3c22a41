"""Whether the tree models can be compiled here: Numba, a BLAS library, and no wish of the user's against it.

``treesmu --version`` says so too, and must not wait for PyTorch: therefore this module is not one of ``models``.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .errors import one_line

SWITCH = "TREESMU_COMPILED"  # 0: never compile
NOTICE = "treesmu: compiling the tree models for this machine; some seconds, only the first time"
SIZES = {4: "s", 8: "d"}  # bytes of a number, and BLAS's letter for them


class Library(NamedTuple):
    """A BLAS library: its file, and the patterns of the names of its functions."""

    name: str
    path: Path
    product: str
    threads: str | None  # to get and set the number of its threads


def libraries() -> Iterator[Library]:
    """Yield the libraries that may be here, the fastest for small matrices first."""
    numpy, torch = _folder("numpy"), _folder("torch")
    for folder in (numpy.parent / "numpy.libs", numpy / ".dylibs"):
        for path in sorted(folder.glob("libscipy_openblas*")):
            end = "64_" if "openblas64_" in path.name else ""
            yield Library("OpenBLAS of NumPy", path, f"scipy_{{}}gemm_{end}", f"scipy_openblas_{{}}_num_threads{end}")
    for path in sorted((torch / "lib").glob("libtorch_cpu.*")):
        yield Library("BLAS of PyTorch", path, "{}gemm_", None)
    yield Library("Accelerate", Path("/System/Library/Frameworks/Accelerate.framework/Accelerate"), "{}gemm_", None)


def _folder(package: str) -> Path:
    """Return where a package is, without importing it."""
    found = importlib.util.find_spec(package)
    return Path(found.origin or "").parent if found else Path()


class Blas:
    """The matrix products of a library: addresses by the size of a number in bytes."""

    def __init__(self, library: Library) -> None:
        """Load the library; raise an OSError or an AttributeError if it or one of the functions does not exist."""
        loaded = ctypes.CDLL(str(library.path))
        self.name = library.name
        self.gemm = {size: _address(loaded[library.product.format(kind)]) for size, kind in SIZES.items()}
        threads = library.threads
        self._threads = None if threads is None else tuple(loaded[threads.format(what)] for what in ("get", "set"))

    @contextmanager
    def one_thread(self) -> Iterator[None]:
        """Keep the library from starting threads of its own: the products are small, and passes divide the work themselves."""
        if self._threads is None or (before := self._threads[0]()) == 1:
            yield
            return
        self._threads[1](1)
        try:
            yield
        finally:
            self._threads[1](before)


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


@cache
def find_blas() -> Blas | None:
    """Return the first library that is here."""
    for library in libraries():
        with suppress(OSError, AttributeError):
            return Blas(library)
    return None


@cache
def why_not() -> str | None:
    """Return why passes cannot be compiled here, or None if they can."""
    if os.environ.get(SWITCH, "1") == "0":
        return f"switched off by {SWITCH}=0"
    if importlib.util.find_spec("numba") is None:
        return "Numba is not installed: pip install numba"
    if find_blas() is None:
        return "no BLAS library was found in NumPy or PyTorch"
    try:
        import numba  # noqa: F401
    except Exception as error:  # Numba refuses versions of NumPy and Python that it does not know, each in its own way
        return f"Numba cannot be imported: {one_line(error)}"
    return None


def description() -> str:
    """Return in words whether passes are compiled here, with the parts that are used, or why they are not."""
    reason, blas = why_not(), find_blas()
    if reason is not None or blas is None:
        return f"not compiled: {reason}"
    import numba

    return f"compiled (Numba {numba.__version__}, {blas.name})"
