"""Nim, where whoever takes the last counter wins: a game in pure Python, solved as it is.

Run it: python nim.py
"""

from collections.abc import Hashable
from functools import reduce
from itertools import product
from operator import xor

import zerosum as zs


class Nim:
    """Heaps of at most nine counters; action 10 * heap + number takes that number from that heap."""

    def __init__(self, *heaps: int) -> None:
        self.heaps = list(heaps)
        self.player = 0

    def current_player(self) -> int:
        return self.player

    def legal_actions(self) -> list[int]:
        return [10 * heap + n for heap, left in enumerate(self.heaps) for n in range(1, left + 1)]

    def apply_action(self, action: int) -> None:
        self.heaps[action // 10] -= action % 10
        self.player = 1 - self.player

    def undo_action(self, player: int, action: int) -> None:
        self.heaps[action // 10] += action % 10
        self.player = player

    def is_terminal(self) -> bool:
        return not any(self.heaps)

    def returns(self) -> list[float]:
        return [-1.0, 1.0] if self.player == 0 else [1.0, -1.0]

    def key(self) -> Hashable:
        return tuple(self.heaps)

    def max_utility(self) -> float:
        return 1.0


def main() -> None:
    for heaps in product(range(4), repeat=3):
        if any(heaps):
            # Bouton 1901: the player to move loses exactly when the heaps' exclusive or is zero.
            assert zs.solve(Nim(*heaps)).value == (1 if reduce(xor, heaps) else -1), heaps
    assert zs.perft(Nim(1, 2), 2) == 5
    result = zs.solve(Nim(1, 3, 5))
    heap, number = divmod(result.best_actions[0], 10)
    print(f"1, 3, 5: take {number} from heap {heap}, {result.distance} plies to the end")


if __name__ == "__main__":
    main()
