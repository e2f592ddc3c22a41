"""A command that is told to end ends, also at the worst moment."""

from __future__ import annotations

import subprocess
import sys
import time


def test_a_signal_is_not_lost_while_an_expression_is_forgotten() -> None:
    code = """if True:
        import os, signal, time
        import treesmu, treesmu.cli as cli
        from treesmu.expr import tree
        class Table(dict):
            def get(self, key):
                os.kill(os.getpid(), signal.SIGTERM)
                return super().get(key)
        signal.signal(signal.SIGTERM, cli._leave)
        e = treesmu.parse("sin(x) + 1")
        tree._NODES = Table(tree._NODES)
        try:
            del e  # here the signal comes, within the callback of a weak reference
            time.sleep(20)
        finally:
            print("cleared away", flush=True)
    """
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (143, "cleared away\n", "")
    assert time.monotonic() - began < 15
