"""The contract between games and algorithms: State, Game, errors, and the door for Python-written games."""

from zerosum.core.errors import (
    GameTooLongError,
    IllegalActionError,
    SearchLimitError,
    TablebaseBusyError,
    TablebaseError,
    UnsupportedGameError,
)
from zerosum.core.game import Game
from zerosum.core.state import PLAYER_CHANCE, PLAYER_TERMINAL, State
from zerosum.core.tablebase import Tablebase

__all__ = [
    "PLAYER_CHANCE",
    "PLAYER_TERMINAL",
    "Game",
    "GameTooLongError",
    "IllegalActionError",
    "SearchLimitError",
    "State",
    "Tablebase",
    "TablebaseBusyError",
    "TablebaseError",
    "UnsupportedGameError",
]
