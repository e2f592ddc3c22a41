"""TreeData: the trees of a training run: divided into splits, read, and planned."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from treesmu.data import DataError, Vocab
from treesmu.data.tree_files.plan import TreePlan
from treesmu.data.tree_files.read import read_trees, split_files
from treesmu.data.tree_files.reading import Reading
from treesmu.data.tree_files.table import TreeTable
from treesmu.files import sha256_of
from treesmu.models.trees.answer_kind import AnswerKind
from treesmu.models.trees.tree_model import TreeModel, check_rows
from treesmu.tasks.trees.answers import check_answers, count_answers
from treesmu.tasks.trees.classes import NodeAnswers, tagged_nodes

from .drawn_splits import draw_rows
from .random_streams import SAMPLE, SPLIT, rng_for
from .settings import TrainSettings

VALIDATION_SHARE = TEST_SHARE = 0.1  # of rows, where the data name no such split
Longs = NDArray[np.int64]


@dataclass(frozen=True)
class TreeSplits:
    """The rows of a run, before there is a model that reads them."""

    train: TreeTable
    validation: TreeTable
    test: TreeTable

    @classmethod
    def divide(cls, table: TreeTable, settings: TrainSettings) -> TreeSplits:
        """Divide rows as the file says. Splits that it does not name are drawn from the other rows by the seed, with equal
        trees on one side.
        """
        split = np.where(table.split == "", "train", table.split)
        rows = rng_for(SPLIT, settings.seed).permutation(np.flatnonzero(split == "train"))
        shares = {} if (split == "validation").any() else {"validation": VALIDATION_SHARE}
        shares |= {} if (table.split != "").any() else {"test": TEST_SHARE}
        split = split.astype("U10")
        if shares and len(rows) < 1 + len(shares):
            names = " and ".join(["one for training", *(f"one for {name}" for name in shares)])
            raise DataError(f"{table.source}: {len(rows)} rows to divide; at least {1 + len(shares)} are needed: {names}")
        counts = {name: max(1, round(share * len(rows))) for name, share in shares.items()}
        for name, chosen in draw_rows(table, rows, counts).items():
            split[chosen] = name
        splits = {name: table.take(split == name) for name in ("train", "validation", "test")}
        for name in ("train", "validation"):
            splits[name] = splits[name].select(settings.depths)
            if not len(splits[name]):
                depths = " of depth {}-{}".format(*settings.depths) if settings.depths else ""
                raise DataError(f"{table.source}: no {name} rows{depths}; see the columns split and depth")
        if settings.rows is not None and settings.rows < len(splits["train"]):
            chosen = rng_for(SAMPLE, settings.seed, settings.rows).permutation(len(splits["train"]))[: settings.rows]
            splits["train"] = splits["train"].take(np.sort(chosen))
        return cls(**splits)

    def answer_kind(self, settings: TrainSettings) -> AnswerKind:
        """Return what the training rows ask; rows whose answers do not fit the task are a DataError."""
        check_rows(self.train, settings.task)
        for rows in (self.train, self.validation, self.test):
            check_answers(rows, settings.task, is_needed=rows is not self.test)
        try:
            return self._answer_kind(settings)
        except DataError as error:
            raise DataError(f"{self.train.source}: {error}") from None

    def _answer_kind(self, settings: TrainSettings) -> AnswerKind:
        task, train = settings.task, self.train
        assert task != "verify"
        if task == "tag":
            nodes = tagged_nodes(train, AnswerKind(task, nodes=settings.nodes))
            if train.tag is None or not len(nodes):
                raise DataError("no node has a class; give 'tags', a class for each node in preorder, or a file of brackets")
            kind = AnswerKind.of_classes(task, train.tag[nodes].tolist(), settings.nodes)
            if not count_answers(self.validation, kind):
                raise DataError("no node of the validation rows has a class; give 'tags', or other rows for validation")
            return kind
        if task == "regress":
            return AnswerKind.of_numbers(np.array(train.answer.tolist(), np.float64))
        return AnswerKind.of_classes(task, train.answer.tolist())

    def reading(self, settings: TrainSettings) -> Reading:
        """Return how the labels of the training rows are read."""
        return Reading.learn(self.train, settings.numbers, settings.rare, settings.most_children)


@dataclass(frozen=True)
class TreeData:
    """The three splits of a run; those used during training are planned once."""

    train: TreeTable
    validation: TreeTable
    test: TreeTable
    answer_kind: AnswerKind
    plan: Any  # of the training rows, as the encoder takes them
    trees: TreePlan  # the same as trees
    validation_plan: Any  # for TreeModel.outputs
    values: None = None  # of nodes, which only equations have

    @classmethod
    def of(cls, splits: TreeSplits, model: TreeModel) -> TreeData:
        """Plan the splits for a model; those of the test only to find rows that it cannot read before training."""
        if len(splits.test):
            model.plan(splits.test)
        plan, trees = model.plan(splits.train)
        return cls(splits.train, splits.validation, splits.test, model.answer_kind, plan, trees, model.plan(splits.validation))

    @property
    def rows(self) -> int:
        """The number of training rows of an epoch."""
        return len(self.train)

    @property
    def nodes(self) -> int:
        """The number of nodes of these rows."""
        return len(self.train.token)

    @property
    def vocab(self) -> Vocab:
        """The vocabulary of the plan."""
        vocab: Vocab = self.plan.vocab
        return vocab

    @property
    def versions(self) -> int:
        """How many versions of each training row there are: itself."""
        return 1

    def of_epoch(self, epoch: int) -> TreeData:  # noqa: ARG002
        """Return the data of an epoch: all epochs have the same."""
        return self

    def facts(self) -> dict[str, int]:
        """Return what else is to be said of the rows: how many test trees training has too."""
        trained = set(self.train.keys())
        return {"test_rows_in_training": sum(key in trained for key in self.test.keys())}  # noqa: SIM118

    def waiting(self) -> dict[str, float]:
        """Return how long an epoch waited for its rows, as facts of its line: nothing, they are all there."""
        return {}

    def trained_symbols(self, vocab: Vocab, settings: TrainSettings) -> None:
        """Return None: labels that training does not have are read by the rule of the reading."""

    # -- answers -----------------------------------------------------------------------------------------------------------

    def answers(self, rows: Longs, inputs: Any) -> Any:
        """Return the answers of some training rows, as the task's loss takes them. inputs: their batch."""
        if self.answer_kind.task != "tag":
            return torch.from_numpy(self._answers[rows])
        first, last = self._tag_places[:, rows]
        place = np.concatenate([np.arange(a, b) for a, b in zip(first.tolist(), last.tolist(), strict=True)])
        nodes, answers = (column[place] for column in self._tags)
        return NodeAnswers(torch.from_numpy(np.searchsorted(inputs.nodes, nodes)), torch.from_numpy(answers))

    def answer_count(self, rows: Longs) -> int:
        """Return how many answers some training rows have, at least 1."""
        if self.answer_kind.task != "tag":
            return len(rows)
        first, last = self._tag_places[:, rows]
        return max(1, int((last - first).sum()))

    @cached_property
    def _answers(self) -> NDArray[Any]:
        return self.answer_kind.encode(self.train.answer)

    @cached_property
    def _tagged(self) -> Longs:
        return tagged_nodes(self.train, self.answer_kind)

    @cached_property
    def _tags(self) -> tuple[Longs, Longs]:
        """The node of the plan and the class of each tag."""
        tags = self.train.tag
        assert tags is not None
        return self.trees.node_of[self._tagged], self.answer_kind.encode(tags[self._tagged])

    @cached_property
    def _tag_places(self) -> Longs:
        """Where the tags of each row begin and end, (2, rows)."""
        bounds = np.searchsorted(self._tagged, self.train.starts)
        return np.stack([bounds[:-1], bounds[1:]])


# -- the data of a run -----------------------------------------------------------------------------------------------------


def read_tree_source(source: Path | TreeTable) -> tuple[TreeTable, dict[str, Any]]:
    """Return the rows of a file, a folder or a table in memory, and what identifies them: checksums."""
    if isinstance(source, TreeTable):
        return source, {source.source: {"rows": len(source), "sha256": _checksum(source)}}
    table = read_trees(source)
    found = Counter(origin.rpartition(", ")[0] for origin in table.origin.tolist())
    counts = {file: found[str(file)] for file in (split_files(source) if source.is_dir() else [source])}
    sizes = {file.name: {"rows": count, "bytes": file.stat().st_size} for file, count in counts.items()}
    return table, {file.name: sizes[file.name] | {"sha256": sha256_of(file)} for file in counts}


def splits_of_run(note: Mapping[str, Any], table: TreeTable, files: Mapping[str, Any]) -> TreeSplits | None:
    """Return how the run that made a model divided these rows; None if it was trained on others.

    note: of the model. files: what identifies the rows, as :func:`read_tree_source` returns it.
    """
    trained, settings = note.get("corpus"), note.get("settings")
    if not isinstance(trained, dict) or not isinstance(settings, dict) or _checksums(trained) != _checksums(files):
        return None
    names = ("task", "seed", "depths", "rows")  # which decide on the splits
    return TreeSplits.divide(table, TrainSettings.of(**{name: settings[name] for name in names if name in settings}))


def _checksums(files: Mapping[str, Any]) -> list[Any]:
    return sorted(str(file.get("sha256")) for file in files.values() if isinstance(file, dict))


def _checksum(table: TreeTable) -> str:
    """Return the SHA-256 checksum of rows in memory."""
    found = hashlib.sha256()
    for array in (table.token, table.arity, table.starts, table.depth):
        found.update(np.ascontiguousarray(array).tobytes())
    tags = None if table.tag is None else table.tag.tolist()
    found.update(repr((table.labels, table.answer.tolist(), tags, table.split.tolist())).encode())
    return found.hexdigest()
