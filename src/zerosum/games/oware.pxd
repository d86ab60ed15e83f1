# Oware on bytes in words: the rules, one function a rule, and the state that plays by them.
#
# A row of houses is one 64-bit word, a byte a house, the first house in sowing order on top. With six houses:
#
#     byte     7 6 5 4 3 2 1 0
#     South    A B C D E F . .
#     North    a b c d e f . .
#
# Seeds never number more than 255 in all, so no sum carries from one byte into the next, and a sowing is
# one addition a row. (One SSE2 addition for both rows made perft take 1.7 times as long: captures and legal
# moves want the rows in general registers.) Captures run against the sowing, from the last house back to a:
# towards higher bytes, the way a carry runs, so that one more addition finds the whole run.
#
# "Marks" are words with 0x80 in the bytes of some houses and 0 elsewhere. A house's "place" is how far its
# byte is shifted: 56 for A and a, 48 for the next, and so on. Rules are written for the player to move,
# "own" and "enemy" being the rows; none of them needs to know who is South.

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from zerosum.core.state cimport State, mix64

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int zs_leading_zeros(unsigned __int64 x) {
        unsigned long i; _BitScanReverse64(&i, x); return 63 - (int)i;
    }
    #else
    static inline int zs_leading_zeros(unsigned long long x) { return __builtin_clzll(x); }
    #endif
    """
    int zs_leading_zeros(uint64_t x) nogil         # of a word that is not 0

cdef enum:
    MAX_HOUSES = 8             # a side: the bytes of a word
    MAX_SEEDS = 255            # in all: what a byte holds

# Grand slam: a capture of every seed that the opponent has.
cdef enum GrandSlam:
    SLAM_CAPTURES_NOTHING
    SLAM_ILLEGAL               # no move; but where the last resort of MUST_NOT_STARVE, it captures
    SLAM_CAPTURES_ALL
    SLAM_OPPONENT_KEEPS        # it captures, and what is left on the board goes to the opponent
    SLAM_ALL_BUT_FIRST         # the house of the last seed, the first to be captured, stays
    SLAM_ALL_BUT_LAST          # the house farthest back, the last to be captured, stays

# The duty to feed an opponent without seeds.
cdef enum Feeding:
    NO_DUTY
    MUST_FEED                  # an opponent without seeds must be fed; no move that feeds is no move
    MUST_NOT_STARVE            # a move that leaves the opponent empty is legal only when all do

# Who takes the seeds on the board when the mover has no move, or when a position comes back.
cdef enum Remaining:
    KEEP_OWN_ROW
    OPPONENT_TAKES             # the opponent of the player who has no move
    NOBODY                     # they stay where they are and count for no one; the same as an even split

cdef enum Status:
    RUNNING
    NO_MOVE
    MAJORITY
    REPETITION


# What sowing a house does, looked up by its place and number of seeds.
cdef struct Sowing:
    uint64_t own               # to add to the own row, the house itself emptied
    uint64_t enemy             # to add to the enemy's row
    uint64_t last              # lowest bit of the last seed's house in the enemy's row; 0 in the own row
    uint64_t spare             # keeps an entry from lying across two cache lines


# Of the default evaluation, in half seeds; unsigned, so that negative ones wrap round as the sums do.
cdef struct Weights:
    uint64_t one
    uint64_t three
    uint64_t twelve
    uint64_t reaching


cdef struct Rules:
    int houses                 # a side
    int total                  # seeds in the game
    int slam                   # a GrandSlam
    int feeding                # a Feeding
    int no_move                # a Remaining
    int repetition             # a Remaining
    bint repetition_ends       # does a position's second occurrence end the game?
    bint majority_ends         # do more than half of the seeds end the game?
    uint64_t to_enemy          # for reaching(): 0x80 minus the seeds that reach the enemy, house by house
    Weights weights
    Sowing sowing[8][256]      # [place / 8][seeds]: [MAX_HOUSES][MAX_SEEDS + 1]


# What a move makes of the two rows, still named from the mover's side.
cdef struct Outcome:
    uint64_t own
    uint64_t enemy
    int captured               # seeds the mover takes
    int forfeited              # seeds the opponent takes (SLAM_OPPONENT_KEEPS)


# One position on a line of play, from the mover's side: half a cache line. Fields instead of arrays by player
# keep every address fixed, and so the rows in registers.
cdef struct Position:
    uint64_t own               # the mover's row
    uint64_t enemy
    uint64_t moves             # marks of the mover's legal houses; 0 when the game is over
    uint8_t own_store          # seeds the mover has captured
    uint8_t enemy_store
    uint8_t mover              # 0 South, 1 North
    uint8_t status
    uint32_t quiet             # moves since the last capture, or since the line began


# ---- Counting -----------------------------------------------------------------------------------------

cdef inline uint64_t every(int byte) noexcept nogil:
    return <uint64_t>0x0101010101010101 * <uint64_t>byte


cdef inline int place_of(int house) noexcept nogil:
    return 56 - 8 * house


cdef inline int house_at(int place) noexcept nogil:
    return 7 - (place >> 3)


cdef inline int seeds_at(uint64_t row, int place) noexcept nogil:
    return <int>(row >> place & 0xFF)


cdef inline int seeds_in(uint64_t row) noexcept nogil:
    return <int>(row * every(1) >> 56)


# Marks of the bytes that are not 0.
cdef inline uint64_t nonempty(uint64_t row) noexcept nogil:
    return ((row & every(0x7F)) + every(0x7F) | row) & every(0x80)


cdef inline uint64_t empty(uint64_t row) noexcept nogil:
    return nonempty(row) ^ every(0x80)


cdef inline int count_marks(uint64_t marks) noexcept nogil:
    return seeds_in(marks >> 7)


# The place of the first marked house in sowing order; there must be one.
cdef inline int first_place(uint64_t marks) noexcept nogil:
    return (zs_leading_zeros(marks) ^ 63) & 56


cdef inline uint64_t mark_at(int place) noexcept nogil:
    return <uint64_t>0x80 << place


# ---- Sowing and capturing -----------------------------------------------------------------------------

# Houses of the enemy that the last seed captures: 2 or 3 seeds in its house, and in each before it without a
# gap. 0xFF in each captured byte.
cdef inline uint64_t capturable(uint64_t enemy, uint64_t last) noexcept nogil:
    cdef uint64_t marks = empty((enemy ^ every(2)) & every(0xFE))
    cdef uint64_t twos_and_threes = (marks << 1) - (marks >> 7)
    return twos_and_threes & ~(twos_and_threes + last)


cdef inline bint is_grand_slam(uint64_t enemy, uint64_t taken) noexcept nogil:
    # In this order: the first question is nearly always answered the same way, the second is not.
    return (enemy & ~taken) == 0 and taken != 0


# What a grand slam captures of the houses it could take.
cdef inline uint64_t grand_slam(const Rules* rules, uint64_t taken, uint64_t last) noexcept nogil:
    if rules.slam == SLAM_CAPTURES_NOTHING:
        return 0
    if rules.slam == SLAM_ALL_BUT_FIRST:
        return taken & ~(last * 0xFF)
    if rules.slam == SLAM_ALL_BUT_LAST:
        return taken & ~(<uint64_t>0xFF << first_place(taken))
    return taken


# Sow a house, then capture.
cdef inline Outcome sow_and_capture(
        const Rules* rules, uint64_t own, uint64_t enemy, int place) noexcept nogil:
    cdef const Sowing* sowing = &rules.sowing[place >> 3][seeds_at(own, place)]
    cdef Outcome outcome
    cdef uint64_t taken
    outcome.own = own + sowing.own
    outcome.enemy = enemy + sowing.enemy
    outcome.forfeited = 0
    taken = capturable(outcome.enemy, sowing.last)
    if is_grand_slam(outcome.enemy, taken):
        taken = grand_slam(rules, taken, sowing.last)
        if rules.slam == SLAM_OPPONENT_KEEPS:
            outcome.forfeited = seeds_in(outcome.own)
            outcome.own = 0
    outcome.captured = seeds_in(outcome.enemy & taken)
    outcome.enemy &= ~taken
    return outcome


# ---- Which moves are legal ----------------------------------------------------------------------------

# Houses with seeds enough to reach the enemy's row.
cdef inline uint64_t reaching(const Rules* rules, uint64_t own) noexcept nogil:
    return ((own & every(0x7F)) + rules.to_enemy | own) & every(0x80)


# A house of 4 or more stays whatever is sown, so no move can empty the enemy's row.
cdef inline bint cannot_be_emptied(uint64_t enemy) noexcept nogil:
    return (enemy & every(0xFC)) != 0


# MUST_FEED: an opponent without seeds must be given some.
cdef inline uint64_t must_feed(
        const Rules* rules, uint64_t own, uint64_t enemy, uint64_t moves) noexcept nogil:
    return moves if enemy else moves & reaching(rules, own)


# MUST_NOT_STARVE: of the moves, those that leave the opponent a seed; all of them when none does.
cdef inline uint64_t must_not_starve(
        const Rules* rules, uint64_t own, uint64_t enemy, uint64_t moves) noexcept nogil:
    cdef uint64_t left = moves, allowed = 0
    cdef int place
    if cannot_be_emptied(enemy):
        return moves
    while left:
        place = first_place(left)
        left ^= mark_at(place)
        if sow_and_capture(rules, own, enemy, place).enemy:
            allowed |= mark_at(place)
    return allowed if allowed else moves


# SLAM_ILLEGAL: of the moves, those that are no grand slam.
cdef inline uint64_t no_grand_slam(
        const Rules* rules, uint64_t own, uint64_t enemy, uint64_t moves) noexcept nogil:
    cdef const Sowing* sowing
    cdef uint64_t left = moves, allowed = 0, sown
    cdef int place
    if cannot_be_emptied(enemy):
        return moves
    while left:
        place = first_place(left)
        left ^= mark_at(place)
        sowing = &rules.sowing[place >> 3][seeds_at(own, place)]
        sown = enemy + sowing.enemy
        if not is_grand_slam(sown, capturable(sown, sowing.last)):
            allowed |= mark_at(place)
    return allowed


# Marks of the legal houses. Under MUST_NOT_STARVE a grand slam is one of the moves that starve, and legal
# when all do.
cdef inline uint64_t legal_moves(const Rules* rules, uint64_t own, uint64_t enemy) noexcept nogil:
    cdef uint64_t moves = nonempty(own)
    if rules.feeding == MUST_NOT_STARVE:
        return must_not_starve(rules, own, enemy, moves)
    if rules.feeding == MUST_FEED:
        moves = must_feed(rules, own, enemy, moves)
    if rules.slam == SLAM_ILLEGAL:
        moves = no_grand_slam(rules, own, enemy, moves)
    return moves


# ---- When the game is over, and who keeps what ---------------------------------------------------------

cdef inline bint has_majority(const Rules* rules, const Position* at) noexcept nogil:
    return 2 * at.own_store > rules.total or 2 * at.enemy_store > rules.total


# Moves back to the same board with the same player to move since the last capture (the scores are then the
# same, too), else 0. A position comes back only when seeds have gone all the way round. The number that
# crosses from one house into the next is then the same at every house of the ring, so every house has been
# reached by sowings, and has been played to be as before: that takes at least as many moves as the ring has
# houses.
cdef inline int moves_since_same(const Rules* rules, const Position* at) noexcept nogil:
    cdef int back = 2 * rules.houses
    cdef const Position* earlier
    while back <= <int>at.quiet:
        earlier = at - back
        if earlier.own == at.own and earlier.enemy == at.enemy:
            return back
        back += 2
    return 0


# The mover's part of the seeds left on the board minus the opponent's.
cdef inline int remaining_difference(int rule, uint64_t own, uint64_t enemy) noexcept nogil:
    if rule == KEEP_OWN_ROW:
        return seeds_in(own) - seeds_in(enemy)
    if rule == OPPONENT_TAKES:
        return -(seeds_in(own) + seeds_in(enemy))
    return 0


# The mover's seeds minus the opponent's at the end of the game.
cdef inline int final_difference(const Rules* rules, const Position* at) noexcept nogil:
    cdef int rule = rules.no_move
    if at.status == MAJORITY:
        rule = KEEP_OWN_ROW
    elif at.status == REPETITION:
        rule = rules.repetition
    return <int>at.own_store - <int>at.enemy_store + remaining_difference(rule, at.own, at.enemy)


# Say whether the game is over and which moves there are; the rest of the position must be right.
cdef inline void judge(const Rules* rules, Position* at) noexcept nogil:
    at.status = RUNNING
    if rules.majority_ends and has_majority(rules, at):
        at.status = MAJORITY
    elif rules.repetition_ends and moves_since_same(rules, at):
        at.status = REPETITION
    if at.status != RUNNING:
        at.moves = 0
        return
    at.moves = legal_moves(rules, at.own, at.enemy)
    if not at.moves:
        at.status = NO_MOVE


# ---- A move, and the key ------------------------------------------------------------------------------

# Sow and capture: writes the position that a house leads to, except for what judge says of it.
cdef inline void move_seeds(const Rules* rules, const Position* at, Position* to, int place) noexcept nogil:
    cdef Outcome outcome = sow_and_capture(rules, at.own, at.enemy, place)
    to.own = outcome.enemy
    to.enemy = outcome.own
    to.own_store = <uint8_t>(at.enemy_store + outcome.forfeited)
    to.enemy_store = <uint8_t>(at.own_store + outcome.captured)
    to.mover = at.mover ^ 1
    to.quiet = at.quiet + 1 & -<uint32_t>(outcome.captured == 0)


# Play a legal house: writes the position after at. The positions before it must be the line that led there.
cdef inline void play_place(const Rules* rules, Position* at, int place) noexcept nogil:
    move_seeds(rules, at, at + 1, place)
    judge(rules, at + 1)


# Board, stores and mover in 64 bits; the seeds being given, one store tells the other. Mixed anew at every
# position in 3 ns; Zobrist numbers, updated for the houses that changed, took 12, as a sowing changes many.
cdef inline uint64_t position_key(const Position* at) noexcept nogil:
    cdef uint64_t rest = <uint64_t>at.own_store << 1 | at.mover
    return mix64(mix64(at.own + rest * <uint64_t>0x9E3779B97F4A7C15) + at.enemy)


# A player's row and store, 0 South's, 1 North's.
cdef inline uint64_t row_of(const Position* at, int player) noexcept nogil:
    return at.own if at.mover == player else at.enemy


cdef inline int store_of(const Position* at, int player) noexcept nogil:
    return at.own_store if at.mover == player else at.enemy_store


# ---- The state ----------------------------------------------------------------------------------------

cdef class RuleBook:
    cdef Rules rules


cdef class OwareState(State):
    cdef RuleBook book             # keeps the rules alive
    cdef const Rules* rules
    cdef Position* line            # the positions played through, the present one last
    cdef int played                # its index
    cdef int capacity              # positions that line has room for
    cdef int missing               # seeds of the game that a study position leaves out

    cdef int reserve(self, int capacity) except -1 nogil
    cdef double estimate(self, const Position* at) noexcept nogil
    cdef int place(self, list south, list north, tuple scores, int mover) except -1
    cdef list row(self, int player)
