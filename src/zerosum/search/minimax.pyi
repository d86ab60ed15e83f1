from typing import Any, final

from zerosum.core.state import State

@final
class Minimax:
    def __init__(self, state: Any) -> None: ...
    @property
    def nodes(self) -> int: ...
    def root_moves(
        self, depth: int | None
    ) -> tuple[list[tuple[int, int, float, int | None]], list[int]]: ...
    def line_from(self, link: int) -> list[int]: ...

def root_moves(
    state: State, depth: int | None
) -> tuple[list[tuple[int, int, float, int | None]], list[int], int]: ...
