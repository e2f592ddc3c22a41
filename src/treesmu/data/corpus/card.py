"""Write the dataset card of a corpus: README.md, with the YAML head by which the ``datasets`` library finds its tables.

A card is text for people, who may edit it before they share the corpus. Therefore the manifest has no checksum of it, and a
corpus without a card is a corpus.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from treesmu.files import atomic_write
from treesmu.parquet_files import local_path

CARD = "README.md"
_SPLITS = ("train", "validation", "test")
_FURTHER = {  # tables besides the splits: what they are; each is a configuration of its own with one split
    "blanks": "correct test equations with a blank, for completion",
    "candidates": "the fillers that are ranked for each blank",
}
_TASKS = ("text-classification",)
_TAGS = ("mathematics", "equations", "trees", "compositional-generalization", "systematicity", "productivity", "treesmu")
_LABELS = {1: "correct", 0: "incorrect", -1: "not known"}
_COLUMNS = {
    "prefix": "the tree in prefix order, tokens separated by a space: `Equality Add x 1 Add 1 x`",
    "infix": "the same as readable text: `x + 1 = 1 + x`",
    "label": "1 correct, 0 incorrect",
    "depth": "depth of the tree; the `=` counts",
    "size": "number of nodes of the tree",
    "chain": "equations with the same number are related; they are in the same split. -1: not known",
    "split": "`train`, `validation` or `test`",
    "kind": "how the equation was made",
    "source": "the file that the equation was imported from",
    "line": "its line, row or example there, counted from 1",
    "question": "the equation as text, with `_` for the blank",
    "path": "the position of the blank: child indices from the root, joined by dots",
    "answer": "the sub-tree that was removed, in prefix order",
    "height": "height of the answer or filler",
    "class": "fillers with the same value everywhere have the same number",
    "train_count": "how often fillers of this class occur in the training equations",
}
_SIZES = {10**3: "n<1K", 10**4: "1K<n<10K", 10**5: "10K<n<100K", 10**6: "100K<n<1M", 10**7: "1M<n<10M", 10**8: "10M<n<100M"}


@dataclass(frozen=True)
class CardText:
    """What a card says that cannot be counted in the tables. Texts are Markdown."""

    title: str
    origin: str  # how the equations were made or where they come from, with the command, the seed and the version
    labels: str  # what a label means, and who decided it
    limits: tuple[str, ...]  # known limits, one sentence each
    version: str  # of treesmu
    license: str = "other"  # an identifier such as mit; "other" where the author of the equations must say


def write_card(folder: Path, text: CardText) -> None:
    """Write the card of a corpus folder, after its tables: they are counted."""
    sections = {
        "How it was made": text.origin,
        "Labels": text.labels,
        "Content": _content(folder),
        "Columns": _columns(folder),
        "Use": _usage(folder),
        "Known limits": "\n".join(f"- {limit}" for limit in text.limits),
        "Licence": f"`{text.license}`"
        if text.license != "other"
        else "Not stated. Name one here and in the head before you share it.",
        "Citation": _citation(text.version),
    }
    body = "\n\n".join(f"## {title}\n\n{content}" for title, content in sections.items())
    with atomic_write(folder / CARD) as temporary:
        temporary.write_text(f"{_head(folder, text)}\n# {text.title}\n\n{body}\n", encoding="utf-8")


# -- the head ----------------------------------------------------------------------------------------------------------


def _head(folder: Path, text: CardText) -> str:
    """Return the YAML head. Only the title needs quotes, because all other values are words of ours."""
    rows = sum(pq.read_metadata(local_path(folder / f"{name}.parquet")).num_rows for name in _present(folder, _SPLITS))
    size = next((name for limit, name in _SIZES.items() if rows < limit), "100M<n<1B")
    title = text.title.replace("'", "''")
    lines = ["---", f"pretty_name: '{title}'", f"license: {text.license}", *_listed("task_categories", _TASKS)]
    lines += [*_listed("tags", _TAGS), *_listed("size_categories", (size,)), "configs:"]
    lines += ["- config_name: default", "  default: true", "  data_files:"]
    for split in _present(folder, _SPLITS):
        lines += [f"  - split: {split}", f"    path: {split}.parquet"]
    for name in _present(folder, _FURTHER):
        lines += [f"- config_name: {name}", "  data_files:", "  - split: test", f"    path: {name}.parquet"]
    return "\n".join([*lines, "---", ""])


def _listed(key: str, values: tuple[str, ...]) -> list[str]:
    return [f"{key}:", *(f"- {value}" for value in values)]


def _present(folder: Path, names: tuple[str, ...] | dict[str, str]) -> list[str]:
    return [name for name in names if (folder / f"{name}.parquet").exists()]


# -- what is in the tables ---------------------------------------------------------------------------------------------


def _content(folder: Path) -> str:
    """Return a table of rows by split and label with depths, and the rows of the other tables."""
    files = {split: local_path(folder / f"{split}.parquet") for split in _present(folder, _SPLITS)}
    found = {split: pq.read_table(file, columns=["label", "depth"]) for split, file in files.items()}
    counts = {split: Counter(table["label"].to_pylist()) for split, table in found.items()}
    labels = [label for label in _LABELS if label >= 0 or any(count[label] for count in counts.values())]
    header = ["split", "rows", *(_LABELS[label] for label in labels), "depth"]
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    for split, table in found.items():
        depths = table["depth"].to_pylist()
        span = f"{min(depths)}-{max(depths)}" if depths else ""
        cells = [split, f"{len(depths):,}", *(f"{counts[split][label]:,}" for label in labels), span]
        lines.append(f"| {' | '.join(cells)} |")
    further = [
        f"`{name}`: {_FURTHER[name]}, {pq.read_metadata(local_path(folder / f'{name}.parquet')).num_rows:,} rows."
        for name in _present(folder, _FURTHER)
    ]
    return "\n\n".join(
        ["\n".join(lines), *further, "`manifest.json` has the rows by depth, the settings and the checksums of the tables."]
    )


def _columns(folder: Path) -> str:
    """Return a list of the columns of each kind of table."""
    parts = []
    kinds = {"Equations": _present(folder, _SPLITS)[:1], **{name.title(): [name] for name in _present(folder, _FURTHER)}}
    for title, names in kinds.items():
        for name in names:
            schema = pq.read_schema(local_path(folder / f"{name}.parquet"))
            rows = [f"| `{field.name}` | {field.type} | {_COLUMNS.get(field.name, '')} |" for field in schema]
            parts.append("\n".join([f"{title}:", "", "| column | type | content |", "|---|---|---|", *rows]))
    return "\n\n".join(parts)


def _usage(folder: Path) -> str:
    further = "".join(
        f'{name} = load_dataset("path/to/this/folder", "{name}", split="test")\n' for name in _present(folder, _FURTHER)
    )
    return f"""```python
from datasets import load_dataset
equations = load_dataset("path/to/this/folder")  # {", ".join(_present(folder, _SPLITS))}
{further}```

With treesmu: `treesmu data show FOLDER`, `treesmu train FOLDER --model tree-smu --out RUN`."""


def _citation(version: str) -> str:
    return f"""```bibtex
@software{{treesmu,
  title = {{treesmu: trustworthy data and fast tree networks for compositional generalisation}},
  author = {{{{The treesmu developers}}}},
  version = {{{version}}},
  year = {{2026}}
}}
@article{{arabshahi2021compositional,
  title = {{Compositional Generalization with Tree Stack Memory Units}},
  author = {{Arabshahi, Forough and Lu, Zhichu and Mundra, Pranay and Singh, Sameer and Anandkumar, Animashree}},
  year = {{2021}}
}}
```"""
