# What a game with chance or hidden cards adds to State, so that it can be flattened without Python.
#
# A game that keeps to plain State works too: its chance_outcomes and information_state_string are then
# called at every node, which costs microseconds a node.

from libc.stdint cimport uint64_t

from zerosum.core.state cimport State


cdef class HiddenState(State):
    # REQUIRED. A number equal exactly at the nodes that the player to move cannot tell apart.
    cdef uint64_t information_key(self) except? 0xFFFFFFFFFFFFFFFF nogil
    # REQUIRED where there is chance. The probabilities of what legal writes at a chance node.
    cdef int chance(self, double* probabilities) except -1 nogil
