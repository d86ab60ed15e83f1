"""The door for games written in Python: any object with OpenSpiel's state methods is a State here.

REQUIRED of the object: ``current_player()``, ``legal_actions()``, ``apply_action(action)``,
``is_terminal()`` and ``returns()``. OPTIONAL, and what is lost without it:

- ``undo_action(player, action)``: else every move is played on a copy;
- ``clone()``: else copies are made by ``copy.deepcopy``;
- ``key()``, a hashable that tells positions apart (the player to move is added here): else no
  transposition table is used, since nothing says when two positions are the same;
- ``action_to_string(player, action)``: else actions show as numbers;
- ``max_utility()`` of ``get_game()``, or of the object: else a win is not known to be the best result
  there is, and proofs take longer.

``pyspiel`` states have their text as key, as in OpenSpiel's own algorithms.
"""

import copy
import itertools
from libc.math cimport INFINITY, fabs
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, realloc

from zerosum.core.errors import UnsupportedGameError
from zerosum.core.state cimport CHANCE, TERMINAL, State, key_of, mix64

REQUIRED = ("current_player", "legal_actions", "apply_action", "is_terminal", "returns")

cdef uint64_t SMALL_KEY = <uint64_t>1 << 61


cdef class PythonState(State):
    """PythonState(position)\n--\n
    A State made of a copy of a Python object with OpenSpiel's state methods; the object itself is never
    touched. TypeError when a required method is missing, UnsupportedGameError (a ValueError) when the
    game is not a two-player zero-sum game.
    """

    def __init__(self, position):
        missing = [name for name in REQUIRED if not callable(getattr(position, name, None))]
        if missing:
            raise TypeError(
                f"{type(position).__name__} is not a game state: it has no {', '.join(missing)} "
                f"(needed are {', '.join(REQUIRED)})")
        game = position.get_game() if hasattr(position, "get_game") else None
        check_two_player_zero_sum(position, game)
        State.__init__(self, game)
        from_openspiel = is_openspiel(position)
        self.python = True
        self.undoes = hasattr(position, "undo_action") and not from_openspiel
        self.makes_children = hasattr(position, "child")
        self.key_function = key_function(position, from_openspiel)
        self.has_key = self.key_function is not None
        self.key_numbers = {}
        self.fresh_numbers = itertools.count()
        self.trail = []
        self.max_utility = utility_bound(position, game)
        self.max_actions = 1 << 16
        self.stand_at(duplicate(position))
        self.read_mover()

    def __dealloc__(self):
        free(self.played)

    cdef int stand_at(self, object position) except -1:
        # Looking the methods up at every call would cost a tenth of a node; a game that undoes is one object.
        self.position = position
        self.current_player = position.current_player
        self.is_over = position.is_terminal
        self.list_actions = position.legal_actions
        if self.undoes:
            self.play = position.apply_action
            self.take_back = position.undo_action
        return 0

    cdef int read_mover(self) except -1:
        cdef object player = self.current_player()
        cdef int number = player
        if number == 0 or number == 1:
            self.mover = number
        elif number == TERMINAL or self.is_over():
            # Nobody moves. A key without the player must still tell a game that one player ended from the
            # other's, so it is whoever did not make the last move.
            self.mover = 1 if self.mover == 0 else 0
        elif number == CHANCE:
            self.mover = CHANCE
        else:
            raise ValueError(f"current_player() gave {player!r}: expected 0, 1, -1 (chance) or -4 (over)")
        return 0

    cdef list actions_of(self):
        actions = self.list_actions()
        if type(actions) is not list:
            actions = list(actions)
        if not actions:
            raise ValueError(f"the game is not over, but there are no legal actions:\n{self.position}")
        if len(actions) > self.max_actions:
            raise ValueError(f"{len(actions)} legal actions; at most {self.max_actions} are supported")
        return actions

    cdef int remember(self, int player, int action) except -1:
        cdef void* memory
        if self.played_count == self.played_capacity:
            self.played_capacity = 2 * self.played_capacity + 64
            memory = realloc(self.played, self.played_capacity * sizeof(Played))
            if memory == NULL:
                raise MemoryError()
            self.played = <Played*>memory
        self.played[self.played_count].player = player
        self.played[self.played_count].action = action
        self.played_count += 1
        return 0

    cdef int list_legal(self, int* actions) except -1:
        cdef list legal
        cdef int i, count
        if self.is_over():
            return 0
        legal = self.actions_of()
        count = len(legal)
        for i in range(count):
            actions[i] = legal[i]
            if actions[i] < 0:
                raise ValueError(f"actions are numbers from 0, but legal_actions() gave {legal!r}")
        return count

    cdef int legal(self, int* actions) except -1 nogil:
        with gil:
            return self.list_legal(actions)

    cdef int over(self) except -1 nogil:
        with gil:
            return 1 if self.is_over() else 0

    cdef int apply(self, int action) except -1 nogil:
        with gil:
            if self.undoes:
                self.play(action)
                self.remember(self.mover, action)
            else:
                self.trail.append(self.position)
                self.stand_at(self.child_of(action))
            self.read_mover()
        return 0

    cdef object child_of(self, int action):
        if self.makes_children:
            return self.position.child(action)
        position = duplicate(self.position)
        position.apply_action(action)
        return position

    cdef int undo(self) except -1 nogil:
        with gil:
            if self.undoes:
                self.played_count -= 1
                self.mover = self.played[self.played_count].player
                self.take_back(self.mover, self.played[self.played_count].action)
            else:
                self.stand_at(self.trail.pop())
                self.read_mover()
        return 0

    cdef double read_returns(self) except? -1e300:
        cdef object returns = self.position.returns()
        cdef double first, second
        if len(returns) == 2:
            first = returns[0]
            second = returns[1]
            if fabs(first + second) <= 1e-9 * (1 + fabs(first)):
                return first
        raise UnsupportedGameError(f"returns() gave {returns!r}: they must be two that sum to zero")

    cdef double utility(self) except? -1e300 nogil:
        with gil:
            return self.read_returns()

    cdef uint64_t key(self) except? 0 nogil:
        cdef uint64_t number
        with gil:
            key = self.key_function(self.position)
            if type(key) is int and 0 <= key < SMALL_KEY:
                return key_of(key, self.mover)
            number = self.key_numbers.setdefault(key, next(self.fresh_numbers))
            return mix64(number << 2 | <uint64_t>(self.mover & 1) << 1 | 1)

    cdef State copy(self):
        cdef PythonState state = PythonState(self.position)
        state.mover = self.mover
        state.key_numbers = self.key_numbers
        state.fresh_numbers = self.fresh_numbers
        return state

    def inner(self):
        """The Python object as it stands now (not a copy)."""
        return self.position

    def hides_or_rolls(self):
        """Pair of bools: has the game hidden information, has it chance? As far as its game says."""
        if callable(getattr(self.game, "get_type", None)):
            kind = self.game.get_type()
            return "IMPERFECT" in str(kind.information), "DETERMINISTIC" not in str(kind.chance_mode)
        return (not getattr(self.game, "perfect_information", True),
                not getattr(self.game, "deterministic", True))

    def num_distinct_actions(self):
        """The game's number of distinct actions; AttributeError when it does not say."""
        owner = self.position if self.game is None else self.game
        return owner.num_distinct_actions()

    def chance_outcomes(self):
        """List of (action, probability) at a chance node."""
        return self.position.chance_outcomes()

    def information_state_string(self, player=None):
        """What a player (the one to move, unless given) knows, as the object puts it."""
        return self.position.information_state_string(self.mover if player is None else player)

    def action_to_string(self, player, action=None):
        """The object's name for an action, or its number where the object has none."""
        player, action = (self.mover, player) if action is None else (player, action)
        if hasattr(self.position, "action_to_string"):
            return self.position.action_to_string(player, action)
        return str(action)

    def __str__(self):
        return str(self.position)

    def __repr__(self):
        return f"PythonState({self.position!r})"


def duplicate(position):
    """A copy of a Python state by its own ``clone``, else by ``copy.deepcopy``."""
    return position.clone() if hasattr(position, "clone") else copy.deepcopy(position)


def is_openspiel(position):
    """Is this a state of OpenSpiel's own?"""
    return any(cls.__module__.split(".")[0] == "pyspiel" for cls in type(position).__mro__)


def key_function(position, from_openspiel):
    """The function from a position to a hashable key, or None when there is no safe one."""
    if callable(getattr(position, "key", None)):
        return lambda state: state.key()
    return str if from_openspiel else None


def utility_bound(position, game):
    """The largest size of a return that the game promises; infinity when it promises none."""
    for owner in (game, position):
        if callable(getattr(owner, "max_utility", None)):
            least = owner.min_utility() if hasattr(owner, "min_utility") else 0.0
            return max(owner.max_utility(), -least)
    return INFINITY


def check_two_player_zero_sum(position, game):
    """UnsupportedGameError when the object or its game says it is not for two, or not zero-sum."""
    for owner in (game, position):
        if callable(getattr(owner, "num_players", None)):
            if owner.num_players() != 2:
                raise UnsupportedGameError(f"the game has {owner.num_players()} players; two are needed")
            break
    if callable(getattr(game, "get_type", None)):
        kind = game.get_type()
        if "ZERO_SUM" not in str(getattr(kind, "utility", "ZERO_SUM")):
            raise UnsupportedGameError(f"the game is not zero-sum: {kind.utility}")
        if "SIMULTANEOUS" in str(getattr(kind, "dynamics", "")):
            raise UnsupportedGameError("players move at the same time; turn-taking games are needed")
