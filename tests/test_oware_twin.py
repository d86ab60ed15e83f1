"""The compiled rules against the plain Python twin, move by move, for every rule set and board."""

import random

import pytest

from tests.reference.oware import OwareTwin
from zerosum.games.oware import Oware

RULES = ["abapa", "awari", "casual"]
BOARDS = [(6, 4), (1, 3), (2, 3), (3, 2), (4, 4), (5, 2), (7, 3), (8, 15), (6, 21), (8, 1)]
SWITCHES = {
    "grand_slam": [
        "no_capture",
        "illegal",
        "captures_all",
        "opponent_keeps",
        "all_but_first",
        "all_but_last",
    ],
    "feeding": ["no_duty", "must_feed", "must_not_starve"],
    "no_move": ["own_row", "opponent", "nobody"],
    "repetition": ["own_row", "split", "none"],
    "majority": [True, False],
}
LONGEST = 400  # moves of one game; under casual rules a game need not end


def compare(state, twin):
    """Both describe the same position, and say the same about it."""
    text = twin.text()
    assert state.south + state.north == twin.board, text
    assert state.scores == tuple(twin.stores), text
    assert state.to_move == twin.mover, text
    assert state.legal_actions() == twin.legal(), text
    reason = twin.end_reason()
    assert state.end_reason() == reason, text
    assert state.is_terminal() == (reason is not None), text
    if reason:
        assert state.final_scores() == twin.final_scores(), text
        south, north = twin.final_scores()
        assert state.returns() == [south - north, north - south], text
    state.select_evaluation("original")
    assert state.evaluation_value() == twin.original_evaluation(), text


def play_one(state, twin, rng, limit):
    """A random game on both at once, and back to its start; returns the number of moves."""
    keys, texts, actions = [], [], []
    compare(state, twin)
    while not state.is_terminal() and len(actions) < limit:
        keys.append(state.position_key())
        texts.append((str(state), state.current_player()))
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        twin.play(action)
        actions.append(action)
        compare(state, twin)
    for action in reversed(actions):
        text, player = texts.pop()
        state.undo_action(player, action)
        assert (str(state), state.current_player()) == (text, player)
        assert state.position_key() == keys.pop()
    return len(actions)


def play_moves(count, seed, rules, houses, seeds, **switches):
    """Random games of ``count`` moves in all, half of them from random endgames."""
    rng = random.Random(seed)
    game = Oware(rules, houses, seeds, **switches)
    moves, fruitless = 0, 0
    while moves < count and fruitless < 1000:
        board, stores, mover = [seeds] * (2 * houses), (0, 0), 0
        if rng.random() < 0.5:
            board, stores, mover = random_position(rng, houses, game.total_seeds)
        state = game.state(south=board[:houses], north=board[houses:], scores=stores, to_move=mover)
        twin = OwareTwin(rules, houses, seeds, board, stores, mover, **switches)
        played = play_one(state, twin, rng, min(LONGEST, count - moves))
        fruitless = 0 if played else fruitless + 1
        moves += played
    assert moves >= count


def random_position(rng, houses, total):
    """Some seeds in random houses, the rest captured by halves; few seeds meet the rare rules."""
    on_board = min(total, rng.choice([2, 3, 5, 8, 13, 26]))
    board = [0] * (2 * houses)
    for _ in range(on_board):
        board[rng.randrange(2 * houses)] += 1
    south = (total - on_board) // 2
    return board, (south, total - on_board - south), rng.randrange(2)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("houses", "seeds"), BOARDS)
def test_random_games(rules, houses, seeds):
    play_moves(4_000, houses * 1000 + seeds, rules, houses, seeds)


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("houses", "seeds"), BOARDS)
def test_random_games_long(rules, houses, seeds):
    play_moves(100_000, houses * 1000 + seeds, rules, houses, seeds)


ONE_SWITCH = [(name, value) for name, values in SWITCHES.items() for value in values]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("name", "value"), ONE_SWITCH)
def test_each_switch(rules, name, value):
    play_moves(400, 7, rules, 3, 2, **{name: value})


def test_random_combinations_of_switches():
    rng = random.Random(20)
    for _ in range(150):
        switches = {name: rng.choice(values) for name, values in SWITCHES.items()}
        houses = rng.randint(1, 8)
        play_moves(
            100, rng.random(), "abapa", houses, rng.randint(1, 255 // (2 * houses)), **switches
        )


def test_keys_tell_positions_apart():
    rng = random.Random(3)
    keys = {}
    game = Oware("casual")
    for _ in range(300):
        state = game.new_initial_state()
        while not state.is_terminal() and len(state.history()) < 150:
            state.apply_action(rng.choice(state.legal_actions()))
            text = state.to_text()
            assert keys.setdefault(state.position_key(), text) == text
    assert len(set(keys.values())) == len(keys)


def test_keys_do_not_depend_on_the_path():
    game = Oware()
    seen = {}
    transposed = 0
    for a in range(6):
        for b in range(6):
            for c in range(6):
                state = game.play([a, b, c]) if c != a else game.play([a, b])
                key = seen.setdefault(state.to_text(), state.position_key())
                transposed += key == state.position_key()
                assert game.state(state.to_text()).position_key() == key
    assert transposed


def test_a_clone_is_a_state_of_its_own():
    state = Oware(houses=3, seeds=2).play([0, 1])
    copy = state.clone()
    assert copy == state
    assert hash(copy) == hash(state)
    assert copy.history() == [0, 1]
    copy.apply_action(copy.legal_actions()[0])
    assert copy != state
    copy.undo_action(0, copy.history()[-1])
    copy.undo_action(1, 1)
    copy.undo_action(0, 0)
    assert copy == Oware(houses=3, seeds=2).new_initial_state()
