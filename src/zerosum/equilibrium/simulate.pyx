# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""simulate: many hands between two fixed policies, without the GIL.

Between two fixed policies a hand is one draw from a distribution over the leaves of the game: the deals,
every action and the result follow from the leaf. The draw takes constant time by the alias method (A. J.
Walker 1977, in the form of M. Vose 1991). Random numbers are xoshiro256++ seeded by splitmix64: equal seeds
give equal hands on every platform.
"""

import secrets

import numpy as np
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint64_t

from zerosum.core.state cimport CHANCE, TERMINAL
from zerosum.equilibrium.random cimport Generator, draw, seed_generator
from zerosum.equilibrium.tree cimport GameTree
from zerosum.equilibrium.evaluation import policy_arrays
from zerosum.equilibrium.tree import as_tree

cdef enum:
    BLOCK = 1_000_000              # hands between two looks at Ctrl-C: about a hundredth of a second


class Simulation:
    """What ``simulate`` gives: the hands' results, from player 0's side, in the game's units.

    ``hands``, ``seed``; ``mean`` and ``variance`` (of one hand, unbiased) of player 0's return;
    ``interval``, the 95 % confidence interval of the mean (normal approximation); ``outcomes``, {return:
    hands with it}; ``leaf_counts``, hands by node of the tree. ``leaves``, with ``record=True``, holds the
    node that each hand ended in, in order.
    """

    def __init__(self, tree, seed, leaf_counts, leaves):
        self.tree = tree
        self.seed = seed
        self.leaf_counts = leaf_counts
        self.leaves = leaves
        self.hands = int(leaf_counts.sum())
        ends = np.flatnonzero(leaf_counts)
        self.outcomes = {}
        for value, count in zip(tree.node_utility[ends].tolist(), leaf_counts[ends].tolist()):
            self.outcomes[value] = self.outcomes.get(value, 0) + count
        self.outcomes = dict(sorted(self.outcomes.items()))
        self.mean = sum(value * count for value, count in self.outcomes.items()) / self.hands
        squares = sum(count * (value - self.mean) ** 2 for value, count in self.outcomes.items())
        self.variance = squares / (self.hands - 1) if self.hands > 1 else float("nan")

    @property
    def interval(self):
        """The 95 % confidence interval of the mean: (low, high), without bounds for a single hand."""
        if self.hands < 2:
            return float("-inf"), float("inf")
        half = 1.959963984540054 * sqrt(self.variance / self.hands)
        return self.mean - half, self.mean + half

    def returns(self):
        """Player 0's return of each hand in order: an array of floats. ValueError without ``record=True``."""
        if self.leaves is None:
            raise ValueError("single hands are kept only with record=True")
        return self.tree.node_utility[self.leaves]

    def __repr__(self):
        low, high = self.interval
        return f"<Simulation of {self.hands} hands: mean {self.mean:.6g}, 95 % in [{low:.6g}, {high:.6g}]>"


def simulate(game, policies, n, seed=None, *, record=False, progress=None):
    """Play ``n`` hands (n >= 1) between two policies; return a Simulation.

    ``policies``: one policy for both players, or a pair, player 0's first; in any form that
    ``exploitability`` takes. ``seed``: a whole number from 0 to 2**64 - 1; None draws one, found in
    ``.seed``. ``record`` keeps each hand's end. ``progress`` is called with (hands, n, text). Ctrl-C stops
    it. ValueError names what is wrong with a policy, n or the seed.
    """
    cdef GameTree tree = as_tree(game)
    cdef Generator generator
    cdef int64_t hands, done = 0, block
    cdef int[::1] kept
    cdef double[::1] threshold
    cdef int[::1] leaf, alias
    cdef int64_t[::1] count
    if isinstance(n, bool) or int(n) != n or n < 1:
        raise ValueError(f"n={n!r}: expected a number of hands, 1 or more")
    seed = secrets.randbits(64) if seed is None else checked_seed(seed)
    tree.need_nodes("simulate")
    hands = n
    leaf_nodes, weights = leaf_weights(tree, policy_arrays(tree, policies))
    thresholds, aliases = alias_table(weights)
    leaf, threshold, alias = leaf_nodes, thresholds, aliases
    counts = np.zeros(len(leaf_nodes), dtype=np.int64)
    count = counts
    leaves = np.empty(hands if record else 0, dtype=np.intc)
    kept = leaves
    seed_generator(&generator, seed)
    while done < hands:
        block = min(BLOCK, hands - done)
        with nogil:
            draw_leaves(&generator, block, &threshold[0], &alias[0], <int>leaf.shape[0], &leaf[0],
                        &count[0], &kept[done] if kept.shape[0] else NULL)
        done += block
        PyErr_CheckSignals()
        if progress is not None:
            progress(done, n, "hands")
    leaf_counts = np.zeros(tree.num_nodes, dtype=np.int64)
    leaf_counts[leaf_nodes] = counts
    return Simulation(tree, seed, leaf_counts, leaves if record else None)


cdef void draw_leaves(Generator* generator, int64_t hands, const double* threshold, const int* alias,
                      int leaves, const int* leaf, int64_t* count, int* kept) noexcept nogil:
    cdef Generator local = generator[0]
    cdef int64_t i
    cdef int slot, chosen
    cdef double point
    for i in range(hands):
        slot = <int>(draw(&local) * leaves)
        point = draw(&local)
        chosen = slot if point < threshold[slot] else alias[slot]
        count[chosen] += 1
        if kept != NULL:
            kept[i] = leaf[chosen]
    generator[0] = local


def checked_seed(seed):
    """The seed as an int; ValueError when it is no whole number from 0 to 2**64 - 1."""
    if isinstance(seed, bool) or int(seed) != seed or not 0 <= seed < 1 << 64:
        raise ValueError(f"seed={seed!r}: expected a whole number from 0 to 2**64 - 1")
    return int(seed)


def leaf_weights(GameTree tree, arrays):
    """(nodes, probabilities) of the leaves that play between two policies can reach."""
    cdef const int[::1] parent = tree.node_parent, first = tree.node_first, player = tree.node_player
    cdef const int[::1] infoset = tree.node_infoset
    cdef const int[::1] offsets0 = tree.offsets[0], offsets1 = tree.offsets[1]
    cdef const double[::1] chance = tree.node_chance
    cdef const double[::1] behaviour0 = arrays[0], behaviour1 = arrays[1]
    reached = np.ones(parent.shape[0])
    cdef double[::1] reach = reached
    cdef Py_ssize_t node
    cdef int above
    for node in range(1, parent.shape[0]):
        above = parent[node]
        if player[above] == CHANCE:
            reach[node] = reach[above] * chance[node]
        elif player[above] == 0:
            reach[node] = reach[above] * behaviour0[offsets0[infoset[above]] + node - first[above]]
        else:
            reach[node] = reach[above] * behaviour1[offsets1[infoset[above]] + node - first[above]]
    leaves = np.flatnonzero((tree.node_player == TERMINAL) & (reached > 0.0))
    return leaves.astype(np.intc), reached[leaves]


def alias_table(weights):
    """(thresholds, aliases): slot i stands for i below its threshold, for its alias above it."""
    cdef Py_ssize_t size = len(weights), i, low, high, lows = 0, highs = 0
    scaled = np.asarray(weights) * (size / np.sum(weights))
    aliases = np.arange(size, dtype=np.intc)
    cdef double[::1] left = scaled
    cdef int[::1] alias = aliases
    cdef Py_ssize_t[::1] small = np.empty(size, dtype=np.intp), large = np.empty(size, dtype=np.intp)
    for i in range(size):
        if left[i] < 1.0:
            small[lows] = i
            lows += 1
        else:
            large[highs] = i
            highs += 1
    while lows and highs:
        low, high = small[lows - 1], large[highs - 1]
        lows -= 1
        alias[low] = <int>high
        left[high] -= 1.0 - left[low]
        if left[high] < 1.0:
            highs -= 1
            small[lows] = high
            lows += 1
    # Rounding can leave some slots over; they stand for themselves.
    for i in range(lows):
        left[small[i]] = 1.0
    for i in range(highs):
        left[large[i]] = 1.0
    return scaled, aliases
