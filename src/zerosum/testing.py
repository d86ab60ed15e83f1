"""A contract check for the author of a game: does it keep the rules that the algorithms rely on?

>>> import zerosum as zs
>>> from zerosum.testing import check_game
>>> check_game(zs.TicTacToe(), games=3)
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zerosum.core.errors import IllegalActionError
from zerosum.core.python_game import duplicate, is_openspiel
from zerosum.core.state import PLAYER_CHANCE, PLAYER_TERMINAL, State
from zerosum.search import search

__all__ = ["check_game"]

SWAPS = 8  # pairs of actions exchanged in a played game, to reach positions by other orders
STATES_SEARCHED = 3  # in each played game
TWINS = 3  # positions kept for each key
UNKNOWN = object()


def check_game(
    game: Any,
    *,
    games: int = 20,
    seed: int = 0,
    max_plies: int = 500,
    illegal_actions: bool = True,
) -> None:
    """Play a game at random and check the contract between games and algorithms at every step.

    What is optional in the contract is checked where the game has it. The rules:

    - the game is for two players; the player to move is 0 or 1, -1 at a chance node, and -4 exactly when
      the game is over;
    - legal actions are whole numbers from 0, below ``num_distinct_actions()``, in ascending order, each
      once; there are some exactly while the game is not over; asking changes nothing;
    - chance outcomes have probabilities that sum to 1;
    - returns are two, sum to zero, and lie within ``min_utility()`` and ``max_utility()``; rewards sum up
      to the returns; no game has more actions than ``max_game_length()``, chance not counted;
    - a clone is equal, and neither sees what is played on the other; ``child`` is a clone played on;
    - ``undo_action`` restores the state exactly, a move at a time and all the way to the start;
    - keys of unfinished positions are equal exactly when the positions are: by their ``to_text()``, else
      their own ``==``, else their own ``str()``, always with the player to move. Positions with one key have
      one set of legal actions and one future;
    - ``game.state(state.to_text())`` is the same position;
    - actions have different names, and ``string_to_action`` finds them by those;
    - an illegal action raises, and leaves the state as it was;
    - a search leaves the state as it was, and finds a legal action and a value within the bounds.

    Args:
        game: a game (anything with ``new_initial_state``) or a state, of this package, of ``pyspiel``, or
            written in Python with OpenSpiel's methods.
        games: games played.
        seed: of the random play; the same seed plays the same games.
        max_plies: where a longer game is broken off.
        illegal_actions: False for a game that leaves it to its callers to play legal actions. Never
            tried on ``pyspiel`` states, which may end the process.

    Raises:
        AssertionError: a rule is broken; the message names it, with the actions played since the start.
            An exception that the game itself raises comes through, with the actions as a note.
    """
    rng = random.Random(seed)
    Check(game, rng, max_plies, illegal_actions).run(games)


class Check:
    """One check of one game: what it has seen so far."""

    def __init__(
        self, game: Any, rng: random.Random, max_plies: int, illegal_actions: bool
    ) -> None:
        self.game: Any
        self.start: Any
        if hasattr(game, "new_initial_state"):
            self.game, self.start = game, game.new_initial_state()
        else:
            self.game = game.get_game() if hasattr(game, "get_game") else None
            self.start = game
        self.rng = rng
        self.max_plies = max_plies
        self.native: bool = isinstance(self.start, State)
        self.openspiel: bool = is_openspiel(self.start)
        self.undoes: bool = hasattr(self.start, "undo_action") and not self.openspiel
        self.tries_illegal: bool = illegal_actions and not self.openspiel
        self.text: Callable[[Any], Any] = own_text(self.start)
        self.actions: list[int] = []
        self.thrown: int = 0  # of the actions, those by chance
        self.key_of_text: dict[Any, Any] = {}
        self.seen_by_key: dict[Any, Seen] = {}

    def run(self, games: int) -> None:
        """Play the games."""
        try:
            self.check_players()
            before = self.look(self.start)
            for _ in range(games):
                self.play_game()
                self.actions = []
                self.expect_same(before, self.start, "playing on a clone changed the original")
            self.check_futures()
        except Exception as error:
            if not isinstance(error, AssertionError):
                error.add_note(f"while checking a game; actions played: {self.actions}")
            raise

    # ---- saying what is wrong -------------------------------------------------------------------------

    def fail(self, rule: str, state: Any, detail: str = "") -> None:
        """AssertionError with the rule, the history, and the state."""
        raise AssertionError(
            f"{rule}{': ' if detail else ''}{detail}\nactions played: {self.actions}\nstate:\n{state}"
        )

    def expect_same(self, before: dict[str, Any], state: Any, rule: str) -> None:
        """Fail unless a state looks as it did before."""
        after = self.look(state)
        for name, value in before.items():
            if after[name] != value:
                self.fail(rule, state, f"{name} was {value!r} and is {after[name]!r}")

    def look(self, state: Any) -> dict[str, Any]:
        """All that shows of a state."""
        over = state.is_terminal()
        shows = {
            "is_terminal()": over,
            "current_player()": state.current_player(),
            "legal_actions()": list(state.legal_actions()),
            "its text": self.text(state),
            "its key": self.key(state),
        }
        if over:
            shows["returns()"] = list(state.returns())
        if self.native:
            shows["history()"] = state.history()
        return shows

    def key(self, state: Any) -> Any:
        """The key of a state together with its player to move, as the algorithms use it; None without one."""
        if self.native:
            return state.position_key() if state.tells_positions_apart() else None
        if callable(getattr(state, "key", None)):
            return state.key(), state.current_player()
        return None

    # ---- playing --------------------------------------------------------------------------------------

    def check_players(self) -> None:
        """The game is for two."""
        for owner in (self.game, self.start):
            if callable(getattr(owner, "num_players", None)) and owner.num_players() != 2:
                self.fail("the game must be for two players", self.start, str(owner.num_players()))

    def play_game(self) -> None:
        """One random game, checked at every step, and undone again."""
        state = duplicate(self.start)
        self.expect_same(self.look(self.start), state, "a clone must be equal")
        self.thrown = 0
        looks = []
        movers = []
        to_search = []
        rewards = [0.0, 0.0]
        search_at = {self.rng.randrange(12) for _ in range(STATES_SEARCHED)}
        while True:
            self.check_state(state)
            if state.is_terminal() or len(self.actions) == self.max_plies:
                break
            if len(self.actions) in search_at:
                to_search.append((duplicate(state), self.actions.copy()))
            looks.append(self.look(state))
            movers.append(state.current_player())
            state = self.step(state, self.choose(state), looks[-1])
            if hasattr(state, "rewards"):
                rewards = self.add_rewards(rewards, state)
        if state.is_terminal():
            self.check_end(state, rewards)
        self.swap_orders()
        if self.undoes:
            while looks:
                state.undo_action(movers.pop(), self.actions[-1])
                self.expect_same(looks.pop(), state, "undo_action must restore the state")
                self.actions.pop()
        for position, self.actions in to_search:
            self.check_search(position)

    def add_rewards(self, rewards: list[float], state: Any) -> list[float]:
        """What both players have got so far."""
        new = list(state.rewards())
        if len(new) != len(rewards):
            self.fail("rewards must be two", state, repr(new))
        return [total + more for total, more in zip(rewards, new, strict=True)]

    def choose(self, state: Any) -> int:
        """A random legal action or chance outcome."""
        if state.current_player() == PLAYER_CHANCE:
            outcomes = state.chance_outcomes()
            total = sum(probability for _, probability in outcomes)
            if abs(total - 1) > 1e-9 or any(probability < 0 for _, probability in outcomes):
                self.fail(
                    "chance outcomes must have probabilities that sum to 1", state, repr(outcomes)
                )
            return int(self.rng.choice(outcomes)[0])
        return int(self.rng.choice(state.legal_actions()))

    def step(self, state: Any, action: int, before: dict[str, Any]) -> Any:
        """Play an action, and check on the way that copies and undoing work."""
        player = state.current_player()
        self.thrown += player == PLAYER_CHANCE
        clone = duplicate(state)
        self.expect_same(before, clone, "a clone must be equal")
        clone.apply_action(action)
        self.expect_same(before, state, "playing on a clone changed the original")
        after = self.look(clone)
        if hasattr(state, "child"):
            self.expect_same(
                after, state.child(action), f"child({action}) must be a clone played on"
            )
            self.expect_same(before, state, f"child({action}) changed the state")
        if self.undoes:
            clone.undo_action(player, action)
            self.expect_same(
                before, clone, f"undo_action({player}, {action}) must restore the state"
            )
            clone.apply_action(action)
            self.expect_same(after, clone, "playing again after undo_action must give the same")
        kept = duplicate(state)
        state.apply_action(action)
        self.expect_same(before, kept, "playing on the original changed a clone")
        self.expect_same(after, state, "the same action must give the same on a clone")
        self.actions.append(action)
        return state

    def swap_orders(self) -> None:
        """Reach positions by other orders of the same actions, where that is legal: do keys agree?"""
        played = self.actions
        for _ in range(SWAPS):
            if len(played) < 3:
                break
            first = self.rng.randrange(len(played) - 2)
            order = played[: first + 3]
            order[first], order[first + 2] = order[first + 2], order[first]
            state = duplicate(self.start)
            self.actions = []
            for action in order:
                if state.is_terminal() or action not in state.legal_actions():
                    break
                state.apply_action(action)
                self.actions.append(action)
                self.check_key(state)
        self.actions = played

    # ---- the rules of one state -----------------------------------------------------------------------

    def check_state(self, state: Any) -> None:
        """All rules that need no further move."""
        before = self.look(state)
        self.check_mover(state)
        self.check_legal_actions(state)
        self.check_key(state)
        self.check_text(state)
        self.check_names(state)
        self.expect_same(before, state, "asking must change nothing")
        if self.tries_illegal:
            self.check_illegal_actions(state, before)

    def check_mover(self, state: Any) -> None:
        """The constants for players agree with each other."""
        player, over = state.current_player(), state.is_terminal()
        if over != (player == PLAYER_TERMINAL):
            self.fail(
                "current_player() must be -4 exactly when is_terminal()", state, f"{player}, {over}"
            )
        if not over and player not in (0, 1, PLAYER_CHANCE):
            self.fail("the player to move must be 0, 1, or -1 for chance", state, repr(player))
        if hasattr(state, "is_chance_node") and state.is_chance_node() != (player == PLAYER_CHANCE):
            self.fail("is_chance_node() must be true exactly when current_player() is -1", state)

    def check_legal_actions(self, state: Any) -> None:
        """Ascending, each once, in range; none exactly when the game is over."""
        legal = list(state.legal_actions())
        if bool(legal) == bool(state.is_terminal()):
            self.fail(
                "there must be legal actions exactly while the game is not over", state, repr(legal)
            )
        if any(not hasattr(action, "__index__") or action < 0 for action in legal):
            self.fail("actions must be whole numbers from 0", state, repr(legal))
        if legal != sorted(set(legal)):
            self.fail("legal actions must be in ascending order, each once", state, repr(legal))
        count = self.promise("num_distinct_actions")
        # Chance outcomes are numbered on their own.
        if count is not None and state.current_player() != PLAYER_CHANCE and legal[-1:] >= [count]:
            self.fail(f"actions must be below num_distinct_actions() = {count}", state, repr(legal))

    def check_key(self, state: Any) -> None:
        """Keys are equal exactly when positions are."""
        key = self.key(state)
        if key is None or state.is_terminal():
            return
        text = self.text(state)
        identity = None if text is UNKNOWN else (text, state.current_player())
        if identity is not None and self.key_of_text.setdefault(identity, key) != key:
            self.fail("equal positions must have equal keys", state, f"{key!r}")
        seen = self.seen_by_key.get(key)
        if seen is None:
            self.seen_by_key[key] = Seen(
                duplicate(state), self.actions.copy(), identity, self.look(state)
            )
            return
        also = f"{key!r} is also the key after {seen.actions}, "
        if seen.identity != identity or (identity is None and seen.differs_from(state)):
            self.fail(
                "different positions must have different keys",
                state,
                f"{also}which is\n{seen.state}\nand not",
            )
        look = self.look(state)
        for name in ("current_player()", "legal_actions()"):
            if look[name] != seen.look[name]:
                rule = "positions with one key must have the same legal actions"
                self.fail(rule, state, f"{also}where {name} is {seen.look[name]!r}")
        if len(seen.twins) < TWINS:
            seen.twins.append((duplicate(state), self.actions.copy()))

    def check_futures(self) -> None:
        """Positions with one key must lead to the same keys by the same actions."""
        for key, seen in self.seen_by_key.items():
            for twin, self.actions in seen.twins:
                for action in seen.look["legal_actions()"]:
                    here, there = duplicate(seen.state), duplicate(twin)
                    here.apply_action(action)
                    there.apply_action(action)
                    if self.future(here) != self.future(there):
                        self.fail(
                            "positions with one key must have the same future",
                            twin,
                            f"{key!r} is also the key after {seen.actions}; action {action} leads from there "
                            f"to {self.future(here)}, and from here to {self.future(there)}",
                        )

    def future(self, state: Any) -> tuple[str, Any]:
        """What an action leads to: a result or a key."""
        return (
            ("returns", list(state.returns()))
            if state.is_terminal()
            else ("the key", self.key(state))
        )

    def check_text(self, state: Any) -> None:
        """The text of a state reads back as that state."""
        if not (hasattr(state, "to_text") and hasattr(self.game, "state")):
            return
        text = state.to_text()
        again = self.game.state(text)
        if again.to_text() != text or again.current_player() != state.current_player():
            self.fail("game.state(state.to_text()) must be the same position", state, repr(text))
        if self.key(again) != self.key(state):
            self.fail("game.state(state.to_text()) must have the same key", state, repr(text))

    def check_names(self, state: Any) -> None:
        """Actions have different names, and are found by them."""
        if not hasattr(state, "action_to_string") or state.is_terminal():
            return
        player = state.current_player()
        names = {action: state.action_to_string(player, action) for action in state.legal_actions()}
        if len(set(names.values())) < len(names):
            self.fail("actions must have different names", state, repr(names))
        if not hasattr(state, "string_to_action"):
            return
        for action, name in names.items():
            found = state.string_to_action(name)
            if found != action:
                self.fail(
                    "string_to_action must find the action of that name",
                    state,
                    f"{name!r} gave {found}",
                )

    def check_illegal_actions(self, state: Any, before: dict[str, Any]) -> None:
        """An illegal action raises and changes nothing."""
        legal = list(state.legal_actions())
        count = self.promise("num_distinct_actions") or max(legal, default=0) + 1
        wrong = [action for action in range(min(count, 1000)) if action not in legal]
        for action in (-1, count, *self.rng.sample(wrong, min(2, len(wrong)))):
            try:
                state.apply_action(action)
            except IllegalActionError:
                pass
            except Exception as error:
                if self.native:
                    self.fail("an illegal action must raise IllegalActionError", state, repr(error))
            else:
                self.fail(
                    "an illegal action must raise", state, f"{action} was taken; legal were {legal}"
                )
            self.expect_same(before, state, f"the illegal action {action} changed the state")

    def check_end(self, state: Any, rewards: list[float]) -> None:
        """The result of a finished game."""
        returns = list(state.returns())
        if len(returns) != 2 or abs(sum(returns)) > 1e-9 * (1 + abs(returns[0])):
            self.fail("returns must be two that sum to zero", state, repr(returns))
        most, least = self.promise("max_utility"), self.promise("min_utility")
        if most is not None:
            least = -most if least is None else least
            if not all(least <= value <= most for value in returns):
                self.fail(
                    f"returns must be from {least} to {most}, as promised", state, repr(returns)
                )
        if (
            self.actions
            and hasattr(state, "rewards")
            and any(
                abs(total - value) > 1e-9 * (1 + abs(value))
                for total, value in zip(rewards, returns, strict=True)
            )
        ):
            self.fail("rewards must sum up to the returns", state, f"{rewards} and {returns}")
        longest = self.promise("max_game_length")
        if longest is not None and len(self.actions) - self.thrown > longest:
            self.fail(f"no game may be longer than max_game_length() = {longest}", state)

    def check_search(self, state: Any) -> None:
        """A search changes nothing, and answers with a legal action and a value within the bounds."""
        if self.hides_or_rolls():
            return
        before = self.look(state)
        result = search(state, depth=2, nodes=2000)
        self.expect_same(before, state, "a search changed the state it was given")
        if result.action not in state.legal_actions():
            self.fail("a search must find a legal action", state, repr(result.action))
        most = self.promise("max_utility")
        if most is not None and result.distance is not None and abs(result.value or 0) > most:
            self.fail(f"values must be within max_utility() = {most}", state, repr(result.value))

    def hides_or_rolls(self) -> bool:
        """Has the game chance or hidden information, as far as it says?"""
        if self.native:
            return any(self.start.hides_or_rolls())
        if callable(getattr(self.game, "get_type", None)):
            kind = self.game.get_type()
            return "IMPERFECT" in str(kind.information) or "DETERMINISTIC" not in str(
                kind.chance_mode
            )
        return self.start.current_player() == PLAYER_CHANCE or not (
            getattr(self.game, "perfect_information", True)
            and getattr(self.game, "deterministic", True)
        )

    def promise(self, name: str) -> Any:
        """What the game, or the state, says about itself; None when it does not say."""
        for owner in (self.game, self.start):
            if callable(getattr(owner, name, None)):
                try:
                    return getattr(owner, name)()
                except (NotImplementedError, AttributeError):
                    return None
        return None


@dataclass
class Seen:
    """The first position met with a key, and a few that have the same key later."""

    state: Any
    actions: list[int]
    identity: Any
    look: dict[str, Any]
    twins: list[tuple[Any, list[int]]] = field(default_factory=list)

    def differs_from(self, state: Any) -> bool:
        """Does the state's own ``==`` say that it is another position?"""
        return has_own(state, "__eq__") and self.state != state


def own_text(state: Any) -> Callable[[Any], Any]:
    """The function that gives the text that tells positions apart; it gives UNKNOWN when there is none."""
    if hasattr(state, "to_text"):
        return lambda position: position.to_text()
    if has_own(state, "__eq__") and not isinstance(state, State):
        return lambda position: UNKNOWN
    if has_own(state, "__str__"):
        return str
    return lambda position: UNKNOWN


def has_own(state: Any, method: str) -> bool:
    """Has the state's class a method of its own in place of object's?"""
    return getattr(type(state), method) is not getattr(object, method)
