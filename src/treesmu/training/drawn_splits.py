"""Draw the rows of splits that a file of trees does not name; rows with the same tree stay on one side."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from treesmu.data.tree_files.table import TreeTable

Longs = NDArray[np.int64]


def draw_rows(table: TreeTable, rows: Longs, counts: Mapping[str, int]) -> dict[str, Longs]:
    """Return the rows of each split: at most so many, from these rows, which are in random order.

    Trees come in the order of their first rows, each with all its rows, and one that does not fit any more is passed over. So
    if no tree occurs twice, a split has the next rows. If a split would stay empty because every tree has more rows than
    that, equal trees are divided.
    """
    keys = [*table.keys()]
    members: dict[bytes, list[int]] = {}
    for row in rows.tolist():
        members.setdefault(keys[row], []).append(row)
    found = {}
    for name, count in counts.items():
        chosen = list[int]()
        for key in list(members):
            if len(chosen) == count:
                break
            if len(chosen) + len(members[key]) <= count:
                chosen += members.pop(key)
        if not chosen:
            left = {row for some in members.values() for row in some}
            chosen = list(islice((row for row in rows.tolist() if row in left), count))
            taken = set(chosen)
            members = {key: kept for key, some in members.items() if (kept := [row for row in some if row not in taken])}
        found[name] = np.array(chosen, np.int64)
    return found
