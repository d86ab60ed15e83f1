# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What policies are worth: expected value, best responses, nash_conv and exploitability.

A policy is a mapping from information-state strings to ``{action: probability}``, for both players in one
mapping; or an array for one player that holds the probability of the last action of every sequence of a
GameTree; or a TablePolicy; or the word "uniform"; or a pair of such policies, player 0's first. When all
probabilities are Fractions or whole numbers, so are the results: exact Fractions.

Values are in the game's units. nash_conv is the sum of what both players could gain by a best response;
exploitability is half of it. Neither is ever negative (up to rounding, for floating-point policies).
"""

import reprlib
from collections.abc import Mapping
from fractions import Fraction
from numbers import Rational

import numpy as np
from libc.stdlib cimport free

from zerosum.equilibrium.sequence_form cimport Side, allocate, sequence_form
from zerosum.equilibrium.tree cimport GameTree
from zerosum.equilibrium.tree import as_tree

cdef double TOLERANCE = 1e-6


class TablePolicy(Mapping):
    """Both players' policies on a GameTree as two arrays; reads as a mapping, too.

    ``arrays``: by player, an array with the probability of the last action of each of the tree's sequences
    (1 for the empty one); they are copied and cannot be written to. ValueError when there are not as many
    numbers as sequences, or an information set's are no distribution. As a mapping: information-state
    string -> {action: probability}.
    """

    def __init__(self, tree, arrays):
        self.tree = tree
        self.arrays = tuple(checked(tree, player, np.array(array, dtype=np.float64))
                            for player, array in zip(range(2), arrays, strict=True))
        for array in self.arrays:
            array.setflags(write=False)

    def __getitem__(self, text):
        place = self.tree.information_set(text)
        if isinstance(place, list):
            raise KeyError(f"both players have an information set {text!r}: use of_player(player)")
        return self.entry(*place)

    def entry(self, player, number):
        """{action: probability} of a player's information set, by its number in the tree."""
        first, stop = self.tree.offsets[player][number:number + 2].tolist()
        actions = self.tree.actions[player][first:stop].tolist()
        return dict(zip(actions, self.arrays[player][first:stop].tolist()))

    def of_player(self, player):
        """One player's policy as a dictionary."""
        texts = self.tree.information_states(player)
        return {text: self.entry(player, number) for number, text in enumerate(texts)}

    def __iter__(self):
        return iter(self.tree.index_of_texts())

    def __len__(self):
        return len(self.tree.index_of_texts())

    def __repr__(self):
        return f"<TablePolicy of {self.tree.game}: {len(self)} information sets>"


class BestResponse:
    """A best response: ``value``, the responder's own, and ``policy``, {information state: {action: 1}}.

    ``policy`` has an entry for every information set of the responder, also where play never comes.
    """

    def __init__(self, value, policy):
        self.value = value
        self.policy = policy

    def __repr__(self):
        return f"BestResponse(value={self.value!r}, policy=<{len(self.policy)} information sets>)"


def expected_value(game, policy):
    """Player 0's expected return when both follow ``policy``. Float, or Fraction for one of Fractions."""
    tree = as_tree(game)
    exact = exact_arrays(tree, policy)
    if exact is not None:
        from zerosum.equilibrium.exact import exact_value
        return exact_value(tree, exact)
    return Plans(tree, policy).value()


def best_response(game, policy, player):
    """The best response of ``player`` (0 or 1) to the other's part of ``policy``: a BestResponse."""
    tree = as_tree(game)
    if player not in (0, 1):
        raise ValueError(f"player {player!r}: expected 0 or 1")
    exact = exact_arrays(tree, policy, 1 - player)
    if exact is not None:
        from zerosum.equilibrium.exact import exact_best_response
        value, reply = exact_best_response(tree, exact[1 - player], player)
    else:
        value, reply = Plans(tree, policy, 1 - player).reply(player)
    actions = tree.actions[player].tolist()
    offsets = tree.offsets[player].tolist()
    choices = {}
    for number, text in enumerate(tree.information_states(player)):
        span = range(offsets[number], offsets[number + 1])
        choices[text] = {actions[at]: int(reply[at]) for at in span}
    return BestResponse(value, choices)


def gains(game, policy):
    """(player 0's, player 1's) gain from a best response to ``policy``; their sum is nash_conv."""
    tree = as_tree(game)
    exact = exact_arrays(tree, policy)
    if exact is not None:
        from zerosum.equilibrium.exact import exact_best_response, exact_value
        value = exact_value(tree, exact)
        best = [exact_best_response(tree, exact[1 - player], player)[0] for player in range(2)]
    else:
        plans = Plans(tree, policy)
        value, best = plans.value(), plans.best_values()
    return best[0] - value, best[1] + value


def nash_conv(game, policy):
    """The sum of both players' gains from a best response: 0 exactly at an equilibrium, never negative."""
    tree = as_tree(game)
    exact = exact_arrays(tree, policy)
    if exact is not None:
        return sum(gains(tree, policy))
    best = Plans(tree, policy).best_values()
    return best[0] + best[1]


def exploitability(game, policy):
    """Half of nash_conv: what a best responder wins on average over both seats, in the game's units."""
    return nash_conv(game, policy) / 2


# ---- reading policies ---------------------------------------------------------------------------------


def part_of(policy, int player):
    """A player's part of a policy: its own side of a pair, and of any other form the whole."""
    while isinstance(policy, (tuple, list)):
        if len(policy) != 2:
            raise ValueError(f"{len(policy)} policies; one for both players, or two are needed")
        policy = policy[player]
    return policy


def exact_arrays(tree, policy, only=None):
    """Lists by player and sequence for a policy of Fractions and whole numbers; None for any other."""
    players = range(2) if only is None else (only,)
    parts = {player: part_of(policy, player) for player in players}
    if not all(is_exact(tree, part, player) for player, part in parts.items()):
        return None
    return tuple(read_table(tree, parts[player], player, True) if player in parts else None
                 for player in range(2))


def is_exact(tree, table, int player):
    """Is every probability of a player a Fraction or a whole number? A missing entry does not count."""
    if isinstance(table, TablePolicy) or not hasattr(table, "get"):
        return False
    for text in tree.information_states(player):
        entry = table.get(text)
        if entry is not None and not (isinstance(entry, Mapping)
                                      and all(isinstance(value, Rational) for value in entry.values())):
            return False
    return True


def trusted_table(tree, arrays):
    """The TablePolicy of arrays that a solver made, which need no check and no copy."""
    policy = TablePolicy.__new__(TablePolicy)
    policy.tree, policy.arrays = tree, arrays
    for array in arrays:
        array.setflags(write=False)
    return policy


def checked(GameTree tree, int player, array):
    """The array as it came; ValueError when it is no behaviour of the player's."""
    cdef const int[::1] offsets = tree.offsets[player]
    cdef const double[::1] view = array
    cdef int infoset, at
    cdef double sum
    if view.shape[0] != tree.num_sequences[player]:
        raise ValueError(f"player {player}'s array has {view.shape[0]} numbers; the tree has "
                         f"{tree.num_sequences[player]} sequences of that player")
    for infoset in range(offsets.shape[0] - 1):
        sum = 0.0
        for at in range(offsets[infoset], offsets[infoset + 1]):
            sum += view[at] if view[at] >= 0.0 else 1e300
        if not -TOLERANCE < sum - 1.0 < TOLERANCE:
            numbers = reprlib.repr([view[at] for at in range(offsets[infoset], offsets[infoset + 1])])
            raise ValueError(f"information state {tree.information_states(player)[infoset]!r} of player "
                             f"{player}: {numbers} are no distribution")
    return array


def uniform_arrays(tree):
    """Both players' uniform behaviour as arrays by sequence."""
    arrays = []
    for player in range(2):
        counts = np.diff(tree.offsets[player])
        arrays.append(np.concatenate([[1.0], np.repeat(1.0 / counts, counts)]))
    return tuple(arrays)


def policy_arrays(tree, policy, only=None):
    """A policy in any form as a pair of arrays by sequence (None for a player who is not asked for).

    ValueError names the information set that is missing, has an action that is not legal, a negative
    probability, or probabilities that do not sum to 1 within 1e-6.
    """
    return tuple(player_array(tree, part_of(policy, player), player) if only in (None, player) else None
                 for player in range(2))


def player_array(tree, policy, int player):
    """One player's part of a policy in any form but a pair: a checked array by sequence."""
    if isinstance(policy, str):
        if policy != "uniform":
            raise ValueError(f'policy {policy!r}: the only policy with a name here is "uniform"')
        return uniform_arrays(tree)[player]
    if isinstance(policy, TablePolicy):
        return policy.arrays[player] if policy.tree is tree else read_table(
            tree, policy.of_player(player), player, False)
    if isinstance(policy, np.ndarray):
        return checked(tree, player, np.ascontiguousarray(policy, dtype=np.float64))
    return read_table(tree, policy, player, False)


def read_table(GameTree tree, table, int player, bint exact):
    """One player's part of a mapping: an array by sequence, or a list of Fractions."""
    cdef const int[::1] offsets = tree.offsets[player]
    cdef int infoset
    if not hasattr(table, "get"):
        raise ValueError(f"a policy maps information-state strings to probabilities; got {reprlib.repr(table)}")
    texts, actions = tree.information_states(player), action_list(tree, player)
    fractions = [Fraction(1)] * len(actions) if exact else None
    array = np.ones(len(actions))
    cdef double[::1] view = array
    for infoset in range(offsets.shape[0] - 1):
        text = texts[infoset]
        entry = table.get(text)
        if entry is None:
            raise ValueError(f"the policy has no entry for information state {text!r} of player {player}")
        legal = actions[offsets[infoset]:offsets[infoset + 1]]
        read_entry(text, entry, legal, &view[offsets[infoset]])
        if exact:
            shares = [Fraction(entry.get(action, 0)) for action in legal]
            if sum(shares) != 1:
                raise ValueError(f"information state {text!r}: the fractions do not sum to exactly 1")
            fractions[offsets[infoset]:offsets[infoset + 1]] = shares
    return fractions if exact else array


cdef int read_entry(text, entry, list legal, double* shares) except -1:
    # Write the probabilities of the legal actions. ValueError when they are no distribution.
    cdef double total = 0.0
    cdef int at = 0
    try:
        for action in legal:
            shares[at] = entry.get(action, 0)
            if not shares[at] >= 0.0:
                raise ValueError(f"information state {text!r}: action {action} has probability {shares[at]}")
            total += shares[at]
            at += 1
    except (AttributeError, TypeError, OverflowError):
        raise ValueError(f"information state {text!r}: expected {{action: probability}}, not "
                         f"{reprlib.repr(entry)}") from None
    if len(entry) != len(legal):
        check_extra(text, entry, legal)
    if not -TOLERANCE < total - 1.0 < TOLERANCE:
        raise ValueError(f"information state {text!r}: the probabilities sum to {total}, not to 1")
    return 0


def check_extra(text, entry, legal):
    """ValueError when an entry gives probability to an action that is not legal there."""
    for action, probability in entry.items():
        if probability != 0 and action not in legal:
            raise ValueError(f"information state {text!r}: action {action!r} is not legal; legal are "
                             f"{reprlib.repr(legal)}")


def action_list(GameTree tree, int player):
    """The actions by sequence as a list, kept with the tree: boxing them again costs more than the rest."""
    lists = tree.cache.get("actions")
    if lists is None:
        lists = tree.cache.setdefault("actions", tuple(array.tolist() for array in tree.actions))
    return lists[player]


cdef class Plans:
    """Plans(tree, policy, only=None)\n--\n
    A policy checked once and turned into both players' plans; what evaluations run on.
    """

    def __cinit__(self, GameTree tree not None, policy, only=None):
        cdef int player
        self.form = sequence_form(tree)
        self.scratch = self.form.new_scratch()
        arrays = policy_arrays(tree, policy, only)
        for player in range(2):
            if only is None or only == player:
                self.plan[player] = self.plan_of(player, arrays[player])

    def __dealloc__(self):
        free(self.plan[0])
        free(self.plan[1])
        free(self.scratch)

    cdef double* plan_of(self, int player, const double[::1] array) except NULL:
        cdef Side* side = &self.form.side[player]
        cdef double* plan
        cdef double* laid_out
        cdef int i
        laid_out = <double*>allocate(2 * side.sequences * sizeof(double))
        # Behaviour in the second half, so that what is returned begins at what must be freed.
        plan = laid_out
        laid_out += side.sequences
        for i in range(side.sequences):
            laid_out[side.position[i]] = array[i]
        self.form.realize(player, laid_out, plan)
        return plan

    def value(self):
        """Player 0's expected value of the two plans."""
        cdef double sum = 0.0
        cdef int i
        self.form.gradient(0, self.plan[1], self.scratch)
        for i in range(self.form.side[0].sequences):
            sum += self.scratch[i] * self.plan[0][i]
        return sum

    def best_values(self):
        """(player 0's, player 1's) value of a best response to the other's plan."""
        cdef double best[2]
        self.form.gap(self.plan[0], self.plan[1], best, self.scratch)
        return best[0], best[1]

    def reply(self, int player):
        """(value, array by sequence of the tree) of a player's best response to the other's plan."""
        cdef Side* side = &self.form.side[player]
        cdef double* behaviour = <double*>allocate((side.sequences + 1) * sizeof(double))
        cdef double value
        cdef double[::1] view
        cdef int i
        array = np.empty(side.sequences)
        view = array
        self.form.gradient(player, self.plan[1 - player], self.scratch)
        value = self.form.best_reply(player, self.scratch, behaviour)
        for i in range(side.sequences):
            view[i] = behaviour[side.position[i]]
        free(behaviour)
        return value, array
