# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Retrograde analysis of one layer: all boards with the same number of seeds.

The method is Romein and Bal's (2002) in one byte a position: a first pass looks up every capture in the
layers below and counts the other moves; then bounds v = n..1 settle wins and losses of v, each settled
position telling those that lead to it. What no bound settles is endless play.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

import numpy as np

from zerosum.tablebase.atomics cimport (
    zs_fetch_add, zs_load, zs_load8, zs_load16, zs_lowest, zs_match16, zs_prefetch, zs_raise_to, zs_store,
    zs_store8, zs_swap8, zs_swap16, zs_swap64, zs_take8)
from zerosum.tablebase.halves cimport (
    FEED_AVOID, FEED_MUST, MAX_HOUSES, NO_MOVE, Outcome, QUIET, SLAM_ILLEGAL, SLAM, SLAM_REST, STUCK_NOBODY,
    STUCK_OTHER)

cdef enum:
    NO_CODE = 255                  # of a position still without one
    UNSETTLED = -128               # no value: of codes that the bounds leave nowhere


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


cdef class LayerSolver:
    """LayerSolver(halves, seeds, lower, codes, threads)\n--\n
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
        self.flags = np.empty((self.size + (1 << BLOCK_BITS) - 1) >> BLOCK_BITS, np.uint8)
        self.fill_codes()

    def share_rows(self, rows):
        """Before the first pass: the list of (k, first row, row after the last) that threads take from."""
        self.rows = rows
        self.shared.next_range, self.shared.last_range = 0, self.rows.shape[0]

    def share_positions(self):
        """Before the last pass: all positions are there to be taken."""
        self.shared.next_range = 0
        self.shared.last_range = (self.size + (1 << RANGE_BITS) - 1) >> RANGE_BITS

    def fill_codes(self):
        """encode and value_of."""
        cdef int seeds = self.seeds, houses = self.halves.houses
        settled, capture, counting, hoping = code_tables(houses, seeds)
        encode = np.zeros((houses + 1, 2 * seeds + 2), np.uint16)
        value_of = np.full(max(256, number_of_codes(houses, seeds)), UNSETTLED, np.int8)
        value_of[capture(0)] = 0
        for c in range(1, houses + 1):
            value_of[[hoping(c), *(counting(u, c) for u in range(1, seeds + 1))]] = 0
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
            lost[capture(b)] = capture(v)
        for c in range(1, houses + 1):
            lost[hoping(c)] = capture(v)
            won[hoping(c)] = hoping(c - 1) if c > 1 else counting(v, 0)
            for u in range(1, seeds + 1):
                lost[counting(u, c)] = capture(v)
                won[counting(u, c)] = counting(v, 0) if c == 1 and u >= v else counting(u, c - 1)
        table = after
        memcpy(self.after, &table[0], sizeof(self.after))
        self.settled[CHILD_LOST], self.settled[CHILD_WON] = settled(v), settled(-v)
        self.untold[CHILD_LOST], self.untold[CHILD_WON] = capture(v), counting(v, 0)
        self.flags[:] = 1
        self.share_positions()

    def ask_to_stop(self):
        """All passes return soon, their work unfinished."""
        zs_store(&self.shared.stop, 1)

    cdef int64_t take_range(self) noexcept nogil:
        cdef int64_t taken = zs_load(&self.shared.next_range)
        while taken < zs_load(&self.shared.last_range) and not zs_load(&self.shared.stop):
            if zs_swap64(&self.shared.next_range, &taken, taken + 1):
                return taken
        return -1

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
                    run_settle(self, worker, self.codes)
                else:
                    run_settle(self, worker, <uint16_t*>self.codes)
        finally:
            free(worker)

    def finish(self, values):
        """Turn codes into values: int8, one entry a position; may be the very array of byte codes.

        RuntimeError when a position has none, which is an error of this program.
        """
        cdef int8_t[::1] into = values
        cdef int64_t place
        with nogil:
            if self.code_bytes == 1:
                place = run_finish(self, self.codes, &into[0])
            else:
                place = run_finish(self, <uint16_t*>self.codes, &into[0])
        if place >= 0:
            raise RuntimeError(f"position {place} of the layer of {self.seeds} seeds was never settled")


# The first code of a position where duties to feed, slams or a lack of moves matter.
cdef int settle_alone(LayerSolver self, Halves halves, int64_t mover, int64_t other) noexcept nogil:
    cdef Outcome after[MAX_HOUSES]
    cdef bint barred[MAX_HOUSES]
    cdef int target_of[MAX_HOUSES]
    cdef int house, moves = 0, allowed = 0, quiet = 0, best = -self.seeds - 1, pattern, i
    for house in range(halves.houses):
        pattern = halves.pattern[mover, house]
        if pattern == NO_MOVE or (other == 0 and pattern == 0 and halves.feed == FEED_MUST):
            continue
        after[moves] = halves.outcome(&halves.cells[other, 0], pattern)
        if after[moves].kind == SLAM and halves.slam == SLAM_ILLEGAL and halves.feed != FEED_AVOID:
            continue
        barred[moves] = after[moves].half == 0 and halves.feed == FEED_AVOID
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


cdef int capture_value(LayerSolver self, Halves halves, const Outcome* after, int64_t target) noexcept nogil:
    cdef int left = self.seeds - after.taken, away = halves.level[after.half], home = left - away
    if after.kind == SLAM and halves.slam == SLAM_REST:
        return after.taken - left
    return after.taken - self.lower[left][
        self.offset[left, away] + (after.half - halves.first[away]) * halves.width[home]
        + target - halves.first[home]]


cdef int stuck_value(LayerSolver self, Halves halves, int64_t mover, int64_t other) noexcept nogil:
    if halves.stuck == STUCK_NOBODY:
        return 0
    if halves.stuck == STUCK_OTHER:
        return -self.seeds
    return halves.level[mover] - halves.level[other]


# ---- first pass ------------------------------------------------------------------------------------

cdef void run_first_pass(LayerSolver self, Halves halves, code_t* codes, int8_t* best,
                         uint8_t* quiet) noexcept nogil:
    cdef int64_t taken, row, mover, rank, width, first
    cdef int k
    cdef code_t* line
    while True:
        taken = self.take_range()
        if taken < 0:
            return
        k = <int>self.rows[taken, 0]
        width = halves.width[self.seeds - k]
        for row in range(self.rows[taken, 1], self.rows[taken, 2]):
            mover = halves.first[k] + row
            line = codes + self.offset[self.seeds, k] + row * width
            if k == 0 or k == self.seeds:
                first = halves.first[self.seeds - k]
                for rank in range(width):
                    line[rank] = <code_t>settle_alone(self, halves, mover, first + rank)
            else:
                look_up_row(self, halves, mover, k, best, quiet)
                encode_row(self, halves, mover, k, line, best, quiet)


# Best captures and numbers of quiet moves of all positions with one mover's half.
cdef void look_up_row(LayerSolver self, Halves halves, int64_t mover, int k, int8_t* best,
                      uint8_t* quiet) noexcept nogil:
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
        if halves.slam == SLAM_REST and halves.feed != FEED_AVOID:
            for rank in range(halves.slam_start[slot], halves.slam_start[slot + 1]):
                best[halves.slam_rank[rank]] = max(
                    best[halves.slam_rank[rank]], <int8_t>(2 * (m + pattern) - self.seeds))
    for rank in range(width):
        quiet[rank] += always


# One house's captures of the same number of seeds: away and home are the seeds of both halves afterwards.
cdef void look_up_list(LayerSolver self, Halves halves, int64_t first, int64_t last, int taken, int away,
                       int home, int64_t target, int8_t* best) noexcept nogil:
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


cdef void encode_row(LayerSolver self, Halves halves, int64_t mover, int k, code_t* line, const int8_t* best,
                     const uint8_t* quiet) noexcept nogil:
    cdef int m = self.seeds - k
    cdef int64_t rank, width = halves.width[m], codes = self.encode.shape[1]
    cdef const uint16_t* encode = &self.encode[0, self.seeds + 1]
    for rank in range(width):
        line[rank] = <code_t>encode[quiet[rank] * codes + best[rank]]
    if not halves.odd_slams:
        return
    for rank in range(width):
        if line[rank] == NO_CODE and quiet[rank] == 0:
            line[rank] = <code_t>settle_alone(self, halves, mover, halves.first[m] + rank)


# ---- settling --------------------------------------------------------------------------------------

cdef void fill_worker(LayerSolver self, Worker* worker) noexcept:
    cdef Halves halves = self.halves
    memset(worker, 0, sizeof(Worker))
    worker.seeds, worker.patterns, worker.threads = self.seeds, halves.patterns, self.threads
    worker.tmax, worker.crossing = halves.tmax, &halves.crossing[0, 0]
    worker.crossed_start, worker.crossed = &halves.crossed_start[0], &halves.crossed[0]
    worker.width, worker.first = &halves.width[0], &halves.first[0]
    worker.offset, worker.base = &self.offset[self.seeds, 0], self.base
    worker.origin, worker.origin_start = &halves.origin[0], &halves.origin_start[0]
    worker.shrunk, worker.may_starve = &halves.shrunk[0, 0], &halves.may_starve[0]
    worker.after, worker.settled, worker.untold = self.after, self.settled, self.untold
    worker.flags = &self.flags[0]


# Threads take ranges round and round. Whoever tells anything asks for one more whole round from there on: a range
# is taken only while it counts, so those who left before have skipped none of it. next_range is read by adding 0,
# not by a load, so that whoever takes a later range sees the flags that were raised here.
cdef void run_settle(LayerSolver self, Worker* worker, code_t* codes) noexcept nogil:
    cdef int64_t ranges = (self.size + (1 << RANGE_BITS) - 1) >> RANGE_BITS
    cdef int64_t taken, block, last
    while True:
        taken = self.take_range()
        if taken < 0:
            return
        block = taken % ranges << (RANGE_BITS - BLOCK_BITS)
        last = min(block + (1 << (RANGE_BITS - BLOCK_BITS)), self.flags.shape[0])
        if not tell_blocks(worker, codes, block, last, self.size):
            continue
        while worker.taken < worker.sent:
            receive(worker, codes)
        zs_raise_to(&self.shared.last_range, zs_fetch_add(&self.shared.next_range, 0) + ranges)


cdef bint tell_blocks(Worker* worker, code_t* codes, int64_t block, int64_t last,
                      int64_t size) noexcept nogil:
    cdef int64_t row, column, width, place, end
    cdef int k = 0
    cdef bint told = False
    for block in range(block, last):
        if worker.flags[block] == 0 or zs_take8(&worker.flags[block]) == 0:
            continue
        place = block << BLOCK_BITS
        end = min(place + (1 << BLOCK_BITS), size)
        while place < end:
            while place >= worker.offset[k + 1]:
                k += 1
            width = worker.width[worker.seeds - k]
            row = (place - worker.offset[k]) // width
            column = place - worker.offset[k] - row * width
            width = min(width - column, end - place)
            told |= tell_line(worker, codes, codes + place, width, worker.first[k] + row, k,
                              worker.first[worker.seeds - k] + column)
            place += width
    return told


# Tell what is untold on a piece of a row; the positions are mover's half with other, other + 1, ...
cdef bint tell_line(Worker* worker, code_t* codes, code_t* line, int64_t width, int64_t mover, int k,
                    int64_t other) noexcept nogil:
    cdef code_t wins = <code_t>worker.untold[CHILD_LOST], losses = <code_t>worker.untold[CHILD_WON]
    cdef int64_t rank = 0, place
    cdef unsigned found
    cdef int event
    cdef bint told = False
    while rank < width:
        found = match(line + rank, min(16, width - rank), wins, losses)
        while found:
            place = rank + zs_lowest(found)
            found &= found - 1
            event = CHILD_WON if line[place] == wins else CHILD_LOST
            if worker.threads == 1:
                line[place] = <code_t>worker.settled[event ^ 1]
            elif not swap(line + place, <code_t>worker.untold[event ^ 1], <code_t>worker.settled[event ^ 1]):
                continue           # another thread was here first
            if not told:
                find_routes(worker, mover, k)
                told = True
            tell(worker, codes, mover, other + place, event)
        rank += 16
    return told


# What leads to the row's half of the mover, k seeds, does not depend on the other half.
cdef void find_routes(Worker* worker, int64_t mover, int k) noexcept nogil:
    cdef int64_t entry
    cdef int pattern, home, route = 0
    for entry in range(worker.crossed_start[mover], worker.crossed_start[mover + 1]):
        pattern = worker.crossed[entry]
        home = worker.seeds - k + pattern
        worker.route_pattern[route] = pattern
        worker.route_base[route] = worker.base[home] + worker.shrunk[mover * worker.patterns + pattern]
        worker.route_scale[route] = worker.width[worker.seeds - home]
        route += 1
    worker.routes = route


# Send an event to all positions with a quiet move to this one. Who moved there had the other's half.
cdef inline void tell(Worker* worker, code_t* codes, int64_t mover, int64_t other, int event) noexcept nogil:
    cdef const uint32_t* crossing = worker.crossing + other * (worker.tmax + 1)
    cdef int64_t home, away, entry
    cdef uint64_t origin
    cdef int route, k
    for route in range(worker.routes):
        home = crossing[worker.route_pattern[route]]
        if home:
            send(worker, codes, worker.route_base[route] + home * worker.route_scale[route], event)
    for entry in range(worker.origin_start[other], worker.origin_start[other + 1]):
        origin = worker.origin[entry]
        home = <uint32_t>origin
        away = worker.shrunk[mover * worker.patterns + ((origin >> 32) & 255)]
        k = <int>(origin >> 40)
        if away < 0 or (mover == 0 and not worker.may_starve[home]):
            continue
        send(worker, codes, worker.base[k] + home * worker.width[worker.seeds - k] + away, event)


cdef inline void send(Worker* worker, code_t* codes, int64_t index, int event) noexcept nogil:
    if worker.sent - worker.taken == RING:
        receive(worker, codes)
    worker.ring[worker.sent & (RING - 1)] = 2 * index + event
    worker.sent += 1
    zs_prefetch(codes + index)


cdef inline unsigned match(const code_t* line, int64_t width, code_t wins, code_t losses) noexcept nogil:
    cdef unsigned found = 0
    cdef int64_t i
    if code_t is uint8_t:
        if width == 16:
            return zs_match16(line, wins, losses)
    for i in range(width):
        if line[i] == wins or line[i] == losses:
            found |= 1u << i
    return found


# Carry out the oldest message under way.
cdef inline void receive(Worker* worker, code_t* codes) noexcept nogil:
    cdef int64_t message = worker.ring[worker.taken & (RING - 1)]
    cdef const uint16_t* after_code = worker.after + (message & 1) * MAX_CODES
    cdef code_t* place = codes + (message >> 1)
    cdef code_t code, after
    worker.taken += 1
    while True:
        code = load(place)
        after = <code_t>after_code[code]
        if after == code:
            return
        if worker.threads == 1:
            place[0] = after
            break
        if swap(place, code, after):
            break
    if after == worker.untold[message & 1]:
        zs_store8(&worker.flags[message >> (BLOCK_BITS + 1)], 1)


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


# ---- last pass -------------------------------------------------------------------------------------

# An unsettled position, or -1.
cdef int64_t run_finish(LayerSolver self, code_t* codes, int8_t* values) noexcept nogil:
    cdef const int8_t* value_of = &self.value_of[0]
    cdef int64_t taken, place, unsettled = -1
    while True:
        taken = self.take_range()
        if taken < 0:
            return unsettled
        for place in range(taken << RANGE_BITS, min((taken + 1) << RANGE_BITS, self.size)):
            values[place] = value_of[codes[place]]
            if values[place] == UNSETTLED:
                unsettled = place
