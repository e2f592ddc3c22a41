"""Commands that are killed at counted moments lose nothing, leave nothing half-written, and end with the same bytes.

TREESMU_KILLS=1000 kills as often; 100 is the default.
"""

from __future__ import annotations

import os
import random

import pytest

from faults.campaign import Campaign
from faults.commands import Commands
from faults.small_commands import GENERATE, IMPORT, NAMES, REPORT, REPRODUCE, SWEEP, TRAIN

KILLS = int(os.environ.get("TREESMU_KILLS", "100"))
SHARES = {GENERATE: 4, IMPORT: 12, TRAIN: 74, SWEEP: 4, REPRODUCE: 3, REPORT: 3}  # of a hundred kills

pytestmark = [pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"), pytest.mark.xdist_group("faults")]


@pytest.mark.parametrize("command", SHARES, ids=NAMES.get)
def test_killed_at_random_moments_and_repeated_it_ends_with_the_same_bytes(commands: Commands, command: str) -> None:
    campaign, wanted = Campaign(commands, command, random.Random(command)), -(-SHARES[command] * KILLS // 100)
    campaign.run(wanted)
    print(f"{campaign.kills} kills: {campaign.signals}; {commands.seconds:.0f} s of processor time so far")
    assert campaign.kills >= wanted
