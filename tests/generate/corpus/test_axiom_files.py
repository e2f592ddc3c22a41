"""A user's file of identities is used in a corpus."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from generated import TINY, everything
from small_corpus import generate_small


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raise a TimeoutError instead of hanging."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_a_users_file_is_used(tmp_path: Path):
    file = tmp_path / "five.txt"
    file.write_text("sin(5*x) = 16*sin(x)^5 - 20*sin(x)^3 + 5*sin(x)\n")
    corpus = generate_small(**{**TINY, "families": ("numbers",), "axiom_files": (file,), "depths": (1, 7)})
    assert any("Mul 16 Pow sin" in p for _, rows in everything(corpus) for p in rows.prefix)


def test_identities_deeper_than_the_depths_asked_for_do_not_hang(tmp_path: Path):
    file = tmp_path / "double.txt"
    file.write_text("sin(2*x) = 2*sin(x)*cos(x)\n")
    sizes = {"train_size": 20, "validation_size": 4, "per_depth": 4, "depths": (3, 3), "test_depths": (4, 4)}
    with at_most(300):
        corpus = generate_small(**{**TINY, "families": (), "axiom_files": (file,), **sizes})
    assert len(corpus.splits["train"].rows) == 0  # the identity itself has depth 4
    assert len(corpus.splits["test"].rows) == 4


def test_a_file_of_padding_beside_a_family_can_be_used(tmp_path: Path):
    file = tmp_path / "idle.txt"
    file.write_text("# padding\nx = x + 0\n")
    generate_small(**{**TINY, "families": ("algebra",), "axiom_files": (file,)})
