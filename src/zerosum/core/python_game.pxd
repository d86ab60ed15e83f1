# The door: a State that asks a Python object for everything.

from libc.stdint cimport uint64_t

from zerosum.core.state cimport State


cdef class PythonState(State):
    cdef object position           # the object now, in OpenSpiel's vocabulary
    cdef list trail                # its ancestors (no undo_action) or the (player, action) pairs to undo
    cdef bint undoes               # positions are changed in place and undone
    cdef bint makes_children       # child(action) exists: faster than clone and apply_action
    cdef object key_function       # position -> hashable; None when there is no key
    cdef dict key_numbers          # exact numbers for keys that are no small integers

    cdef object actions_of(self)
    cdef int read_mover(self) except -1
