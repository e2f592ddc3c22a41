"""A signal ends a command at any moment, also while Python runs code whose exceptions it ignores."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

PATIENCE = 300  # seconds; only guards against hanging
PROGRAM = """if True:
    import gc, os, signal, sys, threading, time, weakref
    from treesmu.cli import signals
    class Thing: pass
    class Loud:
        def __del__(self):
            send()
    class Replacing:
        def __del__(self):
            try:
                send()
            finally:
                raise ValueError("raised while the exception of the signal is on its way")
    times = {times}
    def send(*_):
        global times
        if times:
            times -= 1
            os.kill(os.getpid(), signal.{name})
    signals.install()
    {hook}
    thing = Thing()
    try:
        {body}
        if {waits}:
            time.sleep({patience})
        print("the end is reached", flush=True)
    finally:
        print("cleaned up", flush=True)
"""
BODIES = {
    "a finaliser": "thing = Loud(); del thing",
    "a finaliser that raises something else": "thing = Replacing(); del thing",
    "the callback of a weak reference": "reference = weakref.ref(thing, send); del thing",
    "a weak dictionary": "table = weakref.WeakKeyDictionary(); table[thing] = Loud(); del thing",
    "the garbage collector": "thing.loud = Loud(); thing.itself = thing; del thing; gc.collect()",
}


def run(body: str, name: str = "SIGTERM", hook: str = "", times: int = 1, waits: bool = True) -> tuple[int, str, str]:
    """Run a program to which a signal is sent in the middle of its body; return its exit code and its output."""
    program = PROGRAM.format(body=body, name=name, hook=hook, times=times, waits=waits, patience=2 * PATIENCE)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=PATIENCE)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("where", BODIES)
def test_a_signal_that_arrives_where_exceptions_are_ignored_ends_the_process(where: str) -> None:
    assert run(BODIES[where]) == (143, "cleaned up\n", "")


@pytest.mark.parametrize("where", BODIES)
def test_without_the_hook_the_signal_would_be_lost(where: str) -> None:
    code, out, error = run(BODIES[where], hook="sys.unraisablehook = lambda _: None", waits=False)
    assert (code, out, error) == (0, "the end is reached\ncleaned up\n", "")


def test_ctrl_c_is_not_lost_either() -> None:
    code, out, error = run(BODIES["a finaliser"], "SIGINT")
    assert (code, out) == (-signal.SIGINT, "cleaned up\n")
    assert error.splitlines()[-1] == "KeyboardInterrupt"


def test_a_signal_that_is_lost_many_times_gets_through() -> None:
    """Each finaliser starts the next one while its own exception is ignored, and every one of them receives a signal."""
    assert run("[Loud() for _ in range(50)]", times=50) == (143, "cleaned up\n", "")


def test_a_signal_that_arrives_in_the_hook_itself_is_not_lost() -> None:
    code, out, error = run(
        "thing = Failing(); del thing",
        hook="""
    def previous(unraisable):
        send()
    signals._previous_hook = previous
    class Failing:
        def __del__(self):
            raise ValueError
    """,
    )
    assert (code, out, error) == (143, "cleaned up\n", "")


def test_a_signal_that_arrives_while_another_thread_runs_finalisers_ends_the_process() -> None:
    body = "thread = threading.Thread(target=Loud); thread.start(); thread.join()"
    code, out, error = run(body)
    assert (code, out, error) == (143, "cleaned up\n", "")


def test_other_ignored_exceptions_are_reported_as_before() -> None:
    code, out, error = run(
        "thing = Failing(); del thing",
        hook="""
    class Failing:
        def __del__(self):
            sys.exit("not by a signal")
    """,
        waits=False,
    )
    assert (code, out) == (0, "the end is reached\ncleaned up\n")
    assert error.startswith("Exception ignored in: ")
    assert "SystemExit: not by a signal" in error


def test_a_command_that_forgets_expressions_all_the_time_ends() -> None:
    """The table of expressions is weak: this program is almost always in a callback of a weak reference."""
    program = """if True:
        import os, treesmu
        from treesmu.cli import signals
        signals.install()
        print("ready", flush=True)
        number = 0
        while True:
            number += 1
            treesmu.parse(f"sin({number}) + {number}*x")
    """
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with process:
            try:
                assert process.stdout is not None
                assert process.stdout.readline() == "ready\n"
                process.terminate()
                _, error = process.communicate(timeout=PATIENCE)
            finally:
                process.kill()
        assert (process.returncode, error) == (143, "")
