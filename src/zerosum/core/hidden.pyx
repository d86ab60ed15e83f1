"""States with chance moves or hidden cards, in C: what GameTree needs to flatten a game without Python."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from zerosum.core.state cimport State


cdef class HiddenState(State):
    """HiddenState(game)\n--\n
    A State of a game with chance moves or hidden cards. Subclasses override ``information_key`` and
    ``chance`` of ``hidden.pxd``, and ``information_state_string``.
    """

    cdef uint64_t information_key(self) except? 0xFFFFFFFFFFFFFFFF nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not implement information_key")

    cdef int chance(self, double* probabilities) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not implement chance")

    def chance_outcomes(self):
        """List of (action, probability) at a chance node; ValueError elsewhere."""
        cdef double* probabilities
        cdef int i
        if not self.is_chance_node():
            raise ValueError(f"not a chance node: {self}")
        actions = self.legal_actions()
        probabilities = <double*>malloc(self.max_actions * sizeof(double))
        if probabilities == NULL:
            raise MemoryError()
        try:
            self.chance(probabilities)
            return [(actions[i], probabilities[i]) for i in range(len(actions))]
        finally:
            free(probabilities)
