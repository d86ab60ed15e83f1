from zerosum.games.mnk import MNKState

def root_moves(
    state: MNKState, depth: int | None
) -> tuple[list[tuple[int, int, float, int | None]], list[int], int]: ...
