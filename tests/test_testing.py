"""The contract check: good games pass, and each rule is caught when a game breaks it."""

import random

import pytest

import zerosum as zs
from tests.games.chain import Chain, KeyedChain
from tests.games.connect_four import ConnectFour
from tests.games.graph_game import (
    BareGraphState,
    GraphState,
    KeyedGraphState,
    UndoGraphState,
    random_graph,
)
from tests.games.subtraction import Nim, Subtraction
from zerosum.core.python_game import PythonState
from zerosum.games.oware import Oware
from zerosum.testing import check_game

ACYCLIC = random_graph(random.Random(2), 60, cyclic=False, ends=0.15)
CYCLIC = random_graph(random.Random(2), 30, cyclic=True, ends=0.05)

GOOD = {
    "tic-tac-toe": zs.TicTacToe(),
    "4x4 four in a row": zs.MNK(4, 4, 4),
    "large board": zs.MNK(8, 7, 4),
    "from a position": zs.TicTacToe().state("X...O...."),
    "finished": zs.TicTacToe().state("XXXOO...."),
    "oware": Oware(),
    "awari": Oware(rules="awari"),
    "casual oware, 2 houses": Oware(rules="casual", houses=2),
    "subtraction": Subtraction(21, [1, 2, 3]),
    "nim": Nim((3, 4, 5)),
    "connect four": ConnectFour(),
    "chain": Chain(50),
    "chain with a key": KeyedChain(50),
    "bare graph": BareGraphState(ACYCLIC),
    "graph": GraphState(ACYCLIC),
    "graph with a key": KeyedGraphState(ACYCLIC),
    "graph that undoes": UndoGraphState(ACYCLIC),
    "circles": KeyedGraphState(CYCLIC),
    "circles that undo": UndoGraphState(CYCLIC),
    "through the door": PythonState(Nim((3, 4, 5))),
}


@pytest.mark.parametrize("name", GOOD)
def test_good_games_pass(name):
    before = str(GOOD[name])
    check_game(GOOD[name], games=6, max_plies=120)
    assert str(GOOD[name]) == before


@pytest.mark.parametrize(
    "name",
    [
        "tic_tac_toe",
        "connect_four",
        "kuhn_poker",
        "leduc_poker",
        "oware",
        "nim",
        "breakthrough",
        "hex(board_size=4)",
    ],
)
def test_openspiels_games_pass(name):
    pyspiel = pytest.importorskip("pyspiel")
    check_game(pyspiel.load_game(name), games=4)
    check_game(pyspiel.load_game(name).new_initial_state(), games=2)


def test_the_same_seed_plays_the_same_games():
    played = []

    class Watched(Nim):
        def apply_action(self, action):
            played.append(action)
            super().apply_action(action)

    logs = []
    for seed in (1, 1, 2):
        played.clear()
        check_game(Watched((5, 5, 5)), games=2, seed=seed)
        logs.append(list(played))
    assert logs[0] == logs[1] != logs[2]


class Good(ConnectFour):
    """What the broken games below are made of; with names of actions, rewards, and a text."""

    def __init__(self):
        super().__init__()
        self.rules = Rules(type(self))

    def get_game(self):
        return self.rules

    def action_to_string(self, player, action):
        return f"{'XO'[player]}{action + 1}"

    def string_to_action(self, text):
        return int(text[1:]) - 1

    def rewards(self):
        return self.returns()

    def child(self, action):
        state = self.clone()
        state.apply_action(action)
        return state

    def to_text(self):
        return str(self)

    def clone(self):
        other = super().clone()
        other.rules = self.rules
        return other


class Rules:
    """Its game."""

    def __init__(self, kind):
        self.kind = kind

    def num_players(self):
        return 2

    def num_distinct_actions(self):
        return 7

    def max_utility(self):
        return 1.0

    def max_game_length(self):
        return 42

    def state(self, text):
        state = self.kind()
        rows = text.split("\n")
        state.stones = [
            sum(
                1 << (7 * column + row)
                for row, cells in enumerate(reversed(rows))
                for column, cell in enumerate(cells)
                if cell == mark
            )
            for mark in "XO"
        ]
        state.mover = text.count("X") - text.count("O")
        state.last_won = any(map(has_four, state.stones))
        return state


def has_four(stones):
    from tests.games.connect_four import has_four

    return has_four(stones)


def test_the_good_one_is_good():
    check_game(Good(), games=8)


def with_rules(**methods):
    """A game whose Rules differ."""
    rules = type("OtherRules", (Rules,), methods)

    def init(self):
        Good.__init__(self)
        self.rules = rules(type(self))

    return type("Broken", (Good,), {"__init__": init})


def with_methods(**methods):
    """A state that differs."""
    return type("Broken", (Good,), methods)


def stones_placed(state):
    return (state.stones[0] | state.stones[1]).bit_count()


def sloppy_undo(self, player, action):
    ConnectFour.undo_action(self, player, action)
    if stones_placed(self) == 5:
        self.stones[0] ^= 1 << 41


def sloppy_undo_mover(self, player, action):
    ConnectFour.undo_action(self, player, action)
    self.mover = 0


def shallow_clone(self):
    other = Good.clone(self)
    other.stones = self.stones
    return other


def forgetful_clone(self):
    other = Good.clone(self)
    other.mover = 0
    return other


def child_in_place(self, action):
    self.apply_action(action)
    return self


def lenient_apply(self, action):
    taken = self.stones[0] | self.stones[1]
    if not 0 <= action < 7 or taken >> (7 * action + 5) & 1:
        return
    ConnectFour.apply_action(self, action)


def applies_then_raises(self, action):
    legal = not self.is_terminal() and action in self.legal_actions()
    if not legal:
        self.mover = 1 - self.mover
    ConnectFour.apply_action(self, action)


def key_of_stones_placed(self):
    return stones_placed(self)


def key_with_last_move(self):
    return ConnectFour.key(self), tuple(self.placed[-1:])


def key_of_the_moment(self):
    self.rules.asked = getattr(self.rules, "asked", 0) + 1
    return self.rules.asked


def late_moves(self):
    legal = ConnectFour.legal_actions(self)
    return legal[:1] + legal if stones_placed(self) == 4 else legal


def moves_when_over(self):
    taken = self.stones[0] | self.stones[1]
    return [column for column in range(7) if not taken >> (7 * column + 5) & 1]


def names_that_change(self, player, action):
    self.placed = self.placed[:-1] if stones_placed(self) == 3 else self.placed
    self.mover = 1 - self.mover if stones_placed(self) == 3 else self.mover
    return str(action)


BROKEN = {
    "three players": (with_rules(num_players=lambda self: 3), "for two players"),
    "no -4 at the end": (
        with_methods(current_player=lambda self: self.mover),
        "must be -4 exactly when is_terminal",
    ),
    "-4 too early": (
        with_methods(current_player=lambda self: -4 if stones_placed(self) > 4 else self.mover),
        "must be -4 exactly when is_terminal",
    ),
    "player 2": (
        with_methods(current_player=lambda s: s.mover + 2 if not s.is_terminal() else -4),
        "must be 0, 1, or -1",
    ),
    "chance denied": (
        with_methods(is_chance_node=lambda self: stones_placed(self) == 3),
        "is_chance_node",
    ),
    "unsorted actions": (
        with_methods(legal_actions=lambda self: ConnectFour.legal_actions(self)[::-1]),
        "ascending order, each once",
    ),
    "an action twice": (with_methods(legal_actions=late_moves), "ascending order, each once"),
    "negative actions": (
        with_methods(legal_actions=lambda s: [a - 9 for a in ConnectFour.legal_actions(s)]),
        "whole numbers from 0",
    ),
    "actions that are text": (
        with_methods(legal_actions=lambda s: [str(a) for a in ConnectFour.legal_actions(s)]),
        "whole numbers from 0",
    ),
    "actions beyond the number": (
        with_rules(num_distinct_actions=lambda self: 6),
        "below num_distinct_actions() = 6",
    ),
    "no actions": (with_methods(legal_actions=lambda self: []), "while the game is not over"),
    "actions after the end": (
        with_methods(legal_actions=moves_when_over),
        "while the game is not over",
    ),
    "asking changes": (
        with_methods(
            action_to_string=names_that_change, string_to_action=lambda self, text: int(text)
        ),
        "asking must change nothing",
    ),
    "returns that do not cancel": (
        with_methods(returns=lambda self: [1, 1] if self.last_won else [0, 0]),
        "sum to zero",
    ),
    "returns for three": (with_methods(returns=lambda self: [0, 0, 0]), "must be two"),
    "returns too large": (
        with_methods(returns=lambda self: [2 * value for value in ConnectFour.returns(self)]),
        "as promised",
    ),
    "rewards that are not the returns": (
        with_methods(rewards=lambda self: [0.5, -0.5]),
        "rewards must sum up",
    ),
    "too long": (with_rules(max_game_length=lambda self: 6), "max_game_length() = 6"),
    "undo leaves a stone": (with_methods(undo_action=sloppy_undo), "undo_action("),
    "undo forgets the mover": (with_methods(undo_action=sloppy_undo_mover), "undo_action("),
    "undo does nothing": (
        with_methods(undo_action=lambda self, player, action: None),
        "undo_action",
    ),
    "clone shares its board": (with_methods(clone=shallow_clone), "clone changed"),
    "clone forgets the mover": (with_methods(clone=forgetful_clone), "a clone must be equal"),
    "child plays in place": (with_methods(child=child_in_place), "child("),
    "child plays something else": (
        with_methods(child=lambda self, action: self.clone()),
        "must be a clone played on",
    ),
    "illegal actions do nothing": (
        with_methods(apply_action=lenient_apply),
        "an illegal action must raise",
    ),
    "illegal actions change the state": (
        with_methods(apply_action=applies_then_raises),
        "changed the state",
    ),
    "key of the number of stones": (
        with_methods(key=key_of_stones_placed),
        "different positions must have different keys",
    ),
    "key with the last move": (with_methods(key=key_with_last_move), "must have the same key"),
    "key of the moment": (with_methods(key=key_of_the_moment), "key was"),
    "text without the board": (with_methods(to_text=lambda self: "board"), "board"),
    "text that reads as something else": (
        with_rules(state=lambda self, text: Rules.state(self, text[::-1])),
        "game.state(state.to_text())",
    ),
    "names twice": (
        with_methods(action_to_string=lambda s, p, a: f"column {a // 2}"),
        "different names",
    ),
    "names not found": (with_methods(string_to_action=lambda self, text: 3), "string_to_action"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_every_rule_is_caught(name):
    game, words = BROKEN[name]
    with pytest.raises(AssertionError) as caught:
        check_game(game(), games=25)
    assert words in str(caught.value)
    assert "actions played: [" in str(caught.value)


def test_keys_are_judged_by_the_future_when_there_is_no_text():
    class Bare(ConnectFour):
        """Nothing says which positions are equal but the key, which leaves a column out."""

        __str__ = object.__str__

        def key(self):
            return tuple(stones % (1 << 42) for stones in self.stones)

    with pytest.raises(AssertionError, match="positions with one key must have the same"):
        check_game(Bare(), games=60)

    class Right(Bare):
        key = ConnectFour.key

    check_game(Right(), games=10)


def test_a_key_that_depends_on_the_way_is_caught():
    class Remembers(Nim):
        last = None

        def key(self):
            return self.piles, self.last

        def apply_action(self, action):
            super().apply_action(action)
            self.last = action

        def child(self, action):
            state = Nim.child(self, action)
            state.last = action
            return state

        def clone(self):
            state = super().clone()
            state.last = self.last
            return state

    with pytest.raises(AssertionError, match="equal positions must have equal keys"):
        check_game(Remembers((2, 3, 4)))


def test_own_equality_counts():
    class Equal(Nim):
        __str__ = object.__str__
        __hash__ = None

        def __eq__(self, other):
            return (self.piles, self.player) == (other.piles, other.player)

        def key(self):
            return tuple(sorted(self.piles))

    with pytest.raises(AssertionError, match="different positions must have different keys"):
        check_game(Equal((2, 3, 4)), games=20)


def test_an_error_of_the_game_comes_with_its_history():
    class Breaks(Nim):
        def legal_actions(self):
            if sum(self.piles) < 5:
                raise KeyError("gone")
            return super().legal_actions()

    with pytest.raises(KeyError) as caught:
        check_game(Breaks((4, 4)))
    assert "actions played: [" in caught.value.__notes__[0]


def test_illegal_actions_can_be_left_to_the_caller():
    lenient = with_methods(apply_action=lenient_apply)
    check_game(lenient(), games=3, illegal_actions=False)


def test_chance_must_have_probabilities():
    class Die:
        """A die is thrown, then player 0 goes on or not."""

        def __init__(self, weights, path=()):
            self.weights, self.path = weights, path

        def current_player(self):
            return (-1, 0, -4)[len(self.path)]

        def is_terminal(self):
            return len(self.path) == 2

        def legal_actions(self):
            return [] if self.is_terminal() else [0, 1]

        def chance_outcomes(self):
            return list(enumerate(self.weights))

        def apply_action(self, action):
            if action not in self.legal_actions():
                raise ValueError
            self.path += (action,)

        def returns(self):
            value = 1 if self.path == (1, 1) else -1
            return [value, -value]

    check_game(Die([0.25, 0.75]))
    with pytest.raises(AssertionError, match="sum to 1"):
        check_game(Die([0.5, 0.75]))
