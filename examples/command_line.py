"""The command line that the examples share: a file to write, and an option for each setting of a generator."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from treesmu.errors import DataError
from treesmu.generate.other_trees.write import Row, write_rows


def run_example(text: str, settings: type, rows: Callable[[Any], Iterable[Row]], arguments: list[str] | None = None) -> None:
    """Write the rows of a generator as the command line says. text: the docstring of the example, which --help shows."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="FILE.jsonl", help="the file to write")
    for field in fields(settings):
        is_range = isinstance(field.default, tuple)
        option, kind = f"--{field.name.replace('_', '-')}", _range if is_range else _count
        parser.add_argument(option, type=kind, default=field.default, metavar="A-B" if is_range else "N")
    given = vars(parser.parse_args(arguments))
    out: Path = given.pop("out")
    try:
        counts = write_rows(rows(settings(**given)), out)
    except (DataError, ValueError) as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{out}: cannot be written: {error.strerror or error}")
    print(f"{out}: " + ", ".join(f"{count:,} {split}" for split, count in counts.items()))


def _range(text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    first, last = _count(low), _count(high or low)
    if first > last:
        raise argparse.ArgumentTypeError(f"expected A-B with A <= B, such as 1-6, not {text}")
    return first, last


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"expected a whole number that is not negative, not {text!r}")
    return int(text)
