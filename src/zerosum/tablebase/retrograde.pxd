# One layer - all boards with n seeds - solved from the layers below it.
#
# A position is a code while its layer is being solved:
#     settled x              its value is x, and the positions before it have been told
#     capture b >= 0         the best capture brings b; it is worth b unless a quiet move turns out better
#     counting u, c          the best capture brings -u < 0; c quiet moves may still be better
#     hoping c               no capture; c quiet moves may still be good
# A bound v turns capture v and counting v, 0 into settled v and -v. Telling a position before of a loss of v
# makes it capture v; telling it of a win takes one from c. Both are tables: after[event][code].

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from zerosum.tablebase.halves cimport Halves, MAX_SEEDS

cdef enum:
    RING = 256                     # messages under way to memory
    MAX_CODES = 2048               # 127 seeds on 2 x 8 houses need 1,534
    BLOCK_BITS = 8                 # positions that share a flag
    RANGE_BITS = 16                # positions that a thread takes at once
    CHILD_LOST = 0                 # event: a quiet move leads to a loss of v
    CHILD_WON = 1                  # event: a quiet move leads to a win of v

ctypedef fused code_t:
    uint8_t
    uint16_t


# What one thread settles with: pointers into the layer and its half boards, and its messages.
cdef struct Worker:
    int seeds, patterns, tmax, threads
    const int64_t* width
    const int64_t* first
    const int64_t* offset          # of block k in this layer
    const int64_t* base            # index = base[k] + mover id * width[n - k] + other id
    const uint64_t* origin
    const uint32_t* origin_start
    const uint32_t* crossing
    const uint32_t* crossed_start
    const uint8_t* crossed
    const int32_t* shrunk
    const uint8_t* may_starve
    const uint16_t* after          # [event * MAX_CODES + code]
    uint16_t settled[2]            # code of a position that an event has settled and that has been told
    uint16_t untold[2]             # and before it has been told
    uint8_t* flags                 # is anything in the block untold?
    int64_t sent, taken            # messages put into the ring and taken out
    int64_t ring[RING]             # 2 * index + event
    int routes                     # the patterns that lead to the row's half of the mover:
    int route_pattern[256]
    int64_t route_base[256]        # index before = base + id before of who moved * scale
    int64_t route_scale[256]


# What the threads of one layer share.
cdef struct Shared:
    int64_t next_range             # to take; goes round and round while settling
    int64_t last_range             # not to take
    int64_t stop


cdef class LayerSolver:
    cdef readonly Halves halves
    cdef readonly int seeds
    cdef readonly int64_t size
    cdef readonly int threads
    cdef object arrays             # keeps what is pointed to alive
    cdef const int8_t* lower[MAX_SEEDS + 1]
    cdef uint8_t* codes
    cdef int code_bytes
    cdef uint8_t[::1] flags
    cdef int64_t[:, ::1] offset    # [n, k]: of block k in the layer of n seeds
    cdef int64_t base[MAX_SEEDS + 1]
    cdef int64_t[:, ::1] rows      # ranges of the first pass: k, first row, row after the last
    cdef uint16_t[:, ::1] encode   # [quiet moves, best capture + seeds + 1 (0: none)] -> code
    cdef uint16_t after[2 * MAX_CODES]
    cdef uint16_t settled[2]
    cdef uint16_t untold[2]
    cdef int8_t[::1] value_of      # code -> value when all is done
    cdef Shared shared

    cdef int64_t take_range(self) noexcept nogil
