from collections.abc import Callable
from typing import Any, Literal

from typing_extensions import disjoint_base

from zerosum.core.state import State

COVERAGE: dict[int, str]

@disjoint_base
class Tablebase:
    def coverage(self, state: State) -> Literal["exact", "winner", "convention", "foreign"]: ...
    def utility_of(self, state: State) -> float | None: ...

FINDERS: dict[type[Any], Callable[[Any, bool], Tablebase | None]]

def register_finder(
    state_class: type[Any], finder: Callable[[Any, bool], Tablebase | None]
) -> None: ...
def default_tablebase(state: State, may_build: bool) -> Tablebase | None: ...
