# The contract between a game and every algorithm: one extension class with virtual C methods.
#
# A game subclasses State, keeps its board as plain C data with its own undo stack, and overrides the
# methods below. They run without the GIL and let errors through. REQUIRED: without it the game does not
# work. OPTIONAL: what is lost without it is said.

from libc.stdint cimport int64_t, uint64_t

cdef enum:
    CHANCE = -1            # the "player" at a chance node, as in OpenSpiel
    TERMINAL = -4          # the "player" of a finished game, as in OpenSpiel


# A legal action seen from before it is played.
cdef struct Preview:
    double value           # for the mover: what the game ends with, else the estimate of the position reached
    bint over              # does the action end the game?


cdef class State:
    cdef readonly object game      # the Game this is a state of
    cdef list _history             # actions played through apply_action, for undo_action and history

    # Kept right by the game: set by its constructor, by apply and by undo.
    cdef int mover                 # player to move, 0 or 1 (CHANCE at a chance node); any of 0 and 1 when over
    # Facts about the game, set by its constructor.
    cdef int max_actions           # legal never writes more than this; at most 65,536 for a search
    cdef bint can_repeat           # False promises that no position can come back on a line of play
    cdef bint accumulates          # endless play is worth what was won before it, not 0
    cdef bint python               # methods call into Python: a node costs microseconds
    cdef double max_utility        # no return is larger in size; infinity when unknown
    # Chosen by a search on its own copy.
    cdef int evaluation            # which of the game's evaluations evaluate() uses; 0 is the default

    # REQUIRED. Write the legal actions in ascending order, return how many; 0 exactly when the game is over.
    cdef int legal(self, int* actions) except -1 nogil
    # REQUIRED. Play a legal action (never checked here) / take the last one back.
    cdef int apply(self, int action) except -1 nogil
    cdef int undo(self) except -1 nogil
    # REQUIRED. Player 0's return of a finished game.
    cdef double utility(self) except? -1e300 nogil
    # REQUIRED. A state of its own with equal content (the GIL is held).
    cdef State copy(self)
    # OPTIONAL. Equal exactly for equal positions, the mover included, and well mixed in all bits.
    # Without it no transposition table is used.
    cdef uint64_t key(self) except? 0 nogil
    cdef bint has_key
    # OPTIONAL. Is the game over? Without it, legal is called to find out.
    cdef int over(self) except -1 nogil
    # OPTIONAL. Estimate of an unfinished game for the player to move, in units of utility. Without it, 0.
    cdef double evaluate(self) except? -1e300 nogil
    # OPTIONAL, for a game that ends when a position comes back (can_repeat is False then). How many plies
    # ago the present position stood before, when that is why the game is over; 0 when it is running or over
    # for another reason; -1 when the game has no such rule. The key does not tell such an end from the
    # position's first visit, and its value depends on the path: a search keeps every value that rests on a
    # ply older than the node out of its table. Without it, such values are taken for the position's own.
    cdef int repeated_at(self) except -2 nogil
    # OPTIONAL. Preview the legal actions, in the order of legal, up to the first of a value of at least
    # `enough`, and return how many; -1 where it cannot, and then children are visited. Must agree with apply,
    # over, utility and evaluate. Without it the last ply of a search, most of its work, costs five calls a
    # child instead of one a parent, and moves are tried in an order that knows nothing of the game.
    cdef int preview(self, Preview* previews, double enough) except -2 nogil
    cdef bint has_preview
    # REQUIRED with repeated_at. Plies since the last one after which no earlier position can come back.
    cdef int reversible_plies(self) except -1 nogil


# A bijection on 64 bits that mixes well (splitmix64, Steele, Lea and Flood 2014): makes a key of packed data.
cdef inline uint64_t mix64(uint64_t x) noexcept nogil:
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


# The key of a position that a number below 2**62 tells from all others, whoever moves.
cdef inline uint64_t key_of(uint64_t position, int mover) noexcept nogil:
    return mix64(position << 2 | <uint64_t>(mover & 1) << 1)


cdef State as_state(object state)
