"""Plays and exactly solves two-player zero-sum games at C speed."""

from typing import TYPE_CHECKING, Any

from zerosum.core import (
    Game,
    GameTooLongError,
    IllegalActionError,
    SearchLimitError,
    State,
    UnsupportedGameError,
)
from zerosum.games.oware import Oware
from zerosum.games.tictactoe import MNK, TicTacToe
from zerosum.search import SearchResult, deepen, minimax, perft, perft_divide, search, solve

if TYPE_CHECKING:
    from zerosum.tablebase import OwareTablebase

__all__ = [
    "MNK",
    "Game",
    "GameTooLongError",
    "IllegalActionError",
    "Oware",
    "OwareTablebase",
    "SearchLimitError",
    "SearchResult",
    "State",
    "TicTacToe",
    "UnsupportedGameError",
    "deepen",
    "get_include",
    "minimax",
    "perft",
    "perft_divide",
    "search",
    "solve",
]


def get_include() -> str:
    """The folder to put on Cython's include path to ``cimport zerosum``."""
    from pathlib import Path  # 4 ms that no import of zerosum needs to spend

    return str(Path(__file__).resolve().parents[1])


def __getattr__(name: str) -> Any:
    """What needs numpy is imported when it is first asked for."""
    if name == "OwareTablebase":
        from zerosum.tablebase import OwareTablebase

        return OwareTablebase
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
