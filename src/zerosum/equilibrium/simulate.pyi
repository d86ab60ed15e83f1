from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from typing_extensions import CapsuleType

from zerosum.equilibrium.tree import GameTree

class Simulation:
    tree: GameTree
    seed: int
    hands: int
    mean: float
    variance: float
    outcomes: dict[float, int]
    leaf_counts: NDArray[np.int64]
    leaves: NDArray[np.intc] | None
    def __init__(
        self,
        tree: GameTree,
        seed: int,
        leaf_counts: NDArray[np.int64],
        leaves: NDArray[np.intc] | None,
    ) -> None: ...
    @property
    def interval(self) -> tuple[float, float]: ...
    def returns(self) -> NDArray[np.float64]: ...

def simulate(
    game: Any,
    policies: Any,
    n: int,
    seed: int | None = None,
    *,
    record: bool = False,
    progress: Callable[[int, int, str], object] | None = None,
) -> Simulation: ...
def checked_seed(seed: int) -> int: ...
def leaf_weights(tree: GameTree, arrays: Any) -> tuple[NDArray[np.intc], NDArray[np.float64]]: ...
def alias_table(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.intc]]: ...

__pyx_capi__: Final[dict[str, CapsuleType]]
