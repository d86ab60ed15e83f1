# Half boards: the one side's houses, numbered so that sowing becomes table look-ups.
#
# A board is two halves, the mover's and the other's. A half with cells x0..x(h-1) has the id
#     sum over i = 1..h of C(s_i + i - 1, i),  s_i = x0 + .. + x(i-1)
# so ids count the halves of fewer seeds first: those with k seeds are first[k] .. first[k + 1] - 1.
# Board number in the layer of n seeds, k of them the mover's:
#     offset[n][k] + (mover's id - first[k]) * width[n - k] + (other's id - first[n - k])
#
# A move changes the mover's half in a way that depends on that half alone, and drops a "pattern" on the
# other half: t seeds, one each from the nearest house on, round and round. Pattern t <= tmax ends there and
# may capture; pattern tmax + j drops j whole rounds and ends at home; pattern 0 never leaves home.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t

cdef enum:
    MAX_HOUSES = 8
    MAX_SEEDS = 127                # values, -seeds..seeds, are stored in signed bytes
    NO_MOVE = 255                  # "pattern" of an empty house

cdef enum:                         # grand slam: capture of every seed the other side has
    SLAM_NOTHING = 0               # takes nothing
    SLAM_ILLEGAL = 1               # no move; as a last resort under FEED_AVOID it takes all
    SLAM_ALL = 2                   # takes all
    SLAM_REST = 3                  # takes all, and the other side gets what is left on the board
    SLAM_ALL_BUT_FIRST = 4         # the house of the last seed stays
    SLAM_ALL_BUT_LAST = 5          # the house farthest back stays

cdef enum:                         # the other side has no seeds
    FEED_NONE = 0                  # no duty
    FEED_MUST = 1                  # only moves that give seeds are legal
    FEED_AVOID = 2                 # a move that leaves none is illegal while another leaves some

cdef enum:                         # no legal move: the game ends and what is left goes to
    STUCK_OWN_ROW = 0              # the owner of its row
    STUCK_OTHER = 1                # the player who is not stuck
    STUCK_NOBODY = 2               # nobody

cdef enum:                         # what a pattern does to a half
    QUIET = 0
    CAPTURE = 1
    SLAM = 2                       # a grand slam that is not always legal, or brings the rest


cdef struct Outcome:
    int kind
    int taken                      # seeds captured
    int64_t half                   # id of the half afterwards


cdef class Halves:
    cdef readonly int houses
    cdef readonly int seeds        # no half has more
    cdef readonly int slam, feed, stuck
    cdef readonly int tmax, patterns
    cdef readonly int64_t count    # number of halves
    cdef int most_taken            # no capture takes more
    cdef bint odd_slams            # are there outcomes of kind SLAM?
    cdef int64_t[::1] first        # [seeds + 2]
    cdef int64_t[::1] width        # [seeds + 1] halves with k seeds
    cdef int64_t[:, ::1] choose    # [houses + 1, seeds + 2]: C(s + i - 1, i)
    cdef uint8_t[:, ::1] cells     # [count, houses]
    cdef uint8_t[::1] level        # [count] seeds of a half
    # The mover's half.
    cdef uint32_t[:, ::1] target   # [count, houses] half after the move
    cdef uint8_t[:, ::1] pattern   # [count, houses] what it drops on the other half, or NO_MOVE
    cdef uint8_t[::1] may_starve   # [count] moves of pattern 0 are legal against an empty half
    # The halves a half can come from. A pattern up to tmax comes from the last empty house and no other,
    # for all houses after it got a seed; the rest are listed: id | pattern << 32 | seeds << 40.
    cdef uint32_t[:, ::1] crossing   # [count, tmax + 1], 0: none
    cdef uint32_t[::1] origin_start  # [count + 1] into origin
    cdef uint64_t[::1] origin
    # The other's half. Captures of a pattern on halves with m seeds are listed by seeds taken.
    cdef int32_t[:, ::1] shrunk    # [count, patterns] the half before a quiet pattern, or -1
    cdef uint32_t[::1] crossed_start  # [count + 1] into crossed: the quiet patterns 1..tmax that lead here
    cdef uint8_t[::1] crossed
    cdef uint8_t[:, ::1] quiet     # [patterns, count] 1: the pattern captures nothing here
    cdef int64_t[::1] list_start   # [(pattern, m, taken) + 1] into the lists
    cdef uint32_t[::1] list_rank   # half before, counted from first[m]
    cdef uint32_t[::1] list_after  # id of the half afterwards
    cdef int64_t[::1] slam_start   # [(pattern, m) + 1]
    cdef uint32_t[::1] slam_rank   # half before, counted from first[m]

    cdef int slam_taken(self, const uint8_t* cells, int last, int end, int taken) noexcept nogil
    cdef Outcome outcome(self, const uint8_t* cells, int pattern) noexcept nogil
    cdef int64_t id_of(self, const uint8_t* cells) noexcept nogil
    cdef int dropped(self, int pattern) noexcept nogil
    cdef void fill_cells(self) noexcept nogil
    cdef void fill_moves(self) noexcept nogil
    cdef void fill_may_starve(self) noexcept nogil
    cdef void scan_patterns(self, bint write) noexcept nogil
    cdef void list_capture(self, int64_t slot, int64_t rank, int64_t after, bint write) noexcept nogil
