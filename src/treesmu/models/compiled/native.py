"""What Numba has no words for: matrix products by address, arrays at an address, and waiting for other threads.

Products call the BLAS library that NumPy is shipped with, or the one in PyTorch. Its address is an argument, not a constant, so
that compiled code can be stored on disk and used by another process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from llvmlite import ir
from numba import carray, njit, typeof, types
from numba.core import cgutils
from numba.extending import intrinsic

from .code_cache import cache_folder
from .compiling import telling
from .threads import INTERRUPTED

Function = TypeVar("Function", bound=Callable[..., Any])
Array = Any  # a NumPy array, inside compiled code

# Not nnan and ninf: what is not finite has to stay so, since a user is told of it.
OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"reassoc", "contract", "nsz"},
}
# Of functions that only compiled code calls. The wrappers for calls from Python and C would take more than a third of the time;
# Python must not call them, which would be a segmentation fault: it calls an entry.
INNER_OPTIONS: dict[str, Any] = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
NO_TRANSPOSE, TRANSPOSE = ord("N"), ord("T")
# OpenBLAS copies no matrices and is up to twice as fast if a product has at most this many multiplications and, with a
# transposed factor, this many results. Larger products are divided.
SMALL, SMALL_RESULT, FEWEST = 1_000_000, 1_200, 4
SPINS = 300  # how often a thread looks before it lets others run


def kernel(function: Function) -> Function:
    """Compile a function when it is first called by compiled code. Python must not call it: see INNER_OPTIONS."""
    return cast("Function", njit(**INNER_OPTIONS)(function))


def row_kernel(function: Function) -> Function:
    """Compile a kernel of rows that do not overlap, so that its loops are vectorised without asking whether they do."""
    compiled = njit(forceinline=True, **INNER_OPTIONS)(function)

    def without_overlap(flags: Any) -> Any:
        flags.noalias = True
        return flags

    compiled._compiler._customize_flags = without_overlap  # Numba has the flag, but no option for it
    return cast("Function", compiled)


def entry(function: Function) -> Function:
    """Compile a function that Python calls, and store the result on disk, with everything that it calls (code_cache.py)."""
    with cache_folder() as is_stored:
        return cast("Function", njit(cache=is_stored, **OPTIONS)(function))


class DirectCalls:
    """Calls of a compiled function that do not look at the types of the arguments again.

    Numba does so at every call, and named tuples of arrays take it a tenth of a millisecond. The caller guarantees that calls
    with the same key have arguments of the same types.
    """

    def __init__(self, function: Any) -> None:
        self.function, self.known = function, dict[Any, Callable[..., Any]]()

    def __call__(self, key: Any, *arguments: Any) -> Any:
        """Call the function with these arguments, and return what it returns."""
        if key not in self.known:
            kinds = tuple(typeof(argument) for argument in arguments)
            with telling():
                self.function.compile(kinds)
            self.known[key] = self.function.get_overload(kinds)
        return self.known[key](*arguments)


@intrinsic  # type: ignore[untyped-decorator]
def _gemm(typing: Any, blas: Any, ta: Any, tb: Any, m: Any, n: Any, k: Any, a: Any, b: Any, beta: Any, c: Any) -> Any:
    """Call a Fortran BLAS: c = op(a) op(b) + beta c, column by column. a, b, c: addresses and distances between columns."""
    del typing
    number = beta
    place = types.UniTuple(types.int64, 2)
    signature = types.void(*[types.int64] * 6, place, place, number, place)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del signature
        blas, ta, tb, m, n, k, a, b, beta, c = arguments
        pointer = ir.IntType(8).as_pointer()

        def reference(value: Any) -> Any:
            return builder.bitcast(cgutils.alloca_once_value(builder, value), pointer)

        def character(value: Any) -> Any:
            return reference(builder.trunc(value, ir.IntType(8)))

        def matrix(value: Any) -> tuple[Any, Any]:
            address, distance = (builder.extract_value(value, i) for i in range(2))
            return builder.inttoptr(address, pointer), reference(distance)

        # All integers have 64 bits. A library that expects 32 reads the lower half, which comes first on today's machines.
        sizes = [reference(size) for size in (m, n, k)]
        alpha = reference(ir.Constant(context.get_value_type(number), 1.0))
        function = ir.FunctionType(ir.VoidType(), [pointer] * 13).as_pointer()
        given = [character(ta), character(tb), *sizes, alpha, *matrix(a), *matrix(b), reference(beta), *matrix(c)]
        builder.call(builder.inttoptr(blas, function), given)
        return context.get_dummy_value()

    return signature, generate


@kernel
def _divided(rows: int, most: int) -> int:
    """Return how many rows a product takes at a time: at most so many or, if these are too few to be worth it, all."""
    return most if most >= FEWEST else rows


@kernel
def product(blas: int, rows: int, inputs: int, outputs: int, x: Any, w: Any, beta: Any, out: Any, item: int) -> None:
    """Write out = x w + beta out. x: (rows, inputs), w: (inputs, outputs), as (address, distance between rows).

    item: the bytes of a number. Some rows at a time: see SMALL.
    """
    step = _divided(rows, SMALL // (inputs * outputs))
    for start in range(0, rows, step):
        given, to = (x[0] + start * x[1] * item, x[1]), (out[0] + start * out[1] * item, out[1])
        _gemm(blas, NO_TRANSPOSE, NO_TRANSPOSE, outputs, min(step, rows - start), inputs, w, given, beta, to)


@kernel
def product_down(blas: int, rows: int, inputs: int, outputs: int, dout: Any, w: Any, beta: Any, dx: Any, item: int) -> None:
    """Write dx = dout wᵀ + beta dx. dout: (rows, outputs), w: (inputs, outputs), dx: (rows, inputs). item: as above."""
    step = _divided(rows, min(SMALL // (inputs * outputs), SMALL_RESULT // inputs))
    for start in range(0, rows, step):
        given, to = (dout[0] + start * dout[1] * item, dout[1]), (dx[0] + start * dx[1] * item, dx[1])
        _gemm(blas, TRANSPOSE, NO_TRANSPOSE, inputs, min(step, rows - start), outputs, w, given, beta, to)


@kernel
def weight_gradient(blas: int, rows: int, inputs: int, outputs: int, x: Any, dout: Any, beta: Any, dw: Any) -> None:
    """Write dw = xᵀ dout + beta dw. x: (rows, inputs), dout: (rows, outputs), dw: (inputs, outputs)."""
    _gemm(blas, NO_TRANSPOSE, TRANSPOSE, outputs, inputs, rows, dout, x, beta, dw)


@kernel
def place(array: Array, start: int, distance: int) -> Any:
    """Return where rows of a flat array begin and the distance between them, for the products."""
    return array.ctypes.data + start * array.itemsize, distance


@intrinsic  # type: ignore[untyped-decorator]
def pointer_to(typing: Any, address: Any, like: Any) -> Any:
    """Return an address as a pointer to numbers of the type of an array; ``numba.carray`` makes an array of it."""
    del typing, address
    kind = types.CPointer(like.dtype)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del signature
        return builder.inttoptr(arguments[0], context.get_value_type(kind))

    return kind(types.int64, like), generate


@kernel
def unowned(array: Array) -> Array:
    """Return an array that does not count its users: each part of a counted one costs two indivisible operations."""
    return carray(pointer_to(array.ctypes.data, array), array.shape)


@intrinsic  # type: ignore[untyped-decorator]
def power_of_two(typing: Any, exponent: Any) -> Any:
    """Return 2 to a whole power, both float32, by writing the exponent into the bits of the number."""
    del typing, exponent

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        del context, signature
        bits = ir.IntType(32)
        shifted = builder.add(builder.fptosi(arguments[0], bits), ir.Constant(bits, 127))
        return builder.bitcast(builder.shl(shifted, ir.Constant(bits, 23)), ir.FloatType())

    return types.float32(types.float32), generate


def _address(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    return builder.gep(context.make_array(array_type)(context, builder, array).data, [index])


@intrinsic  # type: ignore[untyped-decorator]
def _add(typing: Any, array: Any, index: Any, value: Any) -> Any:
    """Add to an entry of an int64 array as one indivisible operation; return what was there before."""
    del typing, index, value

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], arguments[0], arguments[1])
        return builder.atomic_rmw("add", address, arguments[2], "seq_cst")

    return types.int64(array, types.int64, types.int64), generate


_let_others_run = types.ExternalFunction("sched_yield", types.int32())


@kernel
def wait_for_others(barrier: Array, threads: int) -> None:
    """Return when all threads have called this, or one of them never will.

    barrier: (3,) zeros at first: how many have come, how often all have, and 1 if the calling thread was interrupted.
    """
    if threads == 1:
        return
    turn = _add(barrier, 1, 0)
    if _add(barrier, 0, 1) == threads - 1:
        _add(barrier, 0, -threads)
        _add(barrier, 1, 1)
        return
    spins = 0
    while _add(barrier, 1, 0) == turn and _add(barrier, INTERRUPTED, 0) == 0:
        spins += 1
        if spins > SPINS:
            _let_others_run()
