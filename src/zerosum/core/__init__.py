"""The contract between games and algorithms: State, Game, errors, and the door for Python-written games."""

from zerosum.core.errors import (
    GameTooLongError,
    IllegalActionError,
    SearchLimitError,
    UnsupportedGameError,
)
from zerosum.core.game import Game
from zerosum.core.state import PLAYER_CHANCE, PLAYER_TERMINAL, State

__all__ = [
    "PLAYER_CHANCE",
    "PLAYER_TERMINAL",
    "Game",
    "GameTooLongError",
    "IllegalActionError",
    "SearchLimitError",
    "State",
    "UnsupportedGameError",
]
