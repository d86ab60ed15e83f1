from typing import Literal

from zerosum.core.state import State

COVERAGE: dict[int, str]

class Tablebase:
    def coverage(self, state: State) -> Literal["exact", "winner", "convention", "foreign"]: ...
    def utility_of(self, state: State) -> float | None: ...
