"""What a search answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from zerosum.core.state import State

__all__ = ["SearchResult", "finished_result", "make_result"]

Worth = tuple[float | None, int | None]
RootMove = tuple[int, float | None, int | None, bool]  # action, value, distance, is it a best one?


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer of ``search``, ``solve`` and ``minimax``. Values are from the mover's side.

    Attributes:
        action: the move to play, one of ``best_actions``. None when the game is over.
        value: what the mover gets, in units of the game's returns or of the evaluation by name that was
            asked for; None when nothing was finished in time. Of a finished game, where nobody is to
            move, player 0's return.
        exact: True only when ``value`` and ``best_actions`` are proved.
        distance: plies to the end of the game when both sides play for it: quickest win, slowest loss.
            A tie has the distance that player 0 shortening and player 1 prolonging it gives. None when it
            is not proved, or when play never ends.
        principal_variation: the line of play, as long as the claim: ``distance`` plies, or ``depth``.
        action_values: {action: (value, distance)} for every legal action; with ``all_actions=False`` the
            values of actions outside ``best_actions`` are upper bounds.
        best_actions: all actions that tie for best: equal in value and, where it is not 0, in distance. With
            ``all_actions=False`` one of them; the others are only known to be no better.
        depth: plies of the last finished iteration.
        nodes: positions visited, the root among them.
        time: seconds of wall clock.
        score: the game's own one-number form of value and distance, where it has one (10 - plies in
            tic-tac-toe); else None.
    """

    action: int | None
    value: float | None
    exact: bool
    distance: int | None
    principal_variation: list[int]
    action_values: dict[int, Worth]
    best_actions: list[int]
    depth: int
    nodes: int
    time: float
    score: float | None = None


def make_result(
    state: State,
    moves: Sequence[RootMove],
    line: list[int],
    exact: bool,
    depth: int,
    nodes: int,
    time: float,
) -> SearchResult:
    """A SearchResult of a root's moves, best first."""
    scale = state.value_scale()
    worths = {
        action: (None if value is None else value * scale, distance)
        for action, value, distance, _ in sorted(moves)
    }
    value, distance = worths[moves[0][0]]
    best = [action for action, _, _, is_best in moves if is_best]
    best.sort()
    return SearchResult(
        action=line[0] if line else best[0],
        value=value,
        exact=exact,
        distance=distance,
        principal_variation=line,
        action_values=worths,
        best_actions=best,
        depth=depth,
        nodes=nodes,
        time=time,
        score=state.score(value, distance),
    )


def finished_result(state: State, value: float, time: float) -> SearchResult:
    """The SearchResult of a finished game: nothing to play; the value is player 0's return."""
    value *= state.value_scale()
    return SearchResult(
        action=None,
        value=value,
        exact=True,
        distance=0,
        principal_variation=[],
        action_values={},
        best_actions=[],
        depth=0,
        nodes=1,
        time=time,
        score=state.score(value, 0),
    )
