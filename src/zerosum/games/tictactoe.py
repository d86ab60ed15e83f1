"""MNK and TicTacToe: the games whose states are ``MNKState``."""

from typing import Any

from zerosum.core.game import Game
from zerosum.games.board_text import format_board, parse_cells
from zerosum.games.mnk import MAX_BITS, MNKState, winners

__all__ = ["MNK", "TicTacToe"]


class MNK(Game):
    """MNK(m, n, k): m columns, n rows, k in a row wins; X is player 0 and moves first.

    Actions are cells, row by row from the top left. Returns are 1 for the winner, -1 for the loser and
    0 for both when the board is full. ValueError for sizes below 1, k that fits no line, or more than 64
    bits of board: (m + 1) * n must be at most 64.
    """

    def __init__(self, m: int, n: int, k: int) -> None:
        for name, value in (("m", m), ("n", n), ("k", k)):
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"{name} must be a whole number, not {value!r}")
            if value < 1:
                raise ValueError(f"{name} must be at least 1, not {value}")
        if k > max(m, n):
            raise ValueError(f"no line of {k} fits on {m} columns and {n} rows")
        if (m + 1) * n > MAX_BITS:
            raise ValueError(
                f"{m} columns and {n} rows are too many: (m + 1) * n may be {MAX_BITS} at most"
            )
        self.m: int = m
        self.n: int = n
        self.k: int = k

    def new_initial_state(self) -> MNKState:
        """The empty board, X to move."""
        return MNKState(self)

    def state(self, board: Any, *, first_player: str = "X") -> MNKState:
        """A state from a board in any usual form; the player to move follows from the counts.

        Args:
            board: text such as ``XX.O..O..``, a flat or nested sequence or a numpy array of 1 (X),
                -1 (O) and 0, or of marks, None and cell numbers; see ``board_text.parse_cells``.
            first_player: "X" or "O", who made the first move of the game.

        Raises:
            ValueError: unknown cells, a wrong size, counts or lines that no game can reach; the message
                says what is wrong and where.
        """
        if first_player not in ("X", "O"):
            raise ValueError(f"first_player must be 'X' or 'O', not {first_player!r}")
        cells = parse_cells(board, self.m, self.n)
        mover = self._mover(cells, first_player)
        self._check_lines(cells, mover)
        state = MNKState(self)
        state.place(cells, mover)
        return state

    def _mover(self, cells: list[str], first: str) -> int:
        """The player to move by the counts; ValueError for counts that no game can reach."""
        second = "O" if first == "X" else "X"
        ahead = cells.count(first) - cells.count(second)
        if ahead not in (0, 1):
            raise ValueError(
                f"impossible board: {cells.count('X')} X and {cells.count('O')} O, but {first} moves "
                f"first and they take turns:\n{format_board(cells, self.m)}"
            )
        return "XO".index(first if ahead == 0 else second)

    def _check_lines(self, cells: list[str], mover: int) -> None:
        """ValueError for lines that no game can reach."""
        winning = winners(cells, self.m, self.n, self.k)
        where = f":\n{format_board(cells, self.m)}"
        if len(winning) == 2:
            raise ValueError(f"impossible board: both X and O have {self.k} in a row{where}")
        if not winning:
            return
        mark = "XO"[winning[0]]
        if winning[0] == mover:
            raise ValueError(
                f"impossible board: {mark} has {self.k} in a row, yet {'XO'[1 - mover]} played after it{where}"
            )
        if not any(
            not winners([*cells[:cell], ".", *cells[cell + 1 :]], self.m, self.n, self.k)
            for cell in range(len(cells))
            if cells[cell] == mark
        ):
            raise ValueError(
                f"impossible board: {mark} has lines that no single last stone completes{where}"
            )

    def num_distinct_actions(self) -> int:
        """One action for each cell."""
        return self.m * self.n

    def max_utility(self) -> float:
        """1, for a win."""
        return 1.0

    def max_game_length(self) -> int:
        """A move for each cell."""
        return self.m * self.n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MNK) and (self.m, self.n, self.k) == (other.m, other.n, other.k)

    def __hash__(self) -> int:
        return hash((self.m, self.n, self.k))

    def __repr__(self) -> str:
        return f"MNK({self.m}, {self.n}, {self.k})"


class TicTacToe(MNK):
    """TicTacToe(): three in a row on 3 by 3; MNK(3, 3, 3) by its name."""

    def __init__(self) -> None:
        super().__init__(3, 3, 3)

    def __repr__(self) -> str:
        return "TicTacToe()"
