# The transposition table: what is known of positions met before. Shared by threads without a lock.

cimport cython
from libc.stdint cimport int64_t, uint64_t

from zerosum.search.score cimport Score

cdef enum:
    LOWER = 1                      # the score is at least this
    UPPER = 2                      # the score is at most this
    EXACT = 3


# What a search reads and writes.
cdef struct Knowledge:
    Score score
    int depth                      # plies searched; of a settled score, plies of its longest line
    int move                       # index in the list of legal actions plus 1; 0 when there is none
    int bound
    bint settled                   # no line was cut at the horizon: true at any depth


# What the table keeps. `check` is the key xor the two other words: a mixture of two threads' writes does
# not match any key, so it reads as a miss.
cdef struct Entry:
    uint64_t check
    int64_t score
    uint64_t packed                # depth 20 bits, move 17, bound 2, settled 1; 0 when empty


# Two entries and padding: one cache line.
cdef struct Bucket:
    Entry entry[2]
    uint64_t padding[2]


cdef extern from *:
    """
    #if defined(_MSC_VER) && defined(_M_ARM64)
    #include <intrin.h>
    #define zs_prefetch(p) __prefetch((const void*)(p))
    #elif defined(_MSC_VER)
    #include <xmmintrin.h>
    #define zs_prefetch(p) _mm_prefetch((const char*)(p), _MM_HINT_T0)
    #else
    #define zs_prefetch(p) __builtin_prefetch(p)
    #endif
    """
    void zs_prefetch(const void* address) nogil


cdef inline bint unpack(const Entry* entry, uint64_t key, Knowledge* found) noexcept nogil:
    cdef int64_t score = entry.score
    cdef uint64_t packed = entry.packed
    if packed == 0 or entry.check ^ <uint64_t>score ^ packed != key:
        return False
    found.score = score
    found.depth = <int>(packed & 0xFFFFF)
    found.move = <int>(packed >> 20 & 0x1FFFF)
    found.bound = <int>(packed >> 37 & 3)
    found.settled = <bint>(packed >> 39 & 1)
    return True


@cython.final
cdef class TranspositionTable:
    cdef void* memory
    cdef Bucket* buckets           # aligned to 64 bytes
    cdef uint64_t mask             # number of buckets less 1
    cdef uint64_t largest          # number of buckets that the memory limit allows
    cdef uint64_t used             # entries, or what a sample of them says
    cdef bint shared               # several threads write: it does not grow

    cdef uint64_t sampled_use(self) noexcept
    cdef uint64_t first_size(self, double expected) noexcept
    cdef int allocate(self, uint64_t buckets) except -1
    cdef int grow(self) except -1 nogil
    cdef inline void prefetch(self, uint64_t key) noexcept nogil:
        zs_prefetch(&self.buckets[key & self.mask])

    cdef inline bint read(self, uint64_t key, Knowledge* found) noexcept nogil:
        cdef Bucket* bucket = &self.buckets[key & self.mask]
        return unpack(&bucket.entry[0], key, found) or unpack(&bucket.entry[1], key, found)

    cdef int write(self, uint64_t key, const Knowledge* found) except -1 nogil
