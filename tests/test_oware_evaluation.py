"""Oware's evaluations against the plain Python twin, and fixed-depth values against plain minimax."""

import random

import pytest

import zerosum as zs
from tests.reference import negamax
from tests.reference.oware import OwareTwin

RULES = ["abapa", "awari", "casual"]
BOARDS = [(6, 4), (1, 2), (2, 3), (3, 4), (4, 4), (6, 21), (7, 4), (8, 15)]
SMALL = [(1, 3), (2, 2), (3, 2)]


def walk(game, rng, longest):
    """The positions of a random game."""
    state = game.new_initial_state()
    for _ in range(longest):
        if state.is_terminal():
            return
        yield state
        state.apply_action(rng.choice(state.legal_actions()))


def random_row(rng, houses, seeds):
    """So many seeds at most, in clusters as often as spread out."""
    row = [0] * houses
    for _ in range(rng.randint(0, seeds)):
        row[rng.randrange(rng.randint(1, houses))] += 1
    return row


def swapped(state):
    """The same position with the other player to move."""
    return state.game.state(
        south=state.south, north=state.north, scores=state.scores, to_move=1 - state.to_move
    )


@pytest.mark.parametrize(("houses", "seeds"), BOARDS)
@pytest.mark.parametrize("rules", RULES)
def test_default_evaluation_is_the_twins(rules, houses, seeds):
    game = zs.Oware(rules, houses, seeds)
    rng = random.Random(f"{rules} {houses} {seeds}")
    for _ in range(20):
        for state in walk(game, rng, 100):
            board, stores = state.south + state.north, state.scores
            twin = OwareTwin(rules, houses, seeds, board, stores, state.to_move)
            assert state.evaluation_value() == twin.default_evaluation(), twin.text()


@pytest.mark.parametrize(("houses", "seeds"), BOARDS)
def test_default_evaluation_of_any_rows(houses, seeds):
    """Rows that play hardly leads to, such as nearly all seeds in one house."""
    game = zs.Oware("abapa", houses, seeds)
    rng = random.Random(f"rows {houses} {seeds}")
    for _ in range(1000):
        south = random_row(rng, houses, game.total_seeds)
        north = random_row(rng, houses, game.total_seeds - sum(south))
        state = game.state(south=south, north=north, to_move=rng.randrange(2))
        twin = OwareTwin("abapa", houses, seeds, south + north, (0, 0), state.to_move)
        value = state.evaluation_value()
        assert value == twin.default_evaluation(), twin.text()
        assert abs(value) <= game.max_utility(), twin.text()
        assert swapped(state).evaluation_value() == -value, twin.text()


@pytest.mark.parametrize("name", ["default", "seeds", "original"])
def test_evaluations_are_antisymmetric(name):
    rng = random.Random(name)
    for _ in range(50):
        for state in walk(zs.Oware(), rng, 100):
            state.select_evaluation(name)
            other = swapped(state)
            other.select_evaluation(name)
            assert other.evaluation_value() == -state.evaluation_value(), state.to_text()


def plain_values(state, depth):
    """{action: (value, distance if proved)} of plain negamax in Python, by the chosen evaluation."""
    scale = state.value_scale()

    def evaluate(leaf):
        return leaf.evaluation_value() / scale

    return {
        action: (value * scale, None if cut else distance)
        for action, (value, distance, cut) in negamax.action_values(state, depth, evaluate).items()
    }


@pytest.mark.parametrize("name", ["default", "seeds", "original"])
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("houses", "seeds"), [(6, 4), *SMALL])
def test_fixed_depth_values_are_plain_minimax(rules, houses, seeds, name):
    """On small boards games end within the horizon, by every reason."""
    game = zs.Oware(rules, houses, seeds)
    rng = random.Random(f"{rules} {houses} {name}")
    positions = [state.clone() for _ in range(6) for state in walk(game, rng, 60)]
    for state in rng.sample(positions, min(10, len(positions))):
        state.select_evaluation(name)
        for depth in range(1, 5):
            truth = plain_values(state, depth)
            result = zs.search(state, depth=depth, evaluate=name)
            assert result.action_values == truth, (state.to_text(), depth)
            quick = zs.search(state, depth=depth, evaluate=name, all_actions=False)
            assert quick.value == max(value for value, _ in truth.values()), state.to_text()


@pytest.mark.parametrize("rules", RULES)
def test_deeper_values_are_those_of_the_compiled_minimax(rules):
    """Deep enough for the table, threads apart; zs.minimax neither prunes nor previews."""
    rng = random.Random(rules)
    positions = [state.clone() for _ in range(4) for state in walk(zs.Oware(rules), rng, 80)]
    for state in rng.sample(positions, 12):
        for depth in (5, 6, 7):
            truth = zs.minimax(state, depth)
            result = zs.search(state, depth=depth)
            assert result.action_values == truth.action_values, (state.to_text(), depth)


def test_finished_games_count_in_the_units_of_the_evaluation():
    state = zs.Oware("casual").state("0-1-0-0-0-1-0-0-0-0-0-0-30-16-S")
    result = zs.search(state, depth=3, evaluate="original")
    assert {value for value, _ in result.action_values.values()} == {28}
    assert result.action_values[1] == (28, 1)
    losing = zs.Oware("casual").state("1-0-0-0-0-1-0-0-0-0-0-0-11-35-S")
    assert zs.search(losing, depth=4, evaluate="original").value == -48
    assert zs.search(losing, depth=4, evaluate="seeds").value == -24


def test_weights_can_be_changed_and_are_bounded():
    game = zs.Oware()
    game.rule_book.weigh(one=0, three=0, twelve=0, reaching=0)
    state = game.play("FcDe")
    assert state.evaluation_value() == state.scores[0] - state.scores[1]
    with pytest.raises(ValueError, match="sum to more than 15"):
        game.rule_book.weigh(one=8, three=-8, twelve=0, reaching=0)
    assert zs.Oware().play("FcDe").evaluation_value() != state.evaluation_value()
