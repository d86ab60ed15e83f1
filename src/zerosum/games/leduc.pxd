# Leduc poker. The whole of a hand fits in one small struct, so undo is a stack of copies of it.

from libc.stdint cimport uint64_t

from zerosum.core.hidden cimport HiddenState

cdef enum:
    MAX_PLIES = 12                 # 3 cards and at most 8 actions, and one to spare
    NO_CARD = -1


cdef struct Table:
    signed char hand[2]            # cards (or ranks), NO_CARD before the deal
    signed char public             # NO_CARD in the first round
    signed char round              # 0 or 1
    signed char raises             # in this round
    signed char acted              # actions in this round
    signed char folded             # the player who folded, or -1
    signed char over
    signed char mover
    int put_in[2]                  # coins, antes included
    unsigned int line[2]           # the betting by round: a 1, then two bits an action


cdef class LeducState(HiddenState):
    cdef bint ranks_only
    cdef int plies
    cdef Table table
    cdef Table past[MAX_PLIES]

    cdef int rank(self, int card) noexcept nogil
    cdef void deal(self, int card) noexcept nogil
    cdef void bet(self, int action) noexcept nogil
    cdef void close_round(self) noexcept nogil
    cdef int left(self, int card) noexcept nogil
    cdef int deck(self, int* actions) noexcept nogil
    cdef int strength(self, int player) noexcept nogil
    cdef uint64_t view(self, int card) noexcept nogil
