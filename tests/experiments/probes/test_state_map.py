"""States in the plane: the same every time, clusters stay together, and further states are placed among similar ones."""

from __future__ import annotations

import numpy as np

from treesmu.experiments.probes.state_map import StateMap
from treesmu.experiments.probes.value_classes import purity

RNG = np.random.default_rng(0)
STATES = np.concatenate([RNG.normal(c, 0.05, size=(20, 4)) for c in (0, 3)])


def test_the_map_is_the_same_every_time_and_keeps_clusters_together() -> None:
    first = StateMap(STATES).positions
    assert first == StateMap(STATES).positions
    assert purity(np.array(first), np.repeat([0, 1], 20), 5) == 1


def test_a_further_state_is_placed_in_its_cluster_and_moves_no_other() -> None:
    found = StateMap(STATES)
    before = found.positions
    places = np.array(found.place(STATES[[0, 39]] + 0.01))
    nearest = [int(np.argmin(np.linalg.norm(np.array(before) - place, axis=1))) for place in places]
    assert nearest[0] < 20 <= nearest[1]
    assert found.positions == before


def test_too_few_states_are_all_at_one_place() -> None:
    found = StateMap(STATES[:2])
    assert found.positions == [[0, 0], [0, 0]]
    assert found.place(STATES[:1]) == [[0, 0]]
