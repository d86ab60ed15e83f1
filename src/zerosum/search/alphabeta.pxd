# One thread's alpha-beta search over any State: principal variation search on a stack of frames.

cimport cython
from libc.stdint cimport uint32_t, uint64_t

from zerosum.core.state cimport Preview, State
from zerosum.core.tablebase cimport Tablebase
from zerosum.search.score cimport Score, Values
from zerosum.search.table cimport TranspositionTable

cdef enum:
    HISTORY_SIZE = 1024            # actions share an entry modulo this
    BUSY_SIZE = 1 << 14
    NEVER = 1 << 30


cdef enum Window:
    FULL                           # the child under way is searched with the node's own window
    PROBE                          # ... with an empty window: is it better than the best so far?


cdef struct Move:
    int action
    int index                      # place in the list of legal actions
    int rank                       # higher is tried earlier
    bint deferred                  # put off once because another thread was searching it


# A node whose children are being searched.
cdef struct Frame:
    Score alpha                    # window, seen by this node's mover
    Score beta
    Score entry_alpha              # alpha at the start: tells a bound from a value
    Score best
    uint64_t key
    int first                      # its moves begin here on the move stack
    int count
    int next
    int under_way                  # the child being searched: index on the move stack
    int best_index                 # in the list of legal actions
    int depth                      # plies left to the horizon
    int height                     # plies of the longest line that the result rests on
    int mover
    int window
    bint settled                   # the result rests on no line that was cut at the horizon
    int oldest                     # ply of the oldest earlier position whose return the result rests on
    uint64_t busy                  # the slot marked for the child under way plus 1, or 0


cdef struct RootMove:
    int action
    int index
    Score score                    # seen by the root's mover
    int depth                      # iteration that gave the score; 0 before the first
    bint settled
    bint is_bound                  # the score is an upper bound: the move is known to be no better than the best
    Score new_score
    bint new_settled
    bint new_is_bound


# What all threads of one search share.
@cython.final
cdef class Shared:
    cdef TranspositionTable table  # None when positions have no key
    cdef Values values
    cdef int stop                  # read and written by all threads
    cdef Tablebase tablebase       # or None
    cdef bint probes_all           # also after quiet moves, where a value says nothing of progress
    cdef bint used_tablebase       # some score rests on a tablebase: distances end there
    cdef bint used_convention      # ... on a value that is the tablebase's convention, not the game's
    cdef object stop_event         # set from outside the search to end it, or None
    cdef uint64_t busy[BUSY_SIZE]  # moves being searched now
    cdef bint threaded


@cython.final
cdef class Searcher:
    cdef State state
    cdef Shared shared
    cdef object evaluator          # a Python evaluation, or None
    cdef bint solving              # no depth limit: settled scores are used whatever their depth
    cdef int table_depth           # nodes with fewer plies left do without the table
    cdef bint history_rule         # the game ends when a position comes back
    cdef bint root_has_history     # ... and one from before the root still can
    cdef bint watch_cycles
    cdef readonly bint cycle_found
    cdef readonly bint stopped
    cdef readonly uint64_t nodes
    cdef uint64_t node_limit
    cdef uint64_t next_poll
    cdef int stride                # nodes between polls
    cdef double deadline
    cdef double last_poll
    cdef double last_signal_check
    cdef Score best_possible       # a win on the next ply

    cdef Frame* frames
    cdef int frame_capacity
    cdef int ply                   # the open frame; -1 when none is
    cdef Move* moves
    cdef int move_capacity
    cdef int top                   # end of the move stack
    cdef int* scratch              # State.legal writes here
    cdef Preview* previews         # State.preview writes here
    cdef bint has_preview
    cdef double preview_scale      # from a value to a rank
    cdef int history[2][HISTORY_SIZE]
    cdef int* killers              # two a ply
    cdef uint64_t* path            # hash set of the keys on the path, for watch_cycles
    cdef uint64_t path_mask
    cdef uint64_t root_key

    cdef RootMove* roots
    cdef readonly int root_count
    cdef int root_mover

    # The last answer.
    cdef Score score
    cdef int height
    cdef bint settled
    cdef int oldest                # as in Frame; NEVER when the answer rests on no return

    cdef int poll(self) except -1 nogil
    cdef int reserve(self, int moves) except -1 nogil
    cdef int answer(self, Score score, int height, bint settled) except -1 nogil
    cdef int result_score(self) except -1 nogil
    cdef int probe(self) except -1 nogil
    cdef int leaf_score(self) except -1 nogil
    cdef int last_ply(self, int count, Score beta) except -1 nogil
    cdef int known(self, int depth, Score alpha, Score beta, uint64_t key, int* move) except -1 nogil
    cdef int list_moves(self, Frame* frame, int count, int table_move) except -1 nogil
    cdef int enter(self, int depth, Score alpha, Score beta) except -1 nogil
    cdef int pick(self, Frame* frame) except -1 nogil
    cdef int descend(self, Frame* frame) except -1 nogil
    cdef int absorb(self, Frame* frame) except -1 nogil
    cdef int close(self) except -1 nogil
    cdef void age_history(self) noexcept nogil
    cdef int run(self, int depth, Score alpha, Score beta) except -1 nogil
    cdef int unwind(self, int bottom) except -1 nogil
    cdef int join_path(self, uint64_t key) except -1 nogil
    cdef void leave_path(self, uint64_t key) noexcept nogil
    cdef int search_root(self, RootMove* root, int depth, Score alpha, Score beta) except -1 nogil
    cdef int search_all_roots(self, int depth, bint all_actions) except -1 nogil
    cdef void sort_roots(self) noexcept nogil
    cdef bint ties_for_best(self, const RootMove* root) noexcept nogil
    cdef object next_in_line(self, Score score, int depth)
