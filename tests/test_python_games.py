"""The door for games written in Python: errors on the way, limits, odd games, and what is refused."""

import math
import random
import time

import pytest

import zerosum as zs
from tests.games.chain import Chain
from tests.games.connect_four import ConnectFour, play
from tests.games.graph_game import WAYS, GraphState, KeyedGraphState, random_graph
from tests.games.slow import SlowTree
from tests.games.subtraction import Nim, Subtraction
from zerosum.core.python_game import PythonState

ASKS = [
    zs.search,
    lambda state: zs.search(state, depth=8),
    lambda state: zs.search(state, threads=2),
    zs.solve,
    lambda state: zs.minimax(state, depth=5),
    lambda state: zs.perft(state, 4),
]


class BrokenError(Exception):
    """Nobody else's error."""


@pytest.mark.parametrize("after", [0, 1, 7, 100, 1000])
@pytest.mark.parametrize(
    "method",
    ["legal_actions", "apply_action", "undo_action", "is_terminal", "returns", "key", "clone",
     "current_player"],
)  # fmt: skip
@pytest.mark.parametrize(
    "ask", ASKS, ids=["search", "depth", "threads", "solve", "minimax", "perft"]
)
def test_an_error_of_the_game_reaches_the_caller(method, after, ask):
    """The method fails at its n-th call, on whichever copy; if it is called that often at all."""
    calls = []

    def broken(self, *arguments):
        calls.append(method)
        if len(calls) > after:
            raise BrokenError(method)
        return getattr(ConnectFour, method)(self, *arguments)

    state = play([4, 4, 4, 3, 3, 5, 5, 5, 1, 1, 1, 1, 4, 4, 7, 7, 4, 3, 3, 3, 3, 2, 7, 2, 2, 6])
    state.__class__ = type("Breaking", (ConnectFour,), {method: broken})
    before = {name: list(v) if isinstance(v, list) else v for name, v in vars(state).items()}
    try:
        ask(state)
    except BrokenError:
        assert len(calls) > after
    else:
        assert len(calls) <= after, "the error was swallowed"
    assert vars(state) == before


def test_an_error_in_the_evaluation_reaches_the_caller():
    def evaluate(state):
        raise BrokenError

    for state in (zs.TicTacToe().new_initial_state(), ConnectFour()):
        for threads in (1, 2):
            before = str(state)
            with pytest.raises(BrokenError):
                zs.search(state, depth=3, evaluate=evaluate, threads=threads)
            assert str(state) == before


@pytest.mark.parametrize("estimate", [math.nan, math.inf, -math.inf])
def test_estimates_must_be_numbers(estimate):
    for state in (zs.TicTacToe().new_initial_state(), ConnectFour()):
        with pytest.raises(ValueError, match="finite"):
            zs.search(state, depth=2, evaluate=lambda s: estimate)


def test_returns_must_sum_to_zero():
    class Generous(Subtraction):
        def returns(self):
            return [1, 1]

    class Threesome(Subtraction):
        def returns(self):
            return [1, -1, 0]

    class Endless(Subtraction):
        def returns(self):
            return [math.inf, -math.inf]

    for game in (Generous, Threesome, Endless):
        for ask in (zs.search, zs.minimax):
            with pytest.raises(ValueError):
                ask(game(5, [1, 2]))


def test_no_legal_actions_before_the_end():
    class Stuck(Subtraction):
        def legal_actions(self):
            return []

    for ask in (zs.search, zs.minimax):
        with pytest.raises(ValueError, match="no legal actions"):
            ask(Stuck(5, [1, 2]))


def test_players_must_be_known():
    class Seven(Subtraction):
        def current_player(self):
            return 7

    with pytest.raises(ValueError, match="current_player"):
        zs.search(Seven(5, [1, 2]))


def test_what_is_no_game_is_named():
    class Half:
        def current_player(self):
            return 0

    with pytest.raises(TypeError, match="legal_actions, apply_action, is_terminal, returns"):
        zs.search(Half())
    for nonsense in (None, 7, "XX.O..O..", [0] * 9, zs.TicTacToe()):
        for ask in (zs.search, zs.solve, zs.minimax):
            with pytest.raises(TypeError):
                ask(nonsense)


class WithChance(Subtraction):
    """A die is thrown in the middle, which the game does not announce."""

    def current_player(self):
        return -1 if self.pile in self.dice and not self.is_terminal() else super().current_player()

    def chance_outcomes(self):
        return [(1, 0.5), (2, 0.5)]


@pytest.mark.parametrize("dice", [{5}, {3}, {2}])
def test_undeclared_chance_is_refused(dice):
    game = type("Dice", (WithChance,), {"dice": dice})
    for ask in (zs.search, zs.solve, zs.minimax, lambda s: zs.search(s, depth=4)):
        with pytest.raises(ValueError, match="chance"):
            ask(game(5, [1, 2]))


def test_declared_properties_are_refused_by_name():
    class Rules:
        perfect_information = True
        deterministic = True

        def num_players(self):
            return 2

    class Declared(Subtraction):
        rules = Rules()

        def get_game(self):
            return self.rules

        def clone(self):
            return type(self)(self.pile, self.take, self.misere, self.player)

    assert zs.solve(Declared(4, [1, 2])).exact
    for name, word in (("perfect_information", "hidden information"), ("deterministic", "chance")):
        Declared.rules = Rules()
        setattr(Declared.rules, name, False)
        for ask in (zs.search, zs.solve, zs.minimax):
            with pytest.raises(zs.UnsupportedGameError, match=word):
                ask(Declared(4, [1, 2]))
    Declared.rules = Rules()
    Declared.rules.num_players = lambda: 3
    with pytest.raises(zs.UnsupportedGameError, match="3 players"):
        zs.search(Declared(4, [1, 2]))


def test_a_game_without_a_clone_is_copied():
    class NoClone(Chain):
        clone = property()  # hasattr says no

        def __deepcopy__(self, memo):
            copies.append(self)
            return type(self)(self.length, self.at)

    copies = []
    state = NoClone(9)
    assert zs.solve(state).distance == 9
    assert copies
    assert state.at == 0


LIMITED = {
    "native": lambda: zs.MNK(7, 7, 5).new_initial_state(),
    "python": ConnectFour,
    "no key": type("NoKey", (ConnectFour,), {"key": None}),
    "circles": lambda: KeyedGraphState(
        random_graph(random.Random(1), 20000, cyclic=True, ends=0.05)
    ),
    "circles without key": lambda: GraphState(
        random_graph(random.Random(1), 2000, cyclic=True, ends=0.05)
    ),
    "forced": lambda: Chain(50000),
    "slow": lambda: SlowTree(8, 3, 0.0002),
}
LIMITS = [
    {"nodes": 1},
    {"nodes": 2},
    {"nodes": 30},
    {"nodes": 3000},
    {"time": 0},
    {"time": 0.0},
    {"time": 1e-9},
    {"time": 1e-3},
    {"time": 0.05},
    {"time": 0, "nodes": 1},
    {"depth": 3, "nodes": 10},
    {"depth": 1, "time": 0},
]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("limit", LIMITS, ids=str)
@pytest.mark.parametrize("game", LIMITED)
def test_a_limit_always_leaves_a_legal_action(game, limit, threads):
    state = LIMITED[game]()
    before = str(state)
    started = time.perf_counter()
    result = zs.search(state, threads=threads, table_mb=8, **limit)
    assert time.perf_counter() - started < limit.get("time", 0.5) + 1
    legal = state.legal_actions()
    assert result.action in legal
    assert sorted(result.action_values) == legal
    assert set(result.best_actions) <= set(legal)
    assert result.principal_variation[0] == result.action
    if result.value is None:
        assert not result.exact
        assert result.distance is None
    assert str(state) == before
    walk = state.clone()
    for action in result.principal_variation:
        assert action in walk.legal_actions()
        walk.apply_action(action)


@pytest.mark.parametrize(
    "limit", [{"nodes": n} for n in (1, 5, 50, 500, 5000)] + [{"time": 1e-4}], ids=str
)
def test_a_cut_search_never_claims_what_is_not_so(limit):
    rng = random.Random(5)
    for _ in range(10):
        columns = [rng.randrange(7) for _ in range(24)]
        state = ConnectFour()
        for column in columns:
            if column in state.legal_actions() and not state.is_terminal():
                state.apply_action(column)
        if state.is_terminal() or len(state.placed) < 20:
            continue
        cut = zs.search(state, **limit)
        if not cut.exact:
            with pytest.raises(zs.SearchLimitError):
                zs.solve(state, nodes=limit.get("nodes", 1))
        if len(state.placed) < 22:
            continue
        whole = zs.solve(state)
        if cut.exact:
            assert (cut.value, cut.distance, cut.best_actions) == (
                whole.value, whole.distance, whole.best_actions)  # fmt: skip
        for action, worth in cut.action_values.items():
            if worth[1] is not None:
                assert worth[0] == whole.action_values[action][0]


def test_solve_never_guesses():
    for limit in ({"nodes": 1}, {"nodes": 1000}, {"time": 0}, {"time": 0.01}):
        for state in (zs.MNK(7, 7, 5).new_initial_state(), ConnectFour()):
            with pytest.raises(zs.SearchLimitError):
                zs.solve(state, **limit)
    large = KeyedGraphState(random_graph(random.Random(1), 60000, cyclic=True, ends=0.01))
    with pytest.raises(zs.SearchLimitError, match="table_mb"):
        zs.solve(large, table_mb=1)
    with pytest.raises(zs.SearchLimitError):
        zs.solve(large, nodes=1000)
    assert zs.solve(large).exact


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"depth": 0}, ValueError),
        ({"depth": -1}, ValueError),
        ({"depth": 1 << 40}, ValueError),
        ({"depth": 1.0}, TypeError),
        ({"depth": "3"}, TypeError),
        ({"depth": True}, TypeError),
        ({"nodes": 0}, ValueError),
        ({"nodes": -5}, ValueError),
        ({"nodes": 1.5}, TypeError),
        ({"time": -1}, ValueError),
        ({"time": math.nan}, ValueError),
        ({"time": math.inf}, ValueError),
        ({"time": "1"}, TypeError),
        ({"threads": 0}, ValueError),
        ({"threads": -1}, ValueError),
        ({"threads": None}, TypeError),
        ({"threads": 1.5}, TypeError),
        ({"table_mb": 0}, ValueError),
        ({"table_mb": -1}, ValueError),
        ({"table_mb": math.nan}, ValueError),
        ({"table_mb": 1e12}, ValueError),
        ({"table_mb": "big"}, TypeError),
        ({"evaluate": "original"}, ValueError),
    ],
    ids=str,
)
def test_bad_arguments(arguments, error):
    for state in (zs.TicTacToe().new_initial_state(), Nim((1, 2))):
        with pytest.raises(error) as caught:
            zs.search(state, **arguments)
        name = next(iter(arguments))
        if error is ValueError and name != "evaluate":
            assert name in str(caught.value)


def test_minimax_checks_its_depth():
    state = zs.TicTacToe().new_initial_state()
    for depth, error in ((0, ValueError), (-3, ValueError), (1.5, TypeError), (True, TypeError)):
        with pytest.raises(error, match="depth"):
            zs.minimax(state, depth=depth)


def test_whole_numbers_of_other_kinds_are_taken():
    numpy = pytest.importorskip("numpy")
    state = zs.TicTacToe().new_initial_state()
    assert zs.search(state, depth=numpy.int64(2)).depth == 2
    assert zs.search(state, nodes=numpy.int32(50), time=1).action is not None


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_every_way_of_writing_a_game_gives_the_same(way):
    rng = random.Random(9)
    for _ in range(10):
        spec = random_graph(rng, 30, cyclic=False, ends=0.2)
        if "value" in spec["nodes"][0]:
            continue
        plain = zs.minimax(KeyedGraphState(spec))
        result = zs.solve(way(spec))
        assert result.action_values == plain.action_values
        assert zs.minimax(way(spec)).nodes == plain.nodes


def test_keys_of_every_kind():
    """Small and large whole numbers, negative ones, text, tuples: only equality counts."""
    rng = random.Random(4)
    spec = random_graph(rng, 60, cyclic=False, ends=0.1)
    plain = zs.minimax(GraphState(spec)).action_values
    kinds = (
        lambda at: at,
        lambda at: -at,
        lambda at: at << 70,
        lambda at: (at, "x"),
        lambda at: f"at {at}",
        lambda at: (1 << 61) - 1 - at,
        lambda at: at if at % 2 else str(at),
        float,
    )
    for kind in kinds:
        game = type("Keyed", (GraphState,), {"key": lambda self, kind=kind: kind(self.at)})
        for threads in (1, 3):
            assert zs.solve(game(spec), threads=threads).action_values == plain


def test_keys_are_numbered_once_among_threads():
    """A key's own hash may let another thread in, which numbers keys too: no number is given twice."""
    meanwhile = []

    class Key(tuple):
        def __hash__(self):
            if meanwhile:
                meanwhile.pop().position_key()
            return super().__hash__()

    class Tagged(Nim):
        def key(self):
            return Key(self.piles)

    states = [PythonState(Tagged((3, 4)))]
    states += [states[0].child(action) for action in states[0].legal_actions()]
    for other in states[2:]:
        meanwhile.append(other)
        assert states[1].position_key() != other.position_key()
    assert len({state.position_key() for state in states}) == len(states)


def test_unhashable_keys_are_an_error_of_the_game():
    class Listed(Nim):
        def key(self):
            return list(self.piles)

    with pytest.raises(TypeError, match="unhashable"):
        zs.solve(Listed((3, 4)))


class Passing(Subtraction):
    """Passing (0) is allowed too, so play may be endless; the key is the pile alone."""

    def legal_actions(self):
        return [0, *super().legal_actions()]


def test_finished_games_of_one_key_keep_their_results():
    """Nobody moves in a finished game, so the player cannot tell its two endings apart by the key."""
    for player in (0, 1):
        assert zs.solve(Passing(1, [1], player=player)).action_values == {0: (-1, 2), 1: (1, 1)}
        assert zs.solve(Passing(2, [1], player=player)).value == 0
        assert zs.solve(Passing(3, [1, 2], player=player)).value == 0
        assert zs.solve(Passing(2, [1, 2], player=player)).best_actions == [2]


def test_a_negative_action_is_refused():
    class Below(ConnectFour):
        def legal_actions(self):
            return [-1, 0]

    for ask in (zs.search, zs.minimax, zs.solve):
        with pytest.raises(ValueError, match="numbers from 0"):
            ask(Below())


class LongTie:
    """600,000 forced plies, then a tie: longer than a distance can be."""

    def __init__(self):
        self.plies = 0

    def current_player(self):
        return self.plies % 2

    def legal_actions(self):
        return [0]

    def apply_action(self, action):
        self.plies += 1

    def undo_action(self, player, action):
        self.plies -= 1

    def is_terminal(self):
        return self.plies == 600_000

    def returns(self):
        return [0.0, 0.0]


def test_a_line_too_long_is_refused():
    for ask in (zs.solve, zs.minimax):
        with pytest.raises(zs.GameTooLongError):
            ask(LongTie())
