"""Plain negamax over any Python game with OpenSpiel's methods: no pruning, no table.

A worth is (value, distance, cut): the value for the player to move, the plies to where it comes from (the
end of the game or the horizon), and whether the horizon was met anywhere below.
"""


def rank(value, distance, mover):
    """Sorts worths as a player likes them.

    Higher values first; then the quicker win and the slower loss; ties are shortened by player 0 and
    prolonged by player 1.
    """
    if value > 0 or (value == 0 and mover == 0):
        return value, -distance
    return value, distance


def worth(state, depth, evaluate=None):
    """(value, distance, cut) of a state searched to a depth; None is to the end."""
    if state.is_terminal():
        return state.returns()[0], 0, False  # nobody is to move: player 0's
    if depth == 0:
        return (evaluate(state) if evaluate else 0), 0, True
    mover = state.current_player()
    below = action_values(state, depth, evaluate)
    best = max(below.values(), key=lambda w: rank(w[0], w[1], mover))
    return best[0], best[1], any(w[2] for w in below.values())


def action_values(state, depth=None, evaluate=None):
    """{action: (value for the state's mover, distance, cut)}."""
    mover = state.current_player()
    below = None if depth is None else depth - 1
    values = {}
    for action in state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        value, distance, cut = worth(child, below, evaluate)
        seen_by = 0 if child.is_terminal() else child.current_player()
        values[action] = (value if seen_by == mover else -value, distance + 1, cut)
    return values


def count_nodes(state, depth=None):
    """Positions of the whole tree to a depth, the root counted."""
    if state.is_terminal() or depth == 0:
        return 1
    below = None if depth is None else depth - 1
    total = 1
    for action in state.legal_actions():
        child = state.clone()
        child.apply_action(action)
        total += count_nodes(child, below)
    return total


def best_actions(values, mover):
    """The actions of ``action_values`` that tie for best: equal in value and, unless 0, in distance."""
    value, distance, _ = max(values.values(), key=lambda w: rank(w[0], w[1], mover))
    return sorted(
        action for action, w in values.items() if w[0] == value and (value == 0 or w[1] == distance)
    )
