# Plain minimax over any State: every node is visited.

cimport cython
from libc.stdint cimport uint64_t

from zerosum.core.state cimport State
from zerosum.search.score cimport Score, Values


# A move of a line of play; lines share their tails.
cdef struct Link:
    int action
    int next                       # index of the following Link, -1 at the end


cdef struct Node:
    int first                      # its actions begin here on the action stack
    int count
    int next
    int mover
    int line                       # Link of the best line below, -1 when there is none
    int mark                       # number of links when the child under way was entered
    bint cut                       # the horizon was met below
    Score best


@cython.final
cdef class Minimax:
    cdef State state
    cdef int* actions
    cdef int capacity
    cdef Node* nodes_stack
    cdef int node_capacity
    cdef Link* links
    cdef int link_capacity
    cdef int link_count
    cdef readonly uint64_t nodes
    cdef Score score
    cdef int line
    cdef bint cut
    cdef double last_check
    cdef Values values

    cdef int reserve(self, int ply, int top) except -1 nogil
    cdef int add_link(self, int action, int next) except -2 nogil
    cdef int open_node(self, int ply, int top, int count) except -1 nogil
    cdef int answer_leaf(self, bint over) except -1 nogil
    cdef int absorb(self, Node* node) except -1 nogil
    cdef int walk(self, int depth) except -1 nogil
