# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What policies are worth: expected value, best responses, nash_conv and exploitability.

A policy is a mapping from information-state strings to ``{action: probability}``, for both players in one
mapping or a pair of them; or a pair of arrays (one a player) that hold the probability of the last action
of every sequence of a GameTree; or a TablePolicy; or the word "uniform". Probabilities that are Fractions
(or whole numbers) give results that are exact Fractions.

Values are in the game's units. nash_conv is the sum of what both players could gain by a best response;
exploitability is half of it. Neither is ever negative (up to rounding, for floating-point policies).
"""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from libc.stdlib cimport free

from zerosum.equilibrium.sequence_form cimport Side, allocate, sequence_form
from zerosum.equilibrium.tree cimport GameTree
from zerosum.equilibrium.tree import as_tree

cdef double TOLERANCE = 1e-6


class TablePolicy(Mapping):
    """Both players' policies on a GameTree as two arrays; reads as a mapping, too.

    ``arrays``: by player, an array with the probability of the last action of each of the tree's sequences
    (1 for the empty one). As a mapping: information-state string -> {action: probability}.
    """

    def __init__(self, tree, arrays):
        self.tree = tree
        self.arrays = tuple(arrays)

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


def exact_arrays(tree, policy, only=None):
    """Lists of Fractions by player and sequence for a policy of Fractions; None for any other."""
    if isinstance(policy, (TablePolicy, str)) or is_pair_of_arrays(policy):
        return None
    pair = policy if isinstance(policy, (tuple, list)) else (policy, policy)
    if not any_fraction(tree, pair, only):
        return None
    return tuple(read_table(tree, pair[player], player, True) if (only is None or only == player) else None
                 for player in range(2))


def any_fraction(tree, pair, only):
    """Is there a Fraction in a policy's first entry?"""
    for player in range(2):
        if (only is None or only == player):
            for entry in Mapping.values(pair[player]) if isinstance(pair[player], Mapping) else ():
                if isinstance(entry, Mapping):
                    return any(isinstance(value, Fraction) for value in entry.values())
    return False


def is_pair_of_arrays(policy):
    """Is this a pair of numpy arrays?"""
    return (isinstance(policy, (tuple, list)) and len(policy) == 2
            and isinstance(policy[0], np.ndarray) and isinstance(policy[1], np.ndarray))


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
    if isinstance(policy, str):
        if policy != "uniform":
            raise ValueError(f'policy {policy!r}: the only policy with a name here is "uniform"')
        return uniform_arrays(tree)
    if isinstance(policy, TablePolicy):
        if policy.tree is tree:
            return policy.arrays
        policy = tuple(policy.of_player(player) for player in range(2))
    if is_pair_of_arrays(policy):
        return tuple(np.ascontiguousarray(array, dtype=np.float64) for array in policy)
    pair = policy if isinstance(policy, (tuple, list)) else (policy, policy)
    if len(pair) != 2:
        raise ValueError(f"a policy is one mapping, or a pair of them; this has {len(pair)} parts")
    return tuple(read_table(tree, pair[player], player, False) if (only is None or only == player) else None
                 for player in range(2))


def read_table(GameTree tree, table, int player, bint exact):
    """One player's part of a mapping: an array by sequence, or a list of Fractions."""
    cdef const int[::1] offsets = tree.offsets[player]
    cdef double[::1] view
    cdef double sum, number
    cdef int infoset, at
    if isinstance(table, TablePolicy):
        table = table.of_player(player)
    if not hasattr(table, "get"):
        raise ValueError(f"a policy maps information-state strings to probabilities; got {table!r}")
    texts, actions = tree.information_states(player), action_list(tree, player)
    numbers = [Fraction(1)] * len(actions) if exact else None
    array = np.ones(len(actions))
    view = array
    for infoset in range(offsets.shape[0] - 1):
        text = texts[infoset]
        entry = table.get(text)
        if entry is None:
            raise ValueError(f"the policy has no entry for information state {text!r} of player {player}")
        legal = actions[offsets[infoset]:offsets[infoset + 1]]
        sum = 0.0
        for at in range(offsets[infoset], offsets[infoset + 1]):
            probability = entry.get(actions[at], 0)
            number = probability
            if not number >= 0.0:
                raise ValueError(f"information state {text!r}: action {actions[at]} has probability {number}")
            view[at] = number
            sum += number
            if exact:
                numbers[at] = Fraction(probability)
        if len(entry) != len(legal):
            check_extra(text, entry, legal)
        if not -TOLERANCE < sum - 1.0 < TOLERANCE:
            raise ValueError(f"information state {text!r}: the probabilities sum to {sum}, not to 1")
        if exact and total_of(numbers[offsets[infoset]:offsets[infoset + 1]]) != 1:
            raise ValueError(f"information state {text!r}: the fractions do not sum to exactly 1")
    return numbers if exact else array


def total_of(items):
    """The sum of a list: inside a function that names a number sum, the builtin is out of reach."""
    return sum(items)


def check_extra(text, entry, legal):
    """ValueError when an entry gives probability to an action that is not legal there."""
    for action, probability in entry.items():
        if probability != 0 and action not in legal:
            raise ValueError(f"information state {text!r}: action {action!r} is not legal; legal are {legal}")


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
                trusted = isinstance(policy, TablePolicy) and policy.tree is tree
                self.plan[player] = self.plan_of(player, tree.offsets[player], arrays[player], trusted)

    def __dealloc__(self):
        free(self.plan[0])
        free(self.plan[1])
        free(self.scratch)

    cdef double* plan_of(self, int player, const int[::1] offsets, const double[::1] array,
                         bint trusted) except NULL:
        cdef Side* side = &self.form.side[player]
        cdef double* plan
        cdef double* laid_out
        cdef int i
        if array.shape[0] != side.sequences:
            raise ValueError(f"player {player}'s array has {array.shape[0]} numbers; the tree has "
                             f"{side.sequences} sequences of that player")
        if not trusted:
            check_sums(self.form.tree, player, offsets, array)
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


cdef int check_sums(tree, int player, const int[::1] offsets, const double[::1] array) except -1:
    # ValueError for the first information set whose numbers are no distribution.
    cdef int infoset, at
    cdef double sum
    for infoset in range(offsets.shape[0] - 1):
        sum = 0.0
        for at in range(offsets[infoset], offsets[infoset + 1]):
            sum += array[at] if array[at] >= 0.0 else 1e300
        if not -TOLERANCE < sum - 1.0 < TOLERANCE:
            text = tree.information_states(player)[infoset]
            numbers = [array[at] for at in range(offsets[infoset], offsets[infoset + 1])]
            raise ValueError(f"information state {text!r} of player {player}: {numbers} are no distribution")
    return 0
