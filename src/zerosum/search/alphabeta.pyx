# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Principal variation search with a transposition table (Marsland and Campbell 1982; Reinefeld 1983).

The tree is walked on a stack of frames in memory, not on the C stack, so a line of 100,000 plies is as safe
as one of ten. A score is a value with its distance (see score.pxd), so quickest wins and slowest losses
come out of the same comparison. Each answer carries whether it is settled, that is whether it rests on no
line cut at the horizon; only settled answers are called exact. Threads share the table and skip moves
that another one is searching, in the manner of ABDADA (Weill 1996) as simplified by Kerrigan.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, isfinite
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from zerosum.core.clock cimport zs_now
from zerosum.core.errors import GameTooLongError, UnsupportedGameError
from zerosum.core.python_game cimport PythonState
from zerosum.core.state cimport CHANCE, Preview, State, as_state, mix64
from zerosum.core.tablebase cimport Tablebase
from zerosum.search.score cimport (
    MAX_DISTANCE, Score, Values, distance_of, infinite, lengthen, make_score, shorten, value_of,
    value_reaching)
from zerosum.search.table cimport EXACT, LOWER, UPPER, Knowledge, TranspositionTable

cdef enum:
    NATIVE_POLL = 1024             # nodes between looks at the clock: below 0.1 ms at 10 M nodes/s
    PYTHON_POLL = 16
    THREAD_DEPTH = 4               # below it a subtree is too small to be worth putting off
    TABLE_RANK = 1 << 30
    KILLER_RANK = 1 << 29
    HISTORY_LIMIT = 1 << 28
    PREVIEW_RANK = 1 << 27         # of a win as high as can be

# In the set of keys on the path 0 marks an empty slot. A clash would only send the search to the graph solver.
cdef uint64_t KEY_FOR_0 = <uint64_t>0x9E3779B97F4A7C15
cdef double SIGNAL_SECONDS = 0.02
cdef double SLOW_NODES = 0.001


@cython.final
cdef class Shared:
    """Shared(table, stop_event=None, tablebase=None)\n--\n
    What the threads of one search share: the tables, the stop flag, the moves under way. ``stop_event``
    has ``is_set()``, as a ``threading.Event``, and is looked at every 20 ms.
    """

    def __init__(self, TranspositionTable table, stop_event=None, Tablebase tablebase=None):
        self.table = table
        self.stop_event = stop_event
        self.tablebase = tablebase
        self.values = Values()
        memset(self.busy, 0, sizeof(self.busy))

    def probe_all(self):
        """Use the tablebase wherever it has a value, for an answer without a way to it."""
        self.probes_all = True

    def rests_on_convention(self):
        """Does some score rest on a value that is the tablebase's convention, not the game's?"""
        return bool(self.used_convention)

    def open(self):
        """Several threads search from now on."""
        self.threaded = True
        if self.table is not None:
            self.table.share()

    def request_stop(self):
        """Make every thread of the search return soon."""
        self.stop = 1

    def close(self):
        """All threads but one have returned."""
        self.threaded = False
        self.stop = 0
        if self.table is not None:
            self.table.unshare()


# Of equal moves the first in the list of legal actions is the better, whatever thread or iteration found it.
cdef inline bint is_better(const RootMove* one, const RootMove* other) noexcept nogil:
    if one.score != other.score:
        return one.score > other.score
    if one.is_bound != other.is_bound:
        return other.is_bound
    return one.index < other.index


@cython.final
cdef class Searcher:
    """Searcher(state, shared, evaluator=None, solving=False, watch_cycles=False)\n--\n
    Searches one copy of a state. ``evaluator`` is called with the position at the horizon.
    """

    def __init__(self, state, Shared shared, evaluator=None, bint solving=False, bint watch_cycles=False):
        self.state = as_state(state)
        self.shared = shared
        self.evaluator = evaluator
        self.solving = solving
        self.watch_cycles = watch_cycles and self.state.can_repeat and self.state.has_key
        self.history_rule = self.state.repeated_at() >= 0
        self.ply = -1
        self.node_limit = <uint64_t>-1
        self.stride = 1 if self.state.python else NATIVE_POLL
        self.deadline = INFINITY
        self.best_possible = make_score(self.state.max_utility) - 1 if isfinite(
            self.state.max_utility) else infinite()
        if self.state.max_actions > 1 << 16:
            raise UnsupportedGameError(
                f"{self.state.game} has up to {self.state.max_actions} legal actions; a search takes {1 << 16}")
        self.scratch = <int*>malloc(self.state.max_actions * sizeof(int))
        self.previews = <Preview*>malloc(self.state.max_actions * sizeof(Preview))
        if self.scratch == NULL or self.previews == NULL:
            raise MemoryError()
        self.has_preview = self.state.has_preview and evaluator is None and shared.tablebase is None
        self.preview_scale = PREVIEW_RANK / self.state.max_utility if isfinite(self.state.max_utility) else 0
        # Just above the horizon of a compiled game, looking costs a cache miss and saves no more than that.
        self.table_depth = MAX_DISTANCE if shared.table is None else 4 if self.has_preview else 2
        self.reserve(64)
        if self.watch_cycles:
            self.root_key = self.state.key()
            self.join_path(self.root_key)
        self.list_roots()

    def __dealloc__(self):
        free(self.scratch)
        free(self.previews)
        free(self.frames)
        free(self.moves)
        free(self.killers)
        free(self.path)
        free(self.roots)

    def list_roots(self):
        cdef int i
        self.root_count = self.state.legal(self.scratch)
        self.root_mover = self.state.mover
        self.root_has_history = self.history_rule and self.state.reversible_plies() > 0
        self.roots = <RootMove*>malloc((self.root_count + 1) * sizeof(RootMove))
        if self.roots == NULL:
            raise MemoryError()
        for i in range(self.root_count):
            memset(&self.roots[i], 0, sizeof(RootMove))
            self.roots[i].action = self.scratch[i]
            self.roots[i].index = i

    def limit(self, time, nodes):
        """Stop after so many seconds from now, or nodes; None for no limit."""
        self.deadline = INFINITY if time is None else zs_now() + time
        self.node_limit = <uint64_t>-1 if nodes is None else nodes
        self.next_poll = 0

    # ---- housekeeping -----------------------------------------------------------------------------

    cdef int poll(self) except -1 nogil:
        cdef double now = zs_now()
        # A Python game may be slow: then look often, since a node may take longer than the limit.
        if self.state.python:
            self.stride = 1 if now - self.last_poll > SLOW_NODES else min(2 * self.stride, PYTHON_POLL)
        self.last_poll = now
        self.next_poll = self.nodes + self.stride
        if self.nodes >= self.node_limit or now >= self.deadline or self.shared.stop:
            self.stopped = True
        elif self.next_poll > self.node_limit:
            self.next_poll = self.node_limit
        if now - self.last_signal_check > SIGNAL_SECONDS:
            self.last_signal_check = now
            with gil:
                PyErr_CheckSignals()
                if self.shared.stop_event is not None and self.shared.stop_event.is_set():
                    self.stopped = True
        return 0

    cdef int reserve(self, int moves) except -1 nogil:
        cdef void* memory
        if self.ply + 2 > self.frame_capacity:
            if self.ply + 2 >= MAX_DISTANCE:
                with gil:
                    raise GameTooLongError(f"a line of play is longer than {MAX_DISTANCE - 1} plies, or endless")
            self.frame_capacity = min(2 * self.frame_capacity + 64, MAX_DISTANCE - 1)
            memory = realloc(self.frames, self.frame_capacity * sizeof(Frame))
            if memory != NULL:
                self.frames = <Frame*>memory
                memory = realloc(self.killers, 2 * self.frame_capacity * sizeof(int))
            if memory == NULL:
                with gil:
                    raise MemoryError()
            self.killers = <int*>memory
            memset(&self.killers[2 * (self.ply + 1)], 0xFF,
                   2 * (self.frame_capacity - self.ply - 1) * sizeof(int))
        if self.top + moves > self.move_capacity:
            self.move_capacity = 2 * (self.top + moves)
            memory = realloc(self.moves, self.move_capacity * sizeof(Move))
            if memory == NULL:
                with gil:
                    raise MemoryError()
            self.moves = <Move*>memory
        return 0

    cdef int join_path(self, uint64_t key) except -1 nogil:
        """Add a key to the path; 1 when it is there already. Keys leave in the order opposite to joining."""
        cdef uint64_t slot, i
        if 2 * <uint64_t>(self.ply + 2) > self.path_mask:
            self.path_mask = 4 * self.path_mask + 3 if self.path_mask else 255
            free(self.path)
            self.path = <uint64_t*>malloc((self.path_mask + 1) * sizeof(uint64_t))
            if self.path == NULL:
                with gil:
                    raise MemoryError()
            memset(self.path, 0, (self.path_mask + 1) * sizeof(uint64_t))
            self.join_path(self.root_key)
            for i in range(<uint64_t>(self.ply + 1)):
                self.join_path(self.frames[i].key)
        key = key or KEY_FOR_0
        slot = key & self.path_mask
        while self.path[slot]:
            if self.path[slot] == key:
                return 1
            slot = (slot + 1) & self.path_mask
        self.path[slot] = key
        return 0

    cdef void leave_path(self, uint64_t key) noexcept nogil:
        cdef uint64_t slot
        key = key or KEY_FOR_0
        slot = key & self.path_mask
        while self.path[slot] != key:
            slot = (slot + 1) & self.path_mask
        self.path[slot] = 0

    # ---- one node ---------------------------------------------------------------------------------

    cdef int answer(self, Score score, int height, bint settled) except -1 nogil:
        self.score = score
        self.height = height
        self.settled = settled
        self.oldest = NEVER
        return 1

    cdef int result_score(self) except -1 nogil:
        """Answer a finished game."""
        cdef double value = self.state.utility()
        cdef int back
        if self.state.python:
            self.shared.values.note(value)
        self.answer(make_score(-value if self.state.mover else value), 0, True)
        if self.history_rule:
            back = self.state.repeated_at()
            if back > 0:
                self.oldest = self.ply + 1 - back
        return 1

    cdef int probe(self) except -1 nogil:
        """Answer an unfinished game from the tablebase; 0 when it is not there."""
        cdef double value
        cdef int found
        # Just after an irreversible move no earlier position can come back to spoil the value, and a line
        # that gets there has made progress: one that only keeps a win in hand need not ever take it.
        cdef bint fresh = self.state.reversible_plies() == 0
        if not fresh and not self.shared.probes_all:
            return 0
        found = self.shared.tablebase.look_up(self.state, &value)
        if found == 0:
            return 0
        self.shared.used_tablebase = True
        # Where what came before the root cannot come back, a return counts as the endless play that it begins.
        if found == 1 or (not fresh and self.root_has_history):
            self.shared.used_convention = True
        return self.answer(make_score(value), 0, True)

    cdef int leaf_score(self) except -1 nogil:
        """Answer a node at the horizon: the result of a finished game, else an estimate."""
        cdef double value
        if self.state.over():
            return self.result_score()
        if self.shared.tablebase is not None and self.probe():
            return 1
        if self.evaluator is None:
            value = self.state.evaluate()
        else:
            with gil:
                value = self.evaluator(
                    (<PythonState>self.state).position if self.state.python else self.state)
            self.shared.values.note(value)
        return self.answer(make_score(value), 0, False)

    cdef int last_ply(self, int count, Score beta) except -1 nogil:
        """Answer a node of depth 1 from the previews of its actions."""
        cdef Score score, best = -infinite()
        cdef bint settled = True, best_over = False
        cdef int i
        for i in range(count):
            score = lengthen(make_score(self.previews[i].value), self.state.mover)
            if score > best:
                best = score
                best_over = self.previews[i].over
            settled = settled and self.previews[i].over
        self.nodes += count
        return self.answer(best, 1, best_over if best >= beta else settled)

    cdef int known(self, int depth, Score alpha, Score beta, uint64_t key, int* move) except -1 nogil:
        """Answer from the table if what it holds decides this window; else give its move."""
        cdef Knowledge found
        cdef bint sure
        if not self.shared.table.read(key, &found):
            return 0
        move[0] = found.move
        # An unsettled score of another depth would make the value depend on the order of search.
        if found.depth != depth and not (found.settled and (found.depth < depth or self.solving)):
            return 0
        if not (found.bound == EXACT or (found.bound == LOWER and found.score >= beta)
                or (found.bound == UPPER and found.score <= alpha)):
            return 0
        # The stored proof may run through a position of this path, where the game would end.
        sure = found.settled and not (self.history_rule and self.state.reversible_plies())
        if self.solving and found.settled and not sure:
            return 0
        return self.answer(found.score, found.depth if sure else 0, sure)

    cdef int list_moves(self, Frame* frame, int count, int table_move) except -1 nogil:
        cdef Move* move
        cdef int i, action
        cdef int* killers = &self.killers[2 * self.ply]
        cdef int* history = self.history[frame.mover]
        cdef bint previewed = self.has_preview and self.state.preview(self.previews, INFINITY) == count
        for i in range(count):
            action = self.scratch[i]
            move = &self.moves[frame.first + i]
            move.action = action
            move.index = i
            move.deferred = False
            if i + 1 == table_move:
                move.rank = TABLE_RANK
            elif previewed:
                # History only breaks ties: oware by seeds to depth 18 took 22 M nodes so, 69 M by history first.
                move.rank = (PREVIEW_RANK + <int>(self.preview_scale * self.previews[i].value)
                             + (history[action & (HISTORY_SIZE - 1)] >> 8))
            elif action == killers[0] or action == killers[1]:
                move.rank = KILLER_RANK
            else:
                move.rank = history[action & (HISTORY_SIZE - 1)]
        return 0

    cdef int enter(self, int depth, Score alpha, Score beta) except -1 nogil:
        """Visit the state's position: 1 when it is answered at once, 0 when a frame was opened for it."""
        cdef uint64_t key = 0
        cdef int table_move = 0
        cdef int count
        cdef Frame* frame
        self.nodes += 1
        if self.nodes >= self.next_poll:
            self.poll()
        if depth <= 0:
            return self.leaf_score()
        if depth == 1 and self.has_preview and not self.solving:
            count = self.state.preview(self.previews, value_reaching(shorten(beta, self.state.mover)))
            if count > 0:
                return self.last_ply(count, beta)
        if depth >= self.table_depth or self.watch_cycles:
            key = self.state.key()
            if self.shared.table is not None:
                self.shared.table.prefetch(key)
        count = self.state.legal(self.scratch)
        if count == 0:
            return self.result_score()
        if self.shared.tablebase is not None and self.probe():
            return 1
        if depth >= self.table_depth and self.known(depth, alpha, beta, key, &table_move):
            return 1
        if self.state.mover == CHANCE:
            with gil:
                raise ValueError(f"chance moves in\n{self.state}\nsearch is for games without chance")
        if self.solving:
            if self.best_possible <= alpha:
                return self.answer(self.best_possible, 0, True)
            if -self.best_possible >= beta:
                return self.answer(-self.best_possible, 0, True)
        self.reserve(count)
        if self.watch_cycles and self.join_path(key):
            self.cycle_found = self.stopped = True
            return self.answer(0, 0, False)
        self.ply += 1
        frame = &self.frames[self.ply]
        frame.alpha = frame.entry_alpha = alpha
        frame.beta = beta
        frame.best = -infinite()
        frame.key = key
        frame.first = self.top
        frame.count = count
        frame.next = 0
        frame.depth = depth
        frame.height = 0
        frame.mover = self.state.mover
        frame.settled = True
        frame.oldest = NEVER
        frame.busy = 0
        self.list_moves(frame, count, table_move)
        self.top += count
        return 0

    cdef int pick(self, Frame* frame) except -1 nogil:
        """Bring the best-ranked move that is left to the front; put off one that another thread searches."""
        cdef Move* moves = &self.moves[frame.first]
        cdef Move move
        cdef int i, best
        cdef uint64_t slot, mark
        frame.busy = 0
        while True:
            best = frame.next
            for i in range(frame.next + 1, frame.count):
                if moves[i].rank > moves[best].rank:
                    best = i
            move = moves[best]
            moves[best] = moves[frame.next]
            moves[frame.next] = move
            if not self.shared.threaded or frame.depth < THREAD_DEPTH or frame.next == 0:
                break
            mark = mix64(frame.key ^ (<uint64_t>move.action + 1) * <uint64_t>0x9E3779B97F4A7C15) | 1
            slot = mark >> 1 & (BUSY_SIZE - 1)
            if move.deferred or self.shared.busy[slot] != mark:
                self.shared.busy[slot] = mark
                frame.busy = slot + 1
                break
            moves[frame.next].deferred = True
            moves[frame.next].rank = -1
        frame.under_way = frame.first + frame.next
        frame.next += 1
        return moves[frame.next - 1].action

    cdef int descend(self, Frame* frame) except -1 nogil:
        """Visit the child under way with the window its turn asks for; as ``enter`` answers."""
        # A forced move costs no depth when solving: long forced lines take one iteration, not hundreds.
        cdef int depth = frame.depth - (not self.solving or frame.count > 1)
        cdef Score alpha = shorten(frame.alpha, frame.mover)
        cdef Score beta = shorten(frame.beta if frame.window == FULL else frame.alpha + 1, frame.mover)
        if self.state.mover == frame.mover:
            return self.enter(depth, alpha, beta)
        return self.enter(depth, -beta, -alpha)

    cdef int absorb(self, Frame* frame) except -1 nogil:
        """Take in the answer of the child under way; 1 when it must be searched again with the full window."""
        cdef Score score = self.score if self.state.mover == frame.mover else -self.score
        cdef Move* move = &self.moves[frame.under_way]
        cdef int* killers
        cdef int* history
        score = lengthen(score, frame.mover)
        if frame.window == PROBE and frame.alpha < score < frame.beta:
            frame.window = FULL
            return 1
        if score > frame.best:
            frame.best = score
            frame.best_index = move.index
            if score > frame.alpha:
                frame.alpha = score
        if frame.best < frame.beta:
            if self.height >= frame.height:
                frame.height = self.height + 1
            frame.settled = frame.settled and self.settled
            frame.oldest = min(frame.oldest, self.oldest)
            return 0
        # The bound rests on this child alone.
        frame.height = self.height + 1
        frame.settled = self.settled
        frame.oldest = self.oldest
        frame.next = frame.count
        killers = &self.killers[2 * self.ply]
        if killers[0] != move.action:
            killers[1] = killers[0]
            killers[0] = move.action
        history = &self.history[frame.mover][move.action & (HISTORY_SIZE - 1)]
        history[0] += frame.height * frame.height if frame.height < 256 else 65536
        if history[0] > HISTORY_LIMIT:
            self.age_history()
        return 0

    cdef void age_history(self) noexcept nogil:
        cdef int player, i
        for player in range(2):
            for i in range(HISTORY_SIZE):
                self.history[player][i] >>= 4

    cdef int close(self) except -1 nogil:
        """Answer the open node from its children, and remember it."""
        cdef Frame* frame = &self.frames[self.ply]
        cdef Knowledge knowledge
        cdef int ply = self.ply
        if frame.depth >= self.table_depth and frame.oldest >= ply:
            knowledge.score = frame.best
            knowledge.depth = frame.height if frame.settled else frame.depth
            knowledge.move = frame.best_index + 1
            knowledge.bound = (
                LOWER if frame.best >= frame.beta else UPPER if frame.best <= frame.entry_alpha else EXACT)
            knowledge.settled = frame.settled
            self.shared.table.write(frame.key, &knowledge)
        if self.watch_cycles:
            self.leave_path(frame.key)
        self.top = frame.first
        self.ply -= 1
        self.answer(frame.best, frame.height, frame.settled)
        if frame.oldest < ply:
            self.oldest = frame.oldest
        return 0

    cdef int run(self, int depth, Score alpha, Score beta) except -1 nogil:
        """Search the state's position. The answer is in score, height and settled, unless ``stopped`` is set."""
        cdef Frame* frame
        cdef int bottom = self.ply
        if self.enter(depth, alpha, beta):
            return 0
        while self.ply > bottom and not self.stopped:
            frame = &self.frames[self.ply]
            if frame.next < frame.count:
                frame.window = PROBE if frame.next and frame.beta > frame.alpha + 1 else FULL
                self.state.apply(self.pick(frame))
                if not self.descend(frame):
                    continue
            else:
                self.close()
                if self.ply == bottom:
                    return 0
                frame = &self.frames[self.ply]
            # The state stands at the child under way of `frame`, which is answered.
            while self.absorb(frame):
                if not self.descend(frame):
                    break
            else:
                if frame.busy:
                    self.shared.busy[frame.busy - 1] = 0
                self.state.undo()
        self.unwind(bottom)
        return 0

    cdef int unwind(self, int bottom) except -1 nogil:
        """Take back what a stopped search had played."""
        cdef Frame* frame
        while self.ply > bottom:
            frame = &self.frames[self.ply]
            if frame.busy:
                self.shared.busy[frame.busy - 1] = 0
            if self.watch_cycles:
                self.leave_path(frame.key)
            self.top = frame.first
            self.ply -= 1
            if self.ply > bottom:
                self.state.undo()
        return 0

    # ---- the root ---------------------------------------------------------------------------------

    cdef int search_root(self, RootMove* root, int depth, Score alpha, Score beta) except -1 nogil:
        """Search one root move; its new score is seen by the root's mover."""
        cdef int mover = self.root_mover
        depth -= not self.solving or self.root_count > 1
        alpha = shorten(alpha, mover)
        beta = shorten(beta, mover)
        self.state.apply(root.action)
        if self.state.mover == mover:
            self.run(depth, alpha, beta)
            root.new_score = lengthen(self.score, mover)
        else:
            self.run(depth, -beta, -alpha)
            root.new_score = lengthen(-self.score, mover)
        self.state.undo()
        root.new_settled = self.settled
        root.new_is_bound = False
        return 0

    cdef int search_all_roots(self, int depth, bint all_actions) except -1 nogil:
        """One iteration. Nothing of it counts unless it is finished."""
        cdef Score best = -infinite()
        cdef RootMove* root
        cdef int i
        self.nodes += 1
        if self.nodes >= self.next_poll:
            self.poll()
        for i in range(self.root_count):
            if self.stopped:
                return 0
            root = &self.roots[i]
            root.new_score = root.score
            root.new_settled = root.settled
            root.new_is_bound = root.is_bound
            if not root.settled or root.is_bound:
                if all_actions or i == 0:
                    self.search_root(root, depth, -infinite(), infinite())
                else:
                    self.search_root(root, depth, best, best + 1)
                    if root.new_score > best and not self.stopped:
                        self.search_root(root, depth, best, infinite())
                    root.new_is_bound = root.new_score <= best
            if self.stopped:
                return 0
            if root.new_score > best:
                best = root.new_score
        for i in range(self.root_count):
            root = &self.roots[i]
            if not root.settled or root.is_bound:
                root.depth = depth
            root.score = root.new_score
            root.settled = root.new_settled
            root.is_bound = root.new_is_bound
        self.sort_roots()
        return 0

    cdef void sort_roots(self) noexcept nogil:
        cdef RootMove root
        cdef int i, j
        for i in range(1, self.root_count):
            root = self.roots[i]
            j = i
            while j and is_better(&root, &self.roots[j - 1]):
                self.roots[j] = self.roots[j - 1]
                j -= 1
            self.roots[j] = root

    def follow(self, Searcher other not None):
        """Take over what another searcher of the same root knows of its moves, and so their order."""
        memcpy(self.roots, other.roots, self.root_count * sizeof(RootMove))

    def iterate(self, int depth, bint all_actions):
        """Search every root move to a depth; False when a limit came first and nothing of it counts."""
        self.stopped = False
        if self.state.python:      # taking the lock again at every call would cost a third of a node
            self.search_all_roots(depth, all_actions)
        else:
            with nogil:
                self.search_all_roots(depth, all_actions)
        return not self.stopped

    def is_settled(self, bint all_actions):
        """Is the best move's value proved, and with ``all_actions`` every other's?"""
        cdef int i
        if self.root_count == 0:
            return True
        if self.solving and self.roots[0].settled and not all_actions and (
                value_of(self.roots[0].score) >= self.state.max_utility
                and distance_of(self.roots[0].score) <= self.roots[0].depth):
            return True
        for i in range(self.root_count):
            if not self.roots[i].settled or (all_actions and self.roots[i].is_bound):
                return False
        return True

    def is_exact(self):
        """Is the best move's value proved, and which moves share it, whatever the others are worth?"""
        cdef RootMove* best = &self.roots[0]
        cdef int i
        if self.root_count == 0 or self.is_settled(False):
            return self.root_count > 0
        # A win as good as can be that an iteration to its depth found is the quickest: none was found before.
        if not best.settled or value_of(best.score) < self.state.max_utility or distance_of(
                best.score) > best.depth:
            return False
        for i in range(1, self.root_count):
            if self.roots[i].score >= best.score and not (self.roots[i].settled or self.roots[i].is_bound):
                return False
        return True

    def root_moves(self):
        """List of (action, value, distance, is it a best one?), best first; distance None where not proved."""
        cdef RootMove* root
        cdef bint settled
        cdef int i
        moves = []
        for i in range(self.root_count):
            root = &self.roots[i]
            settled = root.settled and not self.shared.used_tablebase
            moves.append((root.action,
                          self.shared.values.back(root.score) if root.depth else None,
                          distance_of(root.score) if root.depth and settled else None,
                          self.ties_for_best(root)))
        return moves

    cdef bint ties_for_best(self, const RootMove* root) noexcept nogil:
        # By scores, not by what is proved of them: which lines prove a move depends on the order of search.
        cdef const RootMove* best = &self.roots[0]
        if root.is_bound or value_of(root.score) != value_of(best.score):
            return False
        return root.score == best.score or value_of(root.score) == 0 or self.shared.used_tablebase

    def finished_value(self):
        """Player 0's return when the root is the end of the game."""
        return self.state.utility()

    # ---- the line of play -------------------------------------------------------------------------

    def principal_variation(self):
        """The line of play that the best root move's score claims; shorter only when a limit cuts in."""
        cdef RootMove* root = &self.roots[0]
        cdef Score score = root.score
        cdef int depth = root.depth
        cdef int mover = self.root_mover
        cdef int forced = self.root_count == 1
        if self.root_count == 0 or depth == 0:
            return [self.roots[0].action] if self.root_count else []
        line = []
        action = root.action
        while action is not None:
            self.state.apply(action)
            line.append(action)
            score = shorten(score, mover)
            score = score if self.state.mover == mover else -score
            depth -= not self.solving or not forced
            mover = self.state.mover
            # The line ends with the game, or where the tablebase takes over.
            if self.state.over() or len(line) == MAX_DISTANCE or (
                    self.shared.tablebase is not None and self.probe()):
                break
            forced = self.state.legal(self.scratch) == 1
            action = self.next_in_line(score, depth)
            while action is None and root.settled and self.solving and not self.stopped and depth < MAX_DISTANCE:
                # Knowledge of deeper searches that proved the score has left the table: look as deep as they.
                depth = 2 * max(depth, 0) + 2
                action = self.next_in_line(score, depth)
        for _ in line:
            self.state.undo()
        return line

    cdef object next_in_line(self, Score score, int depth):
        """The move that reaches a score within a depth; None at the end, or when stopped."""
        cdef Knowledge found
        cdef int count = self.state.legal(self.scratch)
        cdef int mover = self.state.mover
        cdef int child_depth = depth - (not self.solving or count > 1)
        cdef Score reached
        cdef Score alpha = shorten(score - 1, mover)
        cdef Score beta = shorten(score, mover)
        if count == 0 or depth <= 0:
            return None
        if count == 1:
            return self.scratch[0]
        actions = [self.scratch[i] for i in range(count)]
        if self.shared.table is not None and self.shared.table.read(self.state.key(), &found) and found.move:
            actions.insert(0, actions.pop(found.move - 1))
        for action in actions:
            self.state.apply(action)
            if self.state.mover == mover:
                self.run(child_depth, alpha, beta)
                reached = self.score
            else:
                self.run(child_depth, -beta, -alpha)
                reached = -self.score
            self.state.undo()
            if self.stopped:
                return None
            if lengthen(reached, mover) >= score:
                return action
        return None
