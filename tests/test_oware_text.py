"""Oware's positions, moves and games in text: what is read, what is written, what is refused."""

import random

import numpy as np
import pytest

from zerosum.core.errors import IllegalActionError
from zerosum.games.oware import Oware
from zerosum.games.oware_text import format_moves, parse_moves

START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"


def test_start():
    state = Oware().new_initial_state()
    assert state.to_text() == START
    assert Oware().state(START) == state
    assert str(state).splitlines() == [
        "        f   e   d   c   b   a",
        "North   4   4   4   4   4   4  [0]",
        "South   4   4   4   4   4   4  [0]",
        "        A   B   C   D   E   F",
        "South to move",
    ]


def test_a_position_from_rows():
    state = Oware().state(
        south=[4, 4, 4, 4, 0, 5], north=(5, 5, 5, 0, 5, 5), scores=(2, 0), to_move=1
    )
    assert state.to_text() == "4-4-4-4-0-5-5-5-5-0-5-5-2-0-N"
    assert state.current_player() == 1
    assert state.scores == (2, 0)
    arrays = Oware().state(
        south=np.array([4, 4, 4, 4, 0, 5]),
        north=np.array([5, 5, 5, 0, 5, 5]),
        scores=np.array([2, 0]),
        to_move="N",
    )
    assert arrays == state
    assert Oware().state(state) == state


@pytest.mark.parametrize("rules", ["abapa", "awari", "casual"])
@pytest.mark.parametrize("houses", [1, 3, 6, 8])
def test_texts_are_read_back(rules, houses):
    rng = random.Random(houses)
    game = Oware(rules, houses, 3)
    state = game.new_initial_state()
    for _ in range(100):
        assert game.state(state.to_text()).to_text() == state.to_text()
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))


def test_study_positions_count_from_there():
    state = Oware().state(south=[0, 0, 1, 0, 0, 0], north=[0, 1, 0, 0, 0, 0])
    assert not state.is_terminal()
    assert state.to_text() == "0-0-1-0-0-0-0-1-0-0-0-0-0-0-S-46"
    assert Oware().state(state.to_text()) == state


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1 fields"),
        ("4-4-4", "3 fields.* 15"),
        (START[:-1] + "X", "field 15.*'X'"),
        (START[:-1] + "s", "field 15.*'s'"),
        ("4-x" + START[3:], "field 2 .*'x'"),
        ("4-" + START[3:], "field 2 .*''"),
        ("-" + START, "field 15.*'0'"),
        ("٤" + START[1:], "field 1 "),
        ("5" + START[1:], "49; the game has 48"),
        ("3" + START[1:], "47; the game has 48"),
        ("48" + START[1:], "92; the game has 48"),
        ("99999" + START[1:], "field 1 "),
        (START + "-3", "51|3 are missing"),
        (START + "-0-0", "17 fields"),
    ],
)
def test_impossible_texts(text, message):
    with pytest.raises(ValueError, match=message):
        Oware().state(text)


FOUR = [4] * 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "both south and north"),
        ({"south": FOUR}, "both south and north"),
        ({"position": START, "south": FOUR}, "not both"),
        ({"position": 7}, "7"),
        ({"south": FOUR[:5], "north": FOUR}, "south has 5 houses"),
        ({"south": FOUR, "north": [*FOUR, 4]}, "north has 7 houses"),
        ({"south": 4, "north": FOUR}, "south=4"),
        ({"south": [4, 4, -4, 4, 4, 4], "north": FOUR}, "house C holds -4"),
        ({"south": FOUR, "north": [4, 4, 4, 4, 4, 4.0]}, "house f holds 4.0"),
        ({"south": FOUR, "north": [4, "4", 4, 4, 4, 4]}, "house b holds '4'"),
        ({"south": FOUR, "north": FOUR, "scores": (1, 0)}, "49; the game has 48"),
        ({"south": FOUR, "north": [0] * 6, "scores": (1, 0)}, "25; the game has 48"),
        ({"south": [5] * 6, "north": FOUR}, "54; the game has 48"),
        ({"south": [10**30, *FOUR[1:]], "north": FOUR}, "the game has 48"),
        ({"south": FOUR, "north": FOUR, "scores": (-1, 1)}, "South's score holds -1"),
        ({"south": FOUR, "north": FOUR, "scores": (0, None)}, "North's score holds None"),
        ({"south": FOUR, "north": FOUR, "scores": 0}, "scores=0"),
        ({"south": FOUR, "north": FOUR, "scores": (0, 0, 0)}, "scores="),
        ({"south": FOUR, "north": FOUR, "to_move": 2}, "to_move=2"),
        ({"south": FOUR, "north": FOUR, "to_move": "South"}, "to_move='South'"),
        ({"south": FOUR, "north": FOUR, "to_move": ""}, "to_move=''"),
        ({"south": FOUR, "north": FOUR, "to_move": None}, "to_move=None"),
    ],
)
def test_impossible_positions(arguments, message):
    with pytest.raises(ValueError, match=message):
        Oware().state(**arguments)


def test_letters():
    state = Oware(houses=8, seeds=2).new_initial_state()
    assert [state.action_to_string(action) for action in state.legal_actions()] == list("ABCDEFGH")
    assert state.action_to_string(1, 7) == "h"
    assert state.string_to_action("H") == 7
    for text in ("h", "I", "", "HH"):
        with pytest.raises(ValueError, match="legal are"):
            state.string_to_action(text)


def test_games_in_letters():
    state = Oware().play("FeDb")
    assert state.history() == [5, 4, 3, 1]
    assert state.moves_text() == "FeDb"
    assert Oware().play("Fe Db") == state == Oware().play([5, 4, 3, 1])
    later = Oware().play("AaB", state)
    assert later.moves_text() == "FeDbAaB"
    assert state.moves_text() == "FeDb"
    assert format_moves([5, 4, 3, 1]) == "FeDb"
    assert format_moves([5, 4], to_move=1) == "fE"
    assert parse_moves("FeDb") == [5, 4, 3, 1]
    assert parse_moves("fE", to_move=1) == [5, 4]
    assert parse_moves("") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("FeDB", "'B' at character 4 .* North plays a to f"),
        ("fe", "'f' at character 1 .* South plays A to F"),
        ("FeG", "'G' at character 3"),
        ("Fe-D", "'-' at character 3"),
        ("F1", "'1' at character 2"),
        ("FeÀ", "'À' at character 3"),
    ],
)
def test_games_that_cannot_be_read(text, message):
    with pytest.raises(ValueError, match=message):
        Oware().play(text)


def test_games_with_an_illegal_move():
    with pytest.raises(IllegalActionError, match="move 3 of the game: F is not legal here"):
        Oware().play("FaF")
    with pytest.raises(IllegalActionError, match="after the end of the game"):
        Oware(houses=1, seeds=2).play("Aa" * 30)
    with pytest.raises(IllegalActionError):
        Oware().play([6])
    with pytest.raises(IllegalActionError):
        Oware().play([-1])


def test_a_refused_move_changes_nothing():
    state = Oware().play("Fa")
    before = str(state)
    for action in (5, 6, -1, None, "F"):
        with pytest.raises(ValueError, match="not legal"):
            state.apply_action(action)
    assert str(state) == before
    assert state.history() == [5, 0]


def test_final_scores_are_for_finished_games():
    with pytest.raises(ValueError, match="not over"):
        Oware().new_initial_state().final_scores()
