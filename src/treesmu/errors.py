"""The one error of this room."""


class DataError(ValueError):
    """Data that cannot be read or written; the one-line message names the file, the position, the fault and the remedy."""
