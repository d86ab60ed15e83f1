# The door: a State that asks a Python object for everything.

from libc.stdint cimport uint64_t

from zerosum.core.state cimport State


cdef struct Played:
    int player
    int action


cdef class PythonState(State):
    cdef object position           # the object now, in OpenSpiel's vocabulary
    cdef object current_player     # its methods, bound
    cdef object is_over
    cdef object list_actions
    cdef object play
    cdef object take_back
    cdef list trail                # its ancestors, where there is no undo_action
    cdef Played* played            # what to undo, where there is
    cdef int played_count
    cdef int played_capacity
    cdef bint undoes               # positions are changed in place and undone
    cdef bint makes_children       # child(action) exists: faster than clone and apply_action
    cdef object key_function       # position -> hashable; None when there is no key
    cdef dict key_numbers          # exact numbers for keys that are no small integers
    cdef object fresh_numbers      # never gives one twice, also when hashing a key lets another thread in

    cdef list actions_of(self)
    cdef int stand_at(self, object position) except -1
    cdef object child_of(self, int action)
    cdef double read_returns(self) except? -1e300
    cdef int list_legal(self, int* actions) except -1
    cdef int remember(self, int player, int action) except -1
    cdef int read_mover(self) except -1
