# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Oware: abapa (tournament play), awari (the solved game), casual play, and every switch between them."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

import math
import operator
import sys

from zerosum.core.errors import IllegalActionError
from zerosum.core.game import Game
from zerosum.core.state cimport Preview, State
from zerosum.games.oware_text import (
    check_position, draw_board, format_moves, format_position, house_letter, parse_moves, parse_position)

__all__ = ["Oware", "OwareState"]

GRAND_SLAM = {
    "no_capture": SLAM_CAPTURES_NOTHING,
    "illegal": SLAM_ILLEGAL,
    "captures_all": SLAM_CAPTURES_ALL,
    "opponent_keeps": SLAM_OPPONENT_KEEPS,
    "all_but_first": SLAM_ALL_BUT_FIRST,
    "all_but_last": SLAM_ALL_BUT_LAST,
}
FEEDING = {"no_duty": NO_DUTY, "must_feed": MUST_FEED, "must_not_starve": MUST_NOT_STARVE}
NO_MOVE_REMAINING = {"own_row": KEEP_OWN_ROW, "opponent": OPPONENT_TAKES, "nobody": NOBODY}
REPETITION_REMAINING = {"own_row": KEEP_OWN_ROW, "split": NOBODY, "none": NOBODY}
CHOICES = {
    "grand_slam": GRAND_SLAM,
    "feeding": FEEDING,
    "no_move": NO_MOVE_REMAINING,
    "repetition": REPETITION_REMAINING,
    "majority": {True: True, False: False},
}

RULE_SETS = {
    "abapa": {"grand_slam": "no_capture", "feeding": "must_feed", "no_move": "own_row",
              "repetition": "own_row", "majority": True},
    "awari": {"grand_slam": "illegal", "feeding": "must_not_starve", "no_move": "opponent",
              "repetition": "split", "majority": True},
    "casual": {"grand_slam": "captures_all", "feeding": "no_duty", "no_move": "nobody",
               "repetition": "none", "majority": False},
}

EVALUATIONS = {"default": 0, "seeds": 1, "original": 2}
# What a house is worth to its owner in half seeds: `one`, `three` and `twelve` from so many seeds on, `reaching`
# with enough of them to reach the enemy's row. At 3,000 nodes a move they score 89.7 +- 1.0 % in 1,000 games
# against "seeds"; four neighbours scored 41 to 52 +- 2.2 % in 500 games each against them
# (benchmarks/tune_oware.py). Halves make more scores equal than sixteenths, which took 26 % more nodes to
# depth 18.
WEIGHTS = {"one": 2, "three": 1, "twelve": 3, "reaching": -1}
cdef enum:
    MAX_WEIGHTS = 15           # a byte a house holds the difference of two
cdef int SEEDS = 1
cdef int ORIGINAL = 2

END_REASONS = {RUNNING: None, NO_MOVE: "no move", MAJORITY: "majority", REPETITION: "repetition"}


cdef void fill_sowing(Rules* rules, int house) noexcept:
    # One seed more a turn, as the hand drops them; the house that was emptied is passed over on every lap.
    cdef int ring = 2 * rules.houses
    cdef int at = house, seeds
    cdef uint64_t own = 0, enemy = 0
    cdef Sowing* sowing
    for seeds in range(1, MAX_SEEDS + 1):
        at = (at + 1) % ring
        if at == house:
            at = (at + 1) % ring
        if at < rules.houses:
            own += <uint64_t>1 << place_of(at)
        else:
            enemy += <uint64_t>1 << place_of(at - rules.houses)
        sowing = &rules.sowing[place_of(house) >> 3][seeds]
        sowing.own = own - (<uint64_t>seeds << place_of(house))
        sowing.enemy = enemy
        sowing.last = 0 if at < rules.houses else <uint64_t>1 << place_of(at - rules.houses)


cdef class RuleBook:
    """RuleBook(game)\n--\n
    The rules of one game in the form that moves are made with: switches as numbers, sowings as a table.
    """

    def __init__(self, game):
        cdef Rules* rules = &self.rules
        cdef int house
        memset(rules, 0, sizeof(Rules))
        rules.houses = game.houses
        rules.total = game.total_seeds
        rules.slam = GRAND_SLAM[game.grand_slam]
        rules.feeding = FEEDING[game.feeding]
        rules.no_move = NO_MOVE_REMAINING[game.no_move]
        rules.repetition = REPETITION_REMAINING[game.repetition]
        rules.repetition_ends = game.repetition != "none"
        rules.majority_ends = game.majority
        for house in range(rules.houses):
            rules.to_enemy |= <uint64_t>(0x80 - (rules.houses - house)) << place_of(house)
            fill_sowing(rules, house)
        self.weigh(**WEIGHTS)

    def weigh(self, *, int one, int three, int twelve, int reaching):
        """Set the default evaluation's weights, in half seeds, to tune it; ``WEIGHTS`` are the tuned ones."""
        cdef Weights* weights = &self.rules.weights
        if abs(one) + abs(three) + abs(twelve) + abs(reaching) > MAX_WEIGHTS:
            raise ValueError(f"the weights' sizes sum to more than {MAX_WEIGHTS}")
        weights.one, weights.three = <uint64_t>one, <uint64_t>three
        weights.twelve, weights.reaching = <uint64_t>twelve, <uint64_t>reaching


cdef class OwareState(State):
    """OwareState(game)\n--\n
    A position of oware; made by ``Oware.new_initial_state`` and ``Oware.state``. Player 0 is South.
    Actions are the mover's own houses in sowing order, 0 for A (South) or a (North).
    """

    def __init__(self, game):
        State.__init__(self, game)
        self.book = game.rule_book
        self.rules = &self.book.rules
        self.max_actions = game.houses
        self.has_preview = True
        self.max_utility = game.total_seeds
        self.can_repeat = game.repetition == "none"
        self.accumulates = True
        self.place([game.seeds] * game.houses, [game.seeds] * game.houses, (0, 0), 0)

    def __dealloc__(self):
        free(self.line)

    cdef int reserve(self, int capacity) except -1 nogil:
        cdef Position* line = <Position*>realloc(self.line, capacity * sizeof(Position))
        if line == NULL:
            with gil:
                raise MemoryError()
        self.line = line
        self.capacity = capacity
        return 0

    cdef State copy(self):
        cdef OwareState other = OwareState.__new__(OwareState)
        other.reserve(self.played + 64)
        memcpy(other.line, self.line, (self.played + 1) * sizeof(Position))
        other.played = self.played
        other.missing = self.missing
        other.game = self.game
        other.book = self.book
        other.rules = self.rules
        other.mover = self.mover
        other.max_actions = self.max_actions
        other.max_utility = self.max_utility
        other.can_repeat = self.can_repeat
        other.accumulates = True
        other.evaluation = self.evaluation
        other.has_preview = self.has_preview
        return other

    # Set up a position that has been checked; the line of play begins here.
    cdef int place(self, list south, list north, tuple scores, int mover) except -1:
        cdef Position* at
        cdef int house
        cdef list own = north if mover else south, enemy = south if mover else north
        self.reserve(64)
        self.played = 0
        self.mover = mover
        at = self.line
        memset(at, 0, sizeof(Position))
        for house in range(self.rules.houses):
            at.own |= <uint64_t>own[house] << place_of(house)
            at.enemy |= <uint64_t>enemy[house] << place_of(house)
        at.own_store = scores[mover]
        at.enemy_store = scores[1 - mover]
        at.mover = mover
        self.missing = self.rules.total - sum(south) - sum(north) - sum(scores)
        judge(self.rules, at)
        return 0

    cdef int legal(self, int* actions) except -1 nogil:
        cdef uint64_t moves = self.line[self.played].moves
        cdef int count = 0, place
        while moves:
            place = first_place(moves)
            moves ^= mark_at(place)
            actions[count] = house_at(place)
            count += 1
        return count

    cdef int apply(self, int action) except -1 nogil:
        if self.played + 1 == self.capacity:
            self.reserve(2 * self.capacity)
        play_place(self.rules, &self.line[self.played], place_of(action))
        self.played += 1
        self.mover ^= 1
        return 0

    cdef int undo(self) except -1 nogil:
        self.played -= 1
        self.mover ^= 1
        return 0

    cdef int over(self) except -1 nogil:
        return self.line[self.played].moves == 0

    cdef double utility(self) except? -1e300 nogil:
        cdef const Position* at = &self.line[self.played]
        cdef int difference = final_difference(self.rules, at)
        return -difference if at.mover else difference

    cdef uint64_t key(self) except? 0 nogil:
        return position_key(&self.line[self.played])

    cdef int repeated_at(self) except -2 nogil:
        cdef const Position* at = &self.line[self.played]
        if not self.rules.repetition_ends:
            return -1
        return moves_since_same(self.rules, at) if at.status == REPETITION else 0

    cdef int reversible_plies(self) except -1 nogil:
        return <int>self.line[self.played].quiet

    cdef double evaluate(self) except? -1e300 nogil:
        return self.estimate(&self.line[self.played])

    cdef double estimate(self, const Position* at) noexcept nogil:
        if self.evaluation == ORIGINAL:
            return original_evaluation(at)
        if self.evaluation == SEEDS:
            return store_difference(at)
        return default_evaluation(self.rules, at)

    cdef int preview(self, Preview* previews, double enough) except -2 nogil:
        cdef Position* at = &self.line[self.played]
        cdef Position* to = at + 1
        cdef uint64_t moves = at.moves
        cdef int count = 0, place
        if self.played + 1 == self.capacity:
            return -1
        while moves:
            place = first_place(moves)
            moves ^= mark_at(place)
            play_place(self.rules, at, place)
            if to.status == REPETITION:
                return -1
            previews[count].over = to.moves == 0
            previews[count].value = -(
                final_difference(self.rules, to) if to.moves == 0 else self.estimate(to))
            count += 1
            if previews[count - 1].value >= enough:
                break
        return count

    def select_evaluation(self, name):
        """Choose the estimate that ``evaluate`` gives, always from the mover's side.

        - ``"default"``: the game's best: captured seeds, and what the houses of both rows are worth, in
          steps of half a seed; tuned for six houses a side.
        - ``"seeds"``: the mover's captured seeds minus the opponent's.
        - ``"original"``: (2 x own captured + enemy houses holding 1 or 2 seeds) - (2 x enemy captured + own
          houses holding 1 or 2 seeds), the evaluation of the simulator that this game replaces. A captured
          seed counts 2 in it, not 1 as in a return: a search's values are all twice the seeds then, those of
          finished games, too.

        ValueError for any other name.
        """
        if not isinstance(name, str) or name not in EVALUATIONS:
            raise ValueError(f"oware has no evaluation called {name!r}; there are {', '.join(EVALUATIONS)}")
        self.evaluation = EVALUATIONS[name]

    def value_scale(self):
        """2 with the evaluation ``"original"``, which counts a seed as 2; else 1."""
        return 2.0 if self.evaluation == ORIGINAL else 1.0

    def evaluation_value(self):
        """The chosen evaluation from the mover's side; it does not look whether the game is over."""
        return self.evaluate() * self.value_scale()

    # ---- Reading a position ---------------------------------------------------------------------------

    cdef list row(self, int player):
        cdef uint64_t row = row_of(&self.line[self.played], player)
        cdef int house
        return [seeds_at(row, place_of(house)) for house in range(self.rules.houses)]

    @property
    def south(self):
        """Seeds in South's houses A, B, .., as a list in sowing order."""
        return self.row(0)

    @property
    def north(self):
        """Seeds in North's houses a, b, .., as a list in sowing order."""
        return self.row(1)

    @property
    def scores(self):
        """Seeds captured so far, (South's, North's); what the end of the game adds is in ``final_scores``."""
        cdef const Position* at = &self.line[self.played]
        return (store_of(at, 0), store_of(at, 1))

    @property
    def to_move(self):
        """The player whose turn it is, 0 South or 1 North, also when the game is over."""
        return self.mover

    def end_reason(self):
        """Why the game is over: ``"majority"``, ``"repetition"`` or ``"no move"``; None while it is not."""
        return END_REASONS[self.line[self.played].status]

    def final_scores(self):
        """Seeds of both players at the end, (South's, North's), what is left on the board given out.

        Whole numbers, unless an odd rest is split evenly. ValueError while the game is not over.
        """
        reason = self.end_reason()
        if reason is None:
            raise ValueError("the game is not over, so there are no final scores")
        south, north = self.scores
        rest = sum(self.south) + sum(self.north)
        if reason == "no move" and self.game.no_move == "nobody":
            return (south, north)
        total, difference = south + north + rest, int(self.utility())
        if (total + difference) % 2:
            return ((total + difference) / 2, (total - difference) / 2)
        return ((total + difference) // 2, (total - difference) // 2)

    def repeats(self):
        """Plies back to the same position, when that is why the game is over; else 0."""
        return max(0, self.repeated_at())

    # ---- Text -----------------------------------------------------------------------------------------

    def to_text(self):
        """The position text, such as ``4-4-4-4-4-4-4-4-4-4-4-4-0-0-S``; ``Oware.state`` reads it back."""
        return format_position(self.south, self.north, self.scores, self.mover, self.missing)

    def action_to_string(self, player, action=None):
        """The house's letter: A, B, .. for South, a, b, .. for North."""
        player, action = (self.mover, player) if action is None else (player, action)
        if player not in (0, 1) or not 0 <= action < self.rules.houses:
            raise ValueError(f"player {player} has no action {action}: there are 0 to {self.rules.houses - 1}")
        return house_letter(player, action)

    def moves_text(self):
        """The moves played since this state was made, such as ``FeDb``."""
        history = self.history()
        return format_moves(history, self.mover ^ (len(history) & 1))

    def __str__(self):
        reason = self.end_reason()
        whose = "North to move" if self.mover else "South to move"
        return draw_board(self.south, self.north, self.scores) + "\n" + (
            f"Game over: {reason}" if reason else whose)

    def __eq__(self, other):
        if not isinstance(other, OwareState):
            return NotImplemented
        return (self.game == other.game and self.to_text() == other.to_text()
                and self.end_reason() == other.end_reason())

    def __hash__(self):
        return hash(self.to_text())

    def __repr__(self):
        return f"<{self.game} state {self.to_text()}>"


cdef inline double store_difference(const Position* at) noexcept nogil:
    return <int>at.own_store - <int>at.enemy_store


# Houses holding 1 or 2 seeds.
cdef inline int vulnerable_houses(uint64_t row) noexcept nogil:
    return count_marks(empty(row ^ every(1)) | empty(row ^ every(2)))


# Marks of the houses with at least so many seeds.
cdef inline uint64_t at_least(uint64_t row, int seeds) noexcept nogil:
    return ((row & every(0x7F)) + every(0x80 - seeds) | row) & every(0x80)


# What the houses of a row are worth, in half seeds, a byte a house.
cdef inline uint64_t house_values(const Rules* rules, uint64_t row) noexcept nogil:
    cdef const Weights* weights = &rules.weights
    return ((at_least(row, 1) >> 7) * weights.one + (at_least(row, 3) >> 7) * weights.three
            + (at_least(row, 12) >> 7) * weights.twelve + (reaching(rules, row) >> 7) * weights.reaching)


cdef inline double default_evaluation(const Rules* rules, const Position* at) noexcept nogil:
    # 16 in every byte keeps the difference from borrowing; less than 32 in each keeps the sum below 256.
    cdef uint64_t houses = every(16) + house_values(rules, at.own) - house_values(rules, at.enemy)
    return store_difference(at) + (seeds_in(houses) - 8 * 16) * 0.5


# In seeds, as all values inside a search: half of what it is known as.
cdef inline double original_evaluation(const Position* at) noexcept nogil:
    return store_difference(at) + (vulnerable_houses(at.enemy) - vulnerable_houses(at.own)) * 0.5


class Oware(Game):
    """Oware: sow one of your houses, capture twos and threes, take more seeds than the opponent.

    ``rules`` is a rule set, and each keyword replaces one switch of it:

    ============  ==================  =======================  ==================
    switch        abapa               awari                    casual
    ============  ==================  =======================  ==================
    grand_slam    "no_capture"        "illegal"                "captures_all"
    feeding       "must_feed"         "must_not_starve"        "no_duty"
    no_move       "own_row"           "opponent"               "nobody"
    repetition    "own_row"           "split"                  "none"
    majority      True                True                     False
    ============  ==================  =======================  ==================

    - ``grand_slam``, the capture of every seed the opponent has: ``"no_capture"`` (legal, takes nothing),
      ``"illegal"`` (no move at all, but see ``"must_not_starve"``), ``"captures_all"``, ``"opponent_keeps"``
      (it captures, and what is left on the board goes to the opponent), ``"all_but_first"`` (the house of
      the last seed, the first to be taken, stays), ``"all_but_last"`` (the house farthest back stays).
    - ``feeding``: ``"no_duty"``, ``"must_feed"`` (an opponent without seeds must be given some; when no move
      does, there is no move), ``"must_not_starve"`` (no move may leave the opponent without seeds while
      another does not; when all do, all are legal, and a grand slam among them captures).
    - ``no_move``, who takes the seeds on the board when the mover has no move: ``"own_row"`` (each side its
      own), ``"opponent"``, ``"nobody"``.
    - ``repetition``, when board, mover and scores come a second time: ``"own_row"`` and ``"split"`` end the
      game, the rest going to each side's own row or half and half; under ``"none"`` play goes on.
    - ``majority``: more than half of all seeds captured ends the game, each side keeping its own row.

    ``houses`` a side are 1 to 8; ``seeds`` are those in each house at the start, 255 in all at most. A return
    is a player's seeds at the end minus the opponent's. ValueError names the argument that is wrong.

    abapa is the rule set of tournaments and of OpenSpiel's ``oware``; awari that of the Computer Olympiads,
    of Romein and Bal (2002), who solved it, and of Lincke's thesis (2002).
    """

    def __init__(self, rules="abapa", houses=6, seeds=4, *, grand_slam=None, feeding=None, no_move=None,
                 repetition=None, majority=None):
        if not isinstance(rules, str) or rules not in RULE_SETS:
            raise ValueError(f"rules={rules!r}: the rule sets are {', '.join(map(repr, RULE_SETS))}")
        self.rules = rules
        self.houses = checked_int("houses", houses, 1, MAX_HOUSES)
        self.seeds = checked_int("seeds", seeds, 1, MAX_SEEDS)
        self.total_seeds = 2 * self.houses * self.seeds
        if self.total_seeds > MAX_SEEDS:
            raise ValueError(
                f"{self.seeds} seeds in each of {2 * self.houses} houses are {self.total_seeds}; "
                f"at most {MAX_SEEDS} seeds fit")
        given = {"grand_slam": grand_slam, "feeding": feeding, "no_move": no_move,
                 "repetition": repetition, "majority": majority}
        for name, value in given.items():
            setattr(self, name, checked_switch(name, RULE_SETS[rules][name] if value is None else value))
        self.rule_book = RuleBook(self)

    def new_initial_state(self):
        """A new state at the start: ``seeds`` in every house, South to move."""
        return OwareState(self)

    def state(self, position=None, *, south=None, north=None, scores=(0, 0), to_move=0):
        """A state from a position, without history.

        Give the position text (South's houses, North's houses in sowing order, both stores, the mover:
        ``"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"``) or another OwareState, or both rows as lists in sowing order,
        with ``scores`` (South's, North's) and ``to_move`` (0 or "S", 1 or "N").

        Board and stores must hold the game's seeds. Only rows given with scores of 0 may hold fewer: a study
        position, scored from there; its text has the number of missing seeds behind the mover. ValueError
        says what is impossible and where.
        """
        if position is not None:
            if south is not None or north is not None:
                raise ValueError("give a position, or south and north, not both")
            if isinstance(position, OwareState):
                position = position.to_text()
            south, north, scores, to_move, missing = parse_position(position, self.houses)
        elif south is None or north is None:
            raise ValueError("a position needs its text, or both south and north")
        else:
            missing = None
        south, north, scores, to_move = check_position(
            south, north, scores, to_move, self.houses, self.total_seeds, missing)
        cdef OwareState state = OwareState(self)
        state.place(south, north, scores, to_move)
        return state

    def play(self, moves, state=None):
        """The state after a game, such as ``"FeDb"`` or a list of actions, from the start or from ``state``.

        ValueError says which move cannot be read, IllegalActionError (a ValueError) which one is illegal.
        """
        state = self.new_initial_state() if state is None else state.clone()
        if isinstance(moves, str):
            actions = parse_moves(moves, self.houses, state.to_move)
        else:
            actions = list(moves)
        for number, action in enumerate(actions, 1):
            try:
                state.apply_action(action)
            except IllegalActionError as error:
                what = illegal_letter(state, action) if isinstance(moves, str) else error
                raise IllegalActionError(f"move {number} of the game: {what}") from None
        return state

    def num_distinct_actions(self):
        """The houses of a side."""
        return self.houses

    def max_utility(self):
        """All seeds captured by one player."""
        return float(self.total_seeds)

    def max_game_length(self):
        """No game has more moves than this: the number of boards, scores and movers when none may come twice.

        ``sys.maxsize`` under ``repetition="none"``, where a game may be endless.
        """
        if self.repetition == "none":
            return sys.maxsize
        # Every way to spread the seeds over all houses and both stores.
        return 2 * math.comb(self.total_seeds + 2 * self.houses + 1, 2 * self.houses + 1)

    def switches(self):
        """The five switches as a dict: grand_slam, feeding, no_move, repetition, majority."""
        return {name: getattr(self, name) for name in CHOICES}

    def __eq__(self, other):
        if not isinstance(other, Oware):
            return NotImplemented
        return (self.houses, self.seeds, self.switches()) == (other.houses, other.seeds, other.switches())

    def __hash__(self):
        return hash((self.houses, self.seeds, *self.switches().values()))

    def __repr__(self):
        base = RULE_SETS[self.rules]
        changed = "".join(
            f", {name}={value!r}" for name, value in self.switches().items() if value != base[name])
        return f"Oware(rules={self.rules!r}, houses={self.houses}, seeds={self.seeds}{changed})"


def illegal_letter(state, action):
    """What is wrong with a house that is not legal, in letters."""
    letter = house_letter(state.to_move, action)
    if state.is_terminal():
        return f"{letter} comes after the end of the game ({state.end_reason()})"
    legal = ", ".join(state.action_to_string(house) for house in state.legal_actions())
    return f"{letter} is not legal here; legal are {legal}"


def checked_int(name, value, low, high):
    """A whole number in a range, or ValueError."""
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name}={value!r} is not a whole number") from None
    if not low <= number <= high:
        raise ValueError(f"{name}={number}: expected {low} to {high}")
    return number


def checked_switch(name, value):
    """A switch's value if it is one of its choices, else ValueError."""
    if not isinstance(value, (str, bool)) or value not in CHOICES[name]:
        raise ValueError(f"{name}={value!r}: the choices are {', '.join(map(repr, CHOICES[name]))}")
    return value
