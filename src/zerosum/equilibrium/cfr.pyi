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
        alpha: float | None = None,
        beta: float | None = None,
        gamma: float | None = None,
        sampling: Literal["external", "outcome"] | str | None = None,
        seed: int | None = None,
        epsilon: float | None = None,
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

def check_choices(variant: Any, sampling: Any, alternating: Any, averaged: Any) -> None: ...
def check_unused(
    variant: str, sampling: str | None, averaging: Any, given: dict[str, Any]
) -> None: ...
def number_of(name: str, value: Any) -> float: ...
def exponent_of(name: str, averaging: Any) -> float: ...
def settings(arrays: dict[str, NDArray[Any]], meta: dict[str, Any]) -> dict[str, Any]: ...
def fingerprint(tree: GameTree) -> list[int]: ...
