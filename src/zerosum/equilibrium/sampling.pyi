from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from zerosum.equilibrium.tree import GameTree

@disjoint_base
class Sampler:
    kind: str
    epsilon: float
    def __new__(cls, tree: GameTree, kind: str, cuts: bool, seed: int, epsilon: float) -> Self: ...
    def average_of(self, player: int) -> NDArray[np.float64]: ...
    def strategy_of(self, player: int) -> NDArray[np.float64]: ...
    def arrays(self) -> dict[str, NDArray[Any]]: ...
    def restore(self, arrays: dict[str, NDArray[Any]]) -> None: ...
