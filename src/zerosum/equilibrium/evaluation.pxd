# Both players' plans of a checked policy: what evaluations run on.

from zerosum.equilibrium.sequence_form cimport SequenceForm


cdef class Plans:
    cdef SequenceForm form
    cdef double* plan[2]           # NULL for a player whose policy is not needed
    cdef double* scratch

    cdef double* plan_of(self, int player, const double[::1] array) except NULL
