"""Games by the names that people type."""

from zerosum.games.tictactoe import MNK, TicTacToe

__all__ = ["GAMES", "game_by_name"]

GAMES = "tictactoe, mnk:M,N,K (such as mnk:4,3,3)"


def game_by_name(name: str) -> MNK:
    """The game that a name stands for; ValueError that lists the names when there is none."""
    kind, _, rest = name.partition(":")
    if kind == "tictactoe" and not rest:
        return TicTacToe()
    if kind == "mnk":
        numbers = rest.split(",")
        if len(numbers) != 3 or not all(number.strip().isdigit() for number in numbers):
            raise ValueError(f"mnk needs three numbers, such as mnk:4,3,3, not {name!r}")
        return MNK(*map(int, numbers))
    raise ValueError(f"there is no game called {name!r}; known are {GAMES}")
