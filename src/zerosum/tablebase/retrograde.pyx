# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Retrograde analysis of one layer: all boards with the same number of seeds.

The method is Romein and Bal's (2002) in one byte a position: a first pass looks up every capture in the
layers below and counts the other moves; then bounds v = n..1 settle wins and losses of v, each settled
position telling those that lead to it. What no bound settles is endless play.
"""

from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

import numpy as np

from zerosum.tablebase.atomics cimport (
    zs_fetch_add, zs_load, zs_load8, zs_load16, zs_prefetch, zs_store, zs_swap8, zs_swap16)
from zerosum.tablebase.halves cimport (
    FEED_AVOID, FEED_MUST, MAX_HOUSES, NO_MOVE, Outcome, QUIET, SLAM_ILLEGAL, SLAM, SLAM_REST, STUCK_NOBODY,
    STUCK_OTHER)

cdef enum:
    NO_CODE = 255                  # of a position still without one


# ---- codes -----------------------------------------------------------------------------------------

def number_of_codes(int houses, int seeds):
    """How many codes a layer needs; up to 255 fit a byte, where 255 itself is NO_CODE."""
    return seeds * (houses + 4) + houses + 2


def code_tables(int houses, int seeds):
    """The codes of a layer: (settled, capture, counting, hoping), functions from values to codes."""
    captures = 2 * seeds + 1
    countings = captures + seeds + 1
    hopings = countings + seeds * (houses + 1)
    return (lambda x: x + seeds, lambda b: captures + b,
            lambda u, c: countings + (u - 1) * (houses + 1) + c, lambda c: hopings + c - 1)


cdef class Layer:
    """Layer(halves, seeds, lower, codes, threads)
    --

    Solves the boards with ``seeds`` seeds. ``lower`` holds the values of all smaller layers, int8 arrays;
    ``codes`` is the array to work in, uint8 or uint16, one entry a position.
    """

    def __init__(self, Halves halves, int seeds, lower, codes, int threads):
        cdef int k, n
        cdef const int8_t[::1] values
        cdef uint8_t[::1] work = codes.view(np.uint8)
        self.halves, self.seeds, self.threads = halves, seeds, threads
        self.arrays = (lower, codes)
        self.code_bytes = codes.itemsize
        self.codes = &work[0]
        for k in range(seeds):
            values = lower[k]
            self.lower[k] = &values[0]
        self.offset = np.zeros((seeds + 1, seeds + 2), np.int64)
        for n in range(seeds + 1):
            for k in range(n + 1):
                self.offset[n, k + 1] = self.offset[n, k] + halves.width[k] * halves.width[n - k]
        for k in range(seeds + 1):
            self.base[k] = (self.offset[seeds, k] - halves.first[k] * halves.width[seeds - k]
                            - halves.first[seeds - k])
        self.size = self.offset[seeds, seeds + 1]
        self.fill_codes()

    def fill_codes(self):
        """encode and value_of."""
        cdef int seeds = self.seeds, houses = self.halves.houses
        settled, capture, counting, hoping = code_tables(houses, seeds)
        encode = np.zeros((houses + 1, 2 * seeds + 2), np.uint16)
        value_of = np.zeros(max(256, number_of_codes(houses, seeds)), np.int8)
        for c in range(houses + 1):
            encode[c, 0] = hoping(c) if c else NO_CODE
            for b in range(-seeds, seeds + 1):
                encode[c, b + seeds + 1] = capture(b) if b >= 0 else counting(-b, c)
        for x in range(-seeds, seeds + 1):
            value_of[settled(x)] = x
        self.encode, self.value_of = encode, value_of

    def set_bound(self, int v):
        """Turn to the wins and losses of v: what each event does to each code."""
        cdef int seeds = self.seeds, houses = self.halves.houses
        cdef uint16_t[::1] table
        settled, capture, counting, hoping = code_tables(houses, seeds)
        after = np.tile(np.arange(MAX_CODES, dtype=np.uint16), 2)
        lost, won = after[:MAX_CODES], after[MAX_CODES:]
        for b in range(v):
            lost[capture(b)] = settled(v)
        for c in range(1, houses + 1):
            lost[hoping(c)] = settled(v)
            won[hoping(c)] = hoping(c - 1) if c > 1 else settled(-v)
            for u in range(1, seeds + 1):
                lost[counting(u, c)] = settled(v)
                won[counting(u, c)] = settled(-v) if c == 1 and u >= v else counting(u, c - 1)
        table = after
        memcpy(self.after, &table[0], sizeof(self.after))
        self.settled[CHILD_LOST], self.settled[CHILD_WON] = settled(v), settled(-v)
        self.seed[CHILD_LOST], self.seed[CHILD_WON] = capture(v), counting(v, 0)

    def share_out(self, ranges):
        """Before each pass: the list of (k, first row, row after the last) that the threads take from."""
        self.ranges = ranges
        self.shared.next_range = 0

    def ask_to_stop(self):
        """All passes return soon, their work unfinished."""
        zs_store(&self.shared.stop, 1)

    def ranges_taken(self):
        """How many ranges have been begun."""
        return min(zs_load(&self.shared.next_range), self.ranges.shape[0])

    cdef int64_t take_range(self) noexcept nogil:
        cdef int64_t taken
        if zs_load(&self.shared.stop):
            return -1
        taken = zs_fetch_add(&self.shared.next_range, 1)
        return taken if taken < self.ranges.shape[0] else -1

    # ---- the three passes; each is called by every thread ------------------------------------------

    def first_pass(self):
        """Give every position its first code."""
        cdef int64_t room = self.halves.width[self.seeds]
        cdef int8_t* best = <int8_t*>malloc(room)
        cdef uint8_t* quiet = <uint8_t*>malloc(room)
        try:
            if best == NULL or quiet == NULL:
                raise MemoryError()
            with nogil:
                if self.code_bytes == 1:
                    run_first_pass(self, self.halves, self.codes, best, quiet)
                else:
                    run_first_pass(self, self.halves, <uint16_t*>self.codes, best, quiet)
        finally:
            free(best)
            free(quiet)

    def settle(self):
        """Settle the wins and losses of the bound."""
        cdef Worker* worker = <Worker*>malloc(sizeof(Worker))
        if worker == NULL:
            raise MemoryError()
        try:
            fill_worker(self, worker)
            with nogil:
                if self.code_bytes == 1:
                    run_settle(self, self.halves, worker, self.codes)
                else:
                    run_settle(self, self.halves, worker, <uint16_t*>self.codes)
        finally:
            free(worker.stack)
            free(worker)
        if self.shared.failed:
            raise MemoryError("no memory for the positions of a layer that are settled but not yet told")

    def finish(self, values):
        """Turn codes into values: int8, one entry a position; may be the very array of byte codes."""
        cdef int8_t[::1] into = values
        with nogil:
            if self.code_bytes == 1:
                run_finish(self, self.halves, self.codes, &into[0])
            else:
                run_finish(self, self.halves, <uint16_t*>self.codes, &into[0])


# The first code of a position where duties to feed, slams or a lack of moves matter.
cdef int settle_alone(Layer self, Halves halves, int64_t mover, int64_t other) noexcept nogil:
    cdef Outcome after[MAX_HOUSES]
    cdef bint barred[MAX_HOUSES]
    cdef int target_of[MAX_HOUSES]
    cdef int house, moves = 0, allowed = 0, quiet = 0, best = -self.seeds - 1, pattern, i
    for house in range(halves.houses):
        pattern = halves.pattern[mover, house]
        if pattern == NO_MOVE or (other == 0 and pattern == 0 and halves.feed == FEED_MUST):
            continue
        after[moves] = halves.outcome(&halves.cells[other, 0], pattern)
        barred[moves] = (after[moves].half == 0 and halves.feed == FEED_AVOID
                         or after[moves].kind == SLAM and halves.slam == SLAM_ILLEGAL)
        target_of[moves] = <int>halves.target[mover, house]
        allowed += not barred[moves]
        moves += 1
    for i in range(moves):
        if allowed and barred[i]:
            continue
        if after[i].kind == QUIET:
            quiet += 1
        else:
            best = max(best, capture_value(self, halves, &after[i], target_of[i]))
    if moves == 0:
        best = stuck_value(self, halves, mover, other)
    return self.encode[quiet, best + self.seeds + 1]


cdef int capture_value(Layer self, Halves halves, const Outcome* after, int64_t target) noexcept nogil:
    cdef int left = self.seeds - after.taken, away = halves.level[after.half], home = left - away
    if after.kind == SLAM and halves.slam == SLAM_REST:
        return after.taken - left
    return after.taken - self.lower[left][
        self.offset[left, away] + (after.half - halves.first[away]) * halves.width[home]
        + target - halves.first[home]]


cdef int stuck_value(Layer self, Halves halves, int64_t mover, int64_t other) noexcept nogil:
    if halves.stuck == STUCK_NOBODY:
        return 0
    if halves.stuck == STUCK_OTHER:
        return -self.seeds
    return halves.level[mover] - halves.level[other]


# ---- first pass ------------------------------------------------------------------------------------

cdef void run_first_pass(Layer self, Halves halves, code_t* codes, int8_t* best, uint8_t* quiet) noexcept nogil:
    cdef int64_t taken, row, mover, rank, width
    cdef int k
    cdef code_t* line
    while True:
        taken = self.take_range()
        if taken < 0:
            return
        k = <int>self.ranges[taken, 0]
        width = halves.width[self.seeds - k]
        for row in range(self.ranges[taken, 1], self.ranges[taken, 2]):
            mover = halves.first[k] + row
            line = codes + self.offset[self.seeds, k] + row * width
            if k == 0 or k == self.seeds:
                for rank in range(width):
                    line[rank] = <code_t>settle_alone(self, halves, mover, halves.first[self.seeds - k] + rank)
            else:
                look_up_row(self, halves, mover, k, best, quiet)
                encode_row(self, halves, mover, k, line, best, quiet)


# Best captures and numbers of quiet moves of all positions with one mover's half.
cdef void look_up_row(Layer self, Halves halves, int64_t mover, int k, int8_t* best, uint8_t* quiet) noexcept nogil:
    cdef int m = self.seeds - k, house, pattern, taken, dropped, always = 0
    cdef int64_t width = halves.width[m], rank, slot, first, last
    cdef const uint8_t* more
    memset(best, -self.seeds - 1, width)
    memset(quiet, 0, width)
    for house in range(halves.houses):
        pattern = halves.pattern[mover, house]
        if pattern == NO_MOVE:
            continue
        if pattern == 0 or pattern > halves.tmax:
            always += 1
            continue
        more = &halves.quiet[pattern, halves.first[m]]
        for rank in range(width):
            quiet[rank] += more[rank]
        slot = <int64_t>pattern * (halves.seeds + 1) + m
        for taken in range(1, min(halves.most_taken, m + pattern) + 1):
            first = halves.list_start[slot * (halves.most_taken + 1) + taken]
            last = halves.list_start[slot * (halves.most_taken + 1) + taken + 1]
            if first < last:
                look_up_list(self, halves, first, last, taken, m + pattern - taken, k - pattern,
                             halves.target[mover, house], best)
        if halves.slam == SLAM_REST:
            for rank in range(halves.slam_start[slot], halves.slam_start[slot + 1]):
                best[halves.slam_rank[rank]] = max(
                    best[halves.slam_rank[rank]], <int8_t>(2 * (m + pattern) - self.seeds))
    for rank in range(width):
        quiet[rank] += always


# One house's captures of the same number of seeds: away and home are the seeds of both halves afterwards.
cdef void look_up_list(Layer self, Halves halves, int64_t first, int64_t last, int taken, int away, int home,
                       int64_t target, int8_t* best) noexcept nogil:
    cdef int left = self.seeds - taken
    cdef int64_t width = halves.width[home], entry
    cdef const int8_t* values = (self.lower[left] + self.offset[left, away] - halves.first[away] * width
                                 + target - halves.first[home])
    cdef const uint32_t* rank = &halves.list_rank[0]
    cdef const uint32_t* after = &halves.list_after[0]
    cdef int8_t value
    for entry in range(first, last):
        value = <int8_t>(taken - values[after[entry] * width])
        best[rank[entry]] = max(best[rank[entry]], value)


cdef void encode_row(Layer self, Halves halves, int64_t mover, int k, code_t* line, const int8_t* best,
                     const uint8_t* quiet) noexcept nogil:
    cdef int m = self.seeds - k
    cdef int64_t rank, width = halves.width[m], codes = self.encode.shape[1]
    cdef const uint16_t* encode = &self.encode[0, self.seeds + 1]
    for rank in range(width):
        line[rank] = <code_t>encode[quiet[rank] * codes + best[rank]]
    if halves.slam != SLAM_ILLEGAL:
        return
    for rank in range(width):
        if line[rank] == NO_CODE and quiet[rank] == 0:
            line[rank] = <code_t>settle_alone(self, halves, mover, halves.first[m] + rank)


# ---- settling --------------------------------------------------------------------------------------

cdef void fill_worker(Layer self, Worker* worker) noexcept:
    cdef Halves halves = self.halves
    memset(worker, 0, sizeof(Worker))
    worker.seeds, worker.patterns, worker.threads = self.seeds, halves.patterns, self.threads
    worker.width = &halves.width[0]
    worker.base = self.base
    worker.origin = &halves.origin[0]
    worker.origin_start = &halves.origin_start[0]
    worker.shrunk = &halves.shrunk[0, 0]
    worker.may_starve = &halves.may_starve[0]
    worker.after = self.after
    worker.settled = self.settled
    worker.seed = self.seed
    worker.shared = &self.shared


cdef void run_settle(Layer self, Halves halves, Worker* worker, code_t* codes) noexcept nogil:
    cdef int64_t taken, row, width
    cdef int k
    while True:
        taken = self.take_range()
        if taken < 0:
            break
        k = <int>self.ranges[taken, 0]
        width = halves.width[self.seeds - k]
        for row in range(self.ranges[taken, 1], self.ranges[taken, 2]):
            seed_row(worker, codes, codes + self.offset[self.seeds, k] + row * width, width,
                     <uint32_t>(halves.first[k] + row), <uint32_t>halves.first[self.seeds - k])
            while worker.height:
                tell_last(worker, codes)
    while worker.height or worker.taken < worker.sent:
        if zs_load(&worker.shared.stop):
            return
        if worker.height == 0:
            receive(worker, codes)
        else:
            tell_last(worker, codes)


# Settle the positions of a row that reach the bound by their captures, and tell those before them.
cdef void seed_row(Worker* worker, code_t* codes, code_t* line, int64_t width, uint32_t mover,
                   uint32_t other) noexcept nogil:
    cdef int64_t rank = 0, end, i
    cdef code_t wins = <code_t>worker.seed[CHILD_LOST], losses = <code_t>worker.seed[CHILD_WON]
    cdef bint any
    while rank < width:
        end = min(rank + 16, width)
        any = False
        if end == rank + 16:
            for i in range(16):
                any |= (line[rank + i] == wins) | (line[rank + i] == losses)
        else:
            any = True
        if any:
            for i in range(rank, end):
                if line[i] == wins:
                    line[i] = <code_t>worker.settled[CHILD_LOST]
                    tell(worker, codes, mover, <uint32_t>(other + i), CHILD_WON)
                elif line[i] == losses:
                    line[i] = <code_t>worker.settled[CHILD_WON]
                    tell(worker, codes, mover, <uint32_t>(other + i), CHILD_LOST)
        rank = end


cdef inline void tell_last(Worker* worker, code_t* codes) noexcept nogil:
    cdef Settled last
    worker.height -= 1
    last = worker.stack[worker.height]
    tell(worker, codes, last.mover, last.other, last.event)


# Send an event to all positions with a quiet move to this one. Who moved there had the other's half.
cdef inline void tell(Worker* worker, code_t* codes, uint32_t mover, uint32_t other, int event) noexcept nogil:
    cdef const int32_t* shrunk = worker.shrunk + <int64_t>mover * worker.patterns
    cdef uint32_t entry, home
    cdef int64_t away
    cdef uint64_t origin
    cdef int k
    cdef Message* message
    for entry in range(worker.origin_start[other], worker.origin_start[other + 1]):
        origin = worker.origin[entry]
        home = <uint32_t>origin
        away = shrunk[(origin >> 32) & 255]
        if away < 0:
            continue
        k = <int>(origin >> 40)
        if mover == 0 and (origin >> 32) & 255 == 0 and not worker.may_starve[home]:
            continue
        if worker.sent - worker.taken == RING:
            receive(worker, codes)
        message = &worker.ring[worker.sent & (RING - 1)]
        worker.sent += 1
        message.index = worker.base[k] + home * worker.width[worker.seeds - k] + away
        message.mover = home
        message.other = <uint32_t>away
        message.event = event
        zs_prefetch(codes + message.index)


# Carry out the oldest event under way.
cdef inline void receive(Worker* worker, code_t* codes) noexcept nogil:
    cdef Message* message = &worker.ring[worker.taken & (RING - 1)]
    cdef code_t* place = codes + message.index
    cdef code_t code, after
    worker.taken += 1
    while True:
        code = load(place)
        after = <code_t>worker.after[message.event * MAX_CODES + code]
        if after == code:
            return
        if worker.threads == 1:
            place[0] = after
            break
        if swap(place, code, after):
            break
    if after == worker.settled[message.event]:
        push(worker, message)


cdef inline code_t load(code_t* place) noexcept nogil:
    if code_t is uint8_t:
        return zs_load8(place)
    else:
        return zs_load16(place)


cdef inline bint swap(code_t* place, code_t code, code_t after) noexcept nogil:
    if code_t is uint8_t:
        return zs_swap8(place, code, after)
    else:
        return zs_swap16(place, code, after)


cdef inline void push(Worker* worker, const Message* message) noexcept nogil:
    cdef Settled* place
    cdef int64_t room
    if worker.height == worker.room:
        room = max(2 * worker.room, 4096)
        place = <Settled*>realloc(worker.stack, room * sizeof(Settled))
        if place == NULL:
            zs_store(&worker.shared.failed, 1)
            zs_store(&worker.shared.stop, 1)
            return
        worker.stack, worker.room = place, room
    place = &worker.stack[worker.height]
    place.mover, place.other, place.event = message.mover, message.other, message.event ^ 1
    worker.height += 1


# ---- last pass -------------------------------------------------------------------------------------

cdef void run_finish(Layer self, Halves halves, code_t* codes, int8_t* values) noexcept nogil:
    cdef const int8_t* value_of = &self.value_of[0]
    cdef int64_t taken, place, width
    cdef int k
    while True:
        taken = self.take_range()
        if taken < 0:
            return
        k = <int>self.ranges[taken, 0]
        width = halves.width[self.seeds - k]
        for place in range(self.offset[self.seeds, k] + self.ranges[taken, 1] * width,
                           self.offset[self.seeds, k] + self.ranges[taken, 2] * width):
            values[place] = value_of[codes[place]]
