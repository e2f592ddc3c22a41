"""Mutations of valid inputs: flipped bits, deleted, doubled and spliced parts, and words that are special to some reader."""

from __future__ import annotations

import random
from collections.abc import Sequence

WORDS = [
    *(b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\r\n", b"\n\n", b"\t", b",", b";", b'"', b'""', b"'", b"\\", b"\\ud800"),
    *(b"NaN", b"Infinity", b"-1", b"-0", b"1e999", b"9" * 40, b"0.1.2", b"null", b"true", b"[]", b"{}", b"[[", b"}}", b": "),
    *(
        b"((((",
        b"))))",
        b"=",
        b"==",
        b"_",
        b"^-",
        b"sin",
        b"\\frac{",
        b"\\sqrt[",
        b"x_{",
        "\u221a\u00b2\u207b".encode(),
        b"PAR1",
    ),
    *(b"equation", b"label", b"prefix", b"Equality ", b"tree", b"depth", b"__class__", b"../", b"1_000", b"0x10", b"\x1f\x8b"),
]


def mutate(data: bytes, rng: random.Random, others: Sequence[bytes] = ()) -> bytes:
    """Return the bytes with one to five changes. others: inputs of the same kind, parts of which may be spliced in."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
        _change(found, rng, others)
    return bytes(found)


def _change(data: bytearray, rng: random.Random, others: Sequence[bytes]) -> None:
    kind = rng.choice(("flip", "byte", "delete", "double", "insert", "insert", "splice", "cut", "swap"))
    start = rng.randrange(len(data) + 1)
    stop = min(len(data), start + rng.choice((1, 2, 4, 8, 32)))
    if kind == "flip" and start < len(data):
        data[start] ^= 1 << rng.randrange(8)
    elif kind == "byte" and start < len(data):
        data[start] = rng.randrange(256)
    elif kind == "delete":
        del data[start:stop]
    elif kind == "double":
        data[start:start] = data[start:stop] * rng.choice((1, 2, 50))
    elif kind == "insert":
        data[start:start] = rng.choice(WORDS)
    elif kind == "splice" and others:
        other = rng.choice(others)
        place = rng.randrange(len(other) + 1)
        data[start:stop] = other[place : place + rng.choice((4, 16, 64))]
    elif kind == "cut":
        del data[start:]
    elif kind == "swap":
        data[start:stop] = data[start:stop][::-1]
