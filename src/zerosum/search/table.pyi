from typing import final

@final
class TranspositionTable:
    def __init__(
        self, megabytes: float = 64, shared: bool = False, expected: float = 0
    ) -> None: ...
