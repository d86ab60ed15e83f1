"""Values of games on graphs with cycles, from their definition.

``nodes`` maps a name to ``{"value": v}`` (finished, player 0's value) or ``{"player": p, "moves": [(label,
child), ...]}``. Endless play is worth 0 and has no distance.
"""

ENDLESS = float("inf")


def solve_graph(nodes):
    """{name: (value for player 0, plies to the end or None)} for every node.

    What can be forced at all can be forced within as many plies as there are nodes. So first the values:
    those of play that is stopped after so many plies, an unfinished game being worth 0. Then the distances,
    when both keep to moves that keep the value: player 0 hurries a win and a tie, player 1 a loss.
    """
    values = {name: node.get("value", 0) for name, node in nodes.items()}
    for _ in nodes:
        values = {name: value_with_one_more_ply(node, values) for name, node in nodes.items()}
    plies = {name: 0 if "value" in node else ENDLESS for name, node in nodes.items()}
    for _ in nodes:
        plies = {
            name: plies_with_one_more(name, node, values, plies) for name, node in nodes.items()
        }
    return {name: (values[name], None if plies[name] == ENDLESS else plies[name]) for name in nodes}


def value_with_one_more_ply(node, values):
    if "value" in node:
        return node["value"]
    return (max if node["player"] == 0 else min)(values[child] for _, child in node["moves"])


def plies_with_one_more(name, node, values, plies):
    if "value" in node:
        return 0
    hurried_by = 0 if values[name] >= 0 else 1
    choose = min if node["player"] == hurried_by else max
    return choose(1 + plies[child] for _, child in node["moves"] if values[child] == values[name])
