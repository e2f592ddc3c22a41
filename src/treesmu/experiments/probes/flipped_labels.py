"""FlippedLabels: exceptions in a training set, and what a model predicts for them after every epoch.

A corpus with exceptions is a corpus folder like any other, made from another one: some training equations have the wrong
label, and ``exceptions.parquet`` says which (``row`` of train.parquet) and which others have the same two functions.
"""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treesmu.errors import DataError
from treesmu.json_files import read_json, read_json_lines, write_json, write_json_lines
from treesmu.parquet_files import describe_table, local_path

from .agreement import share

if TYPE_CHECKING:
    from treesmu.training.trainer import Trainer

Array = NDArray[Any]

TABLE, RECORDED = "exceptions.parquet", "exceptions.jsonl"  # in the corpus folder; in the run folder
MEASURED = ("epoch", "exceptions", "others", "overgeneralisation", "others_right")  # after every epoch


@dataclass(frozen=True)
class FlippedLabels:
    """The wrong label for a share of the training equations in which ``inner`` is an argument of ``outer``."""

    outer: str
    inner: str
    share: float
    depths: tuple[int, int] = (1, 7)  # of the equations that may become exceptions: those that are trained on

    @property
    def name(self) -> str:
        """The suffix of the corpus folder."""
        return f"{self.inner}-in-{self.outer}-{self.share:g}"

    def to_json(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return asdict(self) | {"depths": list(self.depths)}

    def write_corpus(self, source: Path, folder: Path) -> None:
        """Write a corpus with exceptions into an empty folder, from the corpus ``source``."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        for file in source.iterdir():
            shutil.copyfile(file, folder / file.name)
        table = pq.read_table(local_path(source / "train.parquet"))
        depth = table["depth"].to_numpy()
        has_both = self._has_both(table["prefix"].combine_chunks()) & (self.depths[0] <= depth) & (depth <= self.depths[1])
        rows = np.random.default_rng(0).permutation(np.flatnonzero(has_both))
        count = max(1, round(self.share * len(rows))) if len(rows) else 0
        label = table["label"].to_numpy().copy()
        label[rows[:count]] = 1 - label[rows[:count]]
        column = table.schema.get_field_index("label")
        _write(folder / "train.parquet", table.set_column(column, table.schema.field(column), pa.array(label, pa.int8())))
        is_exception = np.isin(np.sort(rows), rows[:count])
        _write(folder / TABLE, pa.table({"row": np.sort(rows), "is_exception": is_exception}))
        self._write_manifest(folder)
        self._write_card(folder)

    def _has_both(self, prefix: Any) -> Array:
        """Return whether ``inner`` is an argument of ``outer`` somewhere in each equation, (rows,)."""
        from treesmu.data import CorpusPlan, DataError, Vocab

        vocab = Vocab.default().extended(prefix)
        for name in (self.outer, self.inner):
            if name not in vocab.functions:
                raise DataError(f"exceptions: unknown function {name!r}; known: {', '.join(vocab.functions)}")
        plan = CorpusPlan.from_prefix(prefix, vocab)
        function = np.full(len(plan.children) + 1, -1)  # the last entry stands for a missing child
        for _, number, start, stop in plan.groups.tolist():
            function[start:stop] = number
        outer, inner = vocab.function_id(self.outer), vocab.function_id(self.inner)
        found = (function[:-1] == outer) & (function[plan.children] == inner).any(1)  # (nodes,)
        return np.logical_or.reduceat(found[plan.members], plan.offsets[:-1])

    def _write_manifest(self, folder: Path) -> None:
        """Write the source's manifest with the files that changed."""
        manifest = read_json(folder / "manifest.json", "make the corpus again")
        manifest["exceptions"] = self.to_json()
        manifest["files"] = {path.name: describe_table(path) for path in sorted(folder.glob("*.parquet"))}
        write_json(folder / "manifest.json", manifest)

    def _write_card(self, folder: Path) -> None:
        """Write a card which says that some labels are wrong on purpose; that of the source would be false here."""
        from treesmu import __version__
        from treesmu.data.corpus.card import CardText, write_card

        low, high = self.depths
        card = CardText(
            title="Equations with exceptions",
            origin=f"From another corpus, by `treesmu reproduce` ({__version__}), for the study of overgeneralisation: "
            "the columns, and the seed and the settings of that corpus in `manifest.json`, have not changed.",
            labels=f"In the training set, {self.share:.0%} of the equations of depth {low}-{high} in which {self.inner} is an "
            f"argument of {self.outer} have the **wrong label on purpose**; `{TABLE}` says which. All others are those of the "
            "other corpus.",
            limits=("Made to measure how a model learns exceptions; for other purposes, take the other corpus.",),
            version=__version__,
        )
        write_card(folder, card)


def _write(path: Path, table: Any) -> None:
    import pyarrow.parquet as pq

    pq.write_table(table, local_path(path), compression="zstd", compression_level=6)


class FlippedLabelsMonitor:
    """Records what a trainer's model predicts for the exceptions after every epoch, in the run folder."""

    def __init__(self, trainer: Trainer, corpus: Path) -> None:
        import pyarrow.parquet as pq

        self.trainer, self.file = trainer, trainer.folder.path / RECORDED
        table = pq.read_table(local_path(corpus / TABLE))
        rows, is_exception = table["row"].to_numpy(), table["is_exception"].to_numpy(zero_copy_only=False)
        data = trainer.batches.data.train
        self.data = data.take(np.isin(data.row, rows))  # those that are trained on
        self.is_exception = np.isin(self.data.row, rows[is_exception])
        self.is_true = (self.data.label == 1) != self.is_exception
        self.plan = trainer.model.plan(self.data.prefix)
        self.lines = _read_lines(self.file)[: trainer.progress.epoch]  # later epochs will be trained again

    def catch_up(self) -> None:
        """Record an epoch whose checkpoint was written before the run was killed, and its predictions were not."""
        progress = self.trainer.progress
        if progress.step == 0 and progress.epoch == len(self.lines) + 1:
            self.record()

    def record(self) -> None:
        """Add the predictions after the current epoch, and write the file."""
        from treesmu.tasks.verify import probabilities

        model = self.trainer.model
        is_right = (probabilities(model, model.batches(self.plan)) >= 0.5) == self.is_true
        self.lines.append(
            {
                "epoch": len(self.lines) + 1,
                "exceptions": int(self.is_exception.sum()),
                "others": int((~self.is_exception).sum()),
                "overgeneralisation": share(is_right[self.is_exception]),
                "others_right": share(is_right[~self.is_exception]),
            }
        )
        write_json_lines(self.file, self.lines)


def summarise_recorded(folder: Path) -> dict[str, Any]:
    """Return the recorded epochs of a run, with the peak and the end of overgeneralisation."""
    lines = _read_lines(folder / RECORDED)
    counts = {key: lines[-1][key] for key in ("exceptions", "others")} if lines else {"exceptions": 0, "others": 0}
    epochs = [{key: line[key] for key in ("epoch", "overgeneralisation", "others_right")} for line in lines]
    known = [row for row in epochs if row["overgeneralisation"] is not None]
    peak = max(known, key=lambda row: row["overgeneralisation"], default={"overgeneralisation": None, "epoch": None})
    following = [row["epoch"] for row in known if row["overgeneralisation"] >= 0.5]
    overridden = (following[-1] if following else 0) + 1
    return {
        **counts,
        "epochs": epochs,
        "peak": peak["overgeneralisation"],
        "peak_epoch": peak["epoch"],
        "overridden_epoch": overridden if known and overridden <= known[-1]["epoch"] else None,
    }


def _read_lines(file: Path) -> list[dict[str, Any]]:
    """Return the recorded epochs of a run; nothing if there is no such file."""
    remedy = f"remove {file.parent} and continue with --resume: it is trained again"
    lines = read_json_lines(file, remedy) if file.exists() else []
    if not all(isinstance(line.get(name, ""), int | float | None) for line in lines for name in MEASURED):
        raise DataError(f"{file}: damaged, not the predictions for exceptions; {remedy}")
    return lines
