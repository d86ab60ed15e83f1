from typing_extensions import disjoint_base

from zerosum.core.state import State

@disjoint_base
class HiddenState(State):
    def chance_outcomes(self) -> list[tuple[int, float]]: ...
