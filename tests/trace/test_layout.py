"""The places of boxes: none overlap, parents stand in the middle of their children, wide trees grow to the right."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from treesmu.trace.layout import APART, WIDEST, Layout, Size, place


def tree_of(parents: list[int]) -> list[list[int]]:
    """Return the children of each box in preorder, if box i + 1 is the last child of one of the boxes on the rightmost path."""
    children: list[list[int]] = [[]]
    path = [0]
    for i, choice in enumerate(parents, 1):
        path = path[: choice % len(path) + 1]
        children[path[-1]].append(i)
        children.append([])
        path.append(i)
    return children


def overlap(layout: Layout, sizes: list[Size], i: int, j: int) -> bool:
    (a, b), (c, d) = layout.corners[i], layout.corners[j]
    across = a + sizes[i].width > c + 1e-6 and c + sizes[j].width > a + 1e-6
    return across and b + sizes[i].height > d + 1e-6 and d + sizes[j].height > b + 1e-6


@given(st.lists(st.integers(0, 30), max_size=40), st.lists(st.integers(20, 150), min_size=41, max_size=41))
def test_boxes_do_not_overlap_and_lie_within_the_whole(parents: list[int], widths: list[int]) -> None:
    children = tree_of(parents)
    sizes = [Size(widths[i], 30 + i % 7) for i in range(len(children))]
    layout = place(sizes, children)
    assert not any(overlap(layout, sizes, i, j) for i, j in combinations(range(len(children)), 2))
    for (x, y), size in zip(layout.corners, sizes, strict=True):
        assert x >= -1e-6
        assert y >= -1e-6
        assert x + size.width <= layout.whole.width + 1e-6
        assert y + size.height <= layout.whole.height + 1e-6


@given(st.lists(st.integers(0, 30), max_size=12))
def test_a_parent_is_in_the_middle_of_its_children_which_keep_their_order(parents: list[int]) -> None:
    children = tree_of(parents)
    layout = place([Size(20, 20)] * len(children), children)
    assert layout.is_downwards
    for i, below in enumerate(children):
        if below:
            xs = [layout.corners[child][0] for child in below]
            assert xs == sorted(xs)
            assert abs(layout.corners[i][0] - (xs[0] + xs[-1]) / 2) < 1e-6
            assert {layout.corners[child][1] for child in below} == {layout.corners[below[0]][1]}


def test_neighbours_are_close() -> None:
    layout = place([Size(40, 20)] * 3, [[1, 2], [], []])
    assert layout.corners[2][0] - layout.corners[1][0] == 40 + APART


def test_what_is_too_wide_grows_to_the_right() -> None:
    children = [list(range(1, 40)), *([] for _ in range(39))]
    layout = place([Size(60, 20)] * 40, children)
    assert not layout.is_downwards
    assert layout.whole.width < WIDEST
    assert {x for x, _ in layout.corners[1:]} == {layout.corners[1][0]}
