"""Tree pictures: the reasoning of a search, a level per move, as Graphviz DOT, Mermaid or indented text."""

from dataclasses import dataclass, field
from typing import Any

from zerosum.core.state import State, copy_state
from zerosum.search import SearchResult, search

__all__ = ["SearchTree"]


@dataclass
class TreeNode:
    """One position of the picture. Its value is seen by the player to move at the root."""

    name: str
    board: str
    mover: int
    value: float | None
    distance: int | None
    chosen: bool
    children: list["TreeNode"] = field(default_factory=list)
    left_out: int = 0

    def worth(self) -> str:
        """Value and distance as a short text: ``+1 in 3``."""
        if self.value is None:
            return "?"
        number = f"{self.value:+g}" if self.value else "0"
        return number if self.distance is None else f"{number} in {self.distance}"


class SearchTree:
    """SearchTree(state, depth=2, width=None, **limits): the searched tree below a state, for drawing.

    Every node shows its position and its value for the player to move at the root; the line that best
    play chooses is marked. Children stand in the order of their actions.

    Args:
        state: a state that ``search`` takes.
        depth: levels of moves to draw, at least 0.
        width: most children to draw of a node, the best ones; None draws all. What is left out is counted.
        limits: keyword arguments for ``search`` at every node, such as ``depth`` or ``time`` under the
            name ``search_depth`` or ``time``; without any, values are exact.

    Raises what ``search`` raises, and ValueError for a depth or width out of range.
    """

    def __init__(
        self,
        state: Any,
        depth: int = 2,
        width: int | None = None,
        *,
        search_depth: int | None = None,
        **limits: Any,
    ) -> None:
        if depth < 0:
            raise ValueError(f"depth must be at least 0, not {depth}")
        if width is not None and width < 1:
            raise ValueError(f"width must be at least 1, not {width}")
        root = copy_state(state)
        self.width = width
        self.limits: dict[str, Any] = {"depth": search_depth, **limits}
        self.root_player: int = root.current_player()
        result = search(root, **self.limits)
        self.root: TreeNode = self._node(root, "", result.value, result.distance, chosen=True)
        self._grow(self.root, root, result, depth)

    def _node(
        self, state: State, name: str, value: float | None, distance: int | None, *, chosen: bool
    ) -> TreeNode:
        return TreeNode(name, str(state), state.current_player(), value, distance, chosen)

    def _grow(self, node: TreeNode, state: State, result: SearchResult, depth: int) -> None:
        """Add the children of a node, and theirs."""
        if depth == 0 or result.action is None:
            return
        sign = 1 if state.current_player() == self.root_player else -1
        shown = self._shown(result)
        node.left_out = len(result.action_values) - len(shown)
        for action in shown:
            value, distance = result.action_values[action]
            child_state = state.child(action)
            child = self._node(
                child_state,
                state.action_to_string(action),
                None if value is None else sign * value + 0.0,
                None if distance is None else distance - 1,
                chosen=node.chosen and action == result.action,
            )
            node.children.append(child)
            if not child_state.is_terminal() and depth > 1:
                self._grow(child, child_state, search(child_state, **self.limits), depth - 1)

    def _shown(self, result: SearchResult) -> list[int]:
        """The actions to draw, in order: all, or the best few with the chosen one among them."""
        actions = sorted(result.action_values)
        if self.width is None or len(actions) <= self.width:
            return actions
        best_first = sorted(
            actions,
            key=lambda action: (
                action != result.action,
                action not in result.best_actions,
                -(result.action_values[action][0] or 0.0),
                action,
            ),
        )
        return sorted(best_first[: self.width])

    def _walk(self) -> list[tuple[int, int, TreeNode]]:
        """(number, parent's number, node) from the root down, each node's children in order."""
        nodes = [(0, -1, self.root)]
        for number, _, node in nodes:
            nodes += [
                (len(nodes) + offset, number, child) for offset, child in enumerate(node.children)
            ]
        return nodes

    def to_dot(self) -> str:
        """The tree as Graphviz DOT; the chosen line is bold and red."""
        lines = [
            "digraph search {",
            "  ordering=out;",
            '  node [shape=box, fontname="monospace"];',
        ]
        for number, parent, node in self._walk():
            text = escape_dot(f"{node.board}\n{node.worth()}{left_out(node)}")
            style = ", penwidth=3, color=red" if node.chosen else ""
            lines.append(f'  n{number} [label="{text}"{style}];')
            if parent >= 0:
                style = ", penwidth=3, color=red" if node.chosen else ""
                lines.append(f'  n{parent} -> n{number} [label="{escape_dot(node.name)}"{style}];')
        return "\n".join([*lines, "}", ""])

    def to_mermaid(self) -> str:
        """The tree as a Mermaid flowchart; the chosen line has thick arrows and a red border."""
        lines = ["flowchart TD"]
        chosen = []
        for number, parent, node in self._walk():
            text = escape_mermaid(f"{node.board}\n{node.worth()}{left_out(node)}")
            lines.append(f'  n{number}["{text}"]')
            if parent >= 0:
                arrow = "==>" if node.chosen else "-->"
                lines.append(f'  n{parent} {arrow}|"{escape_mermaid(node.name)}"| n{number}')
            if node.chosen:
                chosen.append(f"n{number}")
        lines += [
            "  classDef chosen stroke:#d00,stroke-width:3px",
            f"  class {','.join(chosen)} chosen",
        ]
        return "\n".join([*lines, ""])

    def __str__(self) -> str:
        """The tree as text, a line a node; ``*`` marks the chosen line."""
        lines: list[str] = []

        def write(node: TreeNode, indent: int) -> None:
            mark = "*" if node.chosen else " "
            lines.append(
                f"{mark} {'  ' * indent}{node.name or 'root'}: {node.worth()}{left_out(node)}"
            )
            for child in node.children:
                write(child, indent + 1)

        write(self.root, 0)
        return "\n".join(lines)


def left_out(node: TreeNode) -> str:
    """How many children the width left out, as a suffix."""
    return f" (+{node.left_out} more)" if node.left_out else ""


def escape_dot(text: str) -> str:
    """Text for a quoted DOT string."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def escape_mermaid(text: str) -> str:
    """Text for a quoted Mermaid label."""
    return (
        text.replace("&", "&amp;")
        .replace('"', "&quot;")
        .replace("<", "&lt;")
        .replace("\n", "<br/>")
    )
