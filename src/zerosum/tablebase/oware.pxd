# Exact values of oware boards: where the tables and the rules of the game meet.

from libc.stdint cimport int8_t, int64_t, uint64_t

from zerosum.core.state cimport State
from zerosum.core.tablebase cimport Tablebase
from zerosum.games.oware cimport RuleBook
from zerosum.tablebase.halves cimport MAX_HOUSES, MAX_SEEDS


# Board -> position in its layer; see halves.pxd for the numbering.
cdef struct BoardIndex:
    int houses
    int64_t width[MAX_SEEDS + 1]                 # halves with k seeds
    # [n][k]: index = base + mover's id * width[n - k] + other's id
    int64_t base[MAX_SEEDS + 1][MAX_SEEDS + 1]
    # [i][s]: C(s + i, i + 1); row houses - 1 is the id of the first half with s seeds
    int64_t choose[MAX_HOUSES][MAX_SEEDS + 1]


cdef class OwareTablebase(Tablebase):
    cdef readonly int houses
    cdef readonly int max_seeds
    cdef readonly object path
    cdef readonly object game      # an Oware with the table's rules
    cdef list layers               # keeps what is pointed to alive
    cdef object header
    cdef const int8_t* values[MAX_SEEDS + 1]
    cdef RuleBook book
    cdef BoardIndex index

    cdef int value_of(self, uint64_t own, uint64_t enemy, int* value) noexcept nogil
    cdef int value_after(self, uint64_t own, uint64_t enemy, int place) noexcept nogil
    cdef int expected_value(self, uint64_t own, uint64_t enemy) noexcept nogil
    cdef int read(self, board, uint64_t* rows) except -1
