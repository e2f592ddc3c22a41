"""The room of data: the authors' files, and examples (labelled equations) in memory. No torch here."""

from .authors import Example, by_depth, read_authors, write_authors
from .errors import DataError
from .spelling import Spelling

__all__ = ["DataError", "Example", "Spelling", "by_depth", "read_authors", "write_authors"]
