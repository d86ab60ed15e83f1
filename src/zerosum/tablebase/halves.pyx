# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Half boards of oware: their numbering and the tables that turn sowing into look-ups."""

from libc.string cimport memcpy, memset

import numpy as np


def starts_of(counts):
    """Where each group starts when groups of these sizes stand one after the other."""
    counts = np.asarray(counts)
    return np.cumsum(counts) - counts


def starts_for(groups, count):
    """[count + 1]: where each group starts, for the group numbers of all members."""
    return np.concatenate(([0], np.cumsum(np.bincount(groups, minlength=count)))).astype(np.uint32)


cdef class Halves:
    """Halves(houses, seeds, slam, feed, stuck)\n--\n
    Every half board of up to ``seeds`` seeds, with its moves under the given rules.
    """

    def __init__(self, int houses, int seeds, int slam, int feed, int stuck):
        if not 1 <= houses <= MAX_HOUSES:
            raise ValueError(f"houses must be 1 to {MAX_HOUSES}, not {houses}")
        if not 0 <= seeds <= MAX_SEEDS:
            raise ValueError(f"seeds must be 0 to {MAX_SEEDS}, not {seeds}")
        self.houses, self.seeds = houses, seeds
        self.slam, self.feed, self.stuck = slam, feed, stuck
        self.most_taken = min(3 * houses, max(seeds, 1))
        self.odd_slams = slam in (SLAM_ILLEGAL, SLAM_REST) or (slam == SLAM_ALL and feed == FEED_AVOID)
        lap = 2 * houses - 1
        self.tmax = seeds // lap * houses + min(seeds % lap, houses)
        self.patterns = self.tmax + 1 + self.tmax // houses
        self.number()
        self.list_moves()
        self.invert_moves()
        self.list_patterns()
        self.allow_starving()

    def number(self):
        """Binomial sums, and the cells of every half in the order of its id."""
        cdef int i, k
        self.choose = np.zeros((self.houses + 1, self.seeds + 2), np.int64)
        for k in range(self.seeds + 2):
            self.choose[0, k] = 1
            for i in range(1, self.houses + 1):
                self.choose[i, k] = 0 if k == 0 else self.choose[i, k - 1] + self.choose[i - 1, k]
        self.first = np.ascontiguousarray(self.choose[self.houses])
        self.width = np.diff(np.asarray(self.first))
        self.count = self.first[self.seeds + 1]
        if self.count >= 1 << 31:
            raise ValueError(f"{self.houses} houses with {self.seeds} seeds are too many half boards")
        self.cells = np.empty((self.count, self.houses), np.uint8)
        self.level = np.repeat(np.arange(self.seeds + 1, dtype=np.uint8), np.asarray(self.width))
        with nogil:
            self.fill_cells()

    cdef void fill_cells(self) noexcept nogil:
        cdef int64_t half, rest
        cdef int i, sums, above
        for half in range(self.count):
            rest = half
            above = self.seeds
            for i in range(self.houses, 0, -1):
                sums = above
                while self.choose[i, sums] > rest:
                    sums -= 1
                rest -= self.choose[i, sums]
                if i < self.houses:
                    self.cells[half, i] = <uint8_t>(above - sums)
                above = sums
            self.cells[half, 0] = <uint8_t>above

    cdef int64_t id_of(self, const uint8_t* cells) noexcept nogil:
        cdef int64_t half = 0
        cdef int i, sums = 0
        for i in range(self.houses):
            sums += cells[i]
            half += self.choose[i + 1, sums]
        return half

    cdef int dropped(self, int pattern) noexcept nogil:
        return pattern if pattern <= self.tmax else (pattern - self.tmax) * self.houses

    def list_moves(self):
        """target and pattern: what each house's move does to the mover's half."""
        self.target = np.zeros((self.count, self.houses), np.uint32)
        self.pattern = np.full((self.count, self.houses), NO_MOVE, np.uint8)
        with nogil:
            self.fill_moves()

    cdef void fill_moves(self) noexcept nogil:
        cdef int houses = self.houses, house, at, left, away
        cdef uint8_t cells[MAX_HOUSES]
        cdef int64_t half
        for half in range(self.count):
            for house in range(houses):
                left = self.cells[half, house]
                if left == 0:
                    continue
                memcpy(cells, &self.cells[half, 0], houses)
                cells[house] = 0
                at, away = house, 0
                while left:
                    at = at + 1 if at + 1 < 2 * houses else 0
                    if at == house:
                        continue
                    left -= 1
                    if at < houses:
                        cells[at] += 1
                    else:
                        away += 1
                self.target[half, house] = <uint32_t>self.id_of(cells)
                if at < houses and away:
                    away = self.tmax + away // houses
                self.pattern[half, house] = <uint8_t>away

    def invert_moves(self):
        """crossing and origin: for every half, the halves that lead to it."""
        moves = np.asarray(self.pattern).reshape(-1)
        source = np.flatnonzero(moves != NO_MOVE)
        target, moves = np.asarray(self.target).reshape(-1)[source], moves[source]
        half = source // self.houses
        crossing = np.zeros((self.count, self.tmax + 1), np.uint32)
        away = (moves > 0) & (moves <= self.tmax)
        crossing[target[away], moves[away]] = half[away]
        self.crossing = crossing
        half, target, moves = half[~away], target[~away], moves[~away]
        order = np.argsort(target, kind="stable")
        half, moves = half[order].astype(np.uint64), moves[order].astype(np.uint64)
        seeds = np.asarray(self.level)[half].astype(np.uint64)
        self.origin = np.append(half | moves << np.uint64(32) | seeds << np.uint64(40), np.uint64(0))
        self.origin_start = starts_for(target, self.count)

    cdef Outcome outcome(self, const uint8_t* cells, int pattern) noexcept nogil:
        """What a pattern does to a half given by its cells before."""
        cdef uint8_t after[MAX_HOUSES]
        cdef int houses = self.houses, house, seeds = 0, dropped = self.dropped(pattern)
        cdef int last = (dropped - 1) % houses, end = last, taken = 0
        cdef Outcome result
        for house in range(houses):
            after[house] = <uint8_t>(cells[house] + dropped // houses + (house < dropped % houses))
            seeds += after[house]
        result.kind, result.taken = QUIET, 0
        if 0 < pattern <= self.tmax:
            while end >= 0 and 2 <= after[end] <= 3:
                taken += after[end]
                end -= 1
            result.taken = taken if taken < seeds else self.slam_taken(after, last, end, taken)
        if result.taken:
            result.kind = SLAM if taken == seeds and self.odd_slams else CAPTURE
            for house in range(end + 1, last + 1):
                after[house] = 0
            if result.taken < taken:
                after[last if self.slam == SLAM_ALL_BUT_FIRST else end + 1] = <uint8_t>(taken - result.taken)
        result.half = self.id_of(after)
        return result

    cdef int slam_taken(self, const uint8_t* cells, int last, int end, int taken) noexcept nogil:
        if self.slam == SLAM_NOTHING:
            return 0
        if self.slam == SLAM_ALL_BUT_FIRST:
            return taken - cells[last]
        if self.slam == SLAM_ALL_BUT_LAST:
            return taken - cells[end + 1]
        return taken

    def list_patterns(self):
        """shrunk, quiet and the lists of captures."""
        cdef int64_t cells = <int64_t>self.patterns * (self.seeds + 1)
        self.shrunk = np.full((self.count, self.patterns), -1, np.int32)
        self.quiet = np.zeros((self.patterns, self.count), np.uint8)
        self.list_start = np.zeros(cells * (self.most_taken + 1) + 1, np.int64)
        self.slam_start = np.zeros(cells + 1, np.int64)
        with nogil:
            self.scan_patterns(False)
        # Counts, moved one up, become places to write to; writing turns these into starts again.
        self.list_start = starts_of(self.list_start)
        self.slam_start = starts_of(self.slam_start)
        self.list_rank = np.empty(self.list_start[self.list_start.shape[0] - 1] + 1, np.uint32)
        self.list_after = np.empty_like(self.list_rank)
        self.slam_rank = np.empty(self.slam_start[self.slam_start.shape[0] - 1] + 1, np.uint32)
        starts = np.asarray(self.list_start).copy(), np.asarray(self.slam_start).copy()
        with nogil:
            self.scan_patterns(True)
        self.list_start, self.slam_start = starts
        half, pattern = np.nonzero(np.asarray(self.shrunk)[:, 1:self.tmax + 1] >= 0)
        self.crossed_start = starts_for(half, self.count)
        self.crossed = np.append(pattern + 1, 0).astype(np.uint8)

    cdef void scan_patterns(self, bint write) noexcept nogil:
        cdef int pattern, seeds
        cdef int64_t half, slot, rank
        cdef Outcome after
        for pattern in range(self.patterns):
            for seeds in range(self.seeds - self.dropped(pattern) + 1):
                slot = <int64_t>pattern * (self.seeds + 1) + seeds
                for rank in range(self.width[seeds]):
                    half = self.first[seeds] + rank
                    after = self.outcome(&self.cells[half, 0], pattern)
                    if after.kind == QUIET:
                        self.quiet[pattern, half] = 1
                        self.shrunk[after.half, pattern] = <int32_t>half
                    elif after.kind == SLAM:
                        if write:
                            self.slam_rank[self.slam_start[slot]] = <uint32_t>rank
                        self.slam_start[slot] += 1
                    else:
                        self.list_capture(slot * (self.most_taken + 1) + after.taken, rank, after.half, write)

    cdef void list_capture(self, int64_t slot, int64_t rank, int64_t after, bint write) noexcept nogil:
        if write:
            self.list_rank[self.list_start[slot]] = <uint32_t>rank
            self.list_after[self.list_start[slot]] = <uint32_t>after
        self.list_start[slot] += 1

    def allow_starving(self):
        """may_starve: against an empty half, are moves that give nothing legal?"""
        self.may_starve = np.full(self.count, self.feed == FEED_NONE, np.uint8)
        if self.feed == FEED_AVOID:
            with nogil:
                self.fill_may_starve()

    cdef void fill_may_starve(self) noexcept nogil:
        cdef int64_t half
        cdef int house, pattern
        cdef Outcome after
        for half in range(self.count):
            self.may_starve[half] = 1
            for house in range(self.houses):
                pattern = self.pattern[half, house]
                if pattern == NO_MOVE or pattern == 0:
                    continue
                after = self.outcome(&self.cells[0, 0], pattern)
                if after.half != 0:
                    self.may_starve[half] = 0

    # ---- for tests and for Python ---------------------------------------------------------------

    def rank(self, cells):
        """The id of a half board given as a sequence of its cells."""
        cdef uint8_t buffer[MAX_HOUSES]
        cdef int house
        memset(buffer, 0, sizeof(buffer))
        for house in range(self.houses):
            buffer[house] = cells[house]
        return self.id_of(buffer)

    def unrank(self, int64_t half):
        """The cells of a half board, a tuple of ``houses`` ints."""
        if not 0 <= half < self.count:
            raise ValueError(f"half board {half} is not one of 0 to {self.count - 1}")
        return tuple(self.cells[half, house] for house in range(self.houses))
