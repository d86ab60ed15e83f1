# Perft compiled together with oware's rules: the lines of play from a position, the last move of each played too.

from libc.stdint cimport int64_t

from zerosum.games.oware cimport Position, Rules


# `at` is the last of a line of positions, with room for `depth` and MAX_HOUSES more behind it.
cdef int64_t count_lines(const Rules* rules, Position* at, int depth) except -1 nogil
