# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Exact values of games that can repeat positions, where a search along lines of play never ends.

Every reachable position becomes a vertex. Values are then settled from the end of the game backwards, the
largest first, as in retrograde analysis (Thompson 1986): a position from which a player can force a result
is settled when that is known. What is never settled is endless play, worth 0. Each position is visited
once, so the work is linear, and nothing depends on the path that led to a position.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memset

from zerosum.core.clock cimport zs_now
from zerosum.core.errors import SearchLimitError
from zerosum.core.state cimport State, as_state


@cython.final
cdef class Graph:
    """Graph(state, megabytes, time=None, nodes=None, stop_event=None)\n--\n
    The reachable positions of a copy of a state. SearchLimitError when they need more than ``megabytes``
    MiB, ``time`` seconds, or are more than ``nodes``, or once ``stop_event`` is set.
    """

    def __init__(self, state, double megabytes, time=None, nodes=None, stop_event=None):
        self.state = as_state(state)
        if self.state.accumulates:
            raise SearchLimitError(
                f"{self.state.game} repeats positions, and endless play is worth what was won before: only a "
                "tablebase or a limit (depth, time, nodes) gives an answer")
        self.stop_event = stop_event
        self.byte_limit = megabytes * (1 << 20)
        self.deadline = INFINITY if time is None else zs_now() + time
        self.node_limit = <uint64_t>-1 if nodes is None else nodes
        self.scratch = <int*>malloc(self.state.max_actions * sizeof(int))
        if self.scratch == NULL:
            raise MemoryError()
        with nogil:
            self.rehash()
            self.explore()
            self.link_parents()
        self.settle_all()

    def __dealloc__(self):
        free(self.vertices)
        free(self.edges)
        free(self.slots)
        free(self.parents)
        free(self.first_parent)
        free(self.queue)
        free(self.scratch)

    # ---- exploring --------------------------------------------------------------------------------

    cdef int check(self) except -1 nogil:
        cdef double now = zs_now()
        if now >= self.deadline or <uint64_t>self.vertex_count > self.node_limit:
            with gil:
                raise SearchLimitError(
                    f"the game repeats positions and has more than the {self.vertex_count} visited in the limits")
        if now - self.last_check > 0.02:
            self.last_check = now
            with gil:
                PyErr_CheckSignals()
                if self.stop_event is not None and self.stop_event.is_set():
                    raise SearchLimitError(
                        f"stopped while the positions of a game that repeats them were counted, "
                        f"{self.vertex_count} so far")
        return 0

    cdef int reserve(self, int edges) except -1 nogil:
        cdef void* memory = self.vertices
        cdef double bytes_used
        if self.vertex_count == self.vertex_capacity:
            self.vertex_capacity = 2 * self.vertex_capacity + 256
            memory = realloc(self.vertices, self.vertex_capacity * sizeof(Vertex))
            if memory != NULL:
                self.vertices = <Vertex*>memory
        if memory != NULL and self.edge_count + edges > self.edge_capacity:
            self.edge_capacity = 2 * (self.edge_count + edges)
            memory = realloc(self.edges, self.edge_capacity * sizeof(Edge))
            if memory != NULL:
                self.edges = <Edge*>memory
        if memory == NULL:
            with gil:
                raise MemoryError()
        bytes_used = (self.vertex_count * <double>(sizeof(Vertex) + 4 * sizeof(int))
                      + self.edge_count * <double>(sizeof(Edge) + sizeof(int)))
        if bytes_used > self.byte_limit or self.edge_count > 1 << 30:
            with gil:
                raise SearchLimitError(
                    f"the game repeats positions, so all of them are needed at once; after {self.vertex_count} "
                    f"they fill the {self.byte_limit / (1 << 20):g} MiB of table_mb")
        return 0

    cdef int rehash(self) except -1 nogil:
        cdef uint64_t slot
        cdef int i
        self.slot_mask = 4 * self.slot_mask + 3 if self.slot_mask else 1023
        free(self.slots)
        self.slots = <int*>calloc(self.slot_mask + 1, sizeof(int))
        if self.slots == NULL:
            with gil:
                raise MemoryError()
        for i in range(self.vertex_count):
            slot = self.vertices[i].key & self.slot_mask
            while self.slots[slot]:
                slot = (slot + 1) & self.slot_mask
            self.slots[slot] = i + 1
        return 0

    cdef int find(self, uint64_t key, bint* is_new) except -1 nogil:
        """The number of the vertex with a key; a new one is numbered next."""
        cdef uint64_t slot
        if 2 * <uint64_t>self.vertex_count > self.slot_mask:
            self.rehash()
        slot = key & self.slot_mask
        while self.slots[slot]:
            if self.vertices[self.slots[slot] - 1].key == key:
                is_new[0] = False
                return self.slots[slot] - 1
            slot = (slot + 1) & self.slot_mask
        self.slots[slot] = self.vertex_count + 1
        is_new[0] = True
        return self.vertex_count

    cdef int add_vertex(self, int number, uint64_t key) except -1 nogil:
        """Make the state's position the vertex with the next number; its edges are listed, not yet followed."""
        cdef int count = self.state.legal(self.scratch)
        cdef Vertex* vertex
        cdef int i
        if (number & 0xFF) == 0 or self.state.python:
            self.check()
        self.reserve(count)
        vertex = &self.vertices[number]
        memset(vertex, 0, sizeof(Vertex))
        vertex.key = key
        vertex.first_edge = self.edge_count
        vertex.edge_count = vertex.waiting = count
        vertex.mover = <signed char>self.state.mover
        vertex.distance = -1
        if count == 0:
            vertex.value = self.state.utility()
        for i in range(count):
            self.edges[self.edge_count + i].action = self.scratch[i]
        self.edge_count += count
        self.vertex_count += 1
        return 0

    cdef int explore(self) except -1 nogil:
        """Visit every reachable position once, depth first, on a stack in memory."""
        cdef int* stack = <int*>malloc(sizeof(int))
        if stack == NULL:
            with gil:
                raise MemoryError()
        try:
            self.explore_from_root(&stack)
        finally:
            free(stack)
        return 0

    cdef int explore_from_root(self, int** stack) except -1 nogil:
        cdef void* memory
        cdef Vertex* vertex
        cdef Edge* edge
        cdef uint64_t key = self.state.key()
        cdef int capacity = 1
        cdef int depth = 0
        cdef int number
        cdef bint is_new
        self.add_vertex(self.find(key, &is_new), key)
        stack[0][0] = 0
        while depth >= 0:
            vertex = &self.vertices[stack[0][depth]]
            if vertex.next_edge == vertex.edge_count:
                depth -= 1
                if depth >= 0:
                    self.state.undo()
                continue
            edge = &self.edges[vertex.first_edge + vertex.next_edge]
            vertex.next_edge += 1
            self.state.apply(edge.action)
            key = self.state.key()
            number = self.find(key, &is_new)
            edge.child = number
            if not is_new:
                self.state.undo()
                continue
            self.add_vertex(number, key)
            depth += 1
            if depth == capacity:
                capacity *= 2
                memory = realloc(stack[0], capacity * sizeof(int))
                if memory == NULL:
                    with gil:
                        raise MemoryError()
                stack[0] = <int*>memory
            stack[0][depth] = number
        return 0

    # ---- settling ---------------------------------------------------------------------------------

    cdef int link_parents(self) except -1 nogil:
        """Group the edges by child: first_parent[v] .. first_parent[v + 1] are the parents of v."""
        cdef int i, v
        self.first_parent = <int*>calloc(self.vertex_count + 2, sizeof(int))
        self.parents = <int*>malloc((self.edge_count + 1) * sizeof(int))
        self.queue = <int*>malloc((self.vertex_count + 1) * sizeof(int))
        if self.first_parent == NULL or self.parents == NULL or self.queue == NULL:
            with gil:
                raise MemoryError()
        for i in range(self.edge_count):
            self.first_parent[self.edges[i].child + 2] += 1
        for i in range(self.vertex_count):
            self.first_parent[i + 2] += self.first_parent[i + 1]
        for v in range(self.vertex_count):
            for i in range(self.vertices[v].first_edge, self.vertices[v].first_edge + self.vertices[v].edge_count):
                self.parents[self.first_parent[self.edges[i].child + 1]] = v
                self.first_parent[self.edges[i].child + 1] += 1
        return 0

    def settle_all(self):
        cdef int i
        results = set()
        for i in range(self.vertex_count):
            if self.vertices[i].edge_count == 0:
                results.add(self.vertices[i].value)
        wins = sorted((value for value in results if value > 0), reverse=True)
        losses = sorted(value for value in results if value < 0)
        for value in wins:
            self.settle(value, 0)
        for value in losses:
            self.settle(value, 1)
        # Of ties player 0 forces what it can: it is the one that is taken to shorten them.
        self.settle(0.0, 0)

    cdef int settle(self, double value, int player) except -1 nogil:
        """Settle every position from which a player can force just this result, nearest to the end first."""
        cdef Vertex* parent
        cdef int head = 0
        cdef int tail = 0
        cdef int i, v
        for v in range(self.vertex_count):
            if self.vertices[v].edge_count == 0 and self.vertices[v].value == value:
                self.vertices[v].settled = True
                self.vertices[v].distance = 0
                self.queue[tail] = v
                tail += 1
        while head < tail:
            v = self.queue[head]
            head += 1
            for i in range(self.first_parent[v], self.first_parent[v + 1]):
                parent = &self.vertices[self.parents[i]]
                if parent.settled:
                    continue
                if parent.mover != player:
                    parent.waiting -= 1
                    if parent.waiting:
                        continue
                parent.settled = True
                parent.value = value
                parent.distance = self.vertices[v].distance + 1
                self.queue[tail] = self.parents[i]
                tail += 1
        return 0

    # ---- answers ----------------------------------------------------------------------------------

    def root_moves(self):
        """List of (action, value, distance, is it a best one?) for the root's mover, best first."""
        cdef Vertex* root = &self.vertices[0]
        cdef Vertex* child
        cdef int i
        moves = []
        for i in range(root.first_edge, root.first_edge + root.edge_count):
            child = &self.vertices[self.edges[i].child]
            value = (-child.value if root.mover else child.value) + 0.0
            moves.append((self.edges[i].action, value, child.distance + 1 if child.settled else None))
        # A quick win, a slow loss; player 0 shortens a tie and player 1 prolongs it, endless play being longest.
        def order(move):
            action, value, distance = move
            plies = INFINITY if distance is None else distance
            return -value, plies if value > 0 or (value == 0 and root.mover == 0) else -plies, action
        moves.sort(key=order)
        best = moves[0][1:]
        return [(*move, move[1:] == best or move[1] == best[0] == 0) for move in moves]

    def principal_variation(self):
        """Best play from the root, to the end or, when it never ends, to the first repeated position."""
        cdef Vertex* here = &self.vertices[0]
        cdef Vertex* child
        cdef int number = 0
        cdef int i
        line = []
        seen = set()
        while here.edge_count and number not in seen:
            seen.add(number)
            for i in range(here.first_edge, here.first_edge + here.edge_count):
                child = &self.vertices[self.edges[i].child]
                if child.value == here.value and child.settled == here.settled and (
                        not here.settled or child.distance == here.distance - 1):
                    break
            line.append(self.edges[i].action)
            number = self.edges[i].child
            here = child
        return line

    def num_positions(self):
        """Positions reachable from the root, itself among them."""
        return self.vertex_count
