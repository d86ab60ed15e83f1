# Counts lines of play over any State.

cimport cython
from libc.stdint cimport int64_t, uint64_t

from zerosum.core.state cimport State


cdef struct Level:
    int first                      # its actions begin here on the action stack
    int count
    int next


@cython.final
cdef class LineCounter:
    cdef State state
    cdef int* actions
    cdef int action_capacity
    cdef Level* levels
    cdef int level_capacity
    cdef double last_check
    cdef uint64_t visited

    cdef int open_level(self, int ply) except -1 nogil
    cdef int64_t count_below(self, int depth) except -1 nogil
