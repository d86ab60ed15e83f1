"""OpenSpiel's games searched here, and OpenSpiel's algorithms run on the states of this package."""

import random
import zlib

import pytest

import zerosum as zs
from tests.reference import negamax

pyspiel = pytest.importorskip("pyspiel")
minimax = pytest.importorskip("open_spiel.python.algorithms.minimax")


def random_state(game, rng, plies):
    """An unfinished state after random play."""
    while True:
        state = game.new_initial_state()
        for _ in range(plies):
            if state.is_terminal():
                break
            state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal():
            return state


SOLVED = ["tic_tac_toe", "nim(pile_sizes=2;3;4)", "hex(board_size=3)", "y(board_size=3)"]


@pytest.mark.parametrize("name", SOLVED)
def test_solved_games(name):
    game = pyspiel.load_game(name)
    rng = random.Random(1)
    for plies in (0, 1, 2, 3, 4):
        state = random_state(game, rng, plies)
        before = str(state)
        result = zs.solve(state)
        value, _ = minimax.alpha_beta_search(game, state=state)
        assert result.value == value
        assert result.exact
        assert str(state) == before
        end = state.clone()
        for action in result.principal_variation:
            end.apply_action(action)
        assert end.is_terminal()
        assert end.player_return(state.current_player()) == value
    small = random_state(game, rng, 4)
    truth = negamax.action_values(small)
    assert zs.solve(small).action_values == {a: w[:2] for a, w in truth.items()}
    assert zs.minimax(small).action_values == {a: w[:2] for a, w in truth.items()}
    assert zs.minimax(small).nodes == negamax.count_nodes(small)


def test_tictactoe_is_the_same_game_here_and_there():
    game, rng = zs.TicTacToe(), random.Random(2)
    for _ in range(30):
        theirs = pyspiel.load_game("tic_tac_toe").new_initial_state()
        ours = game.new_initial_state()
        while not theirs.is_terminal():
            assert ours.legal_actions() == theirs.legal_actions()
            assert ours.current_player() == theirs.current_player()
            assert str(ours) == str(theirs).replace("x", "X").replace("o", "O")
            player = theirs.current_player()
            for action in theirs.legal_actions():
                assert ours.action_to_string(player, action) == theirs.action_to_string(
                    player, action
                )
            if len(ours.history()) > 2:
                result = zs.solve(theirs)
                assert result.action_values == zs.solve(ours).action_values
            action = rng.choice(theirs.legal_actions())
            ours.apply_action(action)
            theirs.apply_action(action)
        assert ours.is_terminal()
        assert ours.returns() == theirs.returns()
        assert ours.rewards() == theirs.rewards()
        assert ours.current_player() == theirs.current_player() == pyspiel.PlayerId.TERMINAL


TO_A_DEPTH = [("connect_four", 3), ("oware", 3), ("breakthrough(rows=6,columns=4)", 2)]


@pytest.mark.parametrize(("name", "depth"), TO_A_DEPTH)
@pytest.mark.parametrize("seed", range(3))
def test_to_a_depth(name, depth, seed):
    game = pyspiel.load_game(name)
    state = random_state(game, random.Random(seed), 6)

    def evaluate(position):  # for player 0
        return zlib.crc32(str(position).encode()) % 7 / 8 - 0.375

    def for_mover(position):
        value = evaluate(position)
        return value if position.current_player() == 0 else -value

    mover = state.current_player()
    sign = 1 if mover == 0 else -1
    value, _ = minimax.alpha_beta_search(
        game,
        state=state,
        value_function=lambda position: sign * evaluate(position),
        maximum_depth=depth,
        maximizing_player_id=mover,
    )
    for threads in (1, 2):
        result = zs.search(state, depth=depth, evaluate=for_mover, threads=threads)
        assert result.value == value
    plain = negamax.action_values(state, depth, for_mover)
    assert {a: w[0] for a, w in result.action_values.items()} == {a: w[0] for a, w in plain.items()}


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("kuhn_poker", "hidden information"),
        ("leduc_poker", "hidden information"),
        ("phantom_ttt", "hidden information"),
        ("backgammon", "chance"),
        ("kuhn_poker(players=3)", "3 players"),
        ("matrix_rps", "same time"),
        ("matrix_pd", "not zero-sum"),
        ("goofspiel", "same time"),
    ],
)
def test_what_cannot_be_searched_is_refused_by_name(name, word):
    state = pyspiel.load_game(name).new_initial_state()
    for ask in (zs.search, zs.solve, zs.minimax):
        with pytest.raises(ValueError, match=word):
            ask(state)


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four"])
def test_limits(name):
    state = pyspiel.load_game(name).new_initial_state()
    for limit in ({"nodes": 1}, {"nodes": 300}, {"time": 0}, {"time": 0.02}):
        result = zs.search(state, **limit)
        assert result.action in state.legal_actions()


# ---- the other way round: OpenSpiel's algorithms, written in Python, on our states -----------------------


@pytest.mark.parametrize("board", ["X...O....", "XX.O..O..", ".O.XX....", "XOX......"])
def test_openspiels_alpha_beta_on_our_states(board, reference):
    state = zs.TicTacToe().state(board)
    value, action = minimax._alpha_beta(state, 9, -2, 2, None, state.current_player())
    assert value == reference.worth(board)[0]
    assert reference.action_values(board)[action][0] == value


@pytest.mark.parametrize("board", ["XX.OO....", "X...O....", ".O.XX...."])
def test_openspiels_expectiminimax_on_our_states(board, reference):
    state = zs.TicTacToe().state(board)
    mover = state.current_player()
    value, action = minimax.expectiminimax(state, 9, None, mover)
    assert value == reference.worth(board)[0]
    assert reference.action_values(board)[action][0] == value


def test_openspiels_rollouts_on_our_states():
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")
    np = pytest.importorskip("numpy")
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=50, random_state=np.random.RandomState(1))
    state = zs.TicTacToe().state("XX.OO....")
    ours, theirs = evaluator.evaluate(state)
    assert ours == -theirs
    assert 0 < ours <= 1  # X, about to win, wins most random games
    assert state.to_text() == "XX.OO...."
    assert [action for action, _ in evaluator.prior(state)] == state.legal_actions()
