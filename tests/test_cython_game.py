"""A game compiled outside the package against what is installed: connect four, twice.

Written in Python and in Cython with the same keys, it must give the same answers, and visit the same nodes
wherever both are searched in the same way.
"""

import importlib.util
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import zerosum as zs
from tests.games.connect_four import ConnectFour, play

pytest.importorskip("Cython")
pytest.importorskip("setuptools")


@pytest.fixture(scope="session")
def outside(tmp_path_factory):
    """The compiled module."""
    folder = tmp_path_factory.mktemp("cython_game")
    for name in ("setup.py", "outside_connect_four.pyx"):
        shutil.copy(Path(__file__).parent / "cython_game" / name, folder)
    built = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    paths = [p for p in folder.glob("outside_connect_four.*") if p.suffix in (".so", ".pyd")]
    spec = importlib.util.spec_from_file_location("outside_connect_four", paths[0])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ANSWER = ("action", "value", "exact", "distance", "action_values", "best_actions", "depth")


def same_answer(python_state, cython_state, *also, **options):
    ours = zs.search(python_state, **options)
    theirs = zs.search(cython_state, **options)
    for name in (*ANSWER, *also):
        assert getattr(ours, name) == getattr(theirs, name), name
    return ours


def values(result):
    """{action: value}."""
    return {action: worth[0] for action, worth in result.action_values.items()}


def random_opening(rng, plies, game):
    """The same random opening, unfinished, as Python and as Cython states."""
    while True:
        python_state, cython_state = ConnectFour(), game()
        for _ in range(plies):
            if python_state.is_terminal():
                break
            action = rng.choice(python_state.legal_actions())
            python_state.apply_action(action)
            cython_state.apply_action(action)
            assert str(python_state) == str(cython_state)
            assert python_state.is_terminal() == cython_state.is_terminal()
            assert list(python_state.returns()) == cython_state.returns()
        if not python_state.is_terminal():
            assert python_state.legal_actions() == cython_state.legal_actions()
            return python_state, cython_state


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 6])
def test_same_answer_at_every_depth(outside, depth):
    rng = random.Random(depth)
    for plies in (0, 7, 20):
        states = random_opening(rng, plies, outside.ConnectFour)
        plain = zs.minimax(states[1], depth=depth)
        results = [zs.search(state, depth=depth) for state in states]
        assert results[0].nodes == results[1].nodes
        for result in results:
            assert result.value == plain.value
            assert values(result) == values(plain)


@pytest.mark.parametrize("seed", range(4))
def test_same_nodes_to_the_end(outside, seed):
    states = random_opening(random.Random(seed), 28, outside.ConnectFour)
    result = same_answer(*states, "nodes", "principal_variation")
    assert result.exact


@pytest.mark.parametrize("limit", [1, 2, 100, 5000, 50000])
def test_node_limits_are_kept_to_the_node(outside, limit):
    for state in random_opening(random.Random(limit), 6, outside.ConnectFour):
        result = zs.search(state, nodes=limit)
        assert result.nodes == limit
        assert result.action in state.legal_actions()


def test_plain_minimax_counts_the_same(outside):
    python_state, cython_state = random_opening(random.Random(1), 4, outside.ConnectFour)
    ours, theirs = zs.minimax(python_state, depth=4), zs.minimax(cython_state, depth=4)
    assert ours.nodes == theirs.nodes
    assert ours.action_values == theirs.action_values
    assert zs.perft(python_state, 4) == zs.perft(cython_state, 4)


def check_b14(case, state):
    """A reported position of 17 stones, solved to the end with the value of every move."""
    result = zs.solve(state)
    expected = case["expected"]
    assert result.value == expected["value_for_mover"]
    assert {str(a + 1): list(w) for a, w in result.action_values.items()} == expected["moves"]
    assert [action + 1 for action in result.best_actions] == expected["best"]
    assert len(result.principal_variation) == result.distance
    return result


def test_b14_values_after_a_move_belong_to_the_other_player(cases, outside):
    case = cases["B14"]
    state = play(case["input"]["columns_1based"], outside.ConnectFour)
    check_b14(case, state)
    for column, value in case["expected"]["child_value_for_its_own_mover"].items():
        assert zs.solve(state.child(int(column) - 1), all_actions=False).value == value


@pytest.mark.long
def test_b14_in_python(cases, outside):
    case = cases["B14"]
    columns = case["input"]["columns_1based"]
    ours = check_b14(case, play(columns))
    theirs = zs.solve(play(columns, outside.ConnectFour))
    assert {name: getattr(ours, name) for name in ANSWER} == {n: getattr(theirs, n) for n in ANSWER}


def test_perft(outside):
    # Up to 6 plies no column fills and nobody has four: 7**n. In the 7th ply a column of six may be full
    # (7 openings are without one of the 7 moves each), and no seventh ply follows a win, for there is none.
    state = outside.ConnectFour()
    assert [zs.perft(state, depth) for depth in range(8)] == [7**n for n in range(7)] + [7**7 - 7]
