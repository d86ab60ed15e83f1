# Monte Carlo CFR on a flattened game.

from zerosum.equilibrium.random cimport Generator


cdef struct Node:
    int first                      # number of the first child
    int count
    int player
    int sequence                   # at a decision: of the first action
    double payoff                  # where the game is over: player 0's
    double up_to                   # under chance: the probability of this child and the ones before it


cdef struct Visit:                 # a decision of the updating player on the way down
    int node
    int next


cdef class Sampler:
    cdef readonly str kind
    cdef readonly double epsilon
    cdef object tree
    cdef bint cuts
    cdef bint single_line          # outcome sampling
    cdef Generator generator
    cdef Node* nodes
    cdef Visit* visits
    cdef double* scratch
    cdef double* regret[2]
    cdef double* total[2]
    cdef int most                  # actions of any decision

    cdef void run(self, long long count, long long done, double exponent) noexcept nogil
    cdef int walk_down(self, int node, int player, double weight) noexcept nogil
    cdef void external(self, int player, double weight) noexcept nogil
    cdef void outcome(self, int player, double weight) noexcept nogil
    cdef int fill(self) except -1
    cdef object shares(self, int player, const double* weights)
