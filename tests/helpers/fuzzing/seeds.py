"""Valid inputs of every format, small, from which mutations begin."""

from __future__ import annotations

import io
import json
import tempfile
from functools import cache
from pathlib import Path

EQUATIONS = [
    "x + y = y + x",
    "sin(x)^2 + cos(x)^2 = 1",
    "tan(x) = sin(x)/cos(x)",
    "sin(2.5) = 0.7",
    "log(2, 8) = 3",
    "x^-1 = 1/x",
]
LATEX = [r"\frac{1}{x} + \sqrt[3]{y} = \log_{2}(8)", r"\left(\sin^{2} x\right) \cdot \theta_{1} = e^{-x}", r"\arccos(-1) = \pi"]
TREES = ['{"tree": ["MAX", 2, ["MIN", 4, 7]], "label": 4}', '{"tree": "(MAX 2 (MIN 4 7))", "label": 4, "split": "train"}']
PAIRS = ['{"left": ["f", "a"], "right": ["f", "b"], "label": "same"}', '{"tree": ["f", "a"], "tags": [1, null]}']
BRACKETS = "(3 (2 It) (4 (2 's) (4 good)))\n(1 (2 not) (1 bad))\n"
SETTINGS = (
    'model = "tree-smu"\nepochs = 3\nlearning_rate = 0.01\nhead = "distance"\ndepths = [1, 7]\n[cell]\nhidden = 6\nstack = 2\n'
)
REQUESTS = [
    '{"text": "sin(x)^2 + cos(x)^2 = 1"}',
    '{"text": "x = x", "model": "tree-smu"}',
    '{"text": "x + 1 = y", "path": [0, 1], "count": 3}',
    '{"text": "sin(x)^2 + _ = 1", "top": 3}',
]


def _bytes(texts: list[str]) -> list[bytes]:
    return [text.encode() for text in texts]


@cache
def seeds(kind: str) -> list[bytes]:
    """Return valid inputs of a kind: the name of a target."""
    rows = [{"infix": text, "label": number % 2, "depth": 1, "size": 3} for number, text in enumerate(EQUATIONS)]
    texts = {
        "expression": EQUATIONS + LATEX,
        "text": ["\n".join(EQUATIONS) + "\n", "# note\n" + "\n".join(LATEX)],
        "csv": [
            "equation,label\n" + "\n".join(f'"{e}",1' for e in EQUATIONS),
            "lhs;rhs\nx;x\n",
            "infix,label,depth,size\nx = x,1,1,3\n",
        ],
        "tsv": ["equation\tlabel\nx = x\t1\nx = y\t0\n"],
        "jsonl": ["\n".join(map(json.dumps, rows)) + "\n", '"x = x"\n', '{"equation": "x = x", "label": true}\n'],
        "trees": ["\n".join(TREES) + "\n", PAIRS[0], PAIRS[1]],
        "brackets": [BRACKETS],
        "settings": [SETTINGS],
        "request": REQUESTS,
    }
    if kind in texts:
        return _bytes(texts[kind])
    return {"json": _authors, "parquet": _parquet, "weights": _weights, "preset": _preset}[kind]()


def _authors() -> list[bytes]:
    from treesmu.data.corpus.authors import by_depth, dumps
    from treesmu.expr import parse

    labelled = [(parse(text), number % 2 == 0) for number, text in enumerate(EQUATIONS)]
    records = json.dumps([{"equation": text, "label": 1} for text in EQUATIONS])
    return _bytes([dumps(by_depth(labelled)), records])


def _parquet() -> list[bytes]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from treesmu.expr import parse

    prefixes = [" ".join(parse(text).prefix()) for text in EQUATIONS]
    tables = [
        {"prefix": prefixes, "label": pa.array([1, 0] * 3, pa.int8()), "depth": [3] * 6, "size": [5] * 6},
        {"equation": EQUATIONS, "label": ["1", "0"] * 3},
        {"tree": ["(f a b)", "(f b a)"], "label": ["x", "y"]},
        {"prefix": prefixes, "path": ["0"] * 6},
    ]
    found = []
    for table in tables:
        file = io.BytesIO()
        pq.write_table(pa.table(table), file, compression="none")  # so that a flipped bit reaches the values
        found.append(file.getvalue())
    return found


def _weights() -> list[bytes]:
    import torch

    from treesmu.models import save
    from weights_files import tiny

    torch.manual_seed(1)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("tree-smu", "tree-lstm", "lstm"):
            save(tiny(name), Path(folder) / "model.safetensors")
            found.append((Path(folder) / "model.safetensors").read_bytes())
    return found


def _preset() -> list[bytes]:
    from tiny_presets import tiny_preset

    studies = {"productivity": {"models": ["tree-rnn"]}, "stack_size": {"sizes": [2]}, "completion": {"models": ["tree-rnn"]}}
    return _bytes([tiny_preset(**{name: settings}) for name, settings in studies.items()])
