"""Oware's rules against published cases, move counts and whole games of other implementations."""

import _thread
import json
import threading
import time
from pathlib import Path

import pytest

from zerosum import perft, perft_divide
from zerosum.games.oware import Oware

DATA = json.loads((Path(__file__).parent / "data" / "oware.json").read_text(encoding="utf-8"))
CASES = DATA["rule_cases"]
GAMES = DATA["random_games_abapa"]["games"]


def state_of_case(case, rules):
    return Oware(rules).state(
        south=case["south_A_F"],
        north=case["north_a_f"],
        scores=case["scores"] or (0, 0),
        to_move=case["turn"],
    )


@pytest.mark.parametrize("rules", ["abapa", "awari"])
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_rule_case(case, rules):
    expected = case[rules]
    state = state_of_case(case, rules)
    assert [state.action_to_string(action) for action in state.legal_actions()] == expected["legal"]
    if "result_south" not in expected:
        return
    mover = state.to_move
    state.apply_action(state.string_to_action(case["move"]))
    assert state.south == expected["result_south"]
    assert state.north == expected["result_north"]
    before = (case["scores"] or (0, 0))[mover]
    assert state.scores[mover] - before == expected["captured"]


def test_cannot_feed_gives_the_same_score_by_both_rule_sets():
    abapa, awari = (
        Oware(rules).state(south=[2, 1, 0, 0, 0, 0], north=[0] * 6) for rules in ("abapa", "awari")
    )
    assert abapa.end_reason() == "no move"
    assert abapa.final_scores() == (3, 0)
    awari.apply_action(0)
    assert awari.end_reason() == "no move"
    assert awari.final_scores() == (3, 0)
    assert awari.returns() == abapa.returns() == [3.0, -3.0]


@pytest.mark.parametrize("rules", ["abapa", "awari"])
def test_perft_from_the_start(rules):
    state = Oware(rules).new_initial_state()
    assert [perft(state, depth) for depth in range(1, 9)] == DATA["perft_start"][:8]


@pytest.mark.long
def test_perft_from_the_start_deeper():
    state = Oware().new_initial_state()
    assert [perft(state, depth) for depth in (9, 10, 11)] == DATA["perft_start"][8:]
    assert perft(state, 12) == 460005710


@pytest.mark.parametrize("rules", [1, 2], ids=["abapa", "awari"])
@pytest.mark.parametrize("row", DATA["perft_positions"]["rows"], ids=lambda row: row[0])
def test_perft_of_positions(row, rules):
    game = Oware((None, "abapa", "awari")[rules], majority=False, repetition="none")
    expected = list(map(int, row[rules].split()))
    assert [perft(game.state(row[0]), depth) for depth in range(1, 9)] == expected


@pytest.mark.parametrize("board", DATA["perft_small_boards_abapa"]["rows"])
def test_perft_of_small_boards(board):
    houses, seeds = map(int, board.split("x"))
    expected = DATA["perft_small_boards_abapa"]["rows"][board]
    state = Oware(houses=houses, seeds=seeds).new_initial_state()
    depths = [depth for depth, count in enumerate(expected, 1) if count < 3_000_000]
    assert [perft(state, depth) for depth in depths] == [expected[depth - 1] for depth in depths]


SWITCH_OF = {
    "slam illegal": {"grand_slam": "illegal"},
    "slam captures all": {"grand_slam": "captures_all"},
    "no duty to feed": {"feeding": "no_duty"},
    "abapa": {},
}


@pytest.mark.parametrize("rule", DATA["perft_3x2_by_rule"])
def test_perft_by_rule(rule):
    expected = DATA["perft_3x2_by_rule"][rule]
    state = Oware(houses=3, seeds=2, **SWITCH_OF[rule]).new_initial_state()
    assert [perft(state, depth) for depth in range(1, len(expected) + 1)] == expected


def count_by_state(state, depth):
    if depth == 0:
        return 1
    total = 0
    for action in state.legal_actions():
        player = state.current_player()
        state.apply_action(action)
        total += count_by_state(state, depth - 1)
        state.undo_action(player, action)
    return total


@pytest.mark.parametrize("rules", ["abapa", "awari", "casual"])
def test_perft_kernel_counts_what_the_state_plays(rules):
    state = Oware(rules, houses=2, seeds=2).new_initial_state()
    for _ in range(3):
        for depth in range(8):
            assert perft(state, depth) == count_by_state(state, depth)
            assert depth == 0 or sum(perft_divide(state, depth).values()) == perft(state, depth)
        if not state.is_terminal():
            state.apply_action(state.legal_actions()[-1])


def test_perft_sees_the_line_that_led_to_the_state():
    state = Oware(houses=3, seeds=1).new_initial_state()
    while not state.is_terminal():
        assert perft(state, 1) == len(state.legal_actions())
        assert perft(state, 4) == count_by_state(state, 4)
        state.apply_action(state.legal_actions()[0])
    assert perft(state, 1) == 0


def test_perft_of_one_long_line():
    state = Oware("casual", houses=1, seeds=2).state(south=[1], north=[0])
    assert [perft(state, depth) for depth in (0, 256, 257, 1000)] == [1, 1, 1, 1]


def test_perft_stops_at_ctrl_c():
    started = time.monotonic()
    timer = threading.Timer(0.1, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        perft(Oware().new_initial_state(), 30)
    assert time.monotonic() - started < 5


@pytest.mark.parametrize("index", range(0, len(GAMES), 50))
def test_whole_games_of_another_implementation(index):
    for moves, final in GAMES[index : index + 50]:
        state = Oware().new_initial_state()
        for move in moves:
            assert not state.is_terminal()
            state.apply_action(int(move))
        assert state.is_terminal()
        assert list(state.final_scores()) == final
        assert state.returns() == [final[0] - final[1], final[1] - final[0]]


# ---- Every switch by itself --------------------------------------------------------------------


def after(move, south, north, scores=(0, 0), **switches):
    state = Oware(**switches).state(south=south, north=north, scores=scores)
    state.apply_action(state.string_to_action(move))
    return state


SLAM = {"south": [0, 2, 0, 0, 1, 4], "north": [1, 2, 1, 2, 0, 0]}


@pytest.mark.parametrize(
    ("grand_slam", "south", "north", "scores"),
    [
        ("no_capture", [0, 2, 0, 0, 1, 0], [2, 3, 2, 3, 0, 0], (0, 0)),
        ("captures_all", [0, 2, 0, 0, 1, 0], [0, 0, 0, 0, 0, 0], (10, 0)),
        ("opponent_keeps", [0] * 6, [0] * 6, (10, 3)),
        ("all_but_first", [0, 2, 0, 0, 1, 0], [0, 0, 0, 3, 0, 0], (7, 0)),
        ("all_but_last", [0, 2, 0, 0, 1, 0], [2, 0, 0, 0, 0, 0], (8, 0)),
    ],
)
def test_grand_slam(grand_slam, south, north, scores):
    state = after("F", **SLAM, grand_slam=grand_slam)
    assert (state.south, state.north, state.scores) == (south, north, scores)


def test_grand_slam_illegal():
    only_move = {"south": [0] * 5 + [4], "north": SLAM["north"]}
    abapa = Oware(grand_slam="illegal")
    assert abapa.state(**SLAM).legal_actions() == [1, 4]
    assert abapa.state(**only_move).end_reason() == "no move"
    awari = Oware("awari")
    assert awari.state(**SLAM).legal_actions() == [1, 4]
    state = awari.state(**only_move)
    assert state.legal_actions() == [5]
    state.apply_action(5)
    assert state.scores == (10, 0)


def test_a_capture_that_leaves_a_seed_is_no_grand_slam():
    state = after("F", SLAM["south"], [1, 2, 1, 2, 0, 1], grand_slam="no_capture")
    assert state.scores == (10, 0)
    assert state.north == [0, 0, 0, 0, 0, 1]


def test_feeding():
    board = {"south": [1, 0, 0, 0, 0, 1], "north": [0] * 6}
    assert Oware(feeding="must_feed").state(**board).legal_actions() == [5]
    assert Oware(feeding="must_not_starve").state(**board).legal_actions() == [5]
    assert Oware(feeding="no_duty").state(**board).legal_actions() == [0, 5]


def test_must_not_starve_forbids_moving_the_last_seed_away():
    # Under must_feed only an opponent who already has nothing must be fed.
    board = {"south": [1, 0, 0, 0, 1, 1], "north": [1, 0, 0, 0, 0, 0]}
    switches = {"grand_slam": "captures_all"}
    assert Oware(feeding="must_not_starve", **switches).state(**board).legal_actions() == [0, 4]
    assert Oware(feeding="must_feed", **switches).state(**board).legal_actions() == [0, 4, 5]


def test_when_every_move_starves_all_are_legal_grand_slams_too():
    board = {"south": [22, 1, 0, 0, 0, 0], "north": [0] * 6}
    assert Oware("awari").state(**board).legal_actions() == [0, 1]


@pytest.mark.parametrize(
    ("no_move", "final"), [("own_row", (13, 35)), ("opponent", (10, 38)), ("nobody", (10, 35))]
)
def test_no_move(no_move, final):
    state = Oware(no_move=no_move, majority=False).state(
        south=[2, 1, 0, 0, 0, 0], north=[0] * 6, scores=(10, 35)
    )
    assert state.end_reason() == "no move"
    assert state.final_scores() == final
    assert state.returns()[0] == final[0] - final[1]


def cycle(game, **position):
    """Play round the board on two lone seeds until the game ends; returns the state."""
    state = game.state(**position)
    for _ in range(40):
        if state.is_terminal():
            break
        state.apply_action(state.legal_actions()[0])
    return state


LONE = {"south": [1, 0], "north": [1, 0], "scores": (3, 3)}


@pytest.mark.parametrize(("repetition", "final"), [("own_row", (4, 4)), ("split", (4, 4))])
def test_repetition(repetition, final):
    state = cycle(Oware(houses=2, seeds=2, repetition=repetition), **LONE)
    assert state.end_reason() == "repetition"
    assert state.final_scores() == final
    assert state.repeats() == len(state.history())
    # The key is the position's, and does not say that it came back: repeats() does.
    first = Oware(houses=2, seeds=2, repetition=repetition).state(**LONE)
    assert state.position_key() == first.position_key()
    assert state != first
    assert first.repeats() == 0


def test_repetition_rests_by_rule():
    # Four seeds that go round for ever: when the first position is back, South has 1, North 3.
    board = {"south": [1, 0, 0], "north": [1, 1, 1], "scores": (4, 4)}
    results = {}
    for repetition in ("own_row", "split"):
        game = Oware(houses=3, seeds=2, repetition=repetition, grand_slam="no_capture")
        results[repetition] = repeated_line(game.state(**board))
    assert results["own_row"] is not None
    south, north = sum(results["own_row"].south), sum(results["own_row"].north)
    assert results["own_row"].final_scores()[0] - results["own_row"].scores[0] == south
    assert results["own_row"].final_scores()[1] - results["own_row"].scores[1] == north
    split = results["split"]
    rest = sum(split.south) + sum(split.north)
    assert split.final_scores() == tuple(score + rest / 2 for score in split.scores)


def repeated_line(state, depth=14):
    """The first line of play in action order that ends by repetition, or None."""
    if state.is_terminal():
        return state if state.end_reason() == "repetition" else None
    if depth == 0:
        return None
    for action in state.legal_actions():
        found = repeated_line(state.child(action), depth - 1)
        if found is not None:
            return found
    return None


def test_no_repetition_rule_plays_on():
    game = Oware(houses=2, seeds=2, repetition="none")
    state = cycle(game, **LONE)
    assert not state.is_terminal()
    assert len(state.history()) == 40
    assert state.repeats() == 0


def test_majority():
    board = {"south": [1, 0, 0, 0, 0, 0], "north": [1, 0, 0, 0, 0, 21], "scores": (25, 0)}
    state = Oware().state(**board)
    assert state.end_reason() == "majority"
    assert state.legal_actions() == []
    assert state.final_scores() == (26, 22)
    assert Oware(majority=False).state(**board).legal_actions() == [0]


def test_exactly_half_is_no_majority():
    state = Oware().state(south=[1, 0, 0, 0, 0, 0], north=[1, 0, 0, 0, 0, 22], scores=(24, 0))
    assert not state.is_terminal()


def test_an_odd_rest_is_split_in_halves():
    game = Oware("awari", houses=1, seeds=2)
    state = game.state(south=[1], north=[0], scores=(2, 1))
    while not state.is_terminal():
        state.apply_action(0)
    assert state.end_reason() == "repetition"
    assert state.final_scores() == (2.5, 1.5)
    assert state.returns() == [1.0, -1.0]


# ---- The board's limits ------------------------------------------------------------------------


@pytest.mark.parametrize("houses", range(1, 9))
def test_boards_filled_to_the_limit(houses):
    seeds = 255 // (2 * houses)
    state = Oware(houses=houses, seeds=seeds).new_initial_state()
    for _ in range(60):
        if state.is_terminal():
            break
        state.apply_action(state.legal_actions()[-1])
        assert sum(state.south) + sum(state.north) + sum(state.scores) == 2 * houses * seeds


def test_all_seeds_in_one_house():
    game = Oware(houses=3, seeds=42)
    state = game.state(south=[0, 252, 0], north=[0, 0, 0])
    state.apply_action(1)
    # 252 seeds are fifty laps of five, and two more.
    assert state.south == [50, 0, 51]
    assert state.north == [51, 50, 50]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rules": "kalah"}, "kalah"),
        ({"rules": []}, "rules="),
        ({"houses": 0}, "houses=0"),
        ({"houses": 9}, "houses=9"),
        ({"houses": 2.5}, "houses=2.5"),
        ({"seeds": 0}, "seeds=0"),
        ({"seeds": 22}, "264"),
        ({"houses": 8, "seeds": 16}, "256"),
        ({"grand_slam": "sometimes"}, "grand_slam='sometimes'"),
        ({"feeding": "feed"}, "feeding='feed'"),
        ({"no_move": "split"}, "no_move='split'"),
        ({"repetition": 3}, "repetition=3"),
        ({"majority": "yes"}, "majority='yes'"),
    ],
)
def test_impossible_games(arguments, message):
    with pytest.raises(ValueError, match=message):
        Oware(**arguments)


def test_game_properties():
    game = Oware("awari", grand_slam="all_but_last")
    assert game.num_distinct_actions() == 6
    assert game.max_utility() == 48.0
    assert game.min_utility() == -48.0
    assert game.max_game_length() > 10**12
    assert repr(game) == "Oware(rules='awari', houses=6, seeds=4, grand_slam='all_but_last')"
    assert eval(repr(game)) == game
    assert hash(eval(repr(game))) == hash(game)
    assert game != Oware("awari")
    # A rule set is its switches, however they were named.
    assert Oware("awari", **Oware().switches()) == Oware()


# ---- Evaluations -------------------------------------------------------------------------------


def test_evaluations():
    state = Oware("casual").state("3-1-0-9-1-8-0-2-8-0-2-1-8-5-N")
    # North: 5 + (4 houses, one of 3 or more, less half a seed for c, e and f, which reach South's row)
    # minus South: 8 + (5 houses, three of 3 or more, less D and F).
    assert state.evaluation_value() == (5 + 4 + 0.5 - 1.5) - (8 + 5 + 1.5 - 1)
    state.select_evaluation("seeds")
    assert state.evaluation_value() == -3
    state.select_evaluation("original")
    # North: 2*5 + (B and E) minus South: 2*8 + (b, e and f).
    assert state.evaluation_value() == (10 + 2) - (16 + 3)
    assert state.clone().evaluation_value() == -7
    state.select_evaluation("default")
    assert state.evaluation_value() == -5.5
    with pytest.raises(ValueError, match="'mobility'"):
        state.select_evaluation("mobility")
