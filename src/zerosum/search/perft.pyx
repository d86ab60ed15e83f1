# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""perft: how many lines of play of a given length there are. Checks and times a game's rules.

The name and the use are computer chess's ("performance test"). Every move of every line is played.
"""

cimport cython
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, realloc

from zerosum.core.clock cimport check_signals
from zerosum.core.state cimport State, as_state
from zerosum.search import kernels

cdef enum:
    MAX_DEPTH = 1 << 18
    MAX_KERNEL_DEPTH = 256         # kernels recurse: 256 frames fit on any thread's stack


@cython.final
cdef class LineCounter:
    """LineCounter(state)\n--\n
    Plays every line from a copy of a state, on a stack in memory.
    """

    def __init__(self, state):
        self.state = as_state(state)

    def __dealloc__(self):
        free(self.actions)
        free(self.levels)

    cdef int open_level(self, int ply) except -1 nogil:
        cdef int top = self.levels[ply - 1].first + self.levels[ply - 1].count if ply else 0
        cdef void* memory
        if ply >= self.level_capacity:
            self.level_capacity = 2 * ply + 64
            memory = realloc(self.levels, self.level_capacity * sizeof(Level))
            if memory == NULL:
                with gil:
                    raise MemoryError()
            self.levels = <Level*>memory
        if top + self.state.max_actions > self.action_capacity:
            self.action_capacity = 2 * (top + self.state.max_actions)
            memory = realloc(self.actions, self.action_capacity * sizeof(int))
            if memory == NULL:
                with gil:
                    raise MemoryError()
            self.actions = <int*>memory
        self.levels[ply].first = top
        self.levels[ply].next = 0
        self.levels[ply].count = self.state.legal(&self.actions[top])
        return 0

    cdef int64_t count_below(self, int depth) except -1 nogil:
        cdef Level* level
        cdef int64_t lines = 0
        cdef int ply = 0
        cdef int i
        if depth == 0:
            return 1
        self.open_level(0)
        while ply >= 0:
            level = &self.levels[ply]
            self.visited += 1
            if (self.visited & 0x3FF) == 0:
                check_signals(&self.last_check)
            if ply + 1 == depth:
                for i in range(level.first, level.first + level.count):
                    self.state.apply(self.actions[i])
                    self.state.undo()
                lines += level.count
            elif level.next < level.count:
                self.state.apply(self.actions[level.first + level.next])
                level.next += 1
                ply += 1
                self.open_level(ply)
                continue
            ply -= 1
            if ply >= 0:
                self.state.undo()
        return lines

    def count(self, int depth):
        """Lines of exactly ``depth`` plies."""
        with nogil:
            lines = self.count_below(depth)
        return lines


def perft(state, depth):
    """Number of lines of exactly ``depth`` plies from a state; lines that end earlier do not count.

    ``state`` is any game's, and is not changed. ValueError for a depth below 0 or above 262,144,
    TypeError for one that is no whole number. The count must stay below 2**63.
    """
    depth = check_depth(depth, 0)
    if depth <= MAX_KERNEL_DEPTH and type(state) in kernels.PERFT:
        return kernels.PERFT[type(state)](state, depth)
    return LineCounter(state).count(depth)


def perft_divide(state, depth):
    """{action: perft(child, depth - 1)} for every legal action, as chess programs print it.

    ValueError for a depth below 1 or above 262,144.
    """
    depth = check_depth(depth, 1)
    root = as_state(state)
    return {action: perft(root.child(action), depth - 1) for action in root.legal_actions()}


def check_depth(depth, least):
    """The depth as an int, refused when it is none or out of range."""
    if isinstance(depth, bool) or not hasattr(depth, "__index__"):
        raise TypeError(f"depth must be a whole number, not {depth!r}")
    if not least <= depth <= MAX_DEPTH:
        raise ValueError(f"depth must be from {least} to {MAX_DEPTH}, not {depth}")
    return int(depth)
