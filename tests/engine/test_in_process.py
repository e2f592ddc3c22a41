"""InProcess: one job at a time, in this process."""

from __future__ import annotations

import os

from engine_jobs import process_of
from treesmu.engine import open_executor


def test_one_job_at_a_time_runs_in_this_process() -> None:
    with open_executor("local", 1) as executor:
        assert list(executor.in_order(process_of, [(0,)])) == [(0, os.getpid())]
        assert [job.result for job in executor.as_completed(os.getpid, [()])] == [os.getpid()]
