"""For the tests of faults: a server of commands, and a folder with a corpus and files of equations."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from corpora import many_rows, write_small_corpus
from faults.commands import Commands

PRESET = """
[training.paper]
epochs = 1
cell = { hidden = 3 }

[corpora.lists]
trees = "listops"
train = 12
validation = 4
test = 2
train_depths = [1, 2]
test_depths = [1, 2]

[training.trees]
epochs = 1
cell = { hidden = 3 }

[studies.elsewhere]
corpora = ["lists"]
models = ["tree-rnn"]
"""


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Commands]:
    """Commands that run in a folder with the corpus ``corpus``, the file ``equations.csv`` and the preset ``tiny.toml``."""
    folder = tmp_path_factory.mktemp("faults")
    write_small_corpus(folder / "corpus", train=48, validation=8, test=8)
    rows = "".join(f"{equation},{label}\n" for equation, label, _ in many_rows(30))
    (folder / "equations.csv").write_text(f"equation,label\n{rows}")
    (folder / "tiny.toml").write_text(PRESET)
    with Commands(folder) as commands:
        yield commands
