# cython: language_level=3, freethreading_compatible=True
from libc.stdint cimport uint64_t
from zerosum.core.state cimport State, key_of
import zerosum as zs

cdef class OneHeapState(State):
    cdef int counters
    cdef int taken[64]
    cdef int plies

    def __init__(self, game, int counters):
        State.__init__(self, game)
        if not 0 <= counters <= 64:     # every ply takes one at least, and taken has room for 64
            raise ValueError(f"counters must be from 0 to 64, not {counters}")
        self.counters = counters
        self.max_actions = 3            # legal() never writes more
        self.max_utility = 1.0          # no return is larger
        self.can_repeat = False         # no position comes back

    cdef int legal(self, int* actions) except -1 nogil:
        cdef int i, count = min(3, self.counters)
        for i in range(count):
            actions[i] = i + 1
        return count                    # 0 exactly when the game is over

    cdef int apply(self, int action) except -1 nogil:
        self.counters -= action
        self.taken[self.plies] = action
        self.plies += 1
        self.mover ^= 1
        return 0

    cdef int undo(self) except -1 nogil:
        self.mover ^= 1
        self.plies -= 1
        self.counters += self.taken[self.plies]
        return 0

    cdef double utility(self) except? -1e300 nogil:
        return 1.0 if self.mover else -1.0      # player 0's: who cannot move has lost

    cdef State copy(self):
        cdef OneHeapState other = OneHeapState(self.game, self.counters)
        other.mover = self.mover
        other.taken = self.taken
        other.plies = self.plies
        return other

    cdef uint64_t key(self) except? 0 nogil:
        return key_of(self.counters, self.mover)

    def __str__(self):
        return str(self.counters)

class OneHeap(zs.Game):
    def new_initial_state(self):
        return OneHeapState(self, 21)

    def num_distinct_actions(self):
        return 4

    def max_utility(self):
        return 1.0

    def max_game_length(self):
        return 21
