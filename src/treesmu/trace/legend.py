"""The legend of the drawn tree: a sign and its meaning, side by side as far as the width allows."""

from __future__ import annotations

from xml.sax.saxutils import escape

from .style import GATE_COLOURS
from .tree import TracedTree

CHARACTER = 5.9  # the width of a character, on average
APART = 18
SIGN = 26  # the width of a sign with the space after it


def legend_lines(tree: TracedTree, width: float) -> list[str]:
    """Return the lines of the legend as SVG, each from x = 0 to at most the width."""
    lines: list[str] = []
    x = width + 1.0
    for sign, meaning in _entries(tree):
        needed = SIGN + CHARACTER * len(meaning)
        if x + needed > width:
            lines.append("")
            x = 0.0
        text = f'<text class="faint" x="{SIGN}" y="10">{escape(meaning)}</text>'
        lines[-1] += f'<g transform="translate({x:.1f} 0)">{sign}{text}</g>'
        x += needed + APART
    return lines


def _entries(tree: TracedTree) -> list[tuple[str, str]]:
    """Return pairs of a sign and its meaning."""
    entries = [(_patch(name), name.replace("_", "-")) for name in tree.actions]
    if not tree.actions:
        entries += [(_patch(f"gate-{i}"), f"gate {name}") for i, name in enumerate(tree.other_gates[:GATE_COLOURS])]
    if tree.largest_row:
        rows = "" if len(tree.nodes[0].rows) == 1 else " rows, top first"
        shade = '<rect class="row" x="{}" y="1" width="7" height="10" fill-opacity="{}"/>'
        shades = "".join(shade.format(7 * i, i / 2) for i in range(3))
        frame = '<rect class="outline" x="0" y="1" width="21" height="10" fill="none"/>'
        entries.append((shades + frame, f"{tree.memory_name}{rows}: norm from 0 to {tree.largest_row:.2f}"))
    number = '<text class="small faint" x="0" y="9">0.00</text>'
    entries.append((number, f"norm of the state{tree.about_norms}"))
    if any(node.forget for node in tree.nodes):
        line = '<path class="line" d="M2 3L20 3" stroke-width="1"/><path class="line" d="M3 9L19 9" stroke-width="5"/>'
        entries.append((line, "forget gate: how much of the child's memory is kept"))
    return entries


def _patch(colour: str) -> str:
    return f'<rect class="{colour}" x="4" y="2" width="14" height="8"/>'
