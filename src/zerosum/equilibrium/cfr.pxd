# Regret minimisation in the sequence form.

from libc.stdint cimport int64_t

from zerosum.equilibrium.sampling cimport Sampler
from zerosum.equilibrium.sequence_form cimport SequenceForm


cdef class CFRSolver:
    cdef SequenceForm form
    cdef Sampler sampler           # None for sweeps over the whole game
    cdef readonly str variant
    cdef readonly bint alternating
    cdef readonly object averaging         # the exponent g: iteration t weighs t ** g in the average
    cdef readonly str averaged             # "played" or "next"
    cdef readonly double alpha, beta
    cdef readonly long long iterations
    cdef double exponent
    cdef bint cuts, discounts      # what happens to regrets
    cdef bint averages_played
    cdef double lean               # 1 when the strategy leans on the last regret as a prediction, else 0
    # By player, in the layout's order.
    cdef double* plan[2]           # probabilities of sequences in the current strategy
    cdef double* strategy[2]       # probabilities of actions in it
    cdef double* regret[2]
    cdef double* total[2]          # weighted sum of the plans so far
    cdef double* q[2]
    cdef double* value             # scratch for one group
    cdef double* scratch
    cdef double weight             # sum of the weights so far
    cdef double found              # exploitability at the last check

    cdef int allocate_all(self) except -1
    cdef void iterate(self, double t) noexcept nogil
    cdef void update(self, int player, double weight, double keep, double cut) noexcept nogil
    cdef double measure(self) noexcept nogil
    cdef object normalized(self, int player, const double* plan)
    cdef object in_tree_order(self, int player, const double* laid_out)
    cdef int restore(self, dict arrays, iterations) except -1
    cdef int lay_out(self, int player, const double[::1] array, double* out) except -1
    cdef long long sweep(self, long long count, double target, long long every) noexcept nogil
