"""The search against its slow twins on random games: to a depth, to the end, in circles, with threads."""

import random

import pytest

import zerosum as zs
from tests.games.graph_game import (
    WAYS,
    GraphState,
    KeyedGraphState,
    UndoGraphState,
    evaluate_for_mover,
    random_graph,
)
from tests.games.subtraction import Nim
from tests.reference import negamax
from tests.reference.cyclic import solve_graph

THREADS = [1, 2, 3]


def longest_line(spec):
    """Plies of the longest line of play of an acyclic graph."""
    nodes = spec["nodes"]
    below = {}
    for name in sorted(nodes, reverse=True):
        below[name] = max(
            (1 + below[child] for _, child in nodes[name].get("moves", [])), default=0
        )
    return below[spec["start"]]


def unfinished(rng, make):
    """A random graph whose start is no end."""
    while True:
        spec = make(rng)
        if "moves" in spec["nodes"][spec["start"]]:
            return spec


def check_depth_limited(state, result, depth, evaluate):
    """Values of plain minimax to the depth; what is called proved is the truth."""
    plain = negamax.action_values(state, depth, evaluate)
    truth = negamax.action_values(state)
    mover = state.current_player()
    assert {a: w[0] for a, w in result.action_values.items()} == {a: w[0] for a, w in plain.items()}
    value, distance, _ = max(plain.values(), key=lambda w: negamax.rank(w[0], w[1], mover))
    assert result.value == value
    assert (plain[result.action][0], plain[result.action][1] if value else 0) == (
        value,
        distance if value else 0,
    )
    for action, worth in result.action_values.items():
        if worth[1] is not None:
            assert worth == truth[action][:2]
    assert set(result.best_actions) <= {a for a, w in plain.items() if w[0] == value}
    if result.exact:
        best = max(truth.values(), key=lambda w: negamax.rank(w[0], w[1], mover))
        assert (result.value, result.distance) == best[:2]
        assert result.best_actions == negamax.best_actions(truth, mover)


def check_line(state, result, evaluate=None):
    """The line of play is legal and ends in what the value claims."""
    mover = state.current_player()
    end = state.clone()
    for action in result.principal_variation:
        assert action in end.legal_actions()
        end.apply_action(action)
    if end.is_terminal():
        value = end.returns()[0]
        value = value if mover == 0 else -value
    else:
        assert result.distance is None
        value = evaluate(end) if evaluate else 0
        value = value if end.current_player() == mover else -value
    assert value == result.value
    if result.distance is not None:
        assert len(result.principal_variation) == result.distance


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("threads", THREADS)
def test_to_every_depth(seed, threads):
    rng = random.Random(seed)
    ends = rng.choice([0.1, 0.3, 0.5])
    spec = unfinished(rng, lambda r: random_graph(r, 24, cyclic=False, evaluations=True, ends=ends))
    state = WAYS[1 + seed % 3](spec)
    for depth in range(1, longest_line(spec) + 2):
        result = zs.search(state, depth=depth, evaluate=evaluate_for_mover, threads=threads)
        check_depth_limited(state, result, depth, evaluate_for_mover)
        check_line(state, result, evaluate_for_mover)
        if not result.exact:
            assert result.depth == depth
            assert len(result.principal_variation) <= depth


@pytest.mark.parametrize("seed", range(60))
def test_minimax_to_every_depth(seed):
    rng = random.Random(1000 + seed)
    spec = unfinished(rng, lambda r: random_graph(r, 20, cyclic=False))
    state = WAYS[1 + seed % 3](spec)
    mover = state.current_player()
    for depth in [*range(1, longest_line(spec) + 2), None]:
        result = zs.minimax(state, depth=depth)
        plain = negamax.action_values(state, depth)
        assert result.action_values == {
            a: (value, None if cut else distance) for a, (value, distance, cut) in plain.items()
        }
        assert result.nodes == negamax.count_nodes(state, depth)
        assert result.exact == (not any(cut for _, _, cut in plain.values()))
        if result.exact:
            assert result.best_actions == negamax.best_actions(plain, mover)
        check_line(state, result)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("threads", THREADS)
def test_to_the_end(seed, threads):
    rng = random.Random(2000 + seed)
    spec = unfinished(rng, lambda r: random_graph(r, 40, cyclic=False, ends=0.2))
    state = WAYS[seed % len(WAYS)](spec)
    plain = negamax.action_values(GraphState(spec))
    mover = state.current_player()
    result = zs.solve(state, threads=threads)
    assert result.action_values == {action: w[:2] for action, w in plain.items()}
    assert result.best_actions == negamax.best_actions(plain, mover)
    assert result.exact
    check_line(GraphState(spec), result)
    short = zs.solve(state, threads=threads, all_actions=False)
    assert (short.value, short.distance) == (result.value, result.distance)
    assert set(short.best_actions) <= set(result.best_actions)
    check_line(GraphState(spec), short)
    for action, (value, _) in short.action_values.items():
        assert value >= plain[action][0]


@pytest.mark.parametrize("seed", range(200))
def test_in_circles(seed):
    rng = random.Random(3000 + seed)
    size = rng.choice([3, 5, 8, 15, 40])
    ends = rng.choice([0.1, 0.2, 0.4])
    spec = unfinished(rng, lambda r: random_graph(r, size, cyclic=True, ends=ends))
    truth = solve_graph(spec["nodes"])
    for way in (KeyedGraphState, UndoGraphState):
        for start in range(0, size, 3):
            node = spec["nodes"][start]
            if "value" in node:
                continue
            sign = 1 if node["player"] == 0 else -1
            result = zs.solve(way(spec, start))
            value, distance = truth[start]
            assert (result.value, result.distance) == (sign * value, distance)
            assert result.action_values == {
                action: (
                    sign * truth[child][0],
                    None if truth[child][1] is None else truth[child][1] + 1,
                )
                for action, (_, child) in enumerate(node["moves"])
            }
            assert result.best_actions == [
                action
                for action, (v, d) in result.action_values.items()
                if v == result.value and (v == 0 or d == result.distance)
            ]
            assert result.exact
            check_circular_line(way(spec, start), result)


def check_circular_line(state, result):
    """To the end of the game, or to a position that was there before when play is endless."""
    mover = state.current_player()
    seen = [state.at]
    for action in result.principal_variation:
        assert state.at not in seen[:-1]
        state.apply_action(action)
        seen.append(state.at)
    if result.distance is None:
        assert state.at in seen[:-1]
    else:
        assert len(result.principal_variation) == result.distance
        assert state.is_terminal()
        assert state.returns()[0] == (result.value if mover == 0 else -result.value)


@pytest.mark.parametrize("seed", range(40))
def test_circles_to_a_depth(seed):
    rng = random.Random(4000 + seed)
    spec = unfinished(rng, lambda r: random_graph(r, 8, cyclic=True, ends=0.3, evaluations=True))
    for way in (GraphState, KeyedGraphState, UndoGraphState):
        state = way(spec)
        for depth in range(1, 8):
            result = zs.search(state, depth=depth, evaluate=evaluate_for_mover)
            plain = negamax.action_values(state, depth, evaluate_for_mover)
            values = {action: worth[0] for action, worth in result.action_values.items()}
            assert values == {action: worth[0] for action, worth in plain.items()}
            assert values == {
                action: worth[0]
                for action, worth in zs.search(
                    state, depth=depth, evaluate=evaluate_for_mover, threads=2
                ).action_values.items()
            }


@pytest.mark.parametrize(
    "piles", [(1,), (3, 4, 5), (1, 2, 3), (2, 2), (1, 3, 5, 7), (5, 9)], ids=str
)
@pytest.mark.parametrize("player", [0, 1])
def test_nim(piles, player):
    """Won exactly when the exclusive or of the piles is not 0 (Bouton 1901)."""
    balance = 0
    for pile in piles:
        balance ^= pile
    state = Nim(piles, player)
    result = zs.solve(state)
    assert result.value == (1 if balance else -1)
    for action, (value, _) in result.action_values.items():
        after = state.child(action)
        left = 0
        for pile in after.piles:
            left ^= pile
        assert value == (-1 if left else 1)


UNEVEN = [
    0.1,
    1 / 3,
    -0.1,
    -1 / 3,
    2 / 3,
    1e-7,
    -1e9 / 7,
    3.3e15 / 7,
    0.1 + 0.2,
    -5e-324 * 0,
    1e300 / 3,
]


@pytest.mark.parametrize("value", UNEVEN)
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("ask", [zs.search, zs.solve, zs.minimax], ids=lambda ask: ask.__name__)
def test_values_come_back_to_the_last_bit(value, player, ask):
    spec = {
        "start": "r",
        "nodes": {
            "r": {"player": player, "moves": [["x", "a"], ["y", "b"]]},
            "a": {"player": 1 - player, "moves": [["x", "v"]]},
            "b": {"value": value / 2},
            "v": {"value": value},
            "circle": {"player": 0, "moves": [["x", "r"]]},
        },
    }
    for way in (GraphState, KeyedGraphState):
        result = ask(way(spec))
        sign = 1 if player == 0 else -1
        assert result.action_values == {0: (sign * value, 2), 1: (sign * value / 2, 1)}
        assert result.value in (sign * value, sign * value / 2)
    looped = {
        "start": "r",
        "nodes": {**spec["nodes"], "a": {"player": 1 - player, "moves": [["x", "v"], ["y", "r"]]}},
    }
    truth = solve_graph({k: looped["nodes"][k] for k in ("r", "a", "b", "v")})
    if ask is not zs.minimax:
        assert ask(KeyedGraphState(looped)).value == sign * truth["r"][0]


@pytest.mark.parametrize("estimate", [0.1, 1 / 3, -2 / 7])
def test_estimates_come_back_to_the_last_bit(estimate):
    state = Nim((3, 4, 5))
    assert zs.search(state, depth=2, evaluate=lambda s: estimate).value == estimate
    assert zs.search(state, depth=1, evaluate=lambda s: estimate).value == -estimate
    native = zs.TicTacToe().new_initial_state()
    assert zs.search(native, depth=2, evaluate=lambda s: estimate).value == estimate


@pytest.mark.parametrize("threads", THREADS)
def test_native_games_with_a_python_evaluation(threads):
    def corners(state):
        cells = state.cells()
        value = sum(0.25 if cells[i] == "X" else -0.25 for i in (0, 2, 6, 8) if cells[i] != ".")
        assert not state.is_terminal()
        return value if state.current_player() == 0 else -value

    state = zs.TicTacToe().state("X...O....")
    for depth in range(1, 6):
        result = zs.search(state, depth=depth, evaluate=corners, threads=threads)
        check_depth_limited(state, result, depth, corners)
        check_line(state, result, corners)
    assert state.to_text() == "X...O...."


def test_the_same_player_may_move_twice_in_a_row():
    spec = {
        "start": "r",
        "nodes": {
            "r": {"player": 1, "moves": [["x", "a"], ["y", "lose"]]},
            "a": {"player": 1, "moves": [["x", "b"], ["y", "tie"]]},
            "b": {"player": 1, "moves": [["x", "win"]]},
            "win": {"value": -1},
            "tie": {"value": 0},
            "lose": {"value": 1},
        },
    }
    for way in WAYS:
        for ask in (zs.search, zs.solve, zs.minimax):
            result = ask(way(spec))
            assert result.action_values == {0: (1, 3), 1: (-1, 1)}
            assert result.principal_variation == [0, 0, 0]


@pytest.mark.parametrize("threads", THREADS)
def test_threads_agree_on_a_real_search(threads):
    """Long enough that the helpers really search: 4 in a row on 5 by 4."""
    state = zs.MNK(5, 4, 4).state("X...O/.X.../..O../.....")
    result = zs.search(state, depth=8, threads=threads)
    alone = zs.search(state, depth=8)
    assert {a: w[0] for a, w in result.action_values.items()} == {
        a: w[0] for a, w in alone.action_values.items()
    }
    solved = zs.solve(zs.MNK(4, 4, 4).new_initial_state(), threads=threads, all_actions=False)
    assert (solved.value, solved.distance) == (0, 16)
    assert len(solved.principal_variation) == 16
