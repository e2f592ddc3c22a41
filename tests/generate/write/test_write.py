"""A corpus is written as docs/reference/corpus.md says, or not at all."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paths import ROOT
from small_corpus import SMALL, generate_small
from treesmu.expr import from_prefix, leaf, parse
from treesmu.files import fresh_folder
from treesmu.generate.splits import GeneratedCorpus
from treesmu.generate.write import write_corpus

TEXT = dict.fromkeys(("prefix", "infix"), pa.string())
COLUMNS = {
    "equations": {
        **TEXT, "label": pa.int8(), "depth": pa.int16(), "size": pa.int32(), "chain": pa.int64(), "split": pa.string(),
        "kind": pa.string(),
    },
    "blanks": {
        **TEXT, "question": pa.string(), "path": pa.string(), "answer": pa.string(), "height": pa.int8(),
        "depth": pa.int16(), "size": pa.int32(), "chain": pa.int64(),
    },
    "candidates": {**TEXT, "height": pa.int8(), "class": pa.int32(), "train_count": pa.int64()},
}  # fmt: skip
SPLITS = ("train", "validation", "test")


@pytest.fixture(scope="module")
def folder(mixed: GeneratedCorpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("write") / "corpus"
    with fresh_folder(out) as partial:
        write_corpus(mixed, partial, "1.2.3")
    return out


@pytest.fixture(scope="module")
def manifest(folder: Path) -> dict:
    return json.loads((folder / "manifest.json").read_text())


def test_the_files_are_those_of_the_document(folder):
    assert {p.name for p in folder.iterdir()} == {
        *(f"{name}.parquet" for name in (*SPLITS, "blanks", "candidates")),
        "manifest.json",
        "README.md",
    }
    assert [p.name for p in folder.parent.iterdir()] == ["corpus"]


@pytest.mark.parametrize("name", [*SPLITS, "blanks", "candidates"])
def test_columns_and_types_are_those_of_the_document(folder, name):
    schema = pq.read_schema(folder / f"{name}.parquet")
    assert dict(zip(schema.names, schema.types, strict=True)) == COLUMNS["equations" if name in SPLITS else name]
    text = ROOT.joinpath("docs", "reference", "corpus.md").read_text()
    assert all(f"`{column}`" in text for column in schema.names)
    facts = pq.read_metadata(folder / f"{name}.parquet").row_group(0).column(0)
    assert facts.compression == "ZSTD"


@pytest.mark.parametrize("name", SPLITS)
def test_rows_are_those_of_the_corpus_sorted_by_depth(folder, mixed, name):
    table = pq.read_table(folder / f"{name}.parquet").to_pylist()
    rows = mixed.splits[name].rows
    assert [row["depth"] for row in table] == sorted(rows.depth)
    written = Counter((r["prefix"], r["infix"], r["label"], r["depth"], r["size"], r["chain"], r["kind"]) for r in table)
    columns = (rows.prefix, rows.infix, rows.label, rows.depth, rows.size, rows.chain, rows.kind)
    assert written == Counter(zip(*columns, strict=True))
    assert {row["split"] for row in table} == {name}
    assert all(parse(row["infix"]) is from_prefix(row["prefix"].split()) for row in table)


def test_nothing_is_missing_in_any_column(folder):
    for path in folder.glob("*.parquet"):
        table = pq.read_table(path)
        assert [table[name].null_count for name in table.column_names] == [0] * table.num_columns


# -- manifest ----------------------------------------------------------------------------------------------------------


def test_counts_in_the_manifest_are_those_of_the_files(folder, manifest):
    for name in SPLITS:
        table = pq.read_table(folder / f"{name}.parquet")
        found = Counter(zip(table["depth"].to_pylist(), table["label"].to_pylist(), strict=True))
        counts = {(int(d), int(label)): n for d, labels in manifest["counts"][name].items() for label, n in labels.items()}
        assert {key: n for key, n in counts.items() if n} == dict(found)


def test_checksums_in_the_manifest_are_those_of_the_files(folder, manifest):
    assert set(manifest["files"]) == {p.name for p in folder.glob("*.parquet")}
    for name, facts in manifest["files"].items():
        data = (folder / name).read_bytes()
        assert facts == {
            "rows": pq.read_metadata(folder / name).num_rows,
            "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
        }


def test_the_manifest_says_how_the_corpus_was_made(manifest, mixed):
    keys = {"version", "preset", "seed", "settings", "wanted", "own_axioms", "counts", "undecided", "padding", "files"}
    assert set(manifest) == keys
    assert (manifest["version"], manifest["seed"], manifest["preset"]) == ("1.2.3", SMALL["seed"], "quick")
    assert type(mixed.settings).model_validate(manifest["settings"]) == mixed.settings  # enough to make it again
    assert set(manifest["undecided"]) >= {str(d) for d in range(1, 10)}
    assert all(0 <= share <= 1 for share in manifest["undecided"].values())
    assert all(0 <= share < 0.2 for share in manifest["padding"].values())


# -- blanks and candidates ---------------------------------------------------------------------------------------------


def test_blanks_are_in_correct_test_equations_and_their_answers_are_candidates(folder):
    tests = {row["prefix"]: row for row in pq.read_table(folder / "test.parquet").to_pylist()}
    fillers = {row["prefix"]: row for row in pq.read_table(folder / "candidates.parquet").to_pylist()}
    blanks = pq.read_table(folder / "blanks.parquet").to_pylist()
    assert {row["depth"] for row in blanks} == {8, 9}
    assert len(blanks) == len({row["prefix"] for row in blanks}) == 40  # all there are: 20 correct equations per depth
    for row in blanks:
        whole = tests[row["prefix"]]
        assert whole["label"] == 1
        assert {k: whole[k] for k in ("infix", "depth", "size", "chain")} == {
            k: row[k] for k in ("infix", "depth", "size", "chain")
        }
        path = tuple(int(i) for i in row["path"].split("."))
        e = from_prefix(row["prefix"].split())
        assert e.at(path) is from_prefix(row["answer"].split())
        assert parse(row["question"]) is e.replace(path, leaf("_"))
        assert fillers[row["answer"]]["height"] == row["height"] in (0, 1)


def test_counts_of_candidates_are_those_of_the_training_equations_by_class(folder):
    counts = Counter()
    for prefix in pq.read_table(folder / "train.parquet")["prefix"].to_pylist():
        counts.update(" ".join(e.prefix()) for _, e in from_prefix(prefix.split()).paths() if e.depth <= 1)
    fillers = pq.read_table(folder / "candidates.parquet").to_pylist()
    by_class = Counter()
    for row in fillers:
        by_class[row["class"]] += counts[row["prefix"]]
    assert [row["train_count"] for row in fillers] == [by_class[row["class"]] for row in fillers]
    assert sum(row["train_count"] > 0 for row in fillers) > 50


def test_same_corpus_same_bytes(folder, mixed, tmp_path):
    write_corpus(mixed, tmp_path, "1.2.3")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {p.name: p.read_bytes() for p in folder.iterdir()}


def test_a_shallow_corpus_has_an_empty_file_of_blanks(tmp_path):
    corpus = generate_small(train_size=40, validation_size=8, per_depth=4, depths=(2, 3), test_depths=(3, 4))
    write_corpus(corpus, tmp_path, "0")
    assert pq.read_table(tmp_path / "blanks.parquet").num_rows == 0
