"""Plays and exactly solves two-player zero-sum games at C speed."""

from zerosum.core import (
    Game,
    GameTooLongError,
    IllegalActionError,
    SearchLimitError,
    State,
    UnsupportedGameError,
)
from zerosum.games.tictactoe import MNK, TicTacToe
from zerosum.search import SearchResult, minimax, search, solve

__all__ = [
    "MNK",
    "Game",
    "GameTooLongError",
    "IllegalActionError",
    "SearchLimitError",
    "SearchResult",
    "State",
    "TicTacToe",
    "UnsupportedGameError",
    "minimax",
    "search",
    "solve",
]
