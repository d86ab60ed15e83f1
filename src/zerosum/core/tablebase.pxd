# What a search asks of a table of exact values. Knows no game: the table says which states it covers, once
# and with the GIL; after that a look-up is one virtual call.

from zerosum.core.state cimport State

cdef enum Coverage:
    FOREIGN = 0                # another game, or other moves: never look up
    CONVENTION = 1             # the same moves, but the game ends some lines otherwise than the table does
    WINNER = 2                 # who wins is exact, and by how much unless the game stops early
    EXACT = 3                  # the value is the game's


cdef class Tablebase:
    # REQUIRED. How far the table's values are the values of this state's game: a Coverage.
    cdef int covers(self, State state) except -1
    # REQUIRED. 0 when the state is not in the table; else the value, which is the return of the player to move,
    # what has been won so far included, in units of utility. 2 when it is the game's own value whatever came
    # before the state's last irreversible move, 1 when it is the table's convention. Only for covered states.
    cdef int look_up(self, State state, double* value) except -1 nogil
