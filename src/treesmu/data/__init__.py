"""The room of data: the authors' files, and examples (labelled equations) in memory. No torch here."""

from .authors import Example, by_depth, read_authors, write_authors
from .errors import DataError
from .plan import CorpusPlan
from .spelling import Spelling
from .vocab import Vocab

__all__ = ["CorpusPlan", "DataError", "Example", "Spelling", "Vocab", "by_depth", "read_authors", "write_authors"]
