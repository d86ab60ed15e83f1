"""Evaluation in exact rational arithmetic, on whole numbers over common denominators."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from zerosum.core.state import PLAYER_CHANCE, PLAYER_TERMINAL

__all__ = ["ExactPayoffs", "exact_best_response", "exact_payoffs", "exact_value", "simple_fraction"]

LARGEST_DENOMINATOR = 10**6


@dataclass(frozen=True)
class ExactPayoffs:
    """Player 0's chance-weighted payoffs by pair of sequences, whole numbers over one denominator.

    ``entries``: list of (player 0's sequence, player 1's sequence, numerator), zeros left out.
    """

    entries: list[tuple[int, int, int]]
    denominator: int


def simple_fraction(number: float) -> Fraction | None:
    """The fraction with a denominator up to a million whose nearest float this is, or None.

    Games give probabilities and returns as floats; 0.3333333333333333 stands for 1/3. A float that is
    no such fraction (0.1234567890123) is taken by those who call this as the binary number it is.
    """
    fraction = Fraction(number).limit_denominator(LARGEST_DENOMINATOR)
    return fraction if float(fraction) == number else None


def exact_payoffs(tree: Any) -> ExactPayoffs:
    """A tree's payoffs as whole numbers over one denominator, made once and kept with it.

    Raises ValueError when chance's probabilities are no simple fractions that sum to exactly 1.
    """
    known: ExactPayoffs | None = tree.cache.get("exact payoffs")
    if known is None:
        tree.need_nodes("exact arithmetic")
        known = tree.cache["exact payoffs"] = collect_payoffs(tree)
    return known


def collect_payoffs(tree: Any) -> ExactPayoffs:
    """Walk the node arrays: every leaf's pair of sequences, and chance's weight times the return."""
    reach, scale = chance_weights(tree)
    utilities = {
        number: simple_fraction(number) or Fraction(number)
        for number in set(tree.node_utility.tolist())
    }
    units = lcm(*(fraction.denominator for fraction in utilities.values()))
    whole = {number: int(fraction * units) for number, fraction in utilities.items()}
    sums: dict[tuple[int, int], int] = {}
    rows, columns = node_sequences(tree)
    utility = tree.node_utility.tolist()
    for node, player in enumerate(tree.node_player.tolist()):
        if player == PLAYER_TERMINAL and utility[node]:
            pair = rows[node], columns[node]
            sums[pair] = sums.get(pair, 0) + reach[node] * whole[utility[node]]
    entries = [(row, column, weight) for (row, column), weight in sorted(sums.items()) if weight]
    return ExactPayoffs(entries, scale * units)


def chance_weights(tree: Any) -> tuple[list[int], int]:
    """Chance's probability of reaching each node, as whole numbers over the returned denominator."""
    fractions = chance_fractions(tree)
    parents = tree.node_parent.tolist()
    players = tree.node_player.tolist()
    reach = [Fraction(1)] * len(parents)
    chance = tree.node_chance.tolist()
    denominators = {1}
    for node in range(1, len(parents)):
        above = parents[node]
        reach[node] = reach[above]
        if players[above] == PLAYER_CHANCE:
            reach[node] = reach[above] * fractions[chance[node]]
            denominators.add(reach[node].denominator)
    scale = lcm(*denominators)
    whole: dict[int, int] = {}
    weights = []
    for fraction in reach:
        key = id(fraction)
        if key not in whole:
            whole[key] = fraction.numerator * (scale // fraction.denominator)
        weights.append(whole[key])
    return weights, scale


def chance_fractions(tree: Any) -> dict[float, Fraction]:
    """Fraction of every chance probability; ValueError when those of a node do not sum to exactly
    1.
    """
    chance = tree.node_chance.tolist()
    fractions: dict[float, Fraction] = {}
    first, count = tree.node_first, tree.node_count
    checked = set()
    for node in (tree.node_player == PLAYER_CHANCE).nonzero()[0].tolist():
        outcomes = tuple(chance[first[node] : first[node] + count[node]])
        if outcomes in checked:
            continue
        for number in outcomes:
            if number not in fractions:
                fractions[number] = simple_fraction(number) or Fraction(number)
        if sum(fractions[number] for number in outcomes) != 1:
            raise ValueError(
                f"chance's probabilities after {tree.history(node)} are no simple fractions "
                "that sum to exactly 1; exact arithmetic needs them"
            )
        checked.add(outcomes)
    return fractions


def node_sequences(tree: Any) -> tuple[list[int], list[int]]:
    """Both players' sequences at every node."""
    parents = tree.node_parent.tolist()
    players, infosets = tree.node_player.tolist(), tree.node_infoset.tolist()
    firsts = tree.node_first.tolist()
    offsets = [tree.offsets[player].tolist() for player in range(2)]
    sequences = [0] * len(parents), [0] * len(parents)
    for node in range(1, len(parents)):
        above = parents[node]
        player = players[above]
        sequences[0][node], sequences[1][node] = sequences[0][above], sequences[1][above]
        if player in (0, 1):
            sequences[player][node] = offsets[player][infosets[above]] + node - firsts[above]
    return sequences


def exact_plan(tree: Any, player: int, behaviour: list[Fraction]) -> tuple[list[int], int]:
    """The probabilities of a player's sequences, as whole numbers over the returned denominator."""
    offsets, parents = tree.offsets[player].tolist(), tree.parents[player].tolist()
    plan = [Fraction(1)] * len(behaviour)
    for infoset, parent in enumerate(parents):
        for at in range(offsets[infoset], offsets[infoset + 1]):
            plan[at] = plan[parent] * behaviour[at]
    scale = lcm(*{fraction.denominator for fraction in plan})
    return [fraction.numerator * (scale // fraction.denominator) for fraction in plan], scale


def exact_value(tree: Any, behaviour: Any) -> Fraction:
    """Player 0's expected return, for a pair of lists of Fractions by sequence."""
    payoffs = exact_payoffs(tree)
    (rows, scale0), (columns, scale1) = (
        exact_plan(tree, player, behaviour[player]) for player in range(2)
    )
    total = sum(weight * rows[row] * columns[column] for row, column, weight in payoffs.entries)
    return Fraction(total, payoffs.denominator * scale0 * scale1)


def exact_best_response(
    tree: Any, behaviour: list[Fraction], player: int
) -> tuple[Fraction, list[int]]:
    """(the responder's own value, 0 or 1 by sequence) of ``player``'s best response to the other's
    part.
    """
    payoffs = exact_payoffs(tree)
    plan, scale = exact_plan(tree, 1 - player, behaviour)
    worth = [0] * len(tree.actions[player])
    for row, column, weight in payoffs.entries:
        if player == 0:
            worth[row] += weight * plan[column]
        else:
            worth[column] -= weight * plan[row]
    offsets, parents = tree.offsets[player].tolist(), tree.parents[player].tolist()
    reply = [0] * len(worth)
    reply[0] = 1
    for infoset in range(len(parents) - 1, -1, -1):
        span = range(offsets[infoset], offsets[infoset + 1])
        best = max(span, key=worth.__getitem__)
        reply[best] = 1
        worth[parents[infoset]] += worth[best]
    return Fraction(worth[0], payoffs.denominator * scale), reply
