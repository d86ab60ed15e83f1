# Solves a game that repeats positions: all reachable positions as a graph, then values from the end back.

cimport cython
from libc.stdint cimport uint64_t

from zerosum.core.state cimport State


cdef struct Vertex:
    uint64_t key
    int first_edge                 # its children stand here in the list of edges
    int edge_count                 # 0 for a finished game
    int waiting                    # children not yet known to be good for the player who is not to move
    int distance                   # plies to the end, -1 when play never ends
    int next_edge                  # while exploring: the child to visit next
    signed char mover
    bint settled
    double value                   # player 0's


cdef struct Edge:
    int action
    int child


@cython.final
cdef class Graph:
    cdef State state
    cdef object stop_event         # set from outside to end the work, or None
    cdef Vertex* vertices
    cdef int vertex_count
    cdef int vertex_capacity
    cdef Edge* edges
    cdef int edge_count
    cdef int edge_capacity
    cdef int* slots                # hash table of vertex numbers plus 1
    cdef uint64_t slot_mask
    cdef int* parents              # the other ends of the edges into a vertex, grouped by vertex
    cdef int* first_parent
    cdef int* queue
    cdef int* scratch
    cdef double byte_limit
    cdef double deadline
    cdef double last_check
    cdef uint64_t node_limit

    cdef int find(self, uint64_t key, bint* is_new) except -1 nogil
    cdef int add_vertex(self, int number, uint64_t key) except -1 nogil
    cdef int reserve(self, int edges) except -1 nogil
    cdef int rehash(self) except -1 nogil
    cdef int check(self) except -1 nogil
    cdef int explore(self) except -1 nogil
    cdef int explore_from_root(self, int** stack) except -1 nogil
    cdef int link_parents(self) except -1 nogil
    cdef int settle(self, double value, int player) except -1 nogil
