"""A search's answer as text for people and as JSON for programs."""

import json
from typing import Any

from zerosum.core.state import State
from zerosum.play.notation import notation_for
from zerosum.search import SearchResult

__all__ = ["result_as_json", "result_as_text"]


def worth_as_text(value: float | None, distance: int | None) -> str:
    """A value and a distance in words: ``1 (win in 3)``."""
    if value is None:
        return "unknown"
    outcome = "win" if value > 0 else "loss" if value < 0 else "tie"
    return f"{value:g}" if distance is None else f"{value:g} ({outcome} in {distance})"


def line_as_names(state: State, actions: list[int]) -> list[str]:
    """The names of the actions of a line of play from a state."""
    place = state.clone()
    names = []
    for action in actions:
        names.append(place.action_to_string(action))
        place.apply_action(action)
    return names


def result_as_text(state: State, result: SearchResult) -> str:
    """Value, distance, best moves, the line of play, and a table of every legal action's value."""
    head = [str(state), ""]
    if result.action is None:
        return "\n".join([*head, f"Game over. {notation_for(state.get_game()).outcome(state)}"])
    rows = [
        ("value", worth_as_text(result.value, result.distance)),
        ("proved", "yes" if result.exact else f"no, searched to depth {result.depth}"),
        ("best", ", ".join(label(state, action) for action in result.best_actions)),
        ("line", " ".join(line_as_names(state, result.principal_variation))),
        ("work", f"{result.nodes} nodes, {result.time:.3g} s"),
    ]
    if result.score is not None:
        rows.insert(1, ("score", f"{result.score:g}"))
    table = [
        (label(state, action), worth_as_text(*worth), "*" if action in result.best_actions else "")
        for action, worth in result.action_values.items()
    ]
    body = [f"{name:<8}{text}" for name, text in rows]
    return "\n".join([*head, *body, "", *aligned([("action", "value", "best"), *table])])


def label(state: State, action: int) -> str:
    """An action's number and name."""
    return f"{action} {state.action_to_string(action)}"


def aligned(rows: list[tuple[str, ...]]) -> list[str]:
    """Rows of cells as lines with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def result_as_json(state: State, result: SearchResult) -> str:
    """The fields of a SearchResult as one JSON object; actions are their numbers."""
    fields: dict[str, Any] = {name: getattr(result, name) for name in result.__dataclass_fields__}
    fields["action_values"] = [
        {
            "action": action,
            "name": state.action_to_string(action),
            "value": value,
            "distance": plies,
        }
        for action, (value, plies) in result.action_values.items()
    ]
    return json.dumps({"state": str(state), **fields}, indent=2)
