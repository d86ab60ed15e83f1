# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Perft of oware on the rules themselves, without the virtual door."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from zerosum.games.oware cimport OwareState, Position, Rules, first_house, mark_of, play_house

__all__ = ["perft"]

# Signals are looked for at nodes of this depth: some ten thousand moves apart, well below a millisecond.
cdef int SIGNAL_DEPTH = 6


cdef int count_lines(const Rules* rules, Position* at, int depth, uint64_t* lines) except -1 nogil:
    cdef uint64_t moves = at.moves
    cdef int house
    if depth == SIGNAL_DEPTH:
        with gil:
            PyErr_CheckSignals()
    while moves:
        house = first_house(moves)
        moves ^= mark_of(house)
        play_house(rules, at, house)
        if depth > 1:
            count_lines(rules, at + 1, depth - 1, lines)
        else:
            lines[0] += 1
    return 0


def perft(OwareState state not None, int depth):
    """The number of lines of ``depth`` moves from a state, the last move of each played, too.

    The same count as from the state's own moves, with every end of the game that its rules have, at several
    times the speed. ValueError when depth is negative.
    """
    cdef Position* line
    cdef uint64_t lines = 0
    if depth < 0:
        raise ValueError(f"depth={depth} is negative")
    if depth == 0:
        return 1
    line = <Position*>malloc((state.played + depth + 1) * sizeof(Position))
    if line == NULL:
        raise MemoryError()
    try:
        memcpy(line, state.line, (state.played + 1) * sizeof(Position))
        with nogil:
            count_lines(state.rules, line + state.played, depth, &lines)
    finally:
        free(line)
    return lines
