"""Endgame values of oware by their definition: sets of boards that grow until they stop growing.

The value of a board for its mover is the largest difference of future captures that can be forced,
endless play counting 0. "At least v" and "at most -v", v > 0, are the smallest sets of boards such
that

- a board is worth at least v when one of its moves brings at least v: the seeds it captures minus
  what the board after it is worth to the opponent;
- a board is worth at most -v when all of its moves bring at most -v.

What is in none of these sets is worth 0.
"""

from itertools import combinations_with_replacement

from tests.reference.oware import OwareTwin


def boards_of(houses, seeds):
    """Every board with that many seeds: tuples, the mover's houses first."""
    for places in combinations_with_replacement(range(2 * houses), seeds):
        yield tuple(places.count(place) for place in range(2 * houses))


def moves_of(board, houses, rules):
    """[(house, seeds won minus seeds lost at once, board after it from the opponent's side)]."""
    twin = OwareTwin(houses=houses, board=board, **rules)
    moves = []
    for house in twin.moves():
        after, captured, forfeited, _ = twin.result(house)
        moves.append((house, captured - forfeited, (*after[houses:], *after[:houses])))
    return moves


def value_at_the_end(board, houses, rules):
    """What a mover without a move gets of the seeds on the board, minus what the opponent gets."""
    how = {
        "own_row": sum(board[:houses]) - sum(board[houses:]),
        "opponent": -sum(board),
        "nobody": 0,
    }
    return how[rules["no_move"]]


def brings(move, lower, settled):
    """What a move brings, or None while that is open."""
    _, gain, after = move
    if after in lower:
        return gain - lower[after]
    return gain - settled[after] if after in settled else None


def values_of_layer(houses, seeds, rules, lower):
    """{board: value} of all boards with ``seeds`` seeds, those of fewer seeds being given."""
    moves = {board: moves_of(board, houses, rules) for board in boards_of(houses, seeds)}
    ended = {board: value_at_the_end(board, houses, rules) for board in moves if not moves[board]}
    settled = {}
    for v in range(seeds, 0, -1):
        settled.update({board: value for board, value in ended.items() if abs(value) == v})
        growing = True
        while growing:
            growing = False
            for board, choices in moves.items():
                if board in settled or board in ended:
                    continue
                worth = [brings(move, lower, settled) for move in choices]
                if any(value is not None and value >= v for value in worth):
                    settled[board] = v
                    growing = True
                elif all(value is not None and value <= -v for value in worth):
                    settled[board] = -v
                    growing = True
    return {board: settled.get(board, 0) for board in moves}


def values(houses, max_seeds, rules):
    """{board: value} of all boards of 0 to ``max_seeds`` seeds."""
    known = {}
    for seeds in range(max_seeds + 1):
        known.update(values_of_layer(houses, seeds, rules, known))
    return known
