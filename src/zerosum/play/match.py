"""A game between two players: whose turn it is, moves back and forth, how it ended. No drawing, no input."""

from collections.abc import Callable

from zerosum.core.state import State
from zerosum.play.players import Choice, Player, Watcher
from zerosum.search.driver import StopEvent

__all__ = ["Match", "start_of", "take_back"]


class Match:
    """Match(state, players): the game from a state on; player 0 of the game is ``players[0]``.

    ``state`` is copied, its history with it: the moves in it can be taken back.
    """

    def __init__(self, state: State, players: tuple[Player, Player]) -> None:
        self.state: State = state.clone()
        self.players = players
        self.resigned: int | None = None
        """The player who gave up, if one did."""

    def is_over(self) -> bool:
        """Has the game ended, by its rules or because a player resigned?"""
        return self.resigned is not None or self.state.is_terminal()

    def mover(self) -> Player:
        """The one whose turn it is; ValueError when the game is over."""
        if self.is_over():
            raise ValueError("the game is over")
        return self.players[self.state.current_player()]

    def play(self, action: int) -> None:
        """Play a move for the side whose turn it is; ValueError when it is illegal or the game is over."""
        self.mover()
        self.state.apply_action(action)

    def step(self, stop: StopEvent | None = None, watch: Watcher | None = None) -> Choice:
        """Let the side whose turn it is choose, and play that."""
        choice = self.mover().choose(self.state.clone(), stop, watch)
        self.play(choice.action)
        return choice

    def run(self, seen: Callable[["Match", Choice], object] | None = None) -> list[float]:
        """Play to the end, calling ``seen`` after every move; returns both players' returns."""
        while not self.is_over():
            choice = self.step()
            if seen is not None:
                seen(self, choice)
        return self.state.returns()

    def undo(self) -> bool:
        """Take back a resignation, else to the latest earlier turn of a person, one move when none plays.

        False, and nothing changes, when there is no such turn.
        """
        if self.resigned is not None:
            self.resigned = None
            return True
        trial = self.state.clone()
        while trial.history():
            take_back(trial)
            if self.is_turn_to_return_to(trial):
                self.state = trial
                return True
        return False

    def is_turn_to_return_to(self, state: State) -> bool:
        people = [player.is_human for player in self.players]
        return not any(people) or people[state.current_player()]

    def resign(self) -> None:
        """The side whose turn it is gives up; ValueError when the game is over."""
        self.mover()
        self.resigned = self.state.current_player()

    def result(self) -> str:
        """``1-0`` when player 0 won, ``0-1``, ``1/2-1/2``, or ``*`` while the game is running."""
        if not self.is_over():
            return "*"
        value = self.state.returns()[0] if self.resigned is None else 2 * self.resigned - 1
        return "1-0" if value > 0 else "0-1" if value < 0 else "1/2-1/2"

    def last_move(self) -> tuple[int, int] | None:
        """(player, action) of the latest move; None before the first."""
        history = self.state.history()
        return (take_back(self.state.clone()), history[-1]) if history else None


def take_back(state: State) -> int:
    """Undo a state's latest action; returns the player who had played it."""
    action = state.history()[-1]
    try:
        state.undo_action(0, action)
    except ValueError:
        state.undo_action(1, action)
        return 1
    return 0


def start_of(state: State) -> State:
    """The state that a state's history began from."""
    start = state.clone()
    while start.history():
        take_back(start)
    return start
