"""OwnCorpus: a corpus folder of the user's own in place of the corpora of a preset, and the studies that it is enough for."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import Any

from treesmu.data import Blanks, DataError, Dataset
from treesmu.data.corpus.card import CARD
from treesmu.data.corpus.manifest import NAME, described_files


class OwnCorpus:
    """A corpus that is copied instead of generated. A folder without a valid manifest is a DataError."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = corpus_name(name)
        self.files: dict[str, Any] = described_files(folder)

    @property
    def path(self) -> Path:
        """What errors name."""
        return self.folder

    def content(self) -> dict[str, Any]:
        """Return what plan.json says of it: other files are another corpus."""
        return {"preset": "own", "train": self.files["train.parquet"]["sha256"], "test": self.files["test.parquet"]["sha256"]}

    def copy_to(self, folder: Path) -> None:
        """Copy its files into an empty folder."""
        for name in (*self.files, NAME, CARD):
            if (self.folder / name).exists():
                shutil.copyfile(self.folder / name, folder / name)

    def rows(self, depths: tuple[int, int]) -> int:
        """Return how many training equations of these depths it has."""
        return self._count("train", depths)

    def require_training(self, depths: tuple[int, int] | None) -> None:
        """Raise a ValueError if it has no equations of these depths for training or for validation."""
        low, high = depths or (0, 10**6)
        for split in ("train", "validation"):
            if not self._count(split, (low, high)):
                raise ValueError(f"there are no {split} equations of depth {low}-{high}")

    def require_blanks(self, depths: tuple[int, int]) -> None:
        """Raise a ValueError if it has no blanks of these depths."""
        try:
            found = len(Blanks.read(self.folder).select(depths))
        except DataError:
            found = 0
        if not found:
            raise ValueError(f"there are no blanks of depth {depths[0]}-{depths[1]}")

    def _count(self, split: str, depths: tuple[int, int]) -> int:
        return sum(count for depth, count in self._depths[split].items() if depths[0] <= depth <= depths[1])

    @cached_property
    def _depths(self) -> dict[str, Counter[int]]:
        return {split: Counter(Dataset.read(self.folder, split).depth.tolist()) for split in ("train", "validation")}


def corpus_name(name: str) -> str:
    """Return a name that can be a folder's, as like to the given one as can be."""
    return re.sub(r"[^\w.-]+|^\W+", "-", name)[:64].strip("-.") or "own"
