"""Tablebase, what a search asks of a table of exact values, and how a search finds the one to ask."""

from collections.abc import Callable

from zerosum.core.subtypes cimport zs_hold_type

COVERAGE = {FOREIGN: "foreign", CONVENTION: "convention", WINNER: "winner", EXACT: "exact"}


cdef class Tablebase:
    """Exact values of some states, found without search. Subclasses are for one game each."""

    def __cinit__(self, *args, **kwargs):
        zs_hold_type(self)

    cdef int covers(self, State state) except -1:
        raise NotImplementedError(f"{type(self).__name__} does not implement covers")

    cdef int look_up(self, State state, double* value) except -1 nogil:
        with gil:
            raise NotImplementedError(f"{type(self).__name__} does not implement look_up")

    def coverage(self, State state not None):
        """How far the values here are those of the state's game, a str:

        - ``"exact"``: they are.
        - ``"winner"``: who wins is exact; the margin may differ where the game stops once it is decided.
        - ``"convention"``: the same moves, but the game ends some lines of play otherwise than the table
          does.
        - ``"foreign"``: another game, or other moves.

        It does not say whether this very state is in the table.
        """
        return COVERAGE[self.covers(state)]

    def utility_of(self, State state not None):
        """The return of the player to move under best play, as a search sees it; None when not there."""
        cdef double value
        if self.covers(state) == FOREIGN:
            return None
        if state.over():
            return state.utility() if state.mover == 0 else -state.utility()
        return value if self.look_up(state, &value) else None


# State class -> function of (state, whether a table may be built now) that gives a Tablebase or None.
FINDERS: dict[type, Callable] = {}


def register_finder(state_class, finder):
    """Let ``default_tablebase`` find tables for states of a class.

    ``finder(state, may_build)`` gives a Tablebase, or None when there is none worth asking; only when
    ``may_build`` is true may it take a second to build one.
    """
    FINDERS[state_class] = finder


def default_tablebase(state, may_build):
    """The Tablebase to use with a state when none is named, or None."""
    finder = FINDERS.get(type(state))
    return None if finder is None else finder(state, may_build)
