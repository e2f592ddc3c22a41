"""A trace as an HTML page: the equation, the drawing, how to read it, and all nodes as a table. It needs no other file."""

from __future__ import annotations

from html import escape

from .style import SANS
from .svg import draw_svg
from .tree import TracedNode, TracedTree

_STYLE = f"""
:root {{ color-scheme: light dark; --ink: #16181d; --faint: #5b6472; --paper: #ffffff; --rule: #d5d9e0; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ink: #eceff4; --faint: #a4acba; --paper: #16181d; --rule: #3a414d; }} }}
body {{ margin: 0 auto; padding: 1.5rem; max-width: 80rem; color: var(--ink); background: var(--paper);
  font: 16px/1.5 {SANS}; }}
h1 {{ font-size: 1.4rem; font-weight: 600; overflow-x: auto; }}
figure {{ margin: 1rem 0; overflow-x: auto; border: 1px solid var(--rule); border-radius: 8px; }}
figure svg {{ display: block; margin: 0 auto; }}
p, summary {{ max-width: 46rem; }}
.table {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; white-space: nowrap; }}
th, td {{ padding: 0.25rem 0.7rem; text-align: right; border-bottom: 1px solid var(--rule); }}
th {{ color: var(--faint); font-weight: 600; }}
th:first-child, td:first-child {{ text-align: left; max-width: 24rem; overflow: hidden; text-overflow: ellipsis; }}
"""


def draw_page(tree: TracedTree) -> str:
    """Return a complete HTML document."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(str(tree.expr))}: trace</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{tree.expr.mathml()}</h1>\n<p>{_verdict(tree)}</p>\n<figure>\n{draw_svg(tree)}</figure>\n"
        f"<p>{_how_to_read(tree)}</p>\n"
        f"<details><summary>All nodes as a table</summary>\n{_table(tree)}\n</details>\n</body>\n</html>\n"
    )


def _verdict(tree: TracedTree) -> str:
    if tree.probability is None:
        return f"What <b>{escape(tree.model)}</b> computes at every node of this expression."
    return (
        f"<b>{escape(tree.model)}</b> reads both sides from the leaves to the roots and compares the two states: "
        f"P(correct) = {tree.probability:.1%}, distance {tree.distance:.2f}."
    )


def _how_to_read(tree: TracedTree) -> str:
    sentences = ["Each box is a node; a sub-expression that occurs twice is drawn twice. Point at a box to see its numbers."]
    if tree.actions and tree.memory_name == "stack":
        sentences.append(
            "The column at the right of a box is its stack, the top row first: the stronger the shade of a row, the longer its "
            "vector. A node first sums the stacks of its children, each times its forget gate, then pushes a new value, leaves "
            "the sum alone (no-op) and pops, in the shares that the bar below shows. Leaves have an empty stack."
        )
    elif tree.largest_row:
        sentences.append(f"The column at the right of a box is its {tree.memory_name}: shades are norms. Leaves have none.")
    return " ".join([*sentences, f"The number below the symbol is the norm of the state{tree.about_norms}."])


def _table(tree: TracedTree) -> str:
    gates = list(dict.fromkeys(name for node in tree.nodes for name in node.gates))
    rows = range(len(tree.nodes[0].rows))
    heads = ["expression", "depth", "norm of the state", *(f"row {i}" for i in rows), *gates]
    head = "".join(f"<th>{escape(name.replace('_', '-'))}</th>" for name in heads)
    body = "\n".join(_row(node, gates) for node in tree.nodes)
    return f'<div class="table"><table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'


def _row(node: TracedNode, gates: list[str]) -> str:
    numbers = [f"{norm:.3f}" for norm in (node.norm, *node.row_norms)]
    numbers += [", ".join(f"{mean:.2f}" for mean in _means(node, name)) for name in gates]
    cells = "".join(f"<td>{text}</td>" for text in (str(node.depth), *numbers))
    return f"<tr><td>{escape(str(node.expr))}</td>{cells}</tr>"


def _means(node: TracedNode, gate: str) -> list[float]:
    """Return the mean of a gate, for each child if it is the forget gate; nothing if the node does not have it."""
    return node.forget if gate == "f" else [node.means[gate]] if gate in node.means else []
