"""TreeFiles: a corpus of other trees than equations that is made of a user's own file, or of a folder of files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field

from treesmu.data import DataError
from treesmu.data.tree_files.plan import plan_trees
from treesmu.data.tree_files.table import SPLITS, TreeTable, joined
from treesmu.data.tree_files.write import write_trees
from treesmu.task_names import TreeTask
from treesmu.training.settings import TrainSettings

from .depth_range import DepthRange
from .file_corpus import find_files
from .own_corpus import corpus_name
from .tree_corpus import write_manifest

if TYPE_CHECKING:
    from treesmu.training.tree_data import TreeSplits


class TreeFileSettings(BaseModel):
    """What a preset says of the corpus."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    trees: str  # the name of the file, or of a folder with a file for each split
    task: TreeTask
    train_depths: DepthRange | None = None  # of training; without named splits, all other trees are for the test
    seed: int = Field(default=0, ge=0)  # of the splits that the file does not name


class TreeFiles:
    """Rows of trees, divided once, so that all models and seeds have the same splits. Faulty files are a DataError.

    Splits that the file names are kept; ``train_depths`` then leaves out rows of training and validation, as ``treesmu train
    --depths`` does. Others are drawn as ``treesmu train`` draws them.
    """

    def __init__(self, path: Path, settings: TreeFileSettings) -> None:
        from treesmu.training.tree_data import read_tree_source  # loads PyTorch

        self.path, self.settings, self.task = path, settings, settings.task
        self.name = corpus_name(path.resolve().stem)
        table, self.files = read_tree_source(path)
        self.splits = _divide(table, settings)
        self.checked: set[tuple[Any, ...]] = set()  # settings of training that the rows are known to fit

    @classmethod
    def find(cls, settings: TreeFileSettings, folders: Sequence[Path]) -> TreeFiles:
        """Return the corpus of a file in one of these folders. A file that is not in any of them is a MissingFileError."""
        found = find_files((settings.trees,), folders)
        if len(found) > 1:
            raise ValueError(f"{settings.trees}: {len(found)} files; name one file, or a folder with a file for each split")
        return cls(found[0], settings)

    def content(self) -> dict[str, Any]:
        """Return what plan.json says of it: other files are another corpus."""
        depths = [int(self.splits.train.depth.min()), int(self.splits.train.depth.max())]
        found = {name: facts["sha256"] for name, facts in self.files.items()}
        settings = self.settings.model_dump(mode="json", exclude_none=True)
        return {**settings, "trees": self.path.name, "trained_depths": depths, "sha256": found}

    def check(self, settings: TrainSettings) -> None:
        """Raise a DataError if rows have no answers for the task, or labels that a run cannot read. settings: of the run."""
        read_by = settings.numbers, settings.rare, settings.most_children, settings.nodes
        if read_by not in self.checked:
            self.splits.answer_kind(settings)
            reading = self.splits.reading(settings)
            for rows in (self.splits.validation, self.splits.test):
                if len(rows):  # there may be no test
                    plan_trees(rows, reading)
            self.checked.add(read_by)

    def rows(self, depths: tuple[int, int]) -> int:
        """Raise a ValueError: studies of equations do not use trees."""
        raise ValueError(f"a number of equations of depth {depths[0]}-{depths[1]} needs a corpus of equations")

    def write(self, folder: Path) -> None:
        """Write the corpus into an empty folder: a file for each split that has rows, and a manifest."""
        for name in SPLITS:
            rows: TreeTable = getattr(self.splits, name)
            if len(rows):
                write_trees(rows, folder / f"{name}.jsonl")
        write_manifest(folder)


def _divide(table: TreeTable, settings: TreeFileSettings) -> TreeSplits:
    """Return the splits of the file; where it names none, all trees of other depths than those of training are for the test."""
    from treesmu.training.tree_data import TreeSplits

    how = TrainSettings.of(task=settings.task, seed=settings.seed, depths=settings.train_depths)
    if settings.train_depths is None or (table.split != "").any():
        return TreeSplits.divide(table, how)
    low, high = settings.train_depths
    is_trained = (low <= table.depth) & (table.depth <= high)
    if not is_trained.any():
        there_are = f"{table.depth.min()}-{table.depth.max()}"
        raise DataError(f"{table.source}: no trees of depth {low}-{high}, which are for training; there are: {there_are}")
    drawn = TreeSplits.divide(table.take(is_trained), how)
    return replace(drawn, test=joined([drawn.test, table.take(~is_trained)], table.source))
