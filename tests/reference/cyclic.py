"""Values of games on graphs with cycles, from their definition.

``nodes`` maps a name to ``{"value": v}`` (finished, player 0's value) or ``{"player": p, "moves": [(label,
child), ...]}``. Endless play is worth 0 and has no distance.
"""

ENDLESS = float("inf")


def solve_graph(nodes):
    """{name: (value for player 0, plies to the end or None)} for every node.

    Play that is stopped after n plies, unfinished games counting as endless, is solved for n = 0, 1, 2, ...
    A result that can be forced at all can be forced within as many plies as there are nodes.
    """
    worths = {name: (node.get("value", 0), 0 if "value" in node else ENDLESS) for name, node in nodes.items()}
    for _ in range(len(nodes) + 1):
        worths = {name: step(node, worths) for name, node in nodes.items()}
    return {
        name: (value, None if distance == ENDLESS else distance)
        for name, (value, distance) in worths.items()
    }


def step(node, worths):
    """The worth of a node with one ply more to play than ``worths``."""
    if "value" in node:
        return node["value"], 0
    options = [(worths[child][0], worths[child][1] + 1) for _, child in node["moves"]]
    return (max if node["player"] == 0 else min)(options, key=liking)


def liking(worth):
    """Sorts worths as player 0 likes them: quick wins, slow losses, quick ties before slow and endless ones."""
    value, distance = worth
    return value, distance if value < 0 else -distance
