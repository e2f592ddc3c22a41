"""Random numbers depend on purpose, seed and place alone."""

from __future__ import annotations

from itertools import product

from treesmu.training.random_streams import BATCH, DROPOUT, ORDER, SAMPLE, SUBSTITUTE, rng_for


def test_the_same_place_gives_the_same_numbers_whatever_was_drawn_before() -> None:
    first = rng_for(BATCH, 7, 1, 2)
    rng_for(BATCH, 7, 1, 1).random(99)
    assert first.random(3).tolist() == rng_for(BATCH, 7, 1, 2).random(3).tolist()


def test_every_purpose_seed_and_place_has_a_stream_of_its_own() -> None:
    purposes = (ORDER, BATCH, DROPOUT, SAMPLE, SUBSTITUTE)
    first = [rng_for(*numbers).random() for numbers in product(purposes, range(4), range(4))]
    assert len(set(first)) == len(first) == 80


def test_stored_runs_can_be_resumed() -> None:
    """The numbers are those with which earlier versions drew: a resumed run goes on with the same batches."""
    assert rng_for(ORDER, 0, 0).bit_generator.random_raw(2).tolist() == [9441442522235856127, 17532960557476522086]
    assert (ORDER, BATCH, DROPOUT, SAMPLE, SUBSTITUTE) == (1, 2, 3, 4, 5)
