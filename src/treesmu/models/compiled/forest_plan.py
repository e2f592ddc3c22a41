"""ForestPlan: the groups, children and parents of a forest as integer arrays for the compiled pass.

The buffers of a pass are flat arrays. Rows of a buffer are in the order of functions, and of levels within a function: a group,
the nodes of one level and function, is contiguous, and so are all nodes of a function, whose weights get their gradient by one
product. Rows of different functions have different sizes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treesmu.data import Forest

from .native import Array, DirectCalls, entry, kernel

FUNCTION, ROW, ROWS, PLACE = range(4)  # columns of groups
ARITY, I_SIZE, HIDDEN_SIZE, Z_SIZE = range(4)  # columns of sizes
COUNT, ORDER, I_START, HIDDEN_START, Z_START = range(5)  # columns of functions
PARENT_FUNCTION, PARENT_PLACE, CHILD = range(3)  # columns of parents


class ForestPlan(NamedTuple):
    """Integer arrays of a forest. Rows count inner nodes from 0; a place counts the nodes of one function."""

    leaves: int
    levels: Array  # (levels + 1,) the first group of every level, from the lowest up
    groups: Array  # (groups, 4) function, first row, number of rows, place of the first row
    sizes: Array  # (functions, 4) arity, and numbers per node: of i, of the hidden layer, of z
    functions: Array  # (functions + 1, 5) number of nodes, of those before, where they begin in i, in the hidden layer, in z
    children: Array  # (nodes, arity) the number of nodes, which is that of a row of zeros, where there is none
    parent_starts: Array  # (nodes + 1,) parents[parent_starts[v] : parent_starts[v + 1]] are those of node v
    parents: Array  # (edges, 3) function and place of the parent, and which of its children the node is


def plan_forest(forest: Forest, sizes: Array) -> ForestPlan:
    """Return the plan of a forest. sizes: (functions, 4) arity, and numbers per node of i, of the hidden layer, of z."""
    arity = int(sizes[forest.groups[:, 1], ARITY].max())
    groups = np.ascontiguousarray(forest.groups, np.int64)
    children = np.ascontiguousarray(forest.children[:, :arity], np.int64)
    found = PLAN(None, groups, children, len(forest.leaf), sizes)
    return ForestPlan(len(forest.leaf), found[0], found[1], sizes, *found[2:])


@entry
def _plan(given: Array, below: Array, leaves: int, sizes: Array) -> tuple[Array, ...]:
    """Return levels, groups, functions, children, parent_starts and parents. given: (groups, 4) of a Forest."""
    levels, groups, functions = _groups(given, leaves, sizes)
    nodes, width = below.shape
    children = np.empty((nodes, width), np.int64)
    starts = np.zeros(nodes + 2, np.int64)  # the last one counts absent children
    for v in range(nodes):
        for k in range(width):
            child = below[v, k]
            children[v, k] = nodes if child < 0 else child
    for g in range(len(groups)):
        for v in range(leaves + groups[g, ROW], leaves + groups[g, ROW] + groups[g, ROWS]):
            for k in range(sizes[groups[g, FUNCTION], ARITY]):
                starts[children[v, k] + 1] += 1
    for v in range(nodes + 1):
        starts[v + 1] += starts[v]
    parents, at = np.empty((starts[nodes], 3), np.int64), starts[:-1].copy()
    for g in range(len(groups)):
        function, row, place = groups[g, FUNCTION], groups[g, ROW], groups[g, PLACE]
        for r in range(groups[g, ROWS]):
            for k in range(sizes[function, ARITY]):
                child = children[leaves + row + r, k]
                if child < nodes:
                    edge = parents[at[child]]
                    edge[PARENT_FUNCTION], edge[PARENT_PLACE], edge[CHILD] = function, place + r, k
                    at[child] += 1
    return levels, groups, functions, children, starts, parents


PLAN = DirectCalls(_plan)


@kernel
def _groups(given: Array, leaves: int, sizes: Array) -> tuple[Array, Array, Array]:
    """Return levels, groups and functions."""
    count, number = len(sizes), len(given)
    groups, functions = np.empty((number, 4), np.int64), np.zeros((count + 1, 5), np.int64)
    levels = np.empty(number + 1, np.int64)
    found = 0
    for g in range(number):
        height, function, start, stop = given[g, 0], given[g, 1], given[g, 2], given[g, 3]
        if g == 0 or height != given[g - 1, 0]:
            levels[found] = g
            found += 1
        groups[g, FUNCTION], groups[g, ROW], groups[g, ROWS] = function, start - leaves, stop - start
        groups[g, PLACE] = functions[function, COUNT]
        functions[function, COUNT] += stop - start
    levels[found] = number
    for f in range(count):
        rows, after = functions[f, COUNT], functions[f + 1]
        after[ORDER] = functions[f, ORDER] + rows
        after[I_START] = functions[f, I_START] + rows * sizes[f, I_SIZE]
        after[HIDDEN_START] = functions[f, HIDDEN_START] + rows * sizes[f, HIDDEN_SIZE]
        after[Z_START] = functions[f, Z_START] + rows * sizes[f, Z_SIZE]
    return levels[: found + 1].copy(), groups, functions
