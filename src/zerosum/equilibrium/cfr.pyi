from collections.abc import Callable
from os import PathLike
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from zerosum.equilibrium.evaluation import TablePolicy
from zerosum.equilibrium.tree import GameTree

FORMAT: str
VARIANTS: tuple[str, ...]
EXPONENTS: dict[str, float]
DEFAULT_AVERAGING: dict[str, str]

@disjoint_base
class CFRSolver:
    variant: str
    alternating: bool
    averaging: float
    averaged: str
    alpha: float
    beta: float
    iterations: int
    def __init__(
        self,
        game_or_tree: Any,
        variant: Literal["cfr", "cfr+", "lcfr", "dcfr", "pcfr+"] | str = "cfr+",
        *,
        alternating: bool = True,
        averaging: str | float | None = None,
        averaged: str = "played",
        alpha: float = 1.5,
        beta: float = 0.0,
        gamma: float = 2.0,
        sampling: Literal["external", "outcome"] | str | None = None,
        seed: int = 0,
        epsilon: float = 0.6,
    ) -> None: ...
    @property
    def tree(self) -> GameTree: ...
    @property
    def sampling(self) -> str | None: ...
    def run(
        self,
        iterations: int,
        *,
        target: float | None = None,
        check_every: int | None = None,
        progress: Callable[[int, int, str], object] | None = None,
    ) -> int: ...
    def block_size(self) -> int: ...
    def run_sampler(self, count: int, target: float, every: int) -> int: ...
    def exploitability(self) -> float: ...
    def average_policy(self) -> TablePolicy: ...
    def current_policy(self) -> TablePolicy: ...
    def average_of(self, player: int) -> NDArray[np.float64]: ...
    def strategy_of(self, player: int) -> NDArray[np.float64]: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    @classmethod
    def load(cls, path: str | PathLike[str], game_or_tree: Any) -> Self: ...

def fingerprint(tree: GameTree) -> list[int]: ...
