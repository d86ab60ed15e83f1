"""Errors of their own kind. Each is also the built-in error a caller would expect to catch."""

__all__ = [
    "GameTooLongError",
    "IllegalActionError",
    "SearchLimitError",
    "TablebaseBusyError",
    "TablebaseError",
    "UnsupportedGameError",
]


class IllegalActionError(ValueError):
    """An action was played that is not legal in that state."""


class UnsupportedGameError(ValueError):
    """The game has a property that this algorithm cannot handle; the message names both."""


class SearchLimitError(RuntimeError):
    """A search that promises the truth met a limit first. Nothing is guessed."""


class GameTooLongError(SearchLimitError):
    """A line of play is longer than a search can hold (524,287 plies), or endless."""


class TablebaseError(ValueError):
    """A tablebase file cannot be used; the message names the file and what is wrong with it."""


class TablebaseBusyError(RuntimeError):
    """Another process is building a tablebase at the same path."""
