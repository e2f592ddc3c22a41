"""The error that treesmu raises for data that it cannot use."""


class DataError(ValueError):
    """Data that cannot be read or written; the one-line message names the file, the position, what is wrong and the remedy."""
