"""The room of data: corpora and the authors' files read, equations as numbered nodes. No torch here."""

from treesmu.errors import DataError

from .authors import Example, by_depth, read_authors, write_authors
from .completion import Blanks, Candidates
from .dataset import Dataset
from .forest import Forest
from .plan import CorpusPlan
from .sequence import SequenceBatch, SequencePlan
from .spelling import Spelling
from .vocab import Vocab

__all__ = [
    "Blanks",
    "Candidates",
    "CorpusPlan",
    "DataError",
    "Dataset",
    "Example",
    "Forest",
    "SequenceBatch",
    "SequencePlan",
    "Spelling",
    "Vocab",
    "by_depth",
    "read_authors",
    "write_authors",
]
