"""A folder with good files beside bad ones of every kind, made once."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path

import pytest

SUFFIXES = "csv tsv txt jsonl json parquet safetensors toml py".split()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder: ``corpus``, ``run`` and ``equations.csv`` are good, all of ``bad`` is bad."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    import torch

    from corpora import many_rows, write_small_corpus
    from treesmu.data import Vocab
    from treesmu.models import build, save

    folder = tmp_path_factory.mktemp("bad-input")
    write_small_corpus(folder / "corpus", 40, 10, 10)
    (folder / "equations.csv").write_text("equation,label\n" + "".join(f'"{e}",{l}\n' for e, l, _ in many_rows(30)))
    (folder / "run").mkdir()
    torch.manual_seed(1)
    save(build("tree-smu", Vocab.default(), {"hidden": 3}), folder / "run" / "model.safetensors")
    weights = (folder / "run" / "model.safetensors").read_bytes()
    table = (folder / "corpus" / "test.parquet").read_bytes()
    bad = folder / "bad"
    bad.mkdir()
    for suffix in SUFFIXES:
        (bad / f"empty.{suffix}").touch()
        (bad / f"junk.{suffix}").write_bytes(random.Random(1).randbytes(3000))
        (bad / f"folder.{suffix}").mkdir()
    (bad / "cut.safetensors").write_bytes(weights[: len(weights) // 2])
    (bad / "newer.safetensors").write_bytes(weights.replace(b'\\"format\\": 3', b'\\"format\\": 9'))
    (bad / "cut.parquet").write_bytes(table[: len(table) // 2])
    pq.write_table(pa.table({"prefix": [1.5, float("nan")], "label": ["a", "b"]}), bad / "types.parquet")
    pq.write_table(pa.table({}), bad / "columns.parquet")
    (bad / "nan.jsonl").write_text('{"infix": NaN, "label": NaN}\n')
    (bad / "deep.json").write_text("[" * 20_000 + "]" * 20_000)
    (bad / "deep.toml").write_text("a = " + "[" * 20_000 + "]" * 20_000)
    (bad / "deep.csv").write_text("equation,label\n" + "sin(" * 100_000 + "x" + ")" * 100_000 + " = 1,0\n")
    (bad / "unknown.txt").write_text("foo(x) = bar(y)\n")
    (bad / "raises.py").write_text("raise SystemError\n")
    (bad / "exits.py").write_text("import sys; sys.exit(0)\n")
    os.symlink("loop", bad / "loop")
    (bad / "corpus").mkdir()
    (bad / "corpus" / "manifest.json").write_text(json.dumps([]))
    for name in ("changed", "no-checksums"):
        shutil.copytree(folder / "corpus", bad / name)
    shutil.copyfile(bad / "changed" / "train.parquet", bad / "changed" / "test.parquet")
    (bad / "no-checksums" / "manifest.json").write_text("{}")
    return folder
