# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: freethreading_compatible=True
"""Connect four written outside the package, against its installed .pxd files.

The bits are those of ``tests/games/connect_four.py``, and so are the order of moves and the keys.
"""

from libc.stdint cimport uint64_t

from zerosum.core.state cimport State, key_of

import zerosum

cdef enum:
    COLUMNS = 7
    ROWS = 6
    TALL = 7

cdef uint64_t ONE = 1
cdef uint64_t ROW = (ONE << ROWS) - 1
cdef uint64_t GROUND = 0
cdef int each
for each in range(COLUMNS):
    GROUND |= ONE << (TALL * each)
cdef uint64_t FULL = GROUND * ROW


cdef inline bint has_four(uint64_t stones) noexcept nogil:
    cdef uint64_t pairs
    pairs = stones & stones >> 1
    if pairs & pairs >> 2:
        return True
    pairs = stones & stones >> TALL
    if pairs & pairs >> 2 * TALL:
        return True
    pairs = stones & stones >> (TALL - 1)
    if pairs & pairs >> 2 * (TALL - 1):
        return True
    pairs = stones & stones >> (TALL + 1)
    return (pairs & pairs >> 2 * (TALL + 1)) != 0


class ConnectFourGame(zerosum.Game):
    """Connect four on 7 columns and 6 rows."""

    def new_initial_state(self):
        return ConnectFour(self)

    def num_distinct_actions(self):
        return COLUMNS

    def max_utility(self):
        return 1.0

    def max_game_length(self):
        return COLUMNS * ROWS

    def __eq__(self, other):
        return isinstance(other, ConnectFourGame)

    def __hash__(self):
        return 7

    def __repr__(self):
        return "ConnectFourGame()"


cdef class ConnectFour(State):
    """A position; actions are columns 0..6."""

    cdef uint64_t stones[2]
    cdef bint won
    cdef int placed
    cdef uint64_t bits[42]

    def __init__(self, game=None):
        State.__init__(self, ConnectFourGame() if game is None else game)
        self.max_actions = COLUMNS
        self.max_utility = 1.0
        self.can_repeat = False

    cdef State copy(self):
        cdef ConnectFour other = ConnectFour(self.game)
        other.stones = self.stones
        other.won = self.won
        other.placed = self.placed
        other.bits = self.bits
        other.mover = self.mover
        return other

    cdef int legal(self, int* actions) except -1 nogil:
        cdef uint64_t taken = self.stones[0] | self.stones[1]
        cdef int column
        cdef int count = 0
        if self.won:
            return 0
        for column in range(COLUMNS):
            if not taken >> (TALL * column + ROWS - 1) & 1:
                actions[count] = column
                count += 1
        return count

    cdef int apply(self, int action) except -1 nogil:
        cdef uint64_t taken = self.stones[0] | self.stones[1]
        cdef uint64_t bit = (taken + (ONE << (TALL * action))) & ~taken & ROW << (TALL * action)
        self.stones[self.mover] |= bit
        self.won = has_four(self.stones[self.mover])
        self.bits[self.placed] = bit
        self.placed += 1
        self.mover ^= 1
        return 0

    cdef int undo(self) except -1 nogil:
        self.mover ^= 1
        self.placed -= 1
        self.stones[self.mover] ^= self.bits[self.placed]
        self.won = False
        return 0

    cdef int over(self) except -1 nogil:
        return self.won or (self.stones[0] | self.stones[1]) == FULL

    cdef double utility(self) except? -1e300 nogil:
        return 0.0 if not self.won else -1.0 if self.mover == 0 else 1.0

    cdef uint64_t key(self) except? 0 nogil:
        return key_of(self.stones[self.mover] + (self.stones[0] | self.stones[1]) + GROUND, self.mover)

    def __str__(self):
        rows = []
        for row in reversed(range(ROWS)):
            bits = [ONE << (TALL * column + row) for column in range(COLUMNS)]
            rows.append("".join(
                "X" if self.stones[0] & bit else "O" if self.stones[1] & bit else "." for bit in bits))
        return "\n".join(rows)
