"""Search and solve with tablebases: the same values as direct search, the literature's near the end."""

import json
import random
from pathlib import Path

import pytest

import zerosum as zs
from zerosum.tablebase.small_boards import solve_small_boards

DATA = json.loads((Path(__file__).parent / "data" / "oware_values.json").read_text())


def random_boards(rng, houses, seeds, count):
    """Boards with so many seeds, South first."""
    for _ in range(count):
        board = [0] * (2 * houses)
        for _ in range(seeds):
            board[rng.randrange(2 * houses)] += 1
        yield board[:houses], board[houses:]


@pytest.mark.parametrize(("houses", "seeds"), [(1, 3), (2, 4), (3, 4), (6, 3)])
def test_direct_search_agrees_with_the_table(houses, seeds):
    """Two ways that share no code but the rules: lines of play with their repetitions, and the tablebase."""
    game = zs.Oware("casual", houses=houses, seeds=4, repetition="split")
    table = zs.OwareTablebase.build(seeds, rules=game)
    for south, north in random_boards(random.Random(houses), houses, seeds, 12):
        state = game.state(south=south, north=north)
        direct = zs.solve(state, tablebase=False)
        assert direct.exact
        assert direct.value == table.probe(state)
        probed = zs.solve(state, tablebase=table)
        assert probed.exact
        assert probed.value == direct.value
        values = {action: worth[0] for action, worth in direct.action_values.items()}
        assert {action: worth[0] for action, worth in probed.action_values.items()} == values


@pytest.mark.parametrize("rules", ["abapa", "awari"])
def test_direct_search_agrees_on_the_start_of_small_boards(rules):
    rows = list(
        solve_small_boards(memory=1 << 26, max_positions=20_000, rules=[rules], houses=[1, 2, 3])
    )
    starts = {(1, 1), (1, 2), (1, 5), (2, 1), (2, 2), (2, 3), (3, 1)}
    assert starts <= {(row.houses, row.seeds) for row in rows}
    for row in rows:
        if (row.houses, row.seeds) in starts:
            game = zs.Oware(rules, row.houses, row.seeds, majority=False, repetition="split")
            direct = zs.solve(game.new_initial_state(), tablebase=False)
            assert (direct.value, direct.best_actions) == (row.value, list(row.best_actions))


def test_casual_endgames_need_the_table():
    """Nothing ends a casual game that goes round; what was captured before counts, so a graph cannot say."""
    state = zs.Oware("casual", houses=2).state("0-2-2-0-0-0-S-12")
    assert zs.solve(state).value == -2
    with pytest.raises(zs.SearchLimitError, match="tablebase"):
        zs.solve(state, tablebase=False)
    assert zs.search(state, tablebase=False, nodes=500).action == 1


@pytest.mark.parametrize("row", [row for row in DATA["positions"] if row["n"] <= 12])
def test_awari_endgames_are_solved_unasked(row):
    state = zs.Oware("awari").state(south=row["board"][:6], north=row["board"][6:])
    result = zs.solve(state)
    assert result.value == row["awari"]
    names = {state.action_to_string(a): v for a, (v, _) in result.action_values.items()}
    assert names == row["awari_moves"]
    assert result.exact


def test_a_convention_is_not_called_exact():
    """Under abapa a position that comes back gives each side its own row; the table counts it as even."""
    state = zs.Oware().state("0-0-1-0-2-1-0-3-0-1-1-2-19-18-S")
    result = zs.solve(state)
    assert result.value == 1 + zs.OwareTablebase.for_game(state.get_game()).probe(state)
    assert not result.exact
    assert result.distance is None


def test_no_table_when_told_so_or_when_there_is_a_depth():
    state = zs.Oware().state("0-0-1-0-2-1-0-3-0-1-1-2-19-18-S")
    plain = zs.minimax(state, depth=5)
    assert zs.search(state, depth=5).action_values == plain.action_values
    with pytest.raises(zs.SearchLimitError):
        zs.solve(state, tablebase=False, nodes=2000)
    table = zs.OwareTablebase.for_game(state.get_game())
    assert zs.search(state, depth=1, tablebase=table).value is not None


def test_a_table_of_another_game_is_refused():
    table = zs.OwareTablebase.build(3, rules="awari")
    with pytest.raises(ValueError, match="another game"):
        zs.solve(zs.Oware("abapa").new_initial_state(), tablebase=table, nodes=10)
    with pytest.raises(ValueError, match="another game"):
        zs.solve(zs.TicTacToe().new_initial_state(), tablebase=table)
    with pytest.raises(TypeError, match="tablebase"):
        zs.solve(zs.TicTacToe().new_initial_state(), tablebase="awari")


def test_the_engine_takes_what_the_table_wins():
    """From won endgames the engine gets at least the table's value against any play of the other side."""
    game = zs.Oware("awari")
    table = zs.OwareTablebase.for_game(game)
    rng = random.Random(7)
    for south, north in random_boards(rng, 6, 9, 12):
        state = game.state(south=south, north=north)
        value = table.probe(state)
        if value <= 0:
            continue
        while not state.is_terminal():
            if state.current_player() == 0:
                state.apply_action(zs.search(state, time=5.0).action)
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        assert state.returns()[0] >= value
