# m,n,k games on bitboards.
#
# A row takes columns + 1 bits, its last one always 0, so that no line runs round the edge. On 3 by 3:
#
#      0  1  2  (3)
#      4  5  6  (7)
#      8  9 10 (11)

from libc.stdint cimport uint64_t

from zerosum.core.state cimport State

cpdef enum:
    MAX_BITS = 64


cdef struct Rules:
    int in_a_row
    int cells
    uint64_t all_bits              # the bits that are cells
    int shift[4]                   # bit distance along a row, a column, and the two diagonals
    int bit_of[MAX_BITS]           # cell -> bit
    int cell_of[MAX_BITS]          # bit -> cell


cdef class MNKState(State):
    cdef Rules rules
    cdef uint64_t stones[2]        # X's (player 0) and O's (player 1)
    cdef int winner                # 0, 1, or -1
    cdef int played                # actions on the undo stack
    cdef signed char moves[MAX_BITS]

    cdef MNKState blank(self)


cdef inline bint has_line(const Rules* rules, uint64_t stones) noexcept nogil:
    cdef int direction, step
    cdef uint64_t run
    for direction in range(4):
        run = stones
        for step in range(rules.in_a_row - 1):
            run &= run >> rules.shift[direction]
        if run:
            return True
    return False
