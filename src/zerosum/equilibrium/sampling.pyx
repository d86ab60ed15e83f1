# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Monte Carlo CFR: external and outcome sampling (Lanctot, Waugh, Zinkevich and Bowling 2009).

Both add the opponent's strategy to the average where a walk meets it: chance and that player alone have
then decided how often it comes there. Outcome sampling, whose walks explore with the updating player's
actions, divides by their probability.
"""

import numpy as np
from libc.math cimport pow
from libc.stdint cimport uint64_t
from libc.stdlib cimport free

from zerosum.core.state cimport CHANCE, TERMINAL
from zerosum.equilibrium.random cimport draw, seed_generator
from zerosum.equilibrium.sequence_form cimport allocate
from zerosum.equilibrium.tree cimport GameTree


cdef class Sampler:
    """Sampler(tree, kind, cuts, seed, epsilon)\n--\n
    Regrets and sums of strategies of a CFRSolver that samples, by sequence of the tree.
    """

    def __cinit__(self, GameTree tree not None, kind, cuts, seed, epsilon):
        cdef int player
        tree.need_nodes(f"{kind} sampling")
        if isinstance(seed, bool) or int(seed) != seed or not 0 <= seed < 1 << 64:
            raise ValueError(f"seed={seed!r}: expected a whole number from 0 to 2**64 - 1")
        if not 0.0 < epsilon <= 1.0:
            raise ValueError(f"epsilon={epsilon!r}: expected a probability above 0")
        self.tree = tree
        self.kind = kind
        self.cuts = cuts
        self.epsilon = epsilon
        self.single_line = kind == "outcome"
        seed_generator(&self.generator, seed)
        for player in range(2):
            self.regret[player] = <double*>allocate(tree.num_sequences[player] * sizeof(double))
            self.total[player] = <double*>allocate(tree.num_sequences[player] * sizeof(double))
        self.fill()

    def __dealloc__(self):
        cdef int player
        for player in range(2):
            free(self.regret[player])
            free(self.total[player])
        free(self.nodes)
        free(self.visits)
        free(self.scratch)

    cdef int fill(self) except -1:
        cdef GameTree tree = self.tree
        cdef const int[::1] parent = tree.node_parent, first = tree.node_first, count = tree.node_count
        cdef const int[::1] player = tree.node_player, infoset = tree.node_infoset
        cdef const int[::1] offsets0 = tree.offsets[0], offsets1 = tree.offsets[1]
        cdef const double[::1] chance = tree.node_chance, utility = tree.node_utility
        cdef int[::1] depth = np.zeros(parent.shape[0], dtype=np.intc)
        cdef int i, child, deepest = 0
        cdef double so_far
        self.nodes = <Node*>allocate(parent.shape[0] * sizeof(Node))
        for i in range(parent.shape[0]):
            if i:
                depth[i] = depth[parent[i]] + 1
                deepest = max(deepest, depth[i])
            self.nodes[i].first = first[i]
            self.nodes[i].count = count[i]
            self.nodes[i].player = player[i]
            self.nodes[i].payoff = utility[i]
            if player[i] == CHANCE:
                so_far = 0.0
                for child in range(first[i], first[i] + count[i]):
                    so_far += chance[child]
                    self.nodes[child].up_to = so_far
            elif player[i] != TERMINAL:
                self.nodes[i].sequence = offsets1[infoset[i]] if player[i] else offsets0[infoset[i]]
                self.most = max(self.most, count[i])
        self.visits = <Visit*>allocate((deepest + 1) * sizeof(Visit))
        self.scratch = <double*>allocate((deepest + 2) * (2 * self.most + 2) * sizeof(double))
        return 0

    cdef void run(self, long long count, long long done, double exponent) noexcept nogil:
        cdef long long i
        cdef int player
        cdef double weight = 1.0
        for i in range(count):
            if exponent != 0.0:
                weight = pow(<double>(done + i + 1), exponent)
            for player in range(2):
                if self.single_line:
                    self.outcome(player, weight)
                else:
                    self.external(player, weight)

    cdef int walk_down(self, int node, int player, double weight) noexcept nogil:
        # Past chance and the opponent, sampling both, to the player's next decision or the end.
        cdef Node* here = self.nodes + node
        cdef double* regret = self.regret[1 - player]
        cdef double* total = self.total[1 - player]
        cdef double sum, point, share
        cdef int i
        while here.player != player and here.player != TERMINAL:
            point = draw(&self.generator)
            i = 0
            if here.player == CHANCE:
                while i < here.count - 1 and point >= self.nodes[here.first + i].up_to:
                    i += 1
            else:
                sum = positive_sum(regret + here.sequence, here.count)
                if sum > 0.0:
                    share = weight / sum
                    for i in range(here.count):
                        if regret[here.sequence + i] > 0.0:
                            total[here.sequence + i] += share * regret[here.sequence + i]
                    i = pick(regret + here.sequence, here.count, point * sum)
                else:
                    share = weight / here.count
                    for i in range(here.count):
                        total[here.sequence + i] += share
                    i = <int>(point * here.count)
            here = self.nodes + here.first + i
        return <int>(here - self.nodes)

    cdef void external(self, int player, double weight) noexcept nogil:
        # Down to every action of the player's decisions; values come up along the stack of visits.
        cdef double* regret = self.regret[player]
        cdef double* strategy
        cdef double* worth
        cdef Visit* visit = self.visits - 1
        cdef Node* here
        cdef double value
        cdef int i, step = 2 * self.most
        cdef int node = self.walk_down(0, player, weight)
        while True:
            here = self.nodes + node
            if here.player == player:
                visit += 1
                visit.node = node
                visit.next = 0
                match_regrets(regret + here.sequence, here.count,
                              self.scratch + step * <int>(visit - self.visits))
                node = self.walk_down(here.first, player, weight)
                continue
            value = here.payoff if player == 0 else -here.payoff
            while visit >= self.visits:
                here = self.nodes + visit.node
                strategy = self.scratch + step * <int>(visit - self.visits)
                worth = strategy + self.most
                worth[visit.next] = value
                visit.next += 1
                if visit.next < here.count:
                    break
                value = 0.0
                for i in range(here.count):
                    value += strategy[i] * worth[i]
                for i in range(here.count):
                    regret[here.sequence + i] += worth[i] - value
                    if self.cuts and regret[here.sequence + i] < 0.0:
                        regret[here.sequence + i] = 0.0
                visit -= 1
            if visit < self.visits:
                return
            node = self.walk_down(here.first + visit.next, player, weight)

    cdef void outcome(self, int player, double weight) noexcept nogil:
        # One line of play. The player's own choices explore; the rest is sampled as it is played, so
        # that importance comes from the own choices only.
        cdef double* regret = self.regret[player]
        cdef double* strategy
        cdef Visit* visit = self.visits
        cdef Node* here
        cdef double point, chosen, value, sampled = 1.0
        cdef int i, step = self.most + 2, node = 0
        while True:
            here = self.nodes + self.walk_down(node, player, weight / sampled)
            if here.player != player:
                break
            strategy = self.scratch + step * <int>(visit - self.visits)
            match_regrets(regret + here.sequence, here.count, strategy)
            strategy[self.most] = sampled
            point = draw(&self.generator)
            for i in range(here.count - 1):
                chosen = self.epsilon / here.count + (1.0 - self.epsilon) * strategy[i]
                if point < chosen:
                    break
                point -= chosen
            else:
                i = here.count - 1
            chosen = self.epsilon / here.count + (1.0 - self.epsilon) * strategy[i]
            strategy[self.most + 1] = chosen
            visit.node = <int>(here - self.nodes)
            visit.next = i
            visit += 1
            sampled *= chosen
            node = here.first + i
        value = here.payoff if player == 0 else -here.payoff
        while visit > self.visits:
            visit -= 1
            here = self.nodes + visit.node
            strategy = self.scratch + step * <int>(visit - self.visits)
            value /= strategy[self.most + 1]
            # Value of the sampled action is value / its probability, of the others 0.
            for i in range(here.count):
                chosen = (value if i == visit.next else 0.0) - strategy[visit.next] * value
                regret[here.sequence + i] += chosen / strategy[self.most]
                if self.cuts and regret[here.sequence + i] < 0.0:
                    regret[here.sequence + i] = 0.0
            value *= strategy[visit.next]

    # ---- results ----------------------------------------------------------------------------------

    def average_of(self, int player):
        """Player's average strategy by sequence of the tree; uniform where nothing was sampled."""
        return self.shares(player, self.total[player])

    def strategy_of(self, int player):
        """Player's current strategy by sequence of the tree."""
        return self.shares(player, self.regret[player])

    cdef object shares(self, int player, const double* weights):
        cdef GameTree tree = self.tree
        cdef const int[::1] offsets = tree.offsets[player]
        array = np.ones(tree.num_sequences[player])
        cdef double[::1] view = array
        cdef int infoset
        for infoset in range(offsets.shape[0] - 1):
            match_regrets(weights + offsets[infoset], offsets[infoset + 1] - offsets[infoset],
                          &view[offsets[infoset]])
        return array

    def arrays(self):
        """What a file keeps: name -> array."""
        cdef int player, i
        cdef double[::1] view
        kept = {"generator": np.array([self.generator.word[i] for i in range(4)], dtype=np.uint64)}
        for player in range(2):
            for name in ("regret", "total"):
                kept[f"{name}_{player}"] = np.empty(self.tree.num_sequences[player])
                view = kept[f"{name}_{player}"]
                for i in range(view.shape[0]):
                    view[i] = self.regret[player][i] if name == "regret" else self.total[player][i]
        return kept

    def restore(self, arrays):
        """Take over what ``arrays`` gave; ValueError when the types or sizes differ."""
        cdef int player, i
        cdef const double[::1] regret, total
        cdef const uint64_t[::1] words = arrays["generator"]
        if words.shape[0] != 4:
            raise ValueError("the generator has four words")
        for i in range(4):
            self.generator.word[i] = words[i]
        for player in range(2):
            regret, total = arrays[f"regret_{player}"], arrays[f"total_{player}"]
            if not regret.shape[0] == total.shape[0] == self.tree.num_sequences[player]:
                raise ValueError("the file's arrays do not fit the game")
            for i in range(regret.shape[0]):
                self.regret[player][i] = regret[i]
                self.total[player][i] = total[i]


cdef inline double positive_sum(const double* regret, int count) noexcept nogil:
    cdef double sum = 0.0
    cdef int i
    for i in range(count):
        sum += regret[i] if regret[i] > 0.0 else 0.0
    return sum


cdef inline int pick(const double* regret, int count, double point) noexcept nogil:
    # The action in whose share of the positive regrets the point lies.
    cdef int i, last = 0
    for i in range(count):
        if regret[i] > 0.0:
            last = i
            if point < regret[i]:
                return i
            point -= regret[i]
    return last


cdef inline void match_regrets(const double* regret, int count, double* strategy) noexcept nogil:
    cdef double sum = positive_sum(regret, count)
    cdef int i
    for i in range(count):
        if sum > 0.0:
            strategy[i] = regret[i] / sum if regret[i] > 0.0 else 0.0
        else:
            strategy[i] = 1.0 / count
