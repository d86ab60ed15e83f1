# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""GameTree: a game walked once and held as typed arrays, in the sequence form.

The sequence form (B. von Stengel, Efficient computation of behavior strategies, 1996; D. Koller,
N. Megiddo and B. von Stengel, 1996) describes a player's plan by the probability of each sequence of the
player's own actions. Payoffs then are a sparse matrix over pairs of sequences, with chance folded in, and
no rule of the game is called again.
"""

import json
from contextlib import contextmanager

import numpy as np
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from zerosum.core.errors import SearchLimitError, UnsupportedGameError
from zerosum.core.files import replacing
from zerosum.core.hidden cimport HiddenState
from zerosum.core.state cimport CHANCE, TERMINAL, State, as_state, mix64
from zerosum.equilibrium.buffer cimport Buffer, push_double, push_int, release, reserve

FORMAT = "zerosum game tree 1"
ARRAYS = ("node_parent", "node_first", "node_count", "node_player", "node_infoset", "node_action",
          "node_chance", "node_utility", "payoff_rows", "payoff_columns", "payoff_values")
BY_PLAYER = ("offsets", "parents", "actions")


cdef class GameTree:
    """GameTree(game, *, nodes=True, memory_limit_mb=4096, progress=None)\n--\n
    A two-player zero-sum game flattened once into arrays.

    ``game`` is a game of this package, any object with OpenSpiel's ``new_initial_state()``, or a state to
    start from. ``nodes=False`` keeps only what solvers need and leaves out the arrays by node, which
    drawing, sampling, simulating and exact solving use. ``progress`` is called with (nodes so far, None,
    text).

    Raises UnsupportedGameError (a ValueError) when a player forgets an own action or observation: the
    message shows two histories that one information set mixes up; ValueError when chance's probabilities
    do not sum to 1; SearchLimitError when the arrays would take more than ``memory_limit_mb`` megabytes.

    Nodes are numbered depth-first, the children of a node consecutively: ``node_first[i]`` to
    ``node_first[i] + node_count[i] - 1``. ``node_player`` is 0, 1, -1 (chance) or -4 (over). Sequences and
    information sets are numbered by player in the order of the walk. All arrays are shared: do not write.
    """

    def __init__(self, game, *, nodes=True, memory_limit_mb=4096, progress=None):
        cdef Walk walk = Walk()
        if isinstance(game, GameTree):
            raise TypeError("this is a GameTree already")
        # A state may be played on after this: the tree keeps one of its own.
        self.game = game if hasattr(game, "new_initial_state") else as_state(game)
        walk.keep_nodes = nodes
        walk.limit = int(memory_limit_mb * 1e6)
        walk.progress = progress
        self.fill(self.root_state(), walk)

    cdef int fill(self, State state, Walk walk) except -1:
        walk.state = state
        walk.hidden = state if isinstance(state, HiddenState) else None
        walk.unique = nothing_hidden(state)
        with nogil:
            walk.run()
        self.num_nodes = walk.nodes
        self.num_terminals = walk.terminals
        self.num_chance_nodes = walk.chances
        self.num_decision_nodes = walk.decisions
        self.node_parent = ints(&walk.parent)
        self.node_first = ints(&walk.first)
        self.node_count = ints(&walk.count)
        self.node_player = ints(&walk.player)
        self.node_infoset = ints(&walk.infoset)
        self.node_action = ints(&walk.action)
        self.node_chance = doubles(&walk.chance)
        self.node_utility = doubles(&walk.utility)
        self.offsets = (ints(&walk.offsets[0]), ints(&walk.offsets[1]))
        self.parents = (ints(&walk.parents[0]), ints(&walk.parents[1]))
        self.actions = (ints(&walk.sequence_action[0]), ints(&walk.sequence_action[1]))
        self.paths = [(ints(&walk.path_offsets[player]), ints(&walk.path_actions[player]))
                      for player in range(2)]
        self.texts = [walk.texts[player] if walk.hidden is None and not walk.unique else None
                      for player in range(2)]
        self.cache = {}
        self.num_players = 2
        self.payoff_rows, self.payoff_columns, self.payoff_values = sorted_payoffs(
            walk, len(self.actions[0]), len(self.actions[1]))
        return 0

    # ---- sizes ------------------------------------------------------------------------------------

    @property
    def num_information_sets(self):
        """Information sets of both players together."""
        return len(self.parents[0]) + len(self.parents[1])

    @property
    def information_sets_by_player(self):
        """(player 0's, player 1's) number of information sets."""
        return len(self.parents[0]), len(self.parents[1])

    @property
    def num_sequences(self):
        """(player 0's, player 1's) number of sequences, the empty one counted."""
        return len(self.actions[0]), len(self.actions[1])

    @property
    def num_payoffs(self):
        """Pairs of sequences with a payoff that is not zero."""
        return len(self.payoff_values)

    @property
    def nbytes(self):
        """Bytes that the arrays take."""
        arrays = [getattr(self, name) for name in ARRAYS]
        for name in BY_PLAYER:
            arrays.extend(getattr(self, name))
        for pair in self.paths:
            arrays.extend(pair)
        return sum(array.nbytes for array in arrays)

    @property
    def has_nodes(self):
        """Are the arrays by node there? (Not after ``nodes=False``.)"""
        return len(self.node_parent) > 0

    def need_nodes(self, what):
        """ValueError when the arrays by node were left out, saying what needs them."""
        if not self.has_nodes:
            raise ValueError(f"{what} needs the arrays by node: make the tree without nodes=False")

    # ---- names ------------------------------------------------------------------------------------

    def information_states(self, int player):
        """List of a player's information-state strings, by number."""
        if self.texts[player] is None:
            self.texts[player] = self.make_texts(player)
        return self.texts[player]

    def make_texts(self, int player):
        """The strings, by replaying the first history of every information set."""
        offsets, actions = self.paths[player]
        offsets, actions = offsets.tolist(), actions.tolist()
        paths = [actions[start:stop] for start, stop in zip(offsets, offsets[1:])]
        root = self.root_state()
        if nothing_hidden(root):
            return [", ".join(map(str, path)) for path in paths]
        return [text_after(root, path) for path in paths]

    def root_state(self):
        """A State at the root; ValueError for a loaded tree, which has no game."""
        if self.game is None:
            raise ValueError("a loaded tree has no game: pass game= to GameTree.load")
        game = self.game
        return as_state(game.new_initial_state() if hasattr(game, "new_initial_state") else game)

    def information_set(self, text):
        """(player, number) of an information-state string; KeyError when there is none.

        A list of them when both players have an information set of that name.
        """
        return self.index_of_texts()[text]

    def index_of_texts(self):
        """Dictionary from each information-state string to its (player, number)."""
        if self.text_index is None:
            index = {}
            for player in range(2):
                for number, text in enumerate(self.information_states(player)):
                    known = index.get(text)
                    index[text] = (player, number) if known is None else [known, (player, number)]
            self.text_index = index
        return self.text_index

    def history(self, node):
        """List of the actions, chance's included, from the root to a node."""
        self.need_nodes("a node's history")
        path = []
        while node > 0:
            path.append(int(self.node_action[node]))
            node = self.node_parent[node]
        return path[::-1]

    # ---- files ------------------------------------------------------------------------------------

    def save(self, path):
        """Write the tree to a compressed ``.npz`` file, beside it first and then renamed.

        Nothing in it is pickled. The game itself is not stored.
        """
        arrays = {name: getattr(self, name) for name in ARRAYS}
        texts = [self.information_states(player) for player in range(2)]
        for player in range(2):
            for name in BY_PLAYER:
                arrays[f"{name}_{player}"] = getattr(self, name)[player]
            arrays[f"path_offsets_{player}"], arrays[f"path_actions_{player}"] = self.paths[player]
        meta = {"format": FORMAT, "game": repr(self.game), "texts": texts,
                "counts": [self.num_nodes, self.num_terminals, self.num_chance_nodes,
                           self.num_decision_nodes]}
        arrays["meta"] = np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8)
        write_npz(path, arrays)

    @classmethod
    def load(cls, path, game=None):
        """A tree from a file that ``save`` wrote. ``game``: the game, for what needs its rules (names)."""
        cdef GameTree tree = cls.__new__(cls)
        arrays, meta = read_npz(path, FORMAT)
        with naming(path):
            tree.take(arrays, meta)
        tree.game = game if game is None or hasattr(game, "new_initial_state") else as_state(game)
        tree.cache = {}
        tree.num_players = 2
        return tree

    cdef int take(self, dict arrays, dict meta) except -1:
        (self.node_parent, self.node_first, self.node_count, self.node_player, self.node_infoset,
         self.node_action, self.node_chance, self.node_utility, self.payoff_rows, self.payoff_columns,
         self.payoff_values) = (arrays[name] for name in ARRAYS)
        self.offsets, self.parents, self.actions = (
            tuple(arrays[f"{name}_{player}"] for player in range(2)) for name in BY_PLAYER)
        self.paths = [(arrays[f"path_offsets_{player}"], arrays[f"path_actions_{player}"])
                      for player in range(2)]
        self.texts = meta["texts"]
        self.num_nodes, self.num_terminals, self.num_chance_nodes, self.num_decision_nodes = meta["counts"]
        if not (types_fit(arrays) and all(sequences_fit(self, player) for player in range(2))
                and payoffs_fit(self) and nodes_fit(self)):
            raise ValueError("the arrays do not fit together")
        return 0

    # ---- pictures ---------------------------------------------------------------------------------

    def to_dot(self, *, max_nodes=500, policy=None):
        """The tree as Graphviz text: a colour for each player, results bold. ValueError when too large."""
        from zerosum.equilibrium.drawing import to_dot
        return to_dot(self, max_nodes=max_nodes, policy=policy)

    def to_mermaid(self, *, max_nodes=500, policy=None):
        """The tree as a Mermaid flowchart, drawn as by ``to_dot``. ValueError when too large."""
        from zerosum.equilibrium.drawing import to_mermaid
        return to_mermaid(self, max_nodes=max_nodes, policy=policy)

    def __repr__(self):
        return (f"<GameTree of {self.game}: {self.num_nodes} nodes, {self.num_information_sets} "
                f"information sets, {self.num_payoffs} payoffs>")


def nothing_hidden(State state not None):
    """Is every node its own information set? A Python object says so by having no information states."""
    if state.python:
        return not hasattr(state.inner(), "information_state_string")
    return bool(getattr(state.game, "perfect_information", False))


def text_after(State root, path):
    """The mover's information-state string after some actions from the root, which is left as it was."""
    for action in path:
        root.apply(action)
    text = root.information_state_string()
    for _ in path:
        root.undo()
    return text


def as_tree(game_or_tree, nodes=True):
    """The GameTree itself, or a new one of a game."""
    return game_or_tree if isinstance(game_or_tree, GameTree) else GameTree(game_or_tree, nodes=nodes)


# Kernels trust every number of a tree: what a file holds is checked when it is loaded.


def types_fit(arrays):
    """Has every array of a file the type that kernels read?"""
    floats = ("node_chance", "node_utility", "payoff_values")
    return all(array.ndim == 1 and array.dtype == (np.float64 if name in floats else np.intc)
               for name, array in arrays.items()
               ) and all(np.isfinite(arrays[name]).all() for name in floats)


def sequences_fit(GameTree tree, int player):
    """Are a player's sequences consecutive by information set, every one after the one it continues?"""
    offsets, parents = tree.offsets[player], tree.parents[player]
    path_offsets, path_actions = tree.paths[player]
    size, texts = len(parents), tree.texts[player]
    return (len(offsets) == len(path_offsets) == size + 1 and offsets[0] == 1 and path_offsets[0] == 0
            and offsets[size] == len(tree.actions[player]) and path_offsets[size] == len(path_actions)
            and rises(offsets) and bool((path_offsets[1:] >= path_offsets[:size]).all())
            and within(parents, 0, offsets[:size])
            and len(texts) == len(set(texts)) == size and all(isinstance(text, str) for text in texts))


def payoffs_fit(GameTree tree):
    """Are the payoffs sorted by pair of sequences?"""
    rows, columns = tree.payoff_rows, tree.payoff_columns
    width = len(tree.actions[1])
    return (len(rows) == len(columns) == len(tree.payoff_values)
            and within(rows, 0, len(tree.actions[0])) and within(columns, 0, width)
            and rises(rows.astype(np.int64) * width + columns))


def nodes_fit(GameTree tree):
    """Do the arrays by node describe one tree, children behind their parents, with these sequences?"""
    counts = [tree.num_nodes, tree.num_terminals, tree.num_chance_nodes, tree.num_decision_nodes]
    player, nodes = tree.node_player, len(tree.node_player)
    if min(counts) < 0 or sum(counts[1:]) != counts[0] or any(
            len(getattr(tree, name)) != nodes for name in ARRAYS if name.startswith("node")):
        return False
    if not nodes:
        return True
    kinds = [player == TERMINAL, player == CHANCE, (player == 0) | (player == 1)]
    return (counts == [nodes, *(int(kind.sum()) for kind in kinds)]
            and children_fit(tree) and chance_fits(tree)
            and all(decisions_fit(tree, owner) for owner in range(2)))


def children_fit(GameTree tree):
    """Are the children of every node one stretch behind it, and all nodes but the root such a child?"""
    parent, first = tree.node_parent, tree.node_first.astype(np.int64)
    numbers, count = np.arange(len(first)), tree.node_count.astype(np.int64)
    inner = count > 0
    if not (parent[0] == -1 and (inner == (tree.node_player != TERMINAL)).all() and (count >= 0).all()
            and (first > numbers)[inner].all() and count.sum() == len(first) - 1
            and within(parent[1:], 0, numbers[1:])):
        return False
    # As many children as there are places: each in a place of its parent's fills all of them.
    place = numbers[1:] - first[parent[1:]]
    return within(place, 0, count[parent[1:]])


def chance_fits(GameTree tree):
    """Are the probabilities below every chance node a distribution?"""
    chance = tree.node_chance
    total = np.bincount(tree.node_parent[1:], weights=chance[1:], minlength=len(chance))
    return bool((chance >= 0.0).all() and (abs(total[tree.node_player == CHANCE] - 1.0) < 1e-9).all())


def decisions_fit(GameTree tree, int player):
    """Has every decision of a player an information set that offers as many actions?"""
    owned = tree.node_player == player
    infoset = tree.node_infoset[owned]
    return within(infoset, 0, len(tree.parents[player])) and bool(
        (tree.node_count[owned] == np.diff(tree.offsets[player])[infoset]).all())


def within(array, low, high):
    """Are all entries at least low and less than high?"""
    return bool(((array >= low) & (array < high)).all())


def rises(array):
    """Is every entry larger than the one before it?"""
    return bool((array[1:] > array[:-1]).all())


def write_npz(path, arrays):
    """Write arrays to a compressed npz file."""
    with replacing(path) as beside, open(beside, "wb") as file:
        np.savez_compressed(file, **arrays)


def read_npz(path, expected):
    """(arrays, meta) of a file of this package; ValueError when it is something else or damaged."""
    with open(path, "rb") as file, naming(path):
        with np.load(file, allow_pickle=False) as members:
            arrays = {name: members[name] for name in members.files}
        meta = json.loads(arrays.pop("meta").tobytes())
        if meta["format"] != expected:
            raise ValueError(f"it holds {meta['format']!r}; {expected!r} was expected")
    return arrays, meta


@contextmanager
def naming(path):
    """Turn whatever goes wrong into a ValueError that names the file."""
    try:
        yield
    # zipfile, zlib, json and numpy have no common error for damage, and document none.
    except Exception as error:
        raise ValueError(f"{path} is not a file of this package, or damaged: {error}") from None


# Move what a buffer holds into an array.
cdef object numbers(Buffer* buffer, dtype):
    cdef unsigned char[::1] view
    array = np.empty(buffer.used // np.dtype(dtype).itemsize, dtype=dtype)
    if buffer.used:
        view = array.view(np.uint8)
        memcpy(&view[0], buffer.data, buffer.used)
    release(buffer)
    return array


cdef object ints(Buffer* buffer):
    return numbers(buffer, np.intc)


cdef object doubles(Buffer* buffer):
    return numbers(buffer, np.float64)


cdef object sorted_payoffs(Walk walk, int num_rows, int num_columns):
    # Two stable counting sorts, by column and then by row; equal pairs are then neighbours and summed.
    cdef Py_ssize_t count = walk.weights.used // sizeof(double), i, kept = 0
    cdef int* rows = <int*>walk.rows.data
    cdef int* columns = <int*>walk.columns.data
    cdef double* weights = <double*>walk.weights.data
    cdef Py_ssize_t* order = NULL
    cdef Py_ssize_t* first = <Py_ssize_t*>malloc(count * sizeof(Py_ssize_t) + 8)
    cdef int[::1] row_view = np.empty(count, dtype=np.intc)
    cdef int[::1] column_view = np.empty(count, dtype=np.intc)
    cdef double[::1] value_view = np.empty(count)
    try:
        order = <Py_ssize_t*>malloc(count * sizeof(Py_ssize_t) + 8)
        if first == NULL or order == NULL:
            raise MemoryError()
        counting_order(columns, NULL, count, num_columns, first)
        counting_order(rows, first, count, num_rows, order)
        for i in range(count):
            if kept and row_view[kept - 1] == rows[order[i]] and (
                    column_view[kept - 1] == columns[order[i]]):
                value_view[kept - 1] += weights[order[i]]
            else:
                row_view[kept] = rows[order[i]]
                column_view[kept] = columns[order[i]]
                value_view[kept] = weights[order[i]]
                kept += 1
    finally:
        free(first)
        free(order)
    release(&walk.rows)
    release(&walk.columns)
    release(&walk.weights)
    arrays = np.asarray(row_view)[:kept], np.asarray(column_view)[:kept], np.asarray(value_view)[:kept]
    return tuple(array.copy() for array in arrays) if kept < count else arrays


cdef int counting_order(const int* keys, const Py_ssize_t* before, Py_ssize_t count, int limit,
                        Py_ssize_t* order) except -1:
    # Write the order (of items, or of the given earlier order) that sorts the keys, stable.
    cdef Py_ssize_t* place = <Py_ssize_t*>calloc(limit + 1, sizeof(Py_ssize_t))
    cdef Py_ssize_t i, item
    if place == NULL:
        raise MemoryError()
    for i in range(count):
        place[keys[i] + 1] += 1
    for i in range(limit):
        place[i + 1] += place[i]
    for i in range(count):
        item = before[i] if before != NULL else i
        order[place[keys[item]]] = item
        place[keys[item]] += 1
    free(place)
    return 0


# ---- the walk -----------------------------------------------------------------------------------------


cdef class Walk:
    """Walk()\n--\n
    The walk that fills a GameTree: depth-first with a stack of its own, no recursion.
    """

    def __init__(self):
        self.numbers = [{}, {}]
        self.texts = [[], []]

    def __dealloc__(self):
        cdef int player
        for player in range(2):
            release(&self.offsets[player])
            release(&self.parents[player])
            release(&self.sequence_action[player])
            release(&self.path_offsets[player])
            release(&self.path_actions[player])
            free(self.table[player].keys)
            free(self.table[player].numbers)
        release(&self.frames)
        release(&self.pool_actions)
        release(&self.pool_chance)
        release(&self.parent)
        release(&self.first)
        release(&self.count)
        release(&self.player)
        release(&self.infoset)
        release(&self.action)
        release(&self.chance)
        release(&self.utility)
        release(&self.rows)
        release(&self.columns)
        release(&self.weights)

    cdef int run(self) except -1 nogil:
        cdef Frame* frame
        cdef int i, player, row, column
        cdef double reach
        for player in range(2):
            push_int(&self.offsets[player], 1)
            push_int(&self.sequence_action[player], -1)
            push_int(&self.path_offsets[player], 0)
        self.nodes = 1
        if self.keep_nodes:
            self.push_node(-1, -1, 1.0)
        self.open_node(0, 0, 0, 1.0)
        while self.frames.used:
            frame = <Frame*>(self.frames.data + self.frames.used) - 1
            if frame.next == frame.count:
                self.frames.used -= sizeof(Frame)
                self.pool_actions.used = frame.base * sizeof(int)
                self.pool_chance.used = frame.base * sizeof(double)
                if self.frames.used:
                    self.state.undo()
                continue
            i = frame.next
            frame.next += 1
            row = frame.first + i if frame.player == 0 else frame.sequence[0]
            column = frame.first + i if frame.player == 1 else frame.sequence[1]
            reach = frame.reach * (<double*>self.pool_chance.data)[frame.base + i]
            self.state.apply((<int*>self.pool_actions.data)[frame.base + i])
            self.open_node(frame.child + i, row, column, reach)
        return 0

    cdef int push_node(self, int parent, int action, double chance) except -1 nogil:
        push_int(&self.parent, parent)
        push_int(&self.first, 0)
        push_int(&self.count, 0)
        push_int(&self.player, 0)
        push_int(&self.infoset, -1)
        push_int(&self.action, action)
        push_double(&self.chance, chance)
        push_double(&self.utility, 0.0)
        return 0

    cdef int open_node(self, int node, int row, int column, double reach) except -1 nogil:
        cdef Frame* frame
        cdef int* actions
        if self.state.over():
            return self.leaf(node, row, column, reach)
        reserve(&self.frames, sizeof(Frame))
        frame = <Frame*>(self.frames.data + self.frames.used)
        frame.base = self.pool_actions.used // sizeof(int)
        frame.next = 0
        frame.player = self.state.mover
        frame.first = 0
        frame.sequence[0] = row
        frame.sequence[1] = column
        frame.reach = reach
        reserve(&self.pool_actions, self.state.max_actions * sizeof(int))
        reserve(&self.pool_chance, self.state.max_actions * sizeof(double))
        actions = <int*>(self.pool_actions.data + self.pool_actions.used)
        frame.count = self.state.legal(actions)
        if frame.player == CHANCE:
            self.open_chance(frame, actions, node)
        else:
            self.open_decision(frame, actions, node)
        self.pool_actions.used += frame.count * sizeof(int)
        self.pool_chance.used += frame.count * sizeof(double)
        self.frames.used += sizeof(Frame)
        return 0

    cdef int open_chance(self, Frame* frame, int* actions, int node) except -1 nogil:
        cdef double* chance = <double*>(self.pool_chance.data + self.pool_chance.used)
        cdef double total = 0.0
        cdef int i
        self.chances += 1
        if self.hidden is not None:
            self.hidden.chance(chance)
        else:
            with gil:
                outcomes = self.state.chance_outcomes()
                if len(outcomes) > self.state.max_actions:
                    raise ValueError(f"{len(outcomes)} chance outcomes; at most {self.state.max_actions}")
                for i, (action, probability) in enumerate(outcomes):
                    actions[i] = action
                    chance[i] = probability
                frame.count = len(outcomes)
        for i in range(frame.count):
            total += chance[i]
            if not chance[i] >= 0.0:
                total = -1e300
        if not -1e-9 < total - 1.0 < 1e-9:
            with gil:
                raise ValueError(f"chance's probabilities are not a distribution after {self.path()}")
        return self.new_children(frame, actions, chance, node)

    cdef int open_decision(self, Frame* frame, int* actions, int node) except -1 nogil:
        cdef double* chance = <double*>(self.pool_chance.data + self.pool_chance.used)
        cdef int player = frame.player
        cdef int i, number
        self.decisions += 1
        number = self.find_infoset(player)
        if number < 0:
            number = self.new_infoset(player, frame.count, actions, frame.sequence[player])
        else:
            self.check_infoset(number, frame, actions)
        frame.first = (<int*>self.offsets[player].data)[number]
        for i in range(frame.count):
            chance[i] = 1.0
        if self.keep_nodes:
            (<int*>self.infoset.data)[node] = number
        return self.new_children(frame, actions, chance, node)

    cdef int new_children(self, Frame* frame, int* actions, double* chance, int node) except -1 nogil:
        cdef long long before = self.nodes
        cdef int i
        if self.nodes + frame.count > 0x7FFFFFF0:
            with gil:
                raise SearchLimitError(f"more than {0x7FFFFFF0} nodes")
        frame.child = <int>self.nodes
        self.nodes += frame.count
        if self.keep_nodes:
            (<int*>self.first.data)[node] = frame.child
            (<int*>self.count.data)[node] = frame.count
            (<int*>self.player.data)[node] = frame.player
            for i in range(frame.count):
                self.push_node(node, actions[i], chance[i])
        if before >> 14 != self.nodes >> 14:
            self.heartbeat()
        return 0

    cdef int leaf(self, int node, int row, int column, double reach) except -1 nogil:
        cdef double utility = self.state.utility()
        self.terminals += 1
        if self.keep_nodes:
            (<int*>self.player.data)[node] = TERMINAL
            (<double*>self.utility.data)[node] = utility
        if utility * reach != 0.0:
            push_int(&self.rows, row)
            push_int(&self.columns, column)
            push_double(&self.weights, utility * reach)
        if self.frames.used:
            self.state.undo()
        return 0

    cdef int find_infoset(self, int player) except -2 nogil:
        # The number of the mover's information set, or -1 when it is new and must get the next number.
        cdef int number
        if self.unique:
            return -1
        if self.hidden is not None:
            return look_up(&self.table[player], self.hidden.information_key(),
                           <int>(self.parents[player].used // sizeof(int)))
        with gil:
            text = self.state.information_state_string(player)
            known = self.numbers[player].get(text)
            if known is not None:
                return known
            self.numbers[player][text] = len(self.texts[player])
            self.texts[player].append(text)
        return -1

    cdef int new_infoset(self, int player, int count, int* actions, int parent) except -1 nogil:
        cdef int number = <int>(self.parents[player].used // sizeof(int))
        cdef int first = (<int*>self.offsets[player].data)[number]
        cdef Frame* frame = <Frame*>self.frames.data
        cdef Frame* end = <Frame*>(self.frames.data + self.frames.used)
        cdef int i
        push_int(&self.offsets[player], first + count)
        push_int(&self.parents[player], parent)
        for i in range(count):
            push_int(&self.sequence_action[player], actions[i])
        while frame < end:
            push_int(&self.path_actions[player],
                     (<int*>self.pool_actions.data)[frame.base + frame.next - 1])
            frame += 1
        push_int(&self.path_offsets[player], <int>(self.path_actions[player].used // sizeof(int)))
        return number

    cdef int check_infoset(self, int number, Frame* frame, int* actions) except -1 nogil:
        cdef int player = frame.player
        cdef int* offsets = <int*>self.offsets[player].data + number
        cdef int* known = <int*>self.sequence_action[player].data + offsets[0]
        cdef int i
        cdef bint differ = offsets[1] - offsets[0] != frame.count
        for i in range(frame.count):
            differ = differ or known[i] != actions[i]
        if differ or (<int*>self.parents[player].data)[number] != frame.sequence[player]:
            with gil:
                self.fail_clash(number, frame, differ)
        return 0

    cdef int fail_clash(self, int number, Frame* frame, bint actions_differ) except -1:
        cdef int* bounds = <int*>self.path_offsets[frame.player].data + number
        cdef int* actions = <int*>self.path_actions[frame.player].data
        cdef int i
        earlier = [actions[i] for i in range(bounds[0], bounds[1])]
        text = self.state.information_state_string(frame.player)
        what = ("but different legal actions" if actions_differ else
                "but the player's own actions before it differ: this is no game of perfect recall")
        raise UnsupportedGameError(
            f"histories {earlier} and {self.path()} are in one information set {text!r} of player "
            f"{frame.player}, {what}")

    def path(self):
        """The actions from the root to where the walk is."""
        cdef Frame* frames = <Frame*>self.frames.data
        cdef size_t i
        return [(<int*>self.pool_actions.data)[frames[i].base + frames[i].next - 1]
                for i in range(self.frames.used // sizeof(Frame))]

    cdef int heartbeat(self) except -1 nogil:
        if self.bytes_used() > self.limit:
            with gil:
                raise SearchLimitError(
                    f"the tree takes more than {self.limit / 1e6:.0f} MB (after {self.nodes} nodes); "
                    "raise memory_limit_mb, or leave out the arrays by node with nodes=False")
        with gil:
            PyErr_CheckSignals()
            if self.progress is not None:
                self.progress(self.nodes, None, "nodes")
        return 0

    cdef size_t bytes_used(self) noexcept nogil:
        # What sorting the payoffs will take is counted with them.
        cdef size_t total = self.rows.room + self.columns.room + 5 * self.weights.used
        cdef int player
        total += self.parent.room + self.first.room + self.count.room + self.player.room
        total += self.infoset.room + self.action.room + self.chance.room + self.utility.room
        for player in range(2):
            total += self.offsets[player].room + self.parents[player].room
            total += self.sequence_action[player].room + self.path_actions[player].room
            total += 12 * self.table[player].slots
        return total


cdef int look_up(Table* table, uint64_t key, int next_number) except -2 nogil:
    # The number stored for a key; -1 when it is new, and then the next number is stored for it.
    cdef size_t slot
    if 2 * table.used >= table.slots:
        enlarge(table)
    slot = mix64(key + 1) & (table.slots - 1)
    while table.numbers[slot] >= 0:
        if table.keys[slot] == key:
            return table.numbers[slot]
        slot = (slot + 1) & (table.slots - 1)
    table.keys[slot] = key
    table.numbers[slot] = next_number
    table.used += 1
    return -1


cdef int enlarge(Table* table) except -1 nogil:
    cdef Table larger
    cdef size_t i, slot
    larger.slots = 4 * table.slots if table.slots else 64
    larger.used = table.used
    larger.keys = <uint64_t*>malloc(larger.slots * sizeof(uint64_t))
    larger.numbers = <int*>malloc(larger.slots * sizeof(int))
    if larger.keys == NULL or larger.numbers == NULL:
        free(larger.keys)
        free(larger.numbers)
        with gil:
            raise MemoryError()
    memset(larger.numbers, 0xFF, larger.slots * sizeof(int))
    for i in range(table.slots):
        if table.numbers[i] >= 0:
            slot = mix64(table.keys[i] + 1) & (larger.slots - 1)
            while larger.numbers[slot] >= 0:
                slot = (slot + 1) & (larger.slots - 1)
            larger.keys[slot] = table.keys[i]
            larger.numbers[slot] = table.numbers[i]
    free(table.keys)
    free(table.numbers)
    table[0] = larger
    return 0
