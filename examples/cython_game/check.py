"""Solves, searches and counts the compiled game, and checks the answers against what is known of it."""

import time

import one_heap

import zerosum as zs


class Longer(one_heap.OneHeapState):
    """A Python class below the compiled one: its positions come and go like the others."""


def lines(counters: int, depth: int) -> int:
    """Lines of play of a number of plies, counted the slow way."""
    if depth == 0:
        return 1
    return sum(lines(counters - taken, depth - 1) for taken in (1, 2, 3) if taken <= counters)


def main() -> None:
    game = one_heap.OneHeap()
    for counters in range(1, 40):
        state = one_heap.OneHeapState(game, counters)
        result = zs.solve(state)
        # Whoever faces a multiple of four loses; otherwise the move is to leave one.
        assert result.exact, result
        assert result.value == (-1 if counters % 4 == 0 else 1), result
        if counters % 4:
            assert result.action == counters % 4, result
    start = game.new_initial_state()
    assert [zs.perft(start, depth) for depth in range(8)] == [
        lines(21, depth) for depth in range(8)
    ]
    assert zs.search(start, depth=5).action in start.legal_actions()

    # Instances of static, heap and Python types, thousands of each: no type may be freed by them.
    for kind in (one_heap.OneHeapState, Longer):
        for _ in range(20_000):
            assert kind(game, 5).legal_actions() == [1, 2, 3]

    begun = time.perf_counter()
    counted = zs.perft(one_heap.OneHeapState(game, 60), 14)
    seconds = time.perf_counter() - begun
    print(f"{zs.solve(start)}\n{counted} lines of 14 plies in {seconds:.3f} s")


if __name__ == "__main__":
    main()
