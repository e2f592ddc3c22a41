"""Gradients of single steps, under torchrun or in one process; a helper of test_distributed.py.

torchrun two_processes.py CORPUS OUT: writes the gradients of every case as OUT/NAME.safetensors.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor

from treesmu.data import Dataset
from treesmu.training.distributed import ProcessGroup
from treesmu.training.settings import TrainSettings
from treesmu.training.trainer import Trainer

SMALL: dict[str, Any] = {"cell": {"hidden": 5}, "batch": 16}
OURS = {"recipe": "treesmu-1", "pairs": 60, "substitutes": 60, **SMALL}
CASES: dict[str, tuple[dict[str, Any], str]] = {  # settings, and which rows are the batch
    "even": (SMALL, "first 8"),
    "odd": (SMALL, "first 7"),
    "one": (SMALL, "first 1"),  # no row is left for the second process
    "decimals-in-one": (SMALL, "decimal, plain"),  # the number encoder has no gradient in the other process
    "no-decimals": (SMALL, "plain, plain"),  # in no process
    "functions-in-one": (SMALL, "sin, cos"),
    "lstm": ({"model": "lstm", **SMALL}, "decimal, plain"),
    "transformer": ({"model": "transformer", **SMALL, "rename": True}, "first 9"),
    "ours": (OURS, "first 8"),
    "ours-odd": (OURS, "first 7"),
    "ours-one": (OURS, "first 1"),
    "values": ({"recipe": "treesmu-symbols", "pairs": 60, **SMALL}, "first 8"),
    "values-odd": ({"values": 1.0, "rename": True, **SMALL}, "first 7"),  # without pairs
    "values-one": ({"values": 1.0, **SMALL}, "first 1"),
    "ranking": ({"recipe": "treesmu-symbols", "pairs": 60, "ranking": 1.0, **SMALL}, "first 16"),
    "ranking-points": ({"recipe": "treesmu", "pairs": 60, "points": 2, "ranking": 1.0, **SMALL}, "first 16"),
    "points": ({"recipe": "treesmu", "pairs": 60, "points": 3, **SMALL}, "first 8"),
    "points-odd": ({"points": 2, **SMALL}, "first 7"),  # without pairs and values
    "ours-decimals": ({**OURS, "model": "tree-lstm"}, "decimal, plain"),
}


def rows_of(data: Dataset, which: str) -> np.ndarray[Any, Any]:
    texts = data.prefix.to_pylist()
    if which.startswith("first"):
        return np.arange(int(which.split()[1]))
    is_there = {
        "decimal": lambda text: "." in text,
        "plain": lambda text: "." not in text,
        "sin": lambda text: "sin" in text.split() and "cos" not in text.split(),
        "cos": lambda text: "cos" in text.split() and "sin" not in text.split(),
    }
    found = [[i for i, text in enumerate(texts) if is_there[word](text)] for word in which.split(", ")]
    return np.array([found[0][0], found[1][1], found[0][1], found[1][2]])  # the second process takes every other row


def gradients(corpus: Path, out: Path, name: str, process_group: ProcessGroup | None = None) -> tuple[dict[str, Tensor], float]:
    """Return the gradients of one step by the name of the parameter, without those that have none, and the loss."""
    settings, which = CASES[name]
    trainer = Trainer(corpus, out / "run", TrainSettings.of(**settings), process_group=process_group)
    trainer.model.train()
    loss = trainer.optimization.gradients(trainer.batches.prepare(0, 0, rows_of(trainer.data.train, which)))
    value_map = trainer.optimization.value_map
    parameters = [*trainer.model.named_parameters(), *(value_map.named_parameters("values") if value_map else ())]
    return {key: p.grad for key, p in parameters if p.grad is not None}, loss


if __name__ == "__main__":
    torch.set_num_threads(1)
    with ProcessGroup.join() as process_group:
        for case in CASES:
            found, loss = gradients(Path(sys.argv[1]), Path(sys.argv[2]), case, process_group)
            if process_group.rank == 0:
                save_file(found | {"the loss": torch.tensor(loss)}, Path(sys.argv[2]) / f"{case}.safetensors")
    process_group.exit()
