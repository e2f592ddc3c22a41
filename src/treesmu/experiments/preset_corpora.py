"""The corpora of a preset: generated, made of a user's files, or of other trees than equations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from treesmu.data.tree_files.read import FORMATS
from treesmu.generate.axioms import collect_axioms, read_files
from treesmu.generate.settings import CorpusSettings, corpus_settings
from treesmu.training.settings import first_error

from .file_corpus import FILE_FIELDS, FileCorpus, FileCorpusSettings, MissingFileError
from .study import PresetCorpus
from .tree_corpus import KINDS, TreeCorpus
from .tree_files import TreeFiles, TreeFileSettings


def make_corpus(name: str, given: dict[str, Any], folders: Sequence[Path]) -> PresetCorpus:
    """Return the corpus that the table ``[corpora.NAME]`` of a preset describes; a wrong one is a ValueError.

    A file that is in none of the folders is a MissingFileError.
    """
    if not re.fullmatch(r"\w[\w.-]{0,63}", name):  # it becomes a folder's name; + separates the suffix of exceptions
        raise ValueError(f"corpus {name!r}: a name consists of letters, digits, - _ and . and does not begin with a dot")
    if not given.keys().isdisjoint(FILE_FIELDS):
        return _file_corpus(name, given, folders)
    if "trees" in given:
        return _tree_corpus(name, given, folders)
    if not isinstance(given.get("preset"), str):
        raise ValueError(f'corpus {name}: name the preset that generates it, such as preset = "paper", or its files')
    if unknown := [key for key in given if key not in CorpusSettings.model_fields]:
        raise ValueError(f"corpus {name}: unknown setting {unknown[0]!r}; known: {', '.join(CorpusSettings.model_fields)}")
    try:
        rest = {key: value for key, value in given.items() if key != "preset"}
        settings = corpus_settings(given["preset"], **rest)
        if settings.way == "chains":
            collect_axioms(settings.families, read_files(settings.axiom_files))
    except ValidationError as error:
        raise ValueError(f"corpus {name}: {first_error(error)}") from error
    except ValueError as error:
        raise ValueError(f"corpus {name}: {error}") from error
    return settings


def _file_corpus(name: str, given: dict[str, Any], folders: Sequence[Path]) -> FileCorpus:
    try:
        return FileCorpus(FileCorpusSettings(**given), folders)
    except ValidationError as error:
        raise ValueError(f"corpus {name}: {first_error(error)}") from error


def _tree_corpus(name: str, given: dict[str, Any], folders: Sequence[Path]) -> TreeCorpus | TreeFiles:
    """Return the trees of a generator, or of a user's file, which is given with its task."""
    trees = given["trees"]
    try:
        if trees in KINDS or not isinstance(trees, str):
            return TreeCorpus(given)
        if "task" not in given and Path(trees).suffix not in FORMATS:
            return TreeCorpus(given)  # which says what generators there are
        return TreeFiles.find(TreeFileSettings(**given), folders)
    except MissingFileError:
        raise
    except ValidationError as error:
        raise ValueError(f"corpus {name}: {first_error(error)}") from error
    except (ValueError, TypeError) as error:
        raise ValueError(f"corpus {name}: {error}") from error
