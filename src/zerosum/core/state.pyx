"""State, the one seam between games and algorithms, with OpenSpiel's vocabulary for Python."""

from libc.math cimport INFINITY
from libc.stdlib cimport free, malloc

from zerosum.core.errors import IllegalActionError
from zerosum.core.subtypes cimport zs_hold_type

PLAYER_CHANCE = CHANCE
PLAYER_TERMINAL = TERMINAL


cdef class State:
    """State(game)\n--\n
    A position of a two-player zero-sum game, played in place.

    Games are subclasses: in Cython by overriding the C methods of ``state.pxd``. A game written in Python
    needs no subclass, only OpenSpiel's methods (see ``zerosum.core.python_game``).
    """

    def __cinit__(self, *args, **kwargs):
        zs_hold_type(self)
        self._history = []
        self.max_utility = INFINITY
        self.can_repeat = True
        self.has_key = True

    def __init__(self, game):
        self.game = game

    cdef int legal(self, int* actions) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not implement legal")

    cdef int apply(self, int action) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not implement apply")

    cdef int undo(self) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not implement undo")

    cdef double utility(self) except? -1e300 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not implement utility")

    cdef State copy(self):
        raise NotImplementedError(f"{type(self).__name__} does not implement copy")

    cdef uint64_t key(self) except? 0 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} has no key")

    cdef int over(self) except -1 nogil:
        cdef int* actions = <int*>malloc(self.max_actions * sizeof(int))
        cdef int count
        if actions == NULL:
            with gil:
                raise MemoryError()
        try:
            count = self.legal(actions)
        finally:
            free(actions)
        return count == 0

    cdef double evaluate(self) except? -1e300 nogil:
        return 0.0

    cdef int preview(self, Preview* previews, double enough) except -2 nogil:
        return -1

    cdef int repeated_at(self) except -2 nogil:
        return -1

    cdef int reversible_plies(self) except -1 nogil:
        return 0

    # ---- OpenSpiel's vocabulary -------------------------------------------------------------------

    def get_game(self):
        """The game this is a state of."""
        return self.game

    def num_players(self):
        """2: every game here is for two."""
        return 2

    def num_distinct_actions(self):
        """Actions are numbered from 0 to one less than this."""
        return self.game.num_distinct_actions()

    def current_player(self):
        """The player to move: 0 or 1; -1 at a chance node, -4 when the game is over."""
        return TERMINAL if self.over() else self.mover

    def is_terminal(self):
        """Is the game over?"""
        return bool(self.over())

    def is_chance_node(self):
        """Does chance move next?"""
        return self.mover == CHANCE and not self.over()

    def chance_outcomes(self):
        """List of (action, probability) at a chance node; ValueError elsewhere."""
        raise ValueError(f"{self.game} has no chance nodes")

    def legal_actions(self, player=None):
        """The legal actions in ascending order; empty when the game is over or another player moves."""
        cdef int* actions
        cdef int count, i
        if player is not None and player != self.current_player():
            return []
        actions = <int*>malloc(self.max_actions * sizeof(int))
        if actions == NULL:
            raise MemoryError()
        try:
            count = self.legal(actions)
            return [actions[i] for i in range(count)]
        finally:
            free(actions)

    def apply_action(self, action):
        """Play an action; IllegalActionError (a ValueError) when it is not legal, the state unchanged."""
        legal = self.legal_actions()
        if action not in legal:
            if not legal:
                raise IllegalActionError(f"action {action!r} was played, but the game is over:\n{self}")
            raise IllegalActionError(f"action {action!r} is not legal here; legal are {legal}:\n{self}")
        self.apply(<int>action)
        self._history.append(int(action))

    def undo_action(self, player, action):
        """Take back the last action, which ``player`` played; ValueError when that is not what was played."""
        cdef int last
        if not self._history:
            raise ValueError("there is no action to undo")
        last = self._history[-1]
        if last != action:
            raise ValueError(f"the last action was {last}, not {action!r}")
        self.undo()
        if self.mover != player:
            self.apply(last)
            raise ValueError(f"the last action was not player {player!r}'s")
        self._history.pop()

    def child(self, action):
        """A new state: this one after an action."""
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self):
        """A new state with equal content and history."""
        cdef State state = self.copy()
        state._history = self._history.copy()
        return state

    def history(self):
        """The actions played since this state was made."""
        return self._history.copy()

    def returns(self):
        """Both players' returns so far, [player 0's, player 1's]; they sum to zero. [0, 0] before the end."""
        cdef double value = self.utility() if self.over() else 0.0
        return [value + 0.0, 0.0 - value]

    def rewards(self):
        """What the last action brought both players: the returns, once the game is over."""
        return self.returns()

    def player_return(self, player):
        """One player's entry of ``returns()``."""
        return self.returns()[player]

    def position_key(self):
        """The 64-bit key of the position: equal exactly for equal positions, the player to move included."""
        return self.key()

    def information_state_string(self, player=None):
        """What a player knows, as text. Nothing is hidden here, so it is the position."""
        return str(self)

    def action_to_string(self, player, action=None):
        """An action's name; takes (player, action), or the action alone for the player to move."""
        return str(player if action is None else action)

    def string_to_action(self, text):
        """The legal action with that name; ValueError when there is none."""
        names = {self.action_to_string(action): action for action in self.legal_actions()}
        if text not in names:
            raise ValueError(f"no legal action is called {text!r}; legal are {', '.join(names)}")
        return names[text]

    def tells_positions_apart(self):
        """Has the state a key? Without one no search can use a transposition table."""
        return bool(self.has_key)

    def hides_or_rolls(self):
        """Pair of bools: has the game hidden information, has it chance?"""
        return not self.game.perfect_information, not self.game.deterministic

    def select_evaluation(self, name):
        """Make a search on this state use the game's evaluation of that name; ValueError when it has none."""
        raise ValueError(f"{self.game} has no evaluation called {name!r}")

    def value_scale(self):
        """What a search multiplies its values with, for an evaluation that is known in other units than returns."""
        return 1.0

    def score(self, value, distance):
        """The game's own way to write a value and a distance as one number; None where it has none."""
        return None

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return self.clone()

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return self.game == other.game and str(self) == str(other) and (
            self.current_player() == other.current_player())

    def __hash__(self):
        return hash(str(self))

    def __repr__(self):
        return f"<{self.game} state {self}>"


def copy_state(state):
    """A copy to search on: of a State, or of any Python object with OpenSpiel's state methods."""
    return as_state(state)


cdef State as_state(object state):
    if isinstance(state, State):
        return (<State>state).clone()
    from zerosum.core.python_game import PythonState
    return PythonState(state)
