"""Prints the signature: the positions visited while a fixed set of positions is searched.

It changes exactly when the search or a game's rules behave differently, never with the machine. A commit
that means to change it writes the new number here, with ``--write``, and in its message.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import zerosum as zs

FILE = Path(__file__).with_name("SIGNATURE")

Case = tuple[str, Callable[[], zs.SearchResult]]


def tictactoe_cases() -> Iterator[Case]:
    """The empty board and some others: solved, searched to a depth, and by plain minimax."""
    game = zs.TicTacToe()
    for board in ("." * 9, "XX.O..O..", "X...O..X.", "OX..O.X.."):
        state = game.state(board)
        yield f"tictactoe {board} solve", partial(zs.solve, state)
    empty = game.new_initial_state()
    yield "tictactoe empty depth 6", partial(zs.search, empty, depth=6)
    yield "tictactoe empty best action only", partial(zs.solve, empty, all_actions=False)
    yield "tictactoe empty minimax", partial(zs.minimax, empty)


def mnk_cases() -> Iterator[Case]:
    """Larger boards: solved where that is quick, else to a fixed depth; one with a table that is too small."""
    for sizes in ((4, 3, 3), (5, 3, 4)):
        state = zs.MNK(*sizes).new_initial_state()
        yield f"mnk {sizes} solve", partial(zs.solve, state)
    for sizes, depth in (((4, 4, 4), 8), ((5, 5, 4), 6), ((6, 6, 5), 5), ((7, 7, 5), 4)):
        state = zs.MNK(*sizes).new_initial_state()
        yield (
            f"mnk {sizes} depth {depth}",
            partial(zs.search, state, depth=depth),
        )
    state = zs.MNK(5, 5, 4).state("XO..." + "." * 5 + "..X.." + "..O.." + ".....")
    yield "mnk (5, 5, 4) depth 7 in 1 MiB", partial(zs.search, state, depth=7, table_mb=1)


class TakeAway:
    """A game written in Python: take one to three counters, who takes the last one wins."""

    def __init__(self, counters: int) -> None:
        self.counters, self.player = counters, 0

    def current_player(self) -> int:
        return self.player

    def legal_actions(self) -> list[int]:
        return list(range(1, min(3, self.counters) + 1))

    def apply_action(self, action: int) -> None:
        self.counters -= action
        self.player = 1 - self.player

    def undo_action(self, player: int, action: int) -> None:
        self.counters += action
        self.player = player

    def is_terminal(self) -> bool:
        return self.counters == 0

    def returns(self) -> list[float]:
        return (
            [0.0, 0.0]
            if self.counters
            else [1.0 - 2 * (1 - self.player), 2.0 * (1 - self.player) - 1]
        )

    def key(self) -> int:
        return self.counters


class Carousel(TakeAway):
    """The same on a ring: one may also put a counter back, so positions repeat."""

    PUT_BACK = 4

    def __init__(self, counters: int, most: int) -> None:
        super().__init__(counters)
        self.most = most

    def legal_actions(self) -> list[int]:
        takes = super().legal_actions()
        return [*takes, self.PUT_BACK] if self.counters < self.most else takes

    def apply_action(self, action: int) -> None:
        super().apply_action(-1 if action == self.PUT_BACK else action)

    def undo_action(self, player: int, action: int) -> None:
        super().undo_action(player, -1 if action == self.PUT_BACK else action)


def python_cases() -> Iterator[Case]:
    """Games written in Python, one of which repeats positions."""
    yield "take-away 21", partial(zs.solve, TakeAway(21))
    yield "take-away 40 depth 12", partial(zs.search, TakeAway(40), depth=12)
    yield "carousel 9 of 12", partial(zs.solve, Carousel(9, 12))


def signature(verbose: bool) -> int:
    """The sum of the positions visited, printed case by case when ``verbose``."""
    total = 0
    for cases in (tictactoe_cases, mnk_cases, python_cases):
        for name, run in cases():
            nodes = run().nodes
            total += nodes
            if verbose:
                print(f"{nodes:>12,}  {name}")
    return total


def main() -> int:
    """Print, check or write; 1 when a check fails."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the recorded signature")
    parser.add_argument("--write", action="store_true", help="record the signature")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every case")
    options = parser.parse_args()
    found = signature(options.verbose)
    print(found)
    if options.write:
        FILE.write_text(f"{found}\n")
    if options.check and found != int(FILE.read_text()):
        print(
            f"The signature is {found}, recorded is {FILE.read_text().strip()}: search behaves differently. "
            "If that is meant, run benchmarks/signature.py --write and say 'Signature: "
            f"{found}' in the commit's message.",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
