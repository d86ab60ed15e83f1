# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Plain minimax: no pruning, no table, every node visited and counted. The reference for the other search."""

cimport cython
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc, realloc

from zerosum.core.clock cimport check_signals
from zerosum.core.errors import GameTooLongError
from zerosum.core.state cimport CHANCE, State, as_state
from zerosum.search.score cimport (
    MAX_DISTANCE, Score, Values, distance_of, infinite, lengthen, make_score)


@cython.final
cdef class Minimax:
    """Minimax(state)\n--\n
    Walks the whole tree below a copy of a state, on a stack in memory.
    """

    def __init__(self, state):
        self.state = as_state(state)
        self.values = Values()

    def __dealloc__(self):
        free(self.actions)
        free(self.nodes_stack)
        free(self.links)

    cdef int reserve(self, int ply, int top) except -1 nogil:
        cdef void* memory = self.actions
        if top + self.state.max_actions > self.capacity:
            self.capacity = 2 * (top + self.state.max_actions)
            memory = realloc(self.actions, self.capacity * sizeof(int))
            if memory != NULL:
                self.actions = <int*>memory
        if memory != NULL and ply >= self.node_capacity:
            if ply >= MAX_DISTANCE - 2:
                with gil:
                    raise GameTooLongError(f"a line of play is longer than {MAX_DISTANCE - 1} plies, or endless")
            self.node_capacity = min(2 * ply + 64, MAX_DISTANCE - 2)
            memory = realloc(self.nodes_stack, self.node_capacity * sizeof(Node))
            if memory != NULL:
                self.nodes_stack = <Node*>memory
        if memory == NULL:
            with gil:
                raise MemoryError()
        return 0

    cdef int add_link(self, int action, int next) except -2 nogil:
        cdef void* memory
        if self.link_count == self.link_capacity:
            self.link_capacity = 2 * self.link_capacity + 256
            memory = realloc(self.links, self.link_capacity * sizeof(Link))
            if memory == NULL:
                with gil:
                    raise MemoryError()
            self.links = <Link*>memory
        self.links[self.link_count].action = action
        self.links[self.link_count].next = next
        self.link_count += 1
        return self.link_count - 1

    cdef int open_node(self, int ply, int top, int count) except -1 nogil:
        cdef Node* node = &self.nodes_stack[ply]
        if self.state.mover == CHANCE:
            with gil:
                raise ValueError(f"chance moves in\n{self.state}\nminimax is for games without chance")
        node.first = top
        node.count = count
        node.next = 0
        node.mover = self.state.mover
        node.line = -1
        node.cut = False
        node.best = -infinite()
        return 0

    cdef int answer_leaf(self, bint over) except -1 nogil:
        cdef double value
        if over:
            value = self.state.utility()
            value = -value if self.state.mover else value
        else:
            value = self.state.evaluate()
        if self.state.python:
            self.values.note(value)
        self.score = make_score(value)
        self.line = -1
        self.cut = not over
        return 0

    cdef int absorb(self, Node* node) except -1 nogil:
        """Take in the answer of the child the state stands at, and go back to the node."""
        cdef Score score = lengthen(self.score if self.state.mover == node.mover else -self.score, node.mover)
        if score > node.best:
            node.best = score
            node.line = self.add_link(self.actions[node.first + node.next - 1], self.line)
        else:
            self.link_count = node.mark
        node.cut = node.cut or self.cut
        self.state.undo()
        return 0

    cdef int walk(self, int depth) except -1 nogil:
        """Score the state's position: the answer is in score, line and cut."""
        cdef Node* node
        cdef int ply = -1
        cdef int top = 0
        cdef int count
        while True:
            self.nodes += 1
            if (self.nodes & 0x3FF) == 0:
                check_signals(&self.last_check)
            self.reserve(ply + 1, top)
            count = self.state.legal(&self.actions[top])
            if count and ply + 1 < depth:
                ply += 1
                self.open_node(ply, top, count)
                top += count
            else:
                self.answer_leaf(count == 0)
                while True:
                    if ply < 0:
                        return 0
                    node = &self.nodes_stack[ply]
                    self.absorb(node)
                    if node.next < node.count:
                        break
                    self.score = node.best
                    self.line = node.line
                    self.cut = node.cut
                    top = node.first
                    ply -= 1
            node = &self.nodes_stack[ply]
            node.mark = self.link_count
            self.state.apply(self.actions[node.first + node.next])
            node.next += 1

    def root_moves(self, depth):
        """(order, action, value, distance) for every legal action, and the line of the first best one."""
        cdef int below = 2 * MAX_DISTANCE if depth is None else depth - 1
        cdef int mover = self.state.mover
        cdef Score score
        cdef Score best = -infinite()
        moves, line = [], []
        self.nodes += 1
        for action in self.state.legal_actions():
            self.link_count = 0
            self.state.apply(action)
            if self.state.python:
                self.walk(below)
            else:
                with nogil:
                    self.walk(below)
            score = lengthen(self.score if self.state.mover == mover else -self.score, mover)
            self.state.undo()
            moves.append((score, action, self.values.back(score), None if self.cut else distance_of(score)))
            if score > best:
                best = score
                line = [action, *self.line_from(self.line)]
        return moves, line

    def line_from(self, int link):
        """The actions of a line, from its first link on."""
        line = []
        while link >= 0:
            line.append(self.links[link].action)
            link = self.links[link].next
        return line


def root_moves(state, depth):
    """Plain minimax at the root, to the end or a depth.

    Three things: a list of (order, action, value, distance) for every legal action, where the better has the
    larger order; the line of play that begins with the first best one; and the number of nodes visited.
    """
    walker = Minimax(state)
    moves, line = walker.root_moves(depth)
    return moves, line, walker.nodes
