"""Games by the names that people type."""

from zerosum.core.game import Game
from zerosum.games.oware import RULE_SETS, Oware
from zerosum.games.tictactoe import MNK, TicTacToe

__all__ = ["GAMES", "game_by_name"]

GAMES = "tictactoe, mnk:M,N,K (such as mnk:4,3,3), oware, oware:RULES (abapa, awari or casual)"


def game_by_name(name: str) -> Game:
    """The game that a name stands for; ValueError that lists the names when there is none."""
    kind, _, rest = name.partition(":")
    if kind == "tictactoe" and not rest:
        return TicTacToe()
    if kind == "mnk":
        numbers = rest.split(",")
        if len(numbers) != 3 or not all(number.strip().isdigit() for number in numbers):
            raise ValueError(f"mnk needs three numbers, such as mnk:4,3,3, not {name!r}")
        return MNK(*map(int, numbers))
    if kind == "oware":
        if rest and rest not in RULE_SETS:
            raise ValueError(f"oware has the rules {', '.join(RULE_SETS)}, not {rest!r}")
        return Oware(rules=rest or "abapa")
    raise ValueError(f"there is no game called {name!r}; known are {GAMES}")
