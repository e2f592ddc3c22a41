"""A manifest is believed only if its checksums are those of the files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpora import ROWS, write_corpus, write_manifest, write_split
from treesmu.data import DataError, Dataset
from treesmu.data.corpus.manifest import changed_files, check_file, described_files


def test_files_that_are_not_those_of_the_manifest_are_named(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    assert changed_files(tmp_path) == []  # no manifest, nothing to compare
    write_manifest(tmp_path)
    assert changed_files(tmp_path) == []
    with (tmp_path / "train.parquet").open("ab") as file:
        file.write(b" ")
    (tmp_path / "test.parquet").unlink()
    missing, changed = changed_files(tmp_path)
    assert missing.startswith(f"{tmp_path / 'test.parquet'}: is in manifest.json, but cannot be read (No such file")
    assert changed.startswith(f"{tmp_path / 'train.parquet'}: is not the file of manifest.json (sha256 ")
    assert changed.endswith("; make or copy the corpus again")


@pytest.mark.parametrize("read", [changed_files, described_files, lambda folder: check_file(folder / "more.parquet")])
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        *((text, "damaged, not a JSON object") for text in ("", "{", "[]", "garbage", "\udcff", "[" * 200_000)),
        *((text, "has no sha256 of each file") for text in ("{}", '{"files": 1}', '{"files": []}')),
        *((f'{{"files": {{"a.parquet": {facts}}}}}', "has no sha256 of each file") for facts in ("{}", "1", '{"sha256": 5}')),
    ],
    ids=lambda text: text[:30],
)
def test_a_manifest_that_is_none_is_named_by_all_who_compare_checksums(
    read: Any, text: str, fault: str, tmp_path: Path
) -> None:
    (tmp_path / "manifest.json").write_text(text, errors="surrogateescape")
    remedy = "make or copy the corpus again, or remove manifest.json to use the files without checksums"
    with pytest.raises(DataError) as caught:
        read(tmp_path)
    assert str(caught.value) == f"{tmp_path / 'manifest.json'}: {fault}; {remedy}"


# -- what a run keeps ----------------------------------------------------------------------------------------------------


def test_the_checksums_of_the_files_are_returned(tmp_path: Path) -> None:
    write_manifest(write_corpus(tmp_path))
    assert described_files(tmp_path) == json.loads((tmp_path / "manifest.json").read_text())["files"]


def test_a_folder_without_a_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"there is no manifest.json; .*: treesmu data import .* --out NEW"):
        described_files(write_corpus(tmp_path))


def test_a_manifest_without_files_is_refused(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    (tmp_path / "manifest.json").write_text('{"files": {}}')
    with pytest.raises(DataError, match=r"manifest\.json: does not name train\.parquet; make or copy the corpus again"):
        described_files(tmp_path)


def test_the_manifest_of_other_files_is_refused(tmp_path: Path) -> None:
    write_manifest(write_corpus(tmp_path / "one"))
    other = write_corpus(tmp_path / "other", [("x = x", 1, "rewrite")])
    (other / "manifest.json").write_bytes((tmp_path / "one" / "manifest.json").read_bytes())
    with pytest.raises(DataError, match=r"other/\w+\.parquet: is not the file of manifest\.json .*; make or copy"):
        described_files(other)


@pytest.mark.parametrize("name", ["../secret.txt", "a/../../secret.txt", "/etc/hostname", "..", "", "..\\secret.txt", "a\0b"])
def test_a_manifest_that_names_files_elsewhere_is_refused_and_they_are_not_read(name: str, tmp_path: Path) -> None:
    """They would be copied, and the message would tell a part of their checksum."""
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    write_corpus(corpus)
    write_manifest(corpus)
    (tmp_path / "secret.txt").write_text("secret")
    manifest = json.loads((corpus / "manifest.json").read_text())
    manifest["files"][name] = {"sha256": "0" * 64, "rows": 1, "bytes": 1}
    (corpus / "manifest.json").write_text(json.dumps(manifest))
    for read in (described_files, changed_files):
        with pytest.raises(DataError, match="which is not in the folder of the corpus; make or copy") as caught:
            read(corpus)
        assert "sha256" not in str(caught.value)


def test_whoever_reads_a_file_of_a_corpus_finds_that_it_was_changed(tmp_path: Path) -> None:
    write_manifest(write_corpus(tmp_path))
    write_split(tmp_path / "test.parquet", ROWS[:2])
    for path in (tmp_path, tmp_path / "test.parquet"):
        with pytest.raises(
            DataError, match=r"test\.parquet: is not the file of manifest\.json .*; make or copy the corpus again"
        ):
            Dataset.read(path)
    assert len(Dataset.read(tmp_path, "train")) == len(ROWS)


def test_a_file_that_the_manifest_does_not_name_is_read(tmp_path: Path) -> None:
    write_manifest(write_corpus(tmp_path))
    assert len(Dataset.read(write_split(tmp_path / "more.parquet"))) == len(ROWS)
