"""A command that is told to end ends, also at the worst moment."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest


@pytest.mark.parametrize(("told", "code", "said"), [("SIGTERM", 143, ""), ("SIGINT", -2, "KeyboardInterrupt")])
def test_a_signal_is_not_lost_while_an_expression_is_forgotten(told: str, code: int, said: str) -> None:
    program = """if True:
        import os, signal, time
        import treesmu, treesmu.cli as cli
        from treesmu.expr import tree
        class Table(dict):
            def get(self, key):
                os.kill(os.getpid(), signal.TOLD)
                return super().get(key)
        signal.signal(signal.TOLD, cli._leave)
        e = treesmu.parse("sin(x) + 1")
        tree._NODES = Table(tree._NODES)
        try:
            del e  # here the signal comes, within the callback of a weak reference
            time.sleep(20)
        finally:
            print("cleared away", flush=True)
    """.replace("TOLD", told)
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (code, "cleared away\n")
    assert done.stderr.splitlines()[-1:] == [said] * bool(said)
    assert time.monotonic() - began < 15


CALLBACKS = {
    "a weak dictionary": """
            table = weakref.WeakKeyDictionary()
            table[thing] = Loud()
            del thing""",
    "a finaliser": """
            del thing; loud = Loud(); del loud""",
}


@pytest.mark.parametrize("where", CALLBACKS)
def test_a_signal_is_not_lost_in_a_callback_of_others(where: str) -> None:
    """A Loud thing tells us to end as it goes: within the callback that drops it, or by itself."""
    program = """if True:
        import os, signal, time, weakref
        import treesmu.cli as cli
        class Thing: pass
        class Loud:
            def __del__(self):
                os.kill(os.getpid(), signal.SIGTERM)
        signal.signal(signal.SIGTERM, cli._leave)
        thing = Thing()
        try:BODY
            time.sleep(20)
        finally:
            print("cleared away", flush=True)
    """.replace("BODY", CALLBACKS[where])
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (143, "cleared away\n", "")
    assert time.monotonic() - began < 15
