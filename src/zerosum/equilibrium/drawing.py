"""Pictures of game trees as text for Graphviz and for Mermaid."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zerosum.core.state import PLAYER_CHANCE, PLAYER_TERMINAL

__all__ = ["to_dot", "to_mermaid"]

# One colour a player (blue and orange, told apart by colour-blind readers too), grey for chance.
FILL = {0: "#9ecae1", 1: "#fdae6b", PLAYER_CHANCE: "#e0e0e0", PLAYER_TERMINAL: "#ffffff"}
STYLE = {0: "first", 1: "second", PLAYER_CHANCE: "chance", PLAYER_TERMINAL: "result"}


@dataclass(frozen=True)
class Drawn:
    """A node as drawn: its number, its parent's (-1 at the root), whose it is, its text, its step's
    text.
    """

    number: int
    parent: int
    player: int
    label: str
    step: str


def to_dot(tree: Any, *, max_nodes: int = 500, policy: Any = None) -> str:
    """The tree as Graphviz text; steps carry the policy's probabilities when there is one."""
    lines = ["digraph game {", "  rankdir=LR;", '  node [style=filled, fontname="Helvetica"];']
    for node in drawn_nodes(tree, max_nodes, policy):
        shape = {PLAYER_CHANCE: "diamond", PLAYER_TERMINAL: "plaintext"}.get(node.player, "box")
        label = (
            f"<<b>{escape(node.label)}</b>>"
            if node.player == PLAYER_TERMINAL
            else quote(node.label)
        )
        lines.append(
            f'  n{node.number} [label={label}, shape={shape}, fillcolor="{FILL[node.player]}"];'
        )
        if node.parent >= 0:
            lines.append(f"  n{node.parent} -> n{node.number} [label={quote(node.step)}];")
    return "\n".join([*lines, "}", ""])


def to_mermaid(tree: Any, *, max_nodes: int = 500, policy: Any = None) -> str:
    """The tree as a Mermaid flowchart; steps carry the policy's probabilities when there is one."""
    lines = ["flowchart LR"]
    for player, name in STYLE.items():
        bold = ",font-weight:bold" if player == PLAYER_TERMINAL else ""
        lines.append(f"  classDef {name} fill:{FILL[player]},stroke:#555,color:#000{bold}")
    for node in drawn_nodes(tree, max_nodes, policy):
        left, right = {PLAYER_CHANCE: ("{", "}"), PLAYER_TERMINAL: ("([", "])")}.get(
            node.player, ("[", "]")
        )
        label = mermaid_text(node.label)
        lines.append(f'  n{node.number}{left}"{label}"{right}:::{STYLE[node.player]}')
        if node.parent >= 0:
            lines.append(f'  n{node.parent} -->|"{mermaid_text(node.step)}"| n{node.number}')
    return "\n".join([*lines, ""])


def drawn_nodes(tree: Any, max_nodes: int, policy: Any) -> Iterator[Drawn]:
    """All nodes in order; ValueError when there are more than max_nodes."""
    tree.need_nodes("drawing")
    if tree.num_nodes > max_nodes:
        raise ValueError(
            f"the tree has {tree.num_nodes} nodes; drawn are at most max_nodes={max_nodes}"
        )
    shares = probabilities(tree, policy)
    names = action_names(tree)
    texts = [tree.information_states(player) for player in range(2)]
    for node in range(tree.num_nodes):
        player, above = int(tree.node_player[node]), int(tree.node_parent[node])
        if player == PLAYER_TERMINAL:
            label = f"{tree.node_utility[node]:+g}"
        elif player == PLAYER_CHANCE:
            label = "chance"
        else:
            label = f"player {player}: {texts[player][tree.node_infoset[node]]}"
        step = names[node]
        if node and shares[node] is not None:
            step += f" {shares[node]:.3g}"
        yield Drawn(node, above, player, label, step)


def action_names(tree: Any) -> list[str]:
    """The name of the step to every node: the game's own, or the action's number for a loaded tree."""
    if tree.game is None:
        return [str(action) for action in tree.node_action.tolist()]
    names = [""]
    states = {0: tree.root_state()}
    for node in range(1, tree.num_nodes):
        above, action = int(tree.node_parent[node]), int(tree.node_action[node])
        names.append(str(states[above].action_to_string(int(tree.node_player[above]), action)))
        states[node] = states[above].child(action)
    return names


def probabilities(tree: Any, policy: Any) -> list[float | None]:
    """Probability of the step to every node: chance's, and the players' when there is a policy."""
    from zerosum.equilibrium.evaluation import policy_arrays

    arrays = None if policy is None else policy_arrays(tree, policy)
    shares: list[float | None] = [None] * tree.num_nodes
    for node in range(1, tree.num_nodes):
        above = int(tree.node_parent[node])
        player = int(tree.node_player[above])
        if player == PLAYER_CHANCE:
            shares[node] = float(tree.node_chance[node])
        elif arrays is not None:
            first = tree.offsets[player][tree.node_infoset[above]]
            shares[node] = float(arrays[player][first + node - tree.node_first[above]])
    return shares


def quote(text: str) -> str:
    """A string of Graphviz's language."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def escape(text: str) -> str:
    """Text inside a Graphviz HTML label."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def mermaid_text(text: str) -> str:
    """Text inside Mermaid's quotes."""
    return text.replace('"', "#quot;").replace("\n", "<br>")
