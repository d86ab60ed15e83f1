# One layer - all boards with n seeds - solved from the layers below it.
#
# A position is a code while its layer is being solved:
#     settled x                   its value is x, and this has been told to the positions before it
#     capture b >= 0              the best capture brings b; it will be worth b unless something better turns up
#     counting u, c               the best capture brings -u (or there is none); c quiet moves may still be better
# What an event does to a code depends on the bound v alone, so it is a table: after[event][code].

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from zerosum.tablebase.halves cimport Halves, MAX_SEEDS

cdef enum:
    RING = 256                     # positions under way from memory
    MAX_CODES = 2048               # 127 seeds on 2 x 8 houses need 1,534
    CHILD_LOST = 0                 # event: a quiet move leads to a loss of v: this is a win of v
    CHILD_WON = 1                  # event: a quiet move leads to a win of v: one hope less

ctypedef fused code_t:
    uint8_t
    uint16_t


# A position whose code is to be changed, told from far enough ahead that its memory has arrived.
cdef struct Message:
    int64_t index
    uint32_t mover                 # halves of the position
    uint32_t other
    int event


cdef struct Settled:
    uint32_t mover
    uint32_t other
    int event                      # what it means to the positions before it


# What the threads of one layer share: the next row range to take, and the stop sign.
cdef struct Shared:
    int64_t next_range
    int64_t stop
    int64_t failed                 # out of memory


# What one thread works with: pointers into the layer and its half boards, and what is still to be done.
cdef struct Worker:
    int seeds, patterns, threads
    const int64_t* width
    const int64_t* base            # index = base[k] + mover id * width[n - k] + other id
    const uint64_t* origin
    const uint32_t* origin_start
    const int32_t* shrunk
    const uint8_t* may_starve
    const uint16_t* after          # [event * MAX_CODES + code]
    uint16_t settled[2]            # code of a position settled by an event
    uint16_t seed[2]               # code of a position to settle at this bound without an event
    Shared* shared
    Settled* stack                 # settled, not yet told to the positions before
    int64_t height, room
    int64_t sent, taken            # messages put into the ring and taken out
    Message ring[RING]


cdef class Layer:
    cdef readonly Halves halves
    cdef readonly int seeds
    cdef readonly int64_t size
    cdef readonly int threads
    cdef object arrays             # keeps what is pointed to alive
    cdef const int8_t* lower[MAX_SEEDS + 1]
    cdef uint8_t* codes
    cdef int code_bytes
    cdef int64_t[:, ::1] offset    # [n, k]: of block k in the layer of n seeds
    cdef int64_t base[MAX_SEEDS + 1]
    cdef int64_t[:, ::1] ranges    # k, first row, row after the last
    cdef uint16_t[:, ::1] encode   # [quiet moves, best capture + seeds + 1 (0: none)] -> code
    cdef uint16_t after[2 * MAX_CODES]
    cdef uint16_t settled[2]
    cdef uint16_t seed[2]
    cdef int8_t[::1] value_of      # code -> value when all is done
    cdef Shared shared

    cdef int64_t take_range(self) noexcept nogil
