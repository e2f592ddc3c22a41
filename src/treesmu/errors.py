"""The error that treesmu raises for data that it cannot use."""


class DataError(ValueError):
    """Raised for data that cannot be used; the one-line message names the file, the position, what is wrong and the remedy."""
