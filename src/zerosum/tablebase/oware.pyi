from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar, overload

import numpy as np
from typing_extensions import disjoint_base

from zerosum.core.state import State
from zerosum.core.tablebase import Tablebase
from zerosum.games.oware import Oware, OwareState
from zerosum.tablebase.building import Progress
from zerosum.tablebase.files import Header

__all__ = ["Mismatch", "OwareTablebase"]

_Board: TypeAlias = OwareState | str | Sequence[int]
_T = TypeVar("_T")

SUFFICIENT: int

def checked_seeds(max_seeds: int) -> None: ...

class Mismatch(NamedTuple):
    board: tuple[int, ...]
    stored: int
    expected: int

@disjoint_base
class OwareTablebase(Tablebase):
    def __init__(
        self,
        header: Header,
        layers: Iterable[np.ndarray[Any, np.dtype[np.int8]]],
        path: Path | None = None,
    ) -> None: ...
    @classmethod
    def build(
        cls,
        max_seeds: int,
        *,
        rules: str | Oware | None = None,
        houses: int | None = None,
        threads: int | None = None,
        path: str | PathLike[str] | None = None,
        progress: Progress | None = None,
        **switches: str | bool,
    ) -> OwareTablebase: ...
    @classmethod
    def open(
        cls,
        path: str | PathLike[str] | None = None,
        *,
        rules: str | Oware | None = None,
        houses: int | None = None,
        **switches: str | bool,
    ) -> OwareTablebase: ...
    @classmethod
    def for_game(cls, game: Oware, may_build: bool = True) -> OwareTablebase: ...
    @staticmethod
    def default_path(
        rules: str | Oware | None = None, houses: int | None = None, **switches: str | bool
    ) -> Path: ...
    def save(self, path: str | PathLike[str]) -> None: ...
    def probe(self, board: _Board) -> int: ...
    @overload
    def get(self, board: _Board) -> int | None: ...
    @overload
    def get(self, board: _Board, default: _T) -> int | _T: ...
    def action_values(self, board: _Board) -> dict[int, int]: ...
    def best_actions(self, board: _Board) -> list[int]: ...
    def histogram(self, n: int) -> dict[int, int]: ...
    def win_draw_loss(self, n: int) -> tuple[int, int, int]: ...
    def layer(self, n: int) -> np.ndarray[Any, np.dtype[np.int8]]: ...
    def index_of(self, board: _Board) -> int: ...
    def board(self, n: int, index: int) -> tuple[int, ...]: ...
    def verify(
        self, *, threads: int | None = None, progress: Progress | None = None
    ) -> list[Mismatch]: ...
    def time_look_ups(self, state: State, times: int) -> float: ...
    @property
    def houses(self) -> int: ...
    @property
    def max_seeds(self) -> int: ...
    @property
    def path(self) -> Path | None: ...
    @property
    def game(self) -> Oware: ...
    @property
    def num_positions(self) -> int: ...
    @property
    def rules(self) -> str | None: ...
    @property
    def switches(self) -> dict[str, str]: ...

@disjoint_base
class LayerCheck:
    def __init__(self, table: OwareTablebase, seeds: int) -> None: ...
    def ask_to_stop(self) -> None: ...
    def run(self) -> list[Mismatch]: ...
    def mismatch(self, own: int, enemy: int, value: int) -> Mismatch: ...
