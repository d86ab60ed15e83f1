"""Faults that users reported of other game programs, as cases: none of them may happen here.

Each test is named for the case in ``data/public_cases.json``, which holds the source, the fault and the
expected answer.
"""

import copy
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import zerosum as zs
from tests.games.chain import Chain, KeyedChain
from tests.games.connect_four import ConnectFour, play
from tests.games.graph_game import (
    WAYS,
    GraphState,
    KeyedGraphState,
    UndoGraphState,
    evaluate_for_mover,
    mirrored,
)
from tests.games.slow import SlowTree
from tests.games.subtraction import Subtraction

TTT = zs.TicTacToe()


def ttt_state(position):
    return TTT.state(position["board"], first_player=position.get("first_player", "X"))


@pytest.mark.parametrize("name", ["B01", "B02", "B04", "B05", "B13"])
def test_best_moves(cases, name):
    case = cases[name]
    for position, expected in zip(
        case["input"]["positions"], case["expected"]["positions"], strict=True
    ):
        states = [ttt_state(position)]
        states += [TTT.state(position[form]) for form in position if form.startswith("as_")]
        states += [TTT.state(np.array(position[f])) for f in position if f == "as_nested_int"]
        for state in states:
            assert state.current_player() == "XO".index(position["to_move"])
            for ask in (zs.search, zs.solve, zs.minimax):
                result = ask(state)
                assert result.value == expected["value"]
                assert result.distance == expected["plies"]
                assert result.best_actions == expected["best"]
                same = [a for a, w in result.action_values.items() if w[0] == result.value]
                assert same == expected["value_moves"]


def test_b02_as_filed_needs_the_first_player_named(cases):
    with pytest.raises(ValueError, match="X moves first"):
        TTT.state(cases["B02"]["input"]["positions"][1]["board"])


def test_b05_the_lost_game_is_lost(cases):
    case = cases["B05"]
    state = TTT.new_initial_state()
    for action in case["input"]["line"]:
        assert not state.is_terminal()
        state.apply_action(action)
    expected = case["expected"]["line_result"]
    assert state.to_text() == expected["board"]
    assert state.is_terminal()
    assert state.returns() == [expected["value_for_X"], -expected["value_for_X"]]


def test_b06_a_line_completed_by_the_last_stone_wins(cases):
    case = cases["B06"]["input"]
    state = TTT.state(case["ttt_board"])
    assert state.is_terminal()
    assert state.returns() == [1, -1]
    columns = case["connect4_columns_1based"]
    game = ConnectFour()
    for column in columns:
        assert not game.is_terminal()
        game.apply_action(column - 1)
    assert game.is_terminal()
    assert len(columns) == 42
    assert game.returns() == [-1, 1]
    before_last = play(columns[:-1])
    result = zs.solve(before_last)
    assert (result.value, result.distance, result.action) == (1, 1, columns[-1] - 1)


def test_b07_boards_that_can_and_cannot_be(cases):
    case = cases["B07"]
    winners = iter(case["expected"]["winner_of_legal"])
    for board, legal in zip(case["input"]["boards"], case["expected"]["legal"], strict=True):
        if legal:
            value = {"X": 1, "O": -1, None: 0}[next(winners)]
            assert TTT.state(board).returns() == [value, -value]
        else:
            with pytest.raises(ValueError, match=r"impossible board"):
                TTT.state(board)


def test_b09_perfect_play_is_a_tie(cases, reference):
    expected = cases["B09"]["expected"]
    start = TTT.new_initial_state()
    result = zs.solve(start)
    assert (result.value, result.distance) == (0, expected["empty_board"]["plies"])
    assert result.best_actions == expected["empty_board"]["best"]
    for opening in cases["B09"]["input"]["openings"]:
        assert zs.solve(start.child(opening)).best_actions == expected["replies"][str(opening)]
    seen, fresh = set(), [start]
    while fresh:
        state = fresh.pop()
        if state.is_terminal():
            assert state.returns() == [0, 0]
            assert "." not in state.to_text()
            continue
        for action in zs.solve(state).best_actions:
            child = state.child(action)
            if child.to_text() not in seen:
                seen.add(child.to_text())
                fresh.append(child)


def test_b11_the_callers_board_is_never_written_to(cases):
    case = cases["B11"]
    expected = case["expected"]
    board = case["input"]["board"]
    for form in (
        case["input"]["as_flat_int"],
        case["input"]["as_nested_list"],
        np.array(case["input"]["as_flat_int"]),
    ):
        before = copy.deepcopy(form)
        state = TTT.state(form)
        for _ in range(2):
            result = zs.solve(state)
            assert (result.value, result.distance) == (expected["value"], expected["plies"])
            assert result.best_actions == expected["best"]
        assert np.array_equal(np.array(form), np.array(before))
        assert state.to_text() == board
        assert state.history() == []


def test_b11_a_users_state_is_never_changed():
    for state in (play([4, 4, 3]), Subtraction(12, [1, 2, 3]), UndoGraphState(SMALL_GRAPH)):
        before = copy.deepcopy(vars(state))
        for ask in (zs.search, zs.minimax):
            ask(state, depth=4)
        zs.search(state, nodes=50)
        assert vars(state) == before


SMALL_GRAPH = {
    "start": "r",
    "nodes": {
        "r": {"player": 0, "moves": [["x", "a"], ["y", "w"]]},
        "a": {"player": 1, "moves": [["x", "w"], ["y", "l"]]},
        "w": {"value": 1},
        "l": {"value": -1},
    },
}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_b16_a_bound_is_never_taken_for_a_value(cases, way):
    case = cases["B16"]
    for spec, sign in ((case["input"]["graph"], 1), (mirrored(case["input"]["graph"]), -1)):
        state = way(spec)
        for options in ({}, {"depth": 4}, {"depth": 9}, {"threads": 2}):
            result = zs.search(state, **options)
            player_0 = result.value if sign == 1 else -result.value
            assert player_0 == sign * case["expected"]["value"]
            names = [spec["nodes"]["r"]["moves"][a][0] for a in result.best_actions]
            assert names == case["expected"]["best"]


def test_b18_counting_games(cases):
    case = cases["B18"]
    games = zip(case["input"]["games"], case["expected"]["values_for_mover"], strict=True)
    for number, (game, values) in enumerate(games):
        take = range(1, 101) if game["take"] == "1..100" else game["take"]
        piles = game.get("piles") or [game["pile"]]
        for pile, value in zip(piles, values, strict=True):
            for player in (0, 1):
                state = Subtraction(pile, take, game["misere"], player)
                result = zs.solve(state)
                # Of a finished game, where nobody is to move, the value is player 0's return.
                expected = state.returns()[0] if state.is_terminal() else value
                assert result.value == expected, (game, pile, player)
                assert result.exact
                if number < 2:
                    assert result.best_actions == case["expected"]["best_first_two"][number]
    four = case["expected"]["pile_4_take_1_2_3_normal"]
    assert zs.solve(Subtraction(4, [1, 2, 3])).value == four["if_player_0_moves"]
    as_player_1 = zs.solve(Subtraction(4, [1, 2, 3], player=1)).value
    assert -as_player_1 == four["if_player_1_moves_value_for_player_0"]


def test_b20_a_repetition_on_one_path_does_not_count_on_another(cases):
    case = cases["B20"]
    spec = case["input"]["graph"]
    for way in (KeyedGraphState, UndoGraphState):
        for start, value in case["expected"]["graph"]["node_values"].items():
            result = zs.solve(way(spec, start))
            mover = spec["nodes"][start]["player"]
            assert (result.value if mover == 0 else -result.value) == value
        assert zs.solve(way(spec)).best_actions == [1]
        endless = zs.solve(way(case["input"]["two_cycle"]))
        assert (endless.value, endless.distance, endless.exact) == (0, None, True)
        assert endless.best_actions == [0]


def test_b20_endless_play_without_a_key_is_a_named_error(cases):
    with pytest.raises(zs.GameTooLongError, match="endless"):
        zs.solve(GraphState(cases["B20"]["input"]["two_cycle"]))
    with pytest.raises(zs.GameTooLongError, match="endless"):
        zs.minimax(Chain(10**9))


@pytest.mark.parametrize("way", [Chain, KeyedChain], ids=lambda way: way.__name__)
def test_b20_very_long_games(cases, way):
    lengths = cases["B20"]["input"]["chain_lengths"]
    for length, value in zip(
        lengths, cases["B20"]["expected"]["chain_value_for_player_0"], strict=True
    ):
        for ask in (zs.solve, zs.minimax):
            state = way(length)
            result = ask(state)
            assert (result.value, result.distance, result.exact) == (value, length, True)
            assert result.principal_variation == [0] * length
            assert state.at == 0


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_b22_evaluations_speak_for_the_mover_and_never_of_finished_games(cases, way):
    case = cases["B22"]
    graph = case["input"]["graph"]
    for spec, values, best in (
        (graph, "values_for_player_0", "best"),
        (mirrored(graph), "mirrored_values_for_player_0", "mirrored_best"),
    ):
        for number, depth in enumerate(case["input"]["depths"]):
            # `evaluate_for_mover` fails when it is asked about a finished game.
            result = zs.search(way(spec), depth=depth, evaluate=evaluate_for_mover)
            mover = spec["nodes"]["r"]["player"]
            value = result.value if mover == 0 else -result.value
            assert value == case["expected"][values][number]
            names = [spec["nodes"]["r"]["moves"][a][0] for a in result.best_actions]
            assert names == case["expected"][best][number]


def test_b23_limits_always_leave_a_legal_move(cases):
    case = cases["B23"]
    state = TTT.new_initial_state()
    limits = [{"time": t} for t in case["input"]["ttt"]["time_limits"]]
    limits.append({"nodes": case["input"]["node_limit"]})
    for limit in limits:
        started = time.perf_counter()
        result = zs.search(state, **limit)
        assert time.perf_counter() - started < 1
        assert result.action in state.legal_actions()
        assert result.value is None or -1 <= result.value <= 1
        if limit.get("time", 0) < 1e-3:
            assert not result.exact
        afterwards = zs.solve(state)
        assert (afterwards.value, afterwards.best_actions) == (0, list(range(9)))


@pytest.mark.parametrize("threads", [1, 2])
def test_b23_a_slow_game_obeys_its_time(threads):
    state = SlowTree(depth=6, width=3, seconds=0.05)
    started = time.perf_counter()
    result = zs.search(state, time=0.01, threads=threads)
    assert time.perf_counter() - started < 1
    assert result.action in (0, 1, 2)
    assert result.value is None or not result.exact
    state.seconds = 0
    assert zs.solve(state).exact


PRELUDE = """
import sys
import zerosum as zs
from tests.games.connect_four import ConnectFour
"""
LONG_SEARCHES = {
    "native": "zs.search(zs.MNK(7, 7, 5).new_initial_state())",
    "native threads": "zs.search(zs.MNK(7, 7, 5).new_initial_state(), threads=2)",
    "native minimax": "zs.minimax(zs.MNK(7, 7, 5).new_initial_state())",
    "tic-tac-toe kernel": "zs.minimax(zs.MNK(4, 4, 4).new_initial_state())",
    "perft": "zs.perft(zs.MNK(7, 7, 5).new_initial_state(), 12)",
    "python": "zs.search(ConnectFour())",
    "python threads": "zs.search(ConnectFour(), threads=2)",
    "python minimax": "zs.minimax(ConnectFour())",
}


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to a child process")
@pytest.mark.parametrize("name", LONG_SEARCHES)
def test_b25_ctrl_c_stops_a_search(name, request):
    program = PRELUDE + "print('ready', flush=True)\n" + LONG_SEARCHES[name]
    child = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=request.config.rootpath,
    )
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.4)
        assert child.poll() is None, child.stderr.read()
        sent = time.perf_counter()
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=10)
        seconds = time.perf_counter() - sent
    finally:
        child.kill()
    assert "KeyboardInterrupt" in errors
    assert child.returncode != 0
    assert seconds < 2  # the report's limit


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to a child process")
@pytest.mark.parametrize("name", LONG_SEARCHES)
def test_b25_ctrl_c_leaves_everything_usable(name, request):
    """The interrupt comes soon, the state is as it was, and the next search works."""
    call = LONG_SEARCHES[name]
    state = call[call.index("(") + 1 :]
    state = "ConnectFour()" if "ConnectFour" in call else state[: state.index("()") + 2]
    program = PRELUDE + textwrap.dedent(
        f"""
        import os, signal, threading, time
        state = {state}
        before = str(state)
        sent = []
        def interrupt():
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)
        timer = threading.Timer(0.2, interrupt)
        timer.start()
        try:
            {call.replace(state, "state")}
        except KeyboardInterrupt:
            late = time.perf_counter() - sent[0]
        else:
            sys.exit("the search ended by itself")
        assert str(state) == before
        assert zs.search(state, depth=2).depth == 2
        print(late)
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=request.config.rootpath,
        timeout=20,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 2  # benchmarks/search.py measures the tenth of a second
