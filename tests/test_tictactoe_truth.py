"""Tic-tac-toe against its slow twin: every position, every move, every count."""

import pytest

import zerosum as zs

GAME = zs.TicTacToe()


@pytest.fixture(scope="module")
def positions(reference):
    return sorted(reference.reachable())


def replay(state, line):
    """The state after a line of play, each move of which must be legal."""
    state = state.clone()
    for action in line:
        assert action in state.legal_actions()
        state.apply_action(action)
    return state


def check_against_reference(reference, board, result):
    value, distance = reference.worth(board)
    assert (result.value, result.distance) == (value, distance), board
    assert result.action_values == reference.action_values(board), board
    assert result.best_actions == reference.best_actions(board), board
    assert result.action in result.best_actions, board
    assert result.exact, board
    state = GAME.state(board)
    assert len(result.principal_variation) == distance, board
    assert result.principal_variation[0] == result.action, board
    end = replay(state, result.principal_variation)
    assert end.is_terminal(), board
    assert end.player_return(state.current_player()) == value, board
    assert result.score == (10 - distance if value > 0 else distance - 10 if value < 0 else 0)
    assert GAME.state(board) == state, board


def test_counts_of_positions_and_tree(reference, positions):
    # The well-known counts, without regard to symmetry: en.wikipedia.org/wiki/Tic-tac-toe#Combinatorics,
    # and 549,946 nodes for a tree search without memory.
    assert len(positions) == 5478
    assert sum(map(reference.is_over, positions)) == 958
    assert reference.count_tree() == (549946, 255168)
    assert zs.minimax(GAME.new_initial_state()).nodes == 549946


@pytest.mark.parametrize("ask", [zs.search, zs.solve, zs.minimax], ids=lambda ask: ask.__name__)
def test_every_unfinished_position(reference, positions, ask):
    if ask is zs.minimax:
        positions = [board for board in positions if board.count(".") <= 7]
    unfinished = [board for board in positions if not reference.is_over(board)]
    assert len(unfinished) == (4520 if ask is not zs.minimax else 4520 - 10)
    for board in unfinished:
        check_against_reference(reference, board, ask(GAME.state(board)))


def test_minimax_of_the_empty_board(reference):
    check_against_reference(reference, reference.start, zs.minimax(GAME.new_initial_state()))


@pytest.mark.parametrize("options", [{"threads": 3}, {"table_mb": 1}, {"depth": 9}])
def test_options_do_not_change_the_truth(reference, positions, options):
    for board in positions[::37]:
        if not reference.is_over(board):
            check_against_reference(reference, board, zs.search(GAME.state(board), **options))


def test_finished_positions(reference, positions):
    for board in positions:
        if not reference.is_over(board):
            continue
        value = {"X": 1, "O": -1, None: 0}[reference.winner(board)]
        for ask in (zs.search, zs.solve, zs.minimax):
            result = ask(GAME.state(board))
            assert (result.action, result.value, result.distance) == (None, value, 0)
            assert result.exact
            assert result.principal_variation == result.best_actions == []
            assert result.action_values == {}


def test_only_the_best_action_is_asked_for(reference, positions):
    for board in positions[::7]:
        if reference.is_over(board):
            continue
        result = zs.solve(GAME.state(board), all_actions=False)
        assert (result.value, result.distance) == reference.worth(board), board
        assert result.exact
        assert set(result.best_actions) <= set(reference.best_actions(board)), board
        assert result.action in result.best_actions
        truth = reference.action_values(board)
        for action, (value, _) in result.action_values.items():
            assert value >= truth[action][0], board


@pytest.mark.parametrize("depth", range(1, 10))
def test_depth_limits_claim_only_what_they_prove(reference, positions, depth):
    for board in positions[::61]:
        if reference.is_over(board):
            continue
        result = zs.search(GAME.state(board), depth=depth)
        plain = zs.minimax(GAME.state(board), depth=depth)
        assert {a: w[0] for a, w in result.action_values.items()} == {
            a: w[0] for a, w in plain.action_values.items()
        }, board
        truth = reference.action_values(board)
        for found in (result, plain):
            for action, worth in found.action_values.items():
                if worth[1] is not None:
                    assert worth == truth[action], board
            if found.exact:
                assert (found.value, found.distance) == reference.worth(board), board
                assert found.best_actions == reference.best_actions(board), board


def test_first_player_can_be_o(reference):
    swap = str.maketrans("XO", "OX")
    for board in ("OX..O....", "O........", ".........", "OXOX....."):
        result = zs.solve(GAME.state(board, first_player="O"))
        value, distance = reference.worth(board.translate(swap))
        assert result.value == value
        if value:
            assert result.distance == distance
            assert result.best_actions == reference.best_actions(board.translate(swap))
