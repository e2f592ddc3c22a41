"""A trace as text: a tree, and beside each node bars for its gates, shades for its stack and the norm of its state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from textwrap import wrap

from .glyphs import ASCII, BLOCKS, Glyphs, paint
from .tree import TracedNode, TracedTree, symbol_of

NAMES = {"push": "push", "no_op": "no-op", "pop": "pop"}
COLOURS = {"push": "blue", "no_op": "grey", "pop": "orange"}
SHORTEST_TREE = 12  # columns of the tree, below which it is not cut
SHORTEST_EXPRESSION = 12


@dataclass(frozen=True)
class Column:
    """A column of the table beside the tree: a heading, and cells of equal width, each with its colour."""

    heading: str
    cells: list[tuple[str, str | None]]  # one for each node

    @property
    def width(self) -> int:
        return max(len(self.heading), *(len(text) for text, _ in self.cells))


def draw_text(tree: TracedTree, width: int | None = None, ascii_only: bool = False, colour: bool = False) -> Iterator[str]:
    """Yield the lines of the drawing. width: of the terminal; None for lines of any length."""
    glyphs, painted = ASCII if ascii_only else BLOCKS, partial(paint, colour=colour)
    for line in [*_wrapped(str(tree.expr), width), *_wrapped(_facts(tree), width)]:
        yield glyphs.encodable(line)
    yield ""
    branches = _branches(tree, glyphs, width)
    columns = _fitting(tree, glyphs, max(map(len, branches)), width)
    left = width if width is None else max(SHORTEST_TREE, width - sum(column.width + 2 for column in columns))
    branches = [_cut(line, left, glyphs) for line in branches]
    tree_width = max(map(len, branches))
    yield painted(_line("", tree_width, [(column, column.heading, None) for column in columns], painted), "grey")
    if tree.expr.is_equation:
        yield branches.pop(0)
    for i, branch in enumerate(branches):
        yield _line(branch, tree_width, [(column, *column.cells[i]) for column in columns], painted)
    yield ""
    for line in _legend(tree, glyphs, width, {column.heading for column in columns}):
        yield painted(line, "grey")


def _line(branch: str, width: int, cells: list[tuple[Column, str, str | None]], painted: partial[str]) -> str:
    """Return one line of the table; colours are added after the padding, because codes have no width."""
    while cells and not cells[-1][1]:
        cells.pop()
    if not cells:
        return branch
    *padded, (_, last, last_colour) = cells
    shown = [painted(f"{text:{column.width}}", colour) for column, text, colour in padded]
    return "  ".join([f"{branch:{width}}", *shown, painted(last, last_colour)])


def _facts(tree: TracedTree) -> str:
    if tree.probability is None:
        return tree.model + tree.point_text
    distance = f"distance of the sides' states {tree.distance:.2f}{tree.point_text}"
    return f"{tree.model}: P(correct) {tree.probability:.1%}, {distance}"


# -- the tree ----------------------------------------------------------------------------------------------------------


def _branches(tree: TracedTree, glyphs: Glyphs, width: int | None) -> list[str]:
    """Return the symbol of every node behind the lines of the tree; the indentation shrinks if the tree is deep."""
    deepest = max(node.depth for node in tree.nodes)
    indent = 3 if width is None or 3 * deepest <= width // 3 else 2 if 2 * deepest <= width // 3 else 1
    lines = [glyphs.encodable(symbol_of(tree.expr))] if tree.expr.is_equation else []
    for node in tree.nodes:
        lines.append(_indentation(tree, node, glyphs, indent) + glyphs.encodable(node.symbol))
    return lines


def _indentation(tree: TracedTree, node: TracedNode, glyphs: Glyphs, indent: int) -> str:
    parts, e = [], tree.expr
    for level, k in enumerate(node.path):
        is_last, is_own = k == len(e.children) - 1, level == len(node.path) - 1
        e = e.children[k]
        sign = (glyphs.corner if is_last else glyphs.tee) if is_own else (" " if is_last else glyphs.bar)
        filler = glyphs.dash if is_own else " "
        parts.append(sign if indent == 1 else f"{sign + filler * (indent - 2)} ")
    return "".join(parts)


def _cut(line: str, width: int | None, glyphs: Glyphs) -> str:
    """Return the end of a line that is too long, where the symbol is."""
    return line if width is None or len(line) <= width else glyphs.dots + line[len(glyphs.dots) - width :]


# -- the table ---------------------------------------------------------------------------------------------------------


def _fitting(tree: TracedTree, glyphs: Glyphs, tree_width: int, width: int | None) -> list[Column]:
    """Return the columns that fit beside the tree; the most important ones come first and are kept."""
    for numbers in (True, False):
        columns = [*_action_columns(tree, glyphs, numbers), *_stack_columns(tree, glyphs, 2 if numbers else 1)]
        others = [_norm_column(tree), *_gate_columns(tree, glyphs)]
        free = None if width is None else width - tree_width - sum(column.width + 2 for column in columns)
        if free is None or free >= others[0].width + 2:
            break
    for column in others:
        if free is not None:
            free -= column.width + 2
            if free < 0:
                return columns
        columns.append(column)
    if free is None or free >= SHORTEST_EXPRESSION + 2:
        columns.append(_expression_column(tree, glyphs, None if free is None else free - 2))
    return columns


def _action_columns(tree: TracedTree, glyphs: Glyphs, numbers: bool) -> list[Column]:
    columns = []
    for name in tree.actions:
        shares = [node.means.get(name) for node in tree.nodes]
        bars = ["" if s is None else glyphs.level(s) + (f"{round(100 * s):3d}" if numbers else "") for s in shares]
        columns.append(Column(NAMES[name] if numbers else NAMES[name][:2], [(bar, COLOURS[name]) for bar in bars]))
    return columns


def _stack_columns(tree: TracedTree, glyphs: Glyphs, width: int) -> list[Column]:
    if not len(tree.nodes[0].rows):
        return []
    largest = tree.largest_row or 1.0
    cells = ["".join(width * glyphs.shade(norm / largest) for norm in node.row_norms) for node in tree.nodes]
    return [Column(tree.memory_name, [(cell, None) for cell in cells])]


def _norm_column(tree: TracedTree) -> Column:
    return Column("|h|", [(f"{node.norm:.2f}" if node.norm < 1000 else f"{node.norm:.0e}", None) for node in tree.nodes])


def _gate_columns(tree: TracedTree, glyphs: Glyphs) -> list[Column]:
    """Return a column of one bar for each further gate, and one with a bar per child for the forget gates."""
    columns = []
    for name in tree.other_gates:
        means = [node.means.get(name) for node in tree.nodes]
        columns.append(Column(name, [("" if mean is None else glyphs.level(mean), None) for mean in means]))
    if any(node.forget for node in tree.nodes):
        columns.append(Column("f", [("".join(map(glyphs.level, node.forget)), None) for node in tree.nodes]))
    return columns


def _expression_column(tree: TracedTree, glyphs: Glyphs, width: int | None) -> Column:
    texts = ["" if node.expr.is_leaf else str(node.expr) for node in tree.nodes]
    if width is not None:
        texts = [text if len(text) <= width else text[: width - len(glyphs.dots)] + glyphs.dots for text in texts]
    return Column("", [(glyphs.encodable(text), "grey") for text in texts])


# -- the legend --------------------------------------------------------------------------------------------------------


def _legend(tree: TracedTree, glyphs: Glyphs, width: int | None, headings: set[str]) -> list[str]:
    """Return what explains the signs of the columns that are shown: one line, or more where the terminal is narrow."""
    parts = []
    if tree.actions:
        parts.append(f"{glyphs.levels[0]}{glyphs.levels[-1]} {'/'.join(NAMES[name] for name in tree.actions)} in %")
    if tree.largest_row:
        rows = "" if len(tree.nodes[0].rows) == 1 else " rows, top first"
        parts.append(f"{glyphs.shades[0]}{glyphs.shades[-1]} {tree.memory_name}{rows}: norm 0 to {tree.largest_row:.2f}")
    if "|h|" in headings:
        parts.append(f"|h| norm of the state{tree.about_norms}")
    if "f" in headings:
        parts.append("f kept of each child's memory")
    lines = parts[:1]
    for part in parts[1:]:
        if width is None or len(lines[-1]) + 3 + len(part) <= width:
            lines[-1] += f"   {part}"
        else:
            lines.append(part)
    return lines if width is None else [piece for line in lines for piece in wrap(line, width)]


def _wrapped(text: str, width: int | None) -> list[str]:
    """Return text in pieces of the terminal's width; a long equation has no good places to break."""
    if width is None or len(text) <= width:
        return [text]
    return [text[start : start + width] for start in range(0, len(text), width)]
