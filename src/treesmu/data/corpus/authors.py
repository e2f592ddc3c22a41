"""Read and write the authors' JSON files of equations, blanks and candidates; a file that is written again keeps its bytes.

A file is a list of lists of examples; the outer index is the depth. An example keeps the :class:`Spelling` of its tree where
it differs from ours, so that a file that is read and written again has the same bytes.
"""

from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from reprlib import repr as short
from typing import Any, TypeVar

from treesmu.errors import DataError
from treesmu.expr import BLANK, Expr, TreePath, leaf
from treesmu.files import atomic_write

from .spelling import Spelling, tree_of

__all__ = ["LABELS", "Example", "Spelling", "by_depth", "dumps", "iter_equations", "loads", "read_authors", "write_authors"]

A = TypeVar("A")
B = TypeVar("B")
Skip = Callable[[str], None]

LABELS: dict[str, bool | None] = {"1": True, "0": False, "-1": None}  # -1: not known, as for candidates

# The fields of a stored equation, in the order of the files and of Spelling, with their JSON types.
_STORED: dict[str, type] = {"vars": str, "numNodes": str, "variables": dict, "depth": str, "nodeNum": str, "func": str}


@dataclass(frozen=True, slots=True)
class Example:
    """An equation with its label, the path of its blank if it has one, and its class if it is a candidate."""

    equation: Expr  # complete, also if it has a blank; for a candidate the expression
    label: str
    blank: TreePath | None = None
    class_: str | None = None
    spelling: Spelling | None = None  # None: that of Spelling.of

    def __post_init__(self) -> None:
        if self.label not in LABELS:
            raise DataError(f"unknown label {short(self.label)}; known: {', '.join(map(repr, LABELS))}")

    @property
    def correct(self) -> bool | None:
        """The label as a bool, None where it is not known."""
        return LABELS[self.label]

    @property
    def question(self) -> Expr:
        """The equation with ``_`` in place of the answer."""
        return self.equation.replace(self._path(), leaf(BLANK))

    @property
    def answer(self) -> Expr:
        """The sub-expression that was blanked."""
        return self.equation.at(self._path())

    def spelled(self) -> str:
        """Return the functions and values that the file has for the answer, or for the whole tree if there is no blank."""
        spelling = self.spelling or Spelling.of(self.equation)
        first, part = (0, self.equation) if self.blank is None else (_position(self.equation, self.blank), self.answer)
        return spelling.part(first, part.size)

    def _path(self) -> TreePath:
        if self.blank is None:
            raise DataError("this example has no blank")
        return self.blank


def read_authors(path: str | os.PathLike[str], skip: Skip | None = None) -> list[list[Example]]:
    """Return the examples of a file, as lists by depth. skip: see :func:`loads`."""
    try:
        text = pathlib.Path(path).read_bytes().decode()
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 text (byte {error.start}); is it a JSON file?") from error
    return loads(text, os.fspath(path), skip)


def write_authors(path: str | os.PathLike[str], examples: Sequence[Sequence[Example]]) -> None:
    """Write examples, given as lists by depth, to a file, which is replaced completely or not at all."""
    path = pathlib.Path(path)
    text = dumps(examples, str(path))
    with atomic_write(path) as temporary:
        temporary.write_bytes(text.encode())


def loads(text: str, source: str = "text", skip: Skip | None = None) -> list[list[Example]]:
    """Return the examples in the text of a file. source: the name of the file in errors.

    skip: called with what is wrong with each bad example, which is then left out; by default the first one is a DataError.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{source}: not JSON: {error}") from error
    if not isinstance(data, list) or not all(isinstance(group, list) for group in data):
        raise DataError(f"{source}: not a list of lists of examples; the outer index is the depth")
    return _each(data, _from_json, source, skip)


def dumps(examples: Sequence[Sequence[Example]], source: str = "text") -> str:
    """Return the text of a file with these examples."""
    return json.dumps(_each(examples, _to_json, source), indent=4, separators=(", ", ": "))


def by_depth(rows: Iterable[tuple[Expr, str | bool | None]]) -> list[list[Example]]:
    """Return lists by depth of equations with their labels (``"1"`` or True, ``"0"`` or False, ``"-1"`` or None)."""
    names: dict[object, str] = {truth: label for label, truth in LABELS.items()}
    examples = [Example(e, names.get(label, str(label))) for e, label in rows]
    groups: list[list[Example]] = [[] for _ in range(1 + max((x.equation.depth for x in examples), default=-1))]
    for example in examples:
        groups[example.equation.depth].append(example)
    return groups


# -- examples ----------------------------------------------------------------------------------------------------------


def iter_equations(groups: Sequence[Sequence[Any]]) -> Iterator[tuple[Expr, Any] | ValueError]:
    """Yield the equation and the label of every example, or the error that says what is wrong with it.

    Only func, vars and label are read, so that files with further or without some fields can be imported.
    """
    return (found for _, found in _converted(groups, _equation_and_label))


def _equation_and_label(record: object) -> tuple[Expr, Any]:
    given = _require(record, "the example", {"equation": dict, "label": object})
    stored = _require(given["equation"], "the equation", {"func": str, "vars": str})
    return tree_of(stored["func"], stored["vars"]), given["label"]


def _each(groups: Sequence[Sequence[A]], convert: Callable[[A], B], source: str, skip: Skip | None = None) -> list[list[B]]:
    """Return every example converted; an error names the example."""
    done: list[list[B]] = [[] for _ in groups]
    for depth, found in _converted(groups, convert):
        if not isinstance(found, ValueError):
            done[depth].append(found)
        elif skip is None:
            raise DataError(f"{source}: {found}") from found
        else:
            skip(f"{source}: {found}")
    return done


def _converted(groups: Sequence[Sequence[A]], convert: Callable[[A], B]) -> Iterator[tuple[int, B | ValueError]]:
    """Yield every example with the number of its list, converted, or the error that says why it cannot be."""
    for depth, group in enumerate(groups):
        for index, example in enumerate(group):
            try:
                yield depth, convert(example)
            except ValueError as error:
                yield depth, ValueError(f"depth list {depth}, example {index}: {error}")


def _require(record: object, name: str, required: dict[str, type]) -> dict[str, Any]:
    """Return a JSON object after checking that it has these keys, with values of these types."""
    if not isinstance(record, dict):
        raise ValueError(f"{name} is not an object")
    if missing := [key for key in required if key not in record]:
        raise ValueError(f"{name} has no {' and no '.join(map(repr, missing))}")
    for key, kind in required.items():
        if not isinstance(record[key], kind):
            raise ValueError(f"{key!r} is {short(record[key])}, not {'text' if kind is str else 'an object'}")
    return record


def _fields(record: object, name: str, required: dict[str, type], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a JSON object that has no other keys than these; the values of optional ones are strings."""
    known = required | {key: str for key in optional if isinstance(record, dict) and key in record}
    checked = _require(record, name, known)
    if unknown := [key for key in checked if key not in known]:
        raise ValueError(f"{name} has the unknown key {short(unknown[0])}, which would be lost; remove it")
    return checked


def _from_json(record: object) -> Example:
    given = _fields(record, "the example", {"equation": dict, "label": str}, ("blankNodeNum", "class"))
    stored = _fields(given["equation"], "the equation", _STORED)
    if not all(type(number) is int for number in stored["variables"].values()):
        raise ValueError("'variables' does not map every variable to a number")
    stored["variables"] = tuple(stored["variables"].items())
    spelling = Spelling(*(stored[key] for key in _STORED))
    equation = spelling.tree()
    blank = None if "blankNodeNum" not in given else _find(equation, given["blankNodeNum"], spelling.node_numbers())
    return Example(equation, given["label"], blank, given.get("class"), None if spelling == Spelling.of(equation) else spelling)


def _to_json(example: Example) -> dict[str, Any]:
    spelling = example.spelling or Spelling.of(example.equation)
    if example.spelling is not None and spelling.tree() is not example.equation:
        raise ValueError("the spelling is that of another equation; leave it out")
    stored = dict(zip(_STORED, spelling, strict=True))
    record: dict[str, Any] = {"equation": {**stored, "variables": dict(spelling.variables)}}
    if example.blank is not None:
        record["blankNodeNum"] = spelling.node_numbers()[_position(example.equation, example.blank)]
    if example.class_ is not None:
        record["class"] = example.class_
    return {**record, "label": example.label}


def _find(e: Expr, number: str, numbers: list[str]) -> TreePath:
    """Return the path of the node with a number, from the sizes of sub-trees: listing all paths is slow in a deep tree."""
    if (found := numbers.count(number)) != 1:
        raise ValueError(f"blankNodeNum is {short(number)}, a number that {found or 'no'} nodes have in nodeNum")
    position, path = numbers.index(number), []
    while position > 0:
        child = int(position > e.left.size)
        position -= 1 + child * e.left.size
        e = e.children[child]
        path.append(child)
    return tuple(path)


def _position(e: Expr, path: TreePath) -> int:
    """Return the position in preorder of the node at a path."""
    position = 0
    for child in path:
        if not 0 <= child < len(e.children):
            raise ValueError(f"the path of the blank, {short(path)}, leads out of the tree")
        position += 1 + child * e.left.size
        e = e.children[child]
    return position
