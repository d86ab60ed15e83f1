"""Game: what does not change from state to state. OpenSpiel's vocabulary."""

from typing import Any

__all__ = ["Game"]


class Game:
    """A two-player zero-sum game: its parameters, its bounds, and its initial state.

    Subclasses set ``perfect_information`` and ``deterministic`` and override what follows.
    """

    perfect_information = True
    deterministic = True

    def new_initial_state(self) -> Any:
        """A new state at the start of the game."""
        raise NotImplementedError

    def state(self, position: Any) -> Any:
        """A state from a position in any usual form; ValueError says what is wrong with it and where."""
        raise NotImplementedError

    def num_players(self) -> int:
        """2: every game here is for two."""
        return 2

    def num_distinct_actions(self) -> int:
        """Actions are numbered from 0 to one less than this."""
        raise NotImplementedError

    def max_utility(self) -> float:
        """No player's return is larger."""
        raise NotImplementedError

    def min_utility(self) -> float:
        """No player's return is smaller."""
        return -self.max_utility()

    def max_game_length(self) -> int:
        """No game has more actions than this."""
        raise NotImplementedError
