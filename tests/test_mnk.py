"""m,n,k games of other sizes: rules against the slow twin, and results from the literature."""

import random

import pytest

import zerosum as zs
from tests.reference.mnk import ReferenceMNK

SIZES = [
    (3, 3, 3),
    (4, 3, 3),
    (3, 4, 3),
    (4, 4, 4),
    (5, 2, 2),
    (1, 5, 3),
    (7, 7, 5),
    (8, 7, 4),
    (12, 4, 4),
]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_rules_agree_with_the_twin(size):
    twin, game = ReferenceMNK(*size), zs.MNK(*size)
    rng = random.Random(7)
    for _ in range(60):
        board, state = twin.start, game.new_initial_state()
        while True:
            assert state.to_text() == board
            assert state.legal_actions() == twin.actions(board)
            assert state.is_terminal() == twin.is_over(board)
            if twin.is_over(board):
                break
            assert state.current_player() == "XO".index(twin.mover(board))
            action = rng.choice(twin.actions(board))
            board = twin.play(board, action)
            state.apply_action(action)
        value = {"X": 1, "O": -1, None: 0}[twin.winner(board)]
        assert state.returns() == [value, -value]


@pytest.mark.parametrize("size", [(4, 3, 3), (3, 4, 3), (2, 5, 2), (5, 2, 3), (1, 7, 2)], ids=str)
def test_small_boards_agree_with_the_twin(size):
    twin, game = ReferenceMNK(*size), zs.MNK(*size)
    rng = random.Random(3)
    for _ in range(8):
        board = twin.start
        for _ in range(rng.randrange(2, 6)):
            if not twin.is_over(board):
                board = twin.play(board, rng.choice(twin.actions(board)))
        if twin.is_over(board):
            continue
        result = zs.solve(game.state(board))
        assert (result.value, result.distance) == twin.worth(board), board
        assert result.action_values == twin.action_values(board), board
        assert result.best_actions == twin.best_actions(board), board


# en.wikipedia.org/wiki/M,n,k-game#Specific_results
@pytest.mark.parametrize(
    ("size", "value"), [((3, 3, 3), 0), ((4, 3, 3), 1), ((4, 4, 4), 0), ((4, 4, 3), 1)]
)
def test_known_results(size, value):
    result = zs.solve(zs.MNK(*size).new_initial_state(), all_actions=False)
    assert (result.value, result.exact) == (value, True)
    assert len(result.principal_variation) == result.distance


@pytest.mark.long
def test_five_by_five_four_in_a_row_is_a_tie():
    # en.wikipedia.org/wiki/M,n,k-game#Specific_results
    state = zs.MNK(5, 5, 4).new_initial_state()
    try:
        result = zs.solve(state, all_actions=False, threads=2, table_mb=1024, time=1800)
    except zs.SearchLimitError as error:
        pytest.skip(f"not enough time on this machine: {error}")
    assert (result.value, result.exact) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((0, 3, 3), ValueError),
        ((3, 0, 3), ValueError),
        ((3, 3, 0), ValueError),
        ((3, 3, 4), ValueError),
        ((8, 8, 5), ValueError),
        ((64, 1, 5), ValueError),
        ((3.0, 3, 3), TypeError),
        ((True, 3, 3), TypeError),
        (("3", 3, 3), TypeError),
    ],
)
def test_impossible_sizes_are_refused(arguments, error):
    with pytest.raises(error):
        zs.MNK(*arguments)


def test_tictactoe_is_mnk_333():
    assert zs.TicTacToe() == zs.MNK(3, 3, 3)
    assert hash(zs.TicTacToe()) == hash(zs.MNK(3, 3, 3))
    assert zs.MNK(3, 3, 3) != zs.MNK(4, 3, 3)
    assert zs.TicTacToe().new_initial_state() == zs.MNK(3, 3, 3).new_initial_state()
    assert repr(zs.TicTacToe()) == "TicTacToe()"
    assert repr(zs.MNK(4, 3, 2)) == "MNK(4, 3, 2)"


@pytest.mark.parametrize("size", [(3, 3, 3), (6, 5, 4), (7, 7, 5), (8, 7, 4)], ids=str)
def test_keys_tell_positions_apart(size):
    """Random play, and the same stones placed in another order: as many keys as positions."""
    game = zs.MNK(*size)
    rng = random.Random(11)
    texts = {}
    for _ in range(400):
        state = game.new_initial_state()
        while not state.is_terminal():
            text = (state.to_text(), state.current_player())
            assert texts.setdefault(text, state.position_key()) == state.position_key()
            state.apply_action(rng.choice(state.legal_actions()))
        texts[state.to_text(), state.current_player()] = state.position_key()
    assert len(set(texts.values())) == len(texts)


def test_the_mover_is_part_of_the_key():
    game = zs.TicTacToe()
    by_x = game.state(".........", first_player="X")
    by_o = game.state(".........", first_player="O")
    assert by_x.position_key() != by_o.position_key()
    assert by_x != by_o
