"""Questions come in the order of arrival, and a worker that takes no slow ones is free for the others."""

from __future__ import annotations

import threading

from treesmu.web.work.turns import Turns


def test_the_first_is_taken_first_and_slow_ones_only_by_those_who_take_them() -> None:
    turns: Turns[str] = Turns()
    for name in ("slow 1", "slow 2", "quick 1", "slow 3", "quick 2"):
        turns.put(name, is_slow=name.startswith("slow"))
    assert [turns.get(takes_slow=False), turns.get(takes_slow=True)] == ["quick 1", "slow 1"]
    assert [turns.get(takes_slow=False), turns.get(takes_slow=True), turns.get(takes_slow=True)] == [
        "quick 2",
        "slow 2",
        "slow 3",
    ]


def test_a_worker_waits_until_there_is_something_for_it() -> None:
    turns: Turns[str] = Turns()
    found: list[str | None] = []
    worker = threading.Thread(target=lambda: found.append(turns.get(takes_slow=False)))
    worker.start()
    turns.put("slow", is_slow=True)
    turns.put("quick", is_slow=False)
    worker.join()
    assert found == ["quick"]
    assert turns.get(takes_slow=True) == "slow"


def test_a_closed_queue_gives_away_what_it_has_and_lets_nobody_wait() -> None:
    turns: Turns[str] = Turns()
    turns.put("slow", is_slow=True)
    turns.close()
    assert [turns.get(takes_slow=False), turns.get(takes_slow=False), turns.get(takes_slow=True)] == ["slow", None, None]
