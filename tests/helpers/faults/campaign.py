"""A campaign of kills: a command is killed at counted moments, and repeated into the same folder until it is done.

After every kill, whatever has a final name is whole, and nothing that was finished is lost. In the end, the folder is the one
of a command that was not interrupted, and nothing unfinished is left.
"""

from __future__ import annotations

import random
import shutil
import signal
from dataclasses import dataclass, field

from .commands import Commands, Ended
from .counting import Fault
from .small_commands import CALLS, NAMES, makes_folder_at_once, words
from .whole_files import finished_parts, require_same, require_whole, unfinished

SIGNALS = (  # and how often they are drawn
    (("SIGKILL",), 5),
    (("SIGTERM",), 2),
    (("SIGINT",), 2),
    (("SIGINT", "SIGINT"), 2),
    (("SIGTERM", "SIGTERM"), 1),
    (("SIGTERM", "SIGKILL"), 1),
)
ENDS = {"SIGTERM": (143, "treesmu: terminated"), "SIGINT": (130, "treesmu: interrupted")}
JUST_AFTER = 0.002  # seconds: a kill may come so much later than the counted moment, and so within native code


@dataclass
class Campaign:
    """The kills of one command."""

    commands: Commands
    command: str
    rng: random.Random
    kills: int = 0
    signals: dict[str, int] = field(default_factory=dict)

    def run(self, wanted: int) -> None:
        """Kill the command so often, and compare what is made in spite of it with what is made without."""
        folder, number = self.commands.folder, 0
        counted, expected = self.commands.whole(self.command)
        while self.kills < wanted:
            out = f"killed-{NAMES[self.command]}-{number}"
            self.commands.prepare(self.command, out)
            self._until_done(out, counted, wanted)
            assert unfinished(folder) == []
            require_same(folder / out, expected)
            number += 1
            shutil.rmtree(folder / out)

    def _until_done(self, out: str, counted: Ended, wanted: int) -> None:
        """Run the command until it is done, with a kill each time until there are enough of them."""
        while True:
            before = finished_parts(self.commands.folder / out)
            fault = self._fault(counted) if self.kills < wanted else None
            ended = self.commands.run(words(self.command, out), fault)
            require_whole(self.commands.folder / out)
            now = finished_parts(self.commands.folder / out)
            assert {name: now.get(name) for name in before} == before, "something finished is lost"
            if ended.code == 0:
                return
            assert fault is not None, ended.stderr
            self._check_end(ended, fault)
            self.kills += 1
            name = " + ".join(fault.signals)
            self.signals[name] = self.signals.get(name, 0) + 1
            if makes_folder_at_once(self.command) and (self.commands.folder / out).exists():
                return  # the kill came after the folder had got its name: nothing is left to do

    def _fault(self, counted: Ended) -> Fault:
        """Draw a moment and signals; early moments more often, which cost less."""
        clock = self.rng.choice(("events", "events", "calls"))
        last = counted.events if clock == "events" else CALLS[self.command]
        (signals,) = self.rng.choices([signals for signals, _ in SIGNALS], [often for _, often in SIGNALS])
        at = 1 + int(last * self.rng.random() ** 1.5)
        gap = self.rng.randint(1, 3) if clock == "events" else self.rng.randint(1, 5000)
        is_delayed = signals == ("SIGKILL",) and self.rng.random() < 0.5
        return Fault(clock, at, signals, gap, self.rng.uniform(1e-6, JUST_AFTER) if is_delayed else 0.0)

    def _check_end(self, ended: Ended, fault: Fault) -> None:
        """Check the exit code and the message of a command to which signals were sent."""
        assert "Traceback" not in ended.stderr, ended.stderr
        if ended.is_killed:
            assert "SIGKILL" in fault.signals
        elif ended.code < 0:  # by a second signal, when everything was cleaned up
            assert len(fault.signals) == 2, ended
            assert -ended.code == getattr(signal, fault.signals[1]), ended
        else:
            lines = ended.stderr.splitlines()
            ends = {ENDS[name] for name in fault.signals if name in ENDS}  # the second may come before the first is handled
            assert (ended.code, lines[-1]) in ends, ended
            assert sum(line in ("treesmu: terminated", "treesmu: interrupted") for line in lines) == 1, ended
