"""Games' own kernels of walks that every game can do: equal answers, no virtual call at a node.

A module named for a game puts its kernels in here; the walks look them up by the state's type.
"""

from collections.abc import Callable
from typing import Any

__all__ = ["MINIMAX", "PERFT"]

# (state, depth or None) -> the root's moves as (score, action, value, distance), line, nodes
MinimaxKernel = Callable[
    [Any, int | None], tuple[list[tuple[int, int, float, int | None]], list[int], int]
]
MINIMAX: dict[type, MinimaxKernel] = {}

# (state, depth) -> lines of so many plies
PERFT: dict[type, Callable[[Any, int], int]] = {}
