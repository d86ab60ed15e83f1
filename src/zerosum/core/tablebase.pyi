from typing import Literal

from typing_extensions import disjoint_base

from zerosum.core.state import State

COVERAGE: dict[int, str]

@disjoint_base
class Tablebase:
    def coverage(self, state: State) -> Literal["exact", "winner", "convention", "foreign"]: ...
    def utility_of(self, state: State) -> float | None: ...
