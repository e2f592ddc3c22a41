"""The error that treesmu raises for data that it cannot use, and errors of others in one line."""


class DataError(ValueError):
    """Raised for data that cannot be used; the one-line message names the file, the position, what is wrong and the remedy."""


def one_line(error: BaseException) -> str:
    """Return an error's message on one line of at most 200 characters."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 200 else f"{text[:197]}..."


def describe(error: BaseException) -> str:
    """Return the kind and the message of an error on one line; of a DataError only the message, which says everything."""
    if isinstance(error, DataError):
        return one_line(error)
    return f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else one_line(error)}"
