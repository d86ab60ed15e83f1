"""Plays and exactly solves two-player zero-sum games at C speed."""

from typing import TYPE_CHECKING, Any

from zerosum.core import (
    Game,
    GameTooLongError,
    IllegalActionError,
    SearchLimitError,
    State,
    TablebaseBusyError,
    TablebaseError,
    UnsupportedGameError,
)
from zerosum.core.tablebase import register_finder
from zerosum.games.oware import Oware, OwareState
from zerosum.games.tictactoe import MNK, TicTacToe
from zerosum.search import SearchResult, deepen, minimax, perft, perft_divide, search, solve

if TYPE_CHECKING:
    from zerosum.equilibrium import (
        CFRSolver,
        GameTree,
        best_response,
        equilibrium,
        expected_value,
        exploitability,
        nash_conv,
        simulate,
    )
    from zerosum.games.kuhn import KuhnPoker
    from zerosum.games.leduc import LeducPoker
    from zerosum.tablebase import OwareTablebase

    __version__: str

# Boards of more seeds are captures away from any table, and numpy and a table cost half a second.
TABLEBASE_SEEDS = 24

# What only some programs need, and where it is: imported when first asked for, since numpy and the solvers
# would take longer to import than everything else.
LATER = {
    "CFRSolver": "zerosum.equilibrium",
    "GameTree": "zerosum.equilibrium",
    "KuhnPoker": "zerosum.games.kuhn",
    "LeducPoker": "zerosum.games.leduc",
    "OwareTablebase": "zerosum.tablebase",
    "best_response": "zerosum.equilibrium",
    "expected_value": "zerosum.equilibrium",
    "exploitability": "zerosum.equilibrium",
    "nash_conv": "zerosum.equilibrium",
    "simulate": "zerosum.equilibrium",
}

__all__ = [
    "MNK",
    "CFRSolver",
    "Game",
    "GameTooLongError",
    "GameTree",
    "IllegalActionError",
    "KuhnPoker",
    "LeducPoker",
    "Oware",
    "OwareState",
    "OwareTablebase",
    "SearchLimitError",
    "SearchResult",
    "State",
    "TablebaseBusyError",
    "TablebaseError",
    "TicTacToe",
    "UnsupportedGameError",
    "best_response",
    "deepen",
    "equilibrium",
    "expected_value",
    "exploitability",
    "get_include",
    "minimax",
    "nash_conv",
    "perft",
    "perft_divide",
    "search",
    "simulate",
    "solve",
]


def get_include() -> str:
    """The folder to put on Cython's include path to ``cimport zerosum``."""
    from pathlib import Path  # 4 ms that no import of zerosum needs to spend

    return str(Path(__file__).resolve().parents[1])


def find_oware_tablebase(state: OwareState, may_build: bool) -> "OwareTablebase | None":
    """The tablebase that a search of an oware state uses unasked; None when it would hardly be reached."""
    if sum(state.south) + sum(state.north) > TABLEBASE_SEEDS:
        return None
    from zerosum.tablebase import OwareTablebase

    try:
        return OwareTablebase.for_game(state.get_game(), may_build)
    except ValueError:  # the game has rules without a value by the board alone
        return None


register_finder(OwareState, find_oware_tablebase)


def __getattr__(name: str) -> Any:
    """Import what ``LATER`` lists."""
    from importlib import import_module

    if name == "equilibrium":
        # The room's name and its function's: the module is callable, whichever way it was imported.
        return import_module("zerosum.equilibrium")
    if name == "__version__":
        from importlib.metadata import version

        return version("zerosum")
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(LATER[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__", *(name for name in globals() if name.startswith("__"))})
