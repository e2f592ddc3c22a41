"""DrawnNodes: what the losses of sub-expressions, values and rankings need of the nodes of a batch, and how it is divided."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treesmu.data import Forest
from treesmu.data.augment.value_targets import as_targets
from treesmu.data.trees.grow_forest import NOT_PLANNED
from treesmu.tasks.ranking import Rivals
from treesmu.tasks.subexpressions import Pairs


@dataclass(frozen=True)
class DrawnNodes:
    """Pairs of nodes, targets of nodes and rivals, all of them of one forest; None where there is no such loss."""

    pairs: Pairs | None = None
    targets: NDArray[np.float32] | None = None  # (nodes, points) of the value loss, NaN where there is none
    rivals: Rivals | None = None

    def with_values(self, values: NDArray[np.float64], forest: Forest, has_targets: bool) -> DrawnNodes:
        """Return the same with targets, if there is a value loss, and with rivals that are known to be wrong.

        values: (nodes, points). Nodes that only rivals have are no targets: no equation of the corpus has them.
        """
        targets = as_targets(values) if has_targets else None
        if targets is not None and self.rivals is not None:
            targets[forest.nodes == NOT_PLANNED] = np.nan
        return replace(self, targets=targets, rivals=None if self.rivals is None else self.rivals.checked(values))

    def weights(self, world: int) -> tuple[float, float, float]:
        """Return what turns sums over pairs, targets and questions into parts of means (TrainingBatch); 0 where there are none.

        world: the number of processes.
        """
        pairs = 0.0 if self.pairs is None else world / max(1, len(self.pairs.label))
        targets = 0.0 if self.targets is None else world / max(1, int(np.isfinite(self.targets).sum()))
        rivals = 0.0 if self.rivals is None else world / max(1, len(self.rivals.other))
        return pairs, targets, rivals

    def divide(self, whole: Forest, part: NDArray[np.int64], rows: int, rank: int, world: int) -> tuple[Forest, DrawnNodes]:
        """Return the part of one of several processes: its rows, pairs and questions rank, rank + world, ..., and targets.

        A node that is in the rows of several processes has its targets in the first of them.
        """
        here = slice(rank, None, world)
        pairs = None if self.pairs is None else self.pairs.part(here)
        rivals = None if self.rivals is None else self.rivals.part(here)
        needed = [] if pairs is None else [pairs.first, pairs.second]
        needed += [] if rivals is None else [rivals.filled.ravel(), rivals.other]
        forest, place = whole.part(part, np.concatenate([np.empty(0, np.int64), *needed]))
        targets = self.targets
        if targets is not None:
            owner = np.full(whole.size, world)
            for process in reversed(range(world)):
                owner[whole.reached(np.arange(process, rows, world))] = process
            kept = np.flatnonzero(np.diff(place, prepend=-1))  # the nodes of the part
            targets = np.where((owner == rank)[:, None], targets, np.float32(np.nan))[kept]
        return forest, DrawnNodes(
            None if pairs is None else pairs.renumbered(place),
            targets,
            None if rivals is None else rivals.renumbered(place),
        )
