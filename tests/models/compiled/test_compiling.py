"""The user is told once, on stderr, that code is compiled, and not at all if it is found on disk."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import treesmu
from samples import compiles

MESSAGE = "treesmu: compiling the tree models for this machine; some seconds, only the first time\n"
CODE = """if True:
    import numpy as np
    from treesmu.models.compiled import code_cache, native
    from treesmu.models.compiled.compiling import telling

    @native.entry
    def twice(x):
        return 2 * x

    @native.entry
    def thrice(x):
        return 3 * x

    with telling():
        assert twice(2) == 4
        assert thrice(2.5) == 7.5
    with telling():
        assert twice(0.5) == 1
"""
pytestmark = compiles


def test_the_message_is_printed_once_and_not_when_the_code_is_on_disk(tmp_path: Path) -> None:
    """In a copy of the package, whose folder of compiled code is empty."""
    left_out = shutil.ignore_patterns("__pycache__", "*.safetensors")
    shutil.copytree(Path(treesmu.__file__).parent, tmp_path / "treesmu", ignore=left_out)
    (tmp_path / "script.py").write_text(CODE)

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "script.py"]
        environment = os.environ | {"PYTHONPATH": str(tmp_path)}
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, env=environment)

    first, second = run(), run()
    assert (first.stdout, first.stderr) == ("", MESSAGE)
    assert (second.stdout, second.stderr) == ("", "")
    code = tmp_path / "treesmu" / "models" / "compiled" / "__pycache__"
    assert list(code.rglob("*.nbc"))
