"""Data: corpora and the authors' files in memory, and trees as integer arrays. Does not import PyTorch."""

from treesmu.errors import DataError

from .corpus.authors import Example, by_depth, read_authors, write_authors
from .corpus.blanks import Blanks, Candidates
from .corpus.dataset import Dataset
from .corpus.spelling import Spelling
from .trees.forest import Forest
from .trees.plan import CorpusPlan
from .trees.sequence_batch import SequenceBatch
from .trees.sequence_plan import SequencePlan
from .trees.vocab import Vocab

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
