from typing import final

@final
class Values:
    def __init__(self) -> None: ...
