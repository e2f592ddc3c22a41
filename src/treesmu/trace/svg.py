"""A trace as an SVG drawing: one box per node with its symbol, its stack, its actions and the norm of its state."""

from __future__ import annotations

from itertools import accumulate
from xml.sax.saxutils import escape

from .layout import Layout, Size, place
from .legend import legend_lines
from .style import GATE_COLOURS, svg_style
from .tree import TracedNode, TracedTree, symbol_of

MARGIN = 16
LONGEST_SYMBOL = 14  # characters; longer ones are cut, and shown whole in the tooltip
CHARACTER = 8.5  # the width of a character of a symbol
STACK_WIDTH = 16
BAR_HEIGHT = 6
TALLEST_STACK = 60  # beyond, its rows become thinner
TITLE_HEIGHT = 40
LINE_HEIGHT = 18  # of the legend
NARROWEST = 420  # so that title and legend have room
SMALL_CHARACTER = 6.2  # the width of a character of title and legend, on average


def draw_svg(tree: TracedTree) -> str:
    """Return a complete SVG document that refers to no other file; a tooltip shows the numbers of each node."""
    boxes: list[TracedNode | None] = [None] if tree.expr.is_equation else []
    boxes += tree.nodes
    places = {() if node is None else node.path: i for i, node in enumerate(boxes)}
    children = [_numbers_of_children(tree, node, places) for node in boxes]
    sizes = [_size(tree, node) for node in boxes]
    layout = place(sizes, children)
    width = max(NARROWEST, layout.whole.width) + 2 * MARGIN
    legend = legend_lines(tree, width - 2 * MARGIN)
    height = MARGIN + TITLE_HEIGHT + layout.whole.height + 20 + LINE_HEIGHT * len(legend) + MARGIN
    left = MARGIN + (width - 2 * MARGIN - layout.whole.width) / 2
    parts = [
        *(_edges(node, i, children[i], layout, sizes) for i, node in enumerate(boxes)),
        *(_box(tree, node, *layout.corners[i], sizes[i]) for i, node in enumerate(boxes)),
    ]
    title = escape(f"{tree.expr} traced by {tree.model}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tt" role="img" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}"><title>{title}</title><style>{svg_style()}</style>\n'
        f'<rect class="background" width="100%" height="100%"/>\n{_title(tree, width)}\n'
        f'<g transform="translate({left:.1f} {MARGIN + TITLE_HEIGHT})">\n' + "\n".join(filter(None, parts)) + "\n</g>\n"
        f"{_legend(legend, height - MARGIN - LINE_HEIGHT * len(legend))}\n</svg>\n"
    )


def _numbers_of_children(tree: TracedTree, node: TracedNode | None, places: dict[tuple[int, ...], int]) -> list[int]:
    below = tree.sides if node is None else node.children
    return [places[child.path] for child in below]


def _size(tree: TracedTree, node: TracedNode | None) -> Size:
    text = _symbol(tree, node)
    if node is None:
        return Size(CHARACTER * len(text) + 24, 26)
    stack = STACK_WIDTH + 6 if len(node.rows) else 0
    return Size(max(34, CHARACTER * len(text) + 12) + stack, _upper_height(tree) + _bars_height(tree, node))


def _upper_height(tree: TracedTree) -> float:
    return max(36, _row_height(tree) * len(tree.nodes[0].rows) + 10)


def _row_height(tree: TracedTree) -> float:
    return min(11, TALLEST_STACK / max(1, len(tree.nodes[0].rows)))


def _bars_height(tree: TracedTree, node: TracedNode) -> float:
    return (BAR_HEIGHT + 2) * len(_bars(tree, node)) + 2 if _bars(tree, node) else 0


def _symbol(tree: TracedTree, node: TracedNode | None) -> str:
    text = symbol_of(tree.expr) if node is None else node.symbol
    return text if len(text) <= LONGEST_SYMBOL else text[: LONGEST_SYMBOL - 1] + "…"


# -- boxes -------------------------------------------------------------------------------------------------------------


def _box(tree: TracedTree, node: TracedNode | None, x: float, y: float, size: Size) -> str:
    """Return a box: the symbol above the norm at the left, the stack at the right, the bars below."""
    frame = f'<rect class="box outline" width="{size.width:.1f}" height="{size.height:.1f}" rx="6"/>'
    stack = STACK_WIDTH + 6 if node is not None and len(node.rows) else 0
    middle = (size.width - stack) / 2
    symbol = f'<text class="symbol ink" x="{middle:.1f}" y="18" text-anchor="middle">{escape(_symbol(tree, node))}</text>'
    parts = [f'<g transform="translate({x:.1f} {y:.1f})">', f"<title>{escape(describe(tree, node))}</title>", frame, symbol]
    if node is not None:
        parts.append(f'<text class="small faint" x="{middle:.1f}" y="31" text-anchor="middle">{_short(node.norm)}</text>')
        parts += _stack(tree, node, size.width - STACK_WIDTH - 5)
        parts += _drawn_bars(tree, node, size)
    return "".join([*parts, "</g>"])


def _stack(tree: TracedTree, node: TracedNode, x: float) -> list[str]:
    height, largest = _row_height(tree), tree.largest_row or 1.0
    cells = []
    for i, norm in enumerate(node.row_norms):
        part = f'x="{x:.1f}" y="{5 + i * height:.1f}" width="{STACK_WIDTH}" height="{height:.1f}"'
        cells.append(
            f'<rect class="row" {part} fill-opacity="{norm / largest:.3f}"/><rect class="outline" {part} fill="none"/>'
        )
    return cells


def _bars(tree: TracedTree, node: TracedNode) -> list[list[tuple[str, float]]]:
    """Return the bars of a node, each a list of colours and shares: the actions as one bar, or every other gate as one."""
    if tree.actions:
        actions = [(name, node.means[name]) for name in tree.actions if name in node.means]
        return [actions] if actions else []
    gates = [(f"gate-{i}", name) for i, name in enumerate(tree.other_gates[:GATE_COLOURS])]
    return [[(colour, node.means[name])] for colour, name in gates if name in node.means]


def _drawn_bars(tree: TracedTree, node: TracedNode, size: Size) -> list[str]:
    room, y = size.width - 10, _upper_height(tree)
    parts = []
    for bar in _bars(tree, node):
        starts = accumulate((share for _, share in bar), initial=0.0)
        for (colour, share), start in zip(bar, starts, strict=False):
            part = f'x="{5 + room * start:.1f}" y="{y:.1f}" width="{room * share:.1f}" height="{BAR_HEIGHT}"'
            parts.append(f'<rect class="{colour}" {part}/>')
        parts.append(f'<rect class="outline" x="5" y="{y:.1f}" width="{room:.1f}" height="{BAR_HEIGHT}" fill="none"/>')
        y += BAR_HEIGHT + 2
    return parts


def describe(tree: TracedTree, node: TracedNode | None) -> str:
    """Return the numbers of a node as lines of text."""
    if node is None:
        distance = "" if tree.distance is None else f"distance of the sides' states {_short(tree.distance)}"
        return f"{tree.expr}\n{distance}"
    lines = [str(node.expr), f"norm of the state {_short(node.norm)}"]
    if len(node.rows):
        lines.append(f"norms of the rows, top first: {', '.join(map(_short, node.row_norms))}")
    lines += [f"{name.replace('_', '-')} {_short(mean)}" for name, mean in node.means.items() if name != "f"]
    if node.forget:
        lines.append(f"forget gates of the children: {', '.join(map(_short, node.forget))}")
    return "\n".join(lines)


def _short(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 1000 else f"{value:.1e}"


# -- lines, title, legend ----------------------------------------------------------------------------------------------


def _edges(node: TracedNode | None, i: int, children: list[int], layout: Layout, sizes: list[Size]) -> str:
    """Return the lines to the children, as thick as their forget gates are open."""
    forget = node.forget if node is not None else []
    (x, y), size = layout.corners[i], sizes[i]
    parts = []
    for k, child in enumerate(children):
        (cx, cy), below = layout.corners[child], sizes[child]
        if layout.is_downwards:
            x0, y0, x1, y1 = x + size.width / 2, y + size.height, cx + below.width / 2, cy
            curve = f"M{x0:.1f} {y0:.1f}C{x0:.1f} {(y0 + y1) / 2:.1f} {x1:.1f} {(y0 + y1) / 2:.1f} {x1:.1f} {y1:.1f}"
        else:
            x0, y0, x1, y1 = x + size.width, y + size.height / 2, cx, cy + below.height / 2
            curve = f"M{x0:.1f} {y0:.1f}C{(x0 + x1) / 2:.1f} {y0:.1f} {(x0 + x1) / 2:.1f} {y1:.1f} {x1:.1f} {y1:.1f}"
        thickness = 0.75 + 6 * forget[k] if k < len(forget) else 1.5
        parts.append(f'<path class="line" d="{curve}" stroke-width="{thickness:.2f}"/>')
    return "".join(parts)


def _title(tree: TracedTree, width: float) -> str:
    most = int((width - 2 * MARGIN) / (1.35 * SMALL_CHARACTER))
    text = str(tree.expr) if len(str(tree.expr)) <= most else str(tree.expr)[: most - 1] + "…"
    facts = tree.model + tree.point_text
    if tree.probability is not None:
        distance = f"distance of the sides' states {_short(tree.distance or 0.0)}{tree.point_text}"
        facts = f"{tree.model}: P(correct) {tree.probability:.1%}; {distance}"
    return (
        f'<text class="title ink" x="{MARGIN}" y="{MARGIN + 10}">{escape(text)}</text>'
        f'<text class="faint" x="{MARGIN}" y="{MARGIN + 27}">{escape(facts)}</text>'
    )


def _legend(lines: list[str], y: float) -> str:
    shifted = (f'<g transform="translate({MARGIN} {y + i * LINE_HEIGHT:.1f})">{line}</g>' for i, line in enumerate(lines))
    return "\n".join(shifted)
