"""Small oware boards solved from their start: the game's value and the best first moves."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from zerosum.tablebase.building import Progress
from zerosum.tablebase.memory import memory_needed, positions
from zerosum.tablebase.oware import OwareTablebase

__all__ = ["SolvedBoard", "largest_board", "solve_small_boards"]

MOST_SEEDS = 127
MOST_HOUSES = 8


@dataclass(frozen=True)
class SolvedBoard:
    """A start position and what it is worth.

    ``value`` is the first player's seeds at the end minus the second's; ``best_actions`` are all
    first moves that reach it, houses counted from 0; ``positions`` are the boards of up to that
    many seeds; ``seconds`` is the time that the table took which the answer was read from, made
    once for all boards of that width.
    """

    rules: str
    houses: int
    seeds: int
    positions: int
    value: int
    best_actions: tuple[int, ...]
    seconds: float


def largest_board(houses: int, fits: Callable[[int, int], bool]) -> int:
    """The most seeds a house with which the start position's table fits; 0 when none does."""
    seeds = 0
    while 2 * houses * (seeds + 1) <= MOST_SEEDS and fits(houses, 2 * houses * (seeds + 1)):
        seeds += 1
    return seeds


def solve_small_boards(
    *,
    memory: int,
    max_positions: int | None = None,
    rules: Iterable[str] = ("abapa", "awari"),
    houses: Iterable[int] = range(1, MOST_HOUSES + 1),
    threads: int | None = None,
    progress: Progress | None = None,
) -> Iterator[SolvedBoard]:
    """Solve every start position whose table fits: 1 to 8 houses a side, the same seeds in each.

    ``memory`` is in bytes, ``max_positions`` limits the boards of one table. Yields the boards of
    each width as soon as their table is there, by rule set and then by width. Boards of more than
    127 seeds are left out.
    """

    def fits(width: int, total: int) -> bool:
        few = max_positions is None or positions(width, total) <= max_positions
        return few and memory_needed(width, total) <= memory

    widths = list(houses)
    for rule_set in rules:
        for width in widths:
            largest = largest_board(width, fits)
            if largest:
                yield from solve_width(rule_set, width, largest, threads, progress)


def solve_width(
    rules: str, houses: int, largest: int, threads: int | None, progress: Progress | None
) -> Iterator[SolvedBoard]:
    """The start positions of 1 to ``largest`` seeds a house, from one table."""
    began = time.perf_counter()
    table = OwareTablebase.build(
        2 * houses * largest, rules=rules, houses=houses, threads=threads, progress=progress
    )
    seconds = time.perf_counter() - began
    for seeds in range(1, largest + 1):
        start = [seeds] * (2 * houses)
        yield SolvedBoard(
            rules,
            houses,
            seeds,
            positions(houses, 2 * houses * seeds),
            table.probe(start),
            tuple(table.best_actions(start)),
            seconds,
        )
