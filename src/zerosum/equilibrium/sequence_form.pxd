# A GameTree's sequence form laid out for sweeps.
#
# Information sets of a player that lie equally deep and have equally many actions form a group. In a
# group the numbers of all first actions stand together, then those of all second actions:
#
#     start                 start + count          start + 2 * count
#     | a0 of set 0, 1, 2 … | a1 of set 0, 1, 2 …  | …
#
# so that sweeps over a group are plain loops over neighbours. Groups stand in order of depth: parents
# before children. Position 0 is the empty sequence.

from libc.stdint cimport int64_t


cdef struct Group:
    int start                      # position of the first action of the first information set
    int infoset                    # number of the first information set, in this layout
    int count                      # information sets
    int actions                    # of each of them


cdef struct Side:                  # one player's half
    int sequences
    int infosets
    int groups
    int widest                     # information sets in the largest group
    Group* group
    int* parent                    # information set -> position of the sequence before it
    int* position                  # sequence of the tree -> position
    # Own payoff by own sequence, against a plan of the opponent: a sparse matrix, four rows at a time,
    # the longest first, their entries interleaved and filled up with zeros to the longest of the four.
    int slices
    int* length                    # entries a row in each slice
    int* rows                      # 4 a slice; the position, or a spare one behind the last
    int* columns                   # the opponent's positions
    double* values
    # Long rows that differ from an earlier row in a few entries hold only the difference to it.
    int chained
    int* chain_row
    int* chain_base
    int64_t* chain_start
    int* chain_columns
    double* chain_values


cdef class SequenceForm:
    cdef Side side[2]
    cdef readonly object tree

    # What gap, best_value and best_reply write over; one for each thread.
    cdef double* new_scratch(self) except NULL
    cdef void gradient(self, int player, const double* plan, double* out) noexcept nogil
    cdef void realize(self, int player, const double* behaviour, double* plan) noexcept nogil
    cdef double best_value(self, int player, double* q, double* value) noexcept nogil
    cdef double best_reply(self, int player, double* q, double* behaviour) noexcept nogil
    cdef double gap(self, const double* plan0, const double* plan1, double* best,
                    double* scratch) noexcept nogil


cdef void* allocate(size_t size) except NULL
cdef SequenceForm sequence_form(object game_or_tree)
