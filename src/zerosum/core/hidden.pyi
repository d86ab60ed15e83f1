from typing import Any, Self

from zerosum.core.state import State

class HiddenState(State):
    def __new__(cls, game: Any) -> Self: ...
    def chance_outcomes(self) -> list[tuple[int, float]]: ...
