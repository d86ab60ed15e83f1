# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The transposition table: two entries a cache line, checked by the whole key, bounds kept as bounds."""

cimport cython
from libc.stdint cimport int64_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free

from zerosum.search.table cimport Bucket, Entry, Knowledge, unpack

cdef extern from *:
    """
    #if defined(__linux__)
    #include <sys/mman.h>
    #define zs_huge_pages(address, size) madvise(address, size, MADV_HUGEPAGE)
    #else
    #define zs_huge_pages(address, size) ((void)0)
    #endif
    """
    void zs_huge_pages(void* address, size_t size) nogil

assert sizeof(Entry) == 24
assert sizeof(Bucket) == 64

cdef enum:
    MOST_FIRST_BUCKETS = 8192      # 512 KiB
    SAMPLE = 1024                  # buckets whose use stands for that of all
    HUGE_PAGE = 1 << 21            # tables from this size on have huge pages: a probe then misses no TLB entry


cdef inline uint64_t pack(const Knowledge* found) noexcept nogil:
    return (<uint64_t>found.depth | <uint64_t>found.move << 20 | <uint64_t>found.bound << 37
            | <uint64_t>found.settled << 39)


@cython.final
cdef class TranspositionTable:
    """TranspositionTable(megabytes=64, expected=0)\n--\n
    Starts with room for ``expected`` positions, up to 16,384 (more would cost a small search its time in
    page faults), and grows up to the limit, but not while it is shared. ValueError when the limit is below
    1 MiB, MemoryError when it cannot be had.
    """

    def __init__(self, double megabytes=64, double expected=0):
        cdef uint64_t limit
        if not 1 <= megabytes <= 1 << 24:
            raise ValueError(f"table_mb must be from 1 to {1 << 24}, not {megabytes:g}")
        limit = <uint64_t>(megabytes * (1 << 20)) // sizeof(Bucket)
        self.largest = 1
        while self.largest * 2 <= limit:
            self.largest *= 2
        self.allocate(self.first_size(expected))

    def __dealloc__(self):
        free(self.memory)

    def share(self):
        """Let several threads write, with room for four times what is kept now."""
        while 2 * self.used > self.mask + 1 < self.largest:
            self.grow()
        self.shared = True

    def unshare(self):
        """One thread alone writes from now on."""
        self.shared = False
        self.used = self.sampled_use()

    cdef uint64_t sampled_use(self) noexcept:
        cdef uint64_t count = min(self.mask + 1, <uint64_t>SAMPLE)
        cdef uint64_t found = 0
        cdef uint64_t index
        for index in range(count):
            found += (self.buckets[index].entry[0].packed != 0) + (self.buckets[index].entry[1].packed != 0)
        return found * ((self.mask + 1) // count)

    cdef uint64_t first_size(self, double expected) noexcept:
        cdef uint64_t buckets = 1
        while buckets < self.largest and buckets < MOST_FIRST_BUCKETS and buckets < expected:
            buckets *= 2
        return buckets

    cdef int allocate(self, uint64_t buckets) except -1:
        cdef uint64_t size = buckets * sizeof(Bucket)
        cdef uintptr_t alignment = HUGE_PAGE if size >= HUGE_PAGE else sizeof(Bucket)
        cdef void* memory = calloc(size + alignment, 1)
        if memory == NULL:
            raise MemoryError(f"no memory for a table of {size >> 20} MiB")
        self.memory = memory
        self.buckets = <Bucket*>((<uintptr_t>memory + alignment - 1) & ~(alignment - 1))
        if size >= HUGE_PAGE:
            zs_huge_pages(self.buckets, size)
        self.mask = buckets - 1
        self.used = 0
        return 0

    cdef int grow(self) except -1 nogil:
        cdef void* old_memory = self.memory
        cdef Bucket* old = self.buckets
        cdef uint64_t old_mask = self.mask
        cdef uint64_t index, key
        cdef Entry* entry
        cdef Entry* place
        cdef int side
        with gil:
            self.allocate((old_mask + 1) * 4 if (old_mask + 1) * 4 <= self.largest else self.largest)
        for index in range(old_mask + 1):
            for side in range(2):
                entry = &old[index].entry[side]
                if entry.packed:
                    key = entry.check ^ <uint64_t>entry.score ^ entry.packed
                    place = &self.buckets[key & self.mask].entry[0]
                    place = place if place.packed == 0 else place + 1
                    place[0] = entry[0]
                    self.used += 1
        free(old_memory)
        return 0

    cdef int write(self, uint64_t key, const Knowledge* found) except -1 nogil:
        cdef Bucket* bucket = &self.buckets[key & self.mask]
        cdef Knowledge other
        cdef Entry* place = &bucket.entry[0]
        cdef uint64_t packed = pack(found)
        cdef bint fresh
        # The first place keeps the costlier result, the second the latest.
        if place.packed and not unpack(place, key, &other):
            if unpack(&bucket.entry[1], key, &other) or (place.packed & 0xFFFFF) > <uint64_t>found.depth:
                place = &bucket.entry[1]
        fresh = place.packed == 0
        place.check = key ^ <uint64_t>found.score ^ packed
        place.score = found.score
        place.packed = packed
        # Threads do not count: a line of memory that all of them write costs each of them a tenth of its time.
        if fresh and not self.shared:
            self.used += 1
            if 2 * self.used > 3 * self.mask and self.mask + 1 < self.largest:
                self.grow()
        return 0
