"""Evaluation and exact equilibria."""

import inspect
import os
import random
import signal
import threading
import time
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

import zerosum as zs
from tests.games.liars_dice import LiarsDice, LiarsDiceState
from tests.poker_cases import CASES, POKER, constant, kuhn_policy, nash
from tests.reference.trees import best_response_value, count, uniform, value
from zerosum.equilibrium import (
    CFRSolver,
    GameTree,
    TablePolicy,
    best_response,
    equilibrium,
    expected_value,
    exploitability,
    gains,
    nash_conv,
)
from zerosum.equilibrium.lp import Program
from zerosum.equilibrium.sparse_lu import SparseLU
from zerosum.games.kuhn import KuhnPoker
from zerosum.games.leduc import LeducPoker

KUHN = GameTree(KuhnPoker())


def uniform_fractions(game):
    """The uniform policy as a dictionary of Fractions."""
    policy = {}

    def walk(state):
        if state.is_terminal():
            return
        if not state.is_chance_node():
            policy[state.information_state_string()] = uniform(state)
        for action in state.legal_actions():
            walk(state.child(action))

    walk(game.new_initial_state())
    return policy


def random_policy(tree, source):
    """A random policy of floats."""
    policy = {}
    for player in range(2):
        for number, text in enumerate(tree.information_states(player)):
            first, stop = tree.offsets[player][number : number + 2].tolist()
            shares = [source.random() + 1e-3 for _ in range(first, stop)]
            actions = tree.actions[player][first:stop].tolist()
            policy[text] = {a: s / sum(shares) for a, s in zip(actions, shares, strict=True)}
    return policy


def test_known_profiles_of_kuhn():
    policies = {
        "uniform": uniform_fractions(KuhnPoker()),
        "always p": constant(0),
        "always b": constant(1),
        "nash(0)": nash(Fraction(0)),
        "nash(1/5)": nash(Fraction(1, 5)),
        "nash(1/3)": nash(Fraction(1, 3)),
    }
    for name, row in CASES["B31"]["expected"]["rows"].items():
        policy = policies[name]
        first, second = (best_response(KUHN, policy, player).value for player in range(2))
        found = [expected_value(KUHN, policy), first, second, *gains(KUHN, policy)]
        found += [nash_conv(KUHN, policy), exploitability(KUHN, policy)]
        assert found == [Fraction(number) for number in row]
        assert all(isinstance(number, Fraction) for number in found)


def test_random_profiles_of_kuhn_cannot_be_exploited_negatively():
    source = random.Random(1)
    for _ in range(CASES["B31"]["input"]["random_profiles"]):
        assert min(gains(KUHN, random_policy(KUHN, source))) >= -1e-12


def test_a_published_profile():
    case = CASES["B30"]
    policy = kuhn_policy(case["input"]["profile_prob_b"])
    expected = {
        name: Fraction(case["expected"][name]) for name in ("value", "nashconv", "exploitability")
    }
    assert expected_value(KUHN, policy) == expected["value"]
    assert nash_conv(KUHN, policy) == expected["nashconv"]
    assert exploitability(KUHN, policy) == expected["exploitability"]
    for player, name in enumerate(("best_response_first", "best_response_second")):
        assert best_response(KUHN, policy, player).value == Fraction(case["expected"][name])


def test_uniform_leduc():
    expected = CASES["B39"]["expected"]
    for game in (LeducPoker(), LeducPoker(ranks_only=True)):
        tree, policy = GameTree(game), uniform_fractions(game)
        assert expected_value(tree, policy) == Fraction(expected["value"])
        assert best_response(tree, policy, 0).value == Fraction(expected["br_first"])
        assert best_response(tree, policy, 1).value == Fraction(expected["br_second"])
        assert nash_conv(tree, policy) == Fraction(expected["nashconv"])
        assert exploitability(tree, policy) == Fraction(expected["exploitability"])
        assert nash_conv(tree, "uniform") == pytest.approx(1709 / 360, abs=1e-12)
        assert expected_value(tree, "uniform") == pytest.approx(-5 / 64, abs=1e-12)


@pytest.mark.parametrize("game", [KuhnPoker(4), LiarsDice(2), LeducPoker(True)], ids=repr)
def test_plain_twins(game):
    tree, root = GameTree(game), game.new_initial_state()
    source = random.Random(5)
    for _ in range(2):
        policy = random_policy(tree, source)
        assert expected_value(tree, policy) == pytest.approx(value(root, policy), abs=1e-12)
        for player in range(2):
            response = best_response(tree, policy, player)
            plain = best_response_value(root, policy, player)
            assert response.value == pytest.approx(plain, abs=1e-12)
            merged = policy | response.policy
            attained = expected_value(tree, merged) * (1 if player == 0 else -1)
            assert attained == pytest.approx(plain, abs=1e-12)
            _, texts = count(root)
            assert set(response.policy) == texts[player]
            assert all(sorted(e.values())[-2:] in ([0, 1], [1]) for e in response.policy.values())


def test_forms_of_a_policy():
    solver = CFRSolver(KUHN)
    solver.run(10)
    table = solver.average_policy()
    pair = tuple(table.of_player(player) for player in range(2))
    expected = exploitability(KUHN, table)
    arrays = table.arrays
    mixed = [(dict(table), table), (arrays[0], table), (pair, arrays)]
    for form in (dict(table), pair, list(pair), arrays, *mixed):
        assert exploitability(KUHN, form) == expected
    assert exploitability(KUHN, ("uniform", "uniform")) == exploitability(KUHN, "uniform")
    assert exploitability(KuhnPoker(), table) == expected
    assert len(table) == 12
    assert set(table) == set(dict(table))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p.pop("0pb"), "'0pb'"),
        (lambda p: p.update({"1p": {0: 0.5, 1: 0.4}}), "'1p'.*sum to 0.9"),
        (lambda p: p.update({"1p": {0: 1.5, 1: -0.5}}), "'1p'.*-0.5"),
        (lambda p: p.update({"2b": {0: 0.5, 1: 0.5, 2: 0.5}}), "'2b'.*2 is not legal"),
        (lambda p: p.update({"2b": {0: float("nan"), 1: 0.5}}), "'2b'"),
        (lambda p: p.update({"2b": [0.5, 0.5]}), "'2b'.*expected"),
        (lambda p: p.update({"2b": {0: "0.5", 1: 0.5}}), "'2b'.*expected"),
        (lambda p: p.update({"2b": {0: 10**400, 1: 0}}), "'2b'.*expected"),
    ],
)
def test_bad_policies_are_named(change, message):
    policy = {text: {0: 0.5, 1: 0.5} for text in dict(CFRSolver(KUHN).average_policy())}
    assert exploitability(KUHN, policy) == pytest.approx(11 / 24)
    change(policy)
    with pytest.raises(ValueError, match=message):
        exploitability(KUHN, policy)


@pytest.mark.parametrize(
    "arrays",
    [
        (np.ones(1), np.ones(1)),
        (np.full(13, 5.0), np.full(13, 5.0)),
        (np.full(13, -1.0), np.full(13, -1.0)),
        (np.full(13, 0.5),),
        (np.full((13, 1), 0.5),) * 2,
    ],
)
def test_tables_are_distributions(arrays):
    with pytest.raises(ValueError, match=r"array|distribution|argument|dimensions"):
        TablePolicy(KUHN, arrays)


def test_tables_stay_as_they_were_checked():
    half = np.full(13, 0.5)
    table = TablePolicy(KUHN, (half, half))
    half[:] = 7
    assert exploitability(KUHN, table) == pytest.approx(11 / 24)
    for policy in (table, CFRSolver(KUHN).average_policy()):
        with pytest.raises(ValueError, match="read-only"):
            policy.arrays[0][:] = 7


def test_errors_show_the_beginning_of_long_lists():
    for policy in (set(range(3000)), {"0": dict.fromkeys(range(3000), "x")}):
        with pytest.raises(ValueError) as caught:
            exploitability(KUHN, policy)
        assert len(str(caught.value)) < 200


def test_whole_numbers_are_exact():
    """Each entry counts, not only the first, and 0 and 1 may be written as ints."""
    whole = {
        text: {action: int(p) if p in (0, 1) else p for action, p in entry.items()}
        for text, entry in nash(Fraction(0)).items()
    }
    assert isinstance(next(iter(whole.values()))[0], int)
    reply = best_response(KUHN, whole, 0).policy
    found = [nash_conv(KUHN, whole), expected_value(KUHN, (reply, whole))]
    assert found == [0, Fraction(-1, 18)]
    assert all(isinstance(number, Fraction) for number in found)
    assert isinstance(expected_value(KUHN, (reply, best_response(KUHN, whole, 1).policy)), Fraction)
    mixed = whole | {"2b": {0: 0.0, 1: 1.0}}
    assert isinstance(nash_conv(KUHN, mixed), float)
    assert isinstance(best_response(KUHN, (mixed, whole), 0).value, Fraction)


def test_bad_arrays_and_words_are_named():
    arrays = tuple(array.copy() for array in CFRSolver(KUHN).average_policy().arrays)
    arrays[1][3] = 0.9
    with pytest.raises(ValueError, match="no distribution"):
        exploitability(KUHN, arrays)
    with pytest.raises(ValueError, match="5 numbers"):
        exploitability(KUHN, (arrays[0], np.ones(5)))
    with pytest.raises(ValueError, match="uniform"):
        exploitability(KUHN, "best")
    with pytest.raises(ValueError, match="maps"):
        exploitability(KUHN, 3)
    with pytest.raises(ValueError, match="player 2"):
        best_response(KUHN, "uniform", 2)
    half = nash(Fraction(0)) | {"1p": {0: Fraction(1, 3), 1: Fraction(1, 2)}}
    with pytest.raises(ValueError, match="'1p'"):
        exploitability(KUHN, half)


def test_exact_kuhn():
    pytest.importorskip("highspy")
    result = equilibrium(KuhnPoker())
    assert result.exact
    assert result.value == Fraction(-1, 18)
    assert result.nash_conv == 0
    bet = {"JQK"[int(text[0])] + text[1:]: entry[1] for text, entry in result.policy.items()}
    a = bet["J"]
    assert 0 <= a <= Fraction(1, 3)
    third = Fraction(1, 3)
    assert (bet["K"], bet["Q"], bet["Qpb"]) == (3 * a, 0, a + third)
    assert (bet["Jpb"], bet["Kpb"]) == (0, 1)
    assert [bet[name] for name in ("Jp", "Qp", "Kp", "Jb", "Qb", "Kb")] == [
        third,
        0,
        1,
        0,
        third,
        1,
    ]


@pytest.mark.parametrize(("cards", "expected"), POKER["kuhn_value_by_cards"].items())
def test_exact_values_by_cards(cards, expected):
    pytest.importorskip("highspy")
    result = equilibrium(KuhnPoker(int(cards)))
    assert result.value == Fraction(expected)
    assert nash_conv(KuhnPoker(int(cards)), result.policy) == 0


@pytest.mark.parametrize("ranks_only", [False, True])
def test_exact_leduc(ranks_only):
    pytest.importorskip("highspy")
    tree = GameTree(LeducPoker(ranks_only))
    result = equilibrium(tree)
    assert float(result.value) == pytest.approx(POKER["leduc_value"], abs=1e-12)
    assert isinstance(result.value, Fraction)
    assert nash_conv(tree, result.policy) == 0
    assert expected_value(tree, result.policy) == result.value
    other = equilibrium(LeducPoker(not ranks_only))
    assert other.value == result.value


@pytest.mark.parametrize("sides", [3, 4])
def test_exact_liars_dice(sides):
    pytest.importorskip("highspy")
    result = equilibrium(LiarsDice(sides))
    assert result.value == Fraction(POKER["liars_dice_one_die_each"][f"{sides} sides"])
    assert result.nash_conv == 0


@pytest.mark.parametrize("game", [KuhnPoker(), KuhnPoker(13), LeducPoker(), LiarsDice(3)], ids=repr)
def test_floating_equilibrium(game):
    pytest.importorskip("highspy")
    tree = GameTree(game)
    result = equilibrium(tree, exact=False)
    assert isinstance(result.value, float)
    assert abs(result.nash_conv) < 1e-9
    assert result.value == pytest.approx(float(equilibrium(tree).value), abs=1e-9)
    assert exploitability(tree, result.policy) < 1e-9


def test_chance_that_is_no_fraction_is_refused():
    class Odd(LiarsDice):
        def new_initial_state(self):
            return OddState(self.sides)

    class OddState(LiarsDiceState):
        def chance_outcomes(self):
            return [(0, 2**-0.5), (1, 1 - 2**-0.5 + 1e-12)]

        def child(self, action):
            after = super().child(action)
            return OddState(after.sides, after.dice, after.bids)

    with pytest.raises(ValueError, match="fractions"):
        equilibrium(Odd(2))


class Scaled(LiarsDice):
    """Liar's dice with returns that span a wide range."""

    def new_initial_state(self):
        return ScaledState(self.sides)


class ScaledState(LiarsDiceState):
    def child(self, action):
        after = super().child(action)
        return ScaledState(after.sides, after.dice, after.bids)

    def returns(self):
        scale = 1e300 if self.dice[0] else 1e-300
        return [scale * value for value in super().returns()]


def test_returns_of_any_size():
    pytest.importorskip("highspy")
    assert equilibrium(Scaled(2)).nash_conv == 0
    assert equilibrium(Scaled(2), exact=False).value < 1e-300


def test_an_attempt_without_optimum_leads_to_the_next(monkeypatch):
    pytest.importorskip("highspy")
    solve, refused = Program.solve, []

    def fail_first(self, options):
        if not refused:
            refused.append(options)
            raise ArithmeticError("no optimum")
        return solve(self, options)

    monkeypatch.setattr(Program, "solve", fail_first)
    for exact in (True, False):
        refused.clear()
        assert equilibrium(KUHN, exact=exact).value == pytest.approx(-1 / 18)
        assert refused
    monkeypatch.setattr(Program, "solve", lambda *_: 1 // 0)
    for exact in (True, False):
        with pytest.raises(ArithmeticError, match="KuhnPoker"):
            equilibrium(KUHN, exact=exact)


def test_an_interrupt_stops_the_linear_program():
    pytest.importorskip("highspy")
    size = 600  # a matrix game that takes seconds
    tree = SimpleNamespace(
        offsets=[np.array([1, size + 1])] * 2,
        parents=[np.zeros(1, int)] * 2,
        num_sequences=(size + 1, size + 1),
        information_sets_by_player=(1, 1),
    )
    rows, columns = 1 + np.indices((size, size)).reshape(2, -1)
    weights = np.random.default_rng(1).standard_normal(size * size)
    program = Program(tree, rows, columns, weights, False)
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(0.8, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        program.solve({})
    timer.join()
    assert time.monotonic() - sent[0] < 10
    assert signal.getsignal(signal.SIGINT) is before


def test_the_function_has_a_signature_of_its_own():
    assert list(inspect.signature(zs.equilibrium).parameters) == ["game", "exact"]
    assert inspect.signature(zs.equilibrium).parameters["exact"].default is True
    assert "lp" in inspect.getdoc(zs.equilibrium)


def test_sparse_elimination():
    source = random.Random(2)
    for size in (1, 2, 5, 12):
        matrix = [
            {
                column: Fraction(source.randint(-3, 3))
                for column in source.sample(range(size), min(size, 3))
            }
            for _ in range(size)
        ]
        for row in range(size):
            matrix[row][row] = Fraction(7 + row)
        matrix = [{column: v for column, v in row.items() if v} for row in matrix]
        right = [Fraction(source.randint(-9, 9)) for _ in range(size)]
        eliminated = SparseLU([dict(row) for row in matrix])
        z, w = eliminated.solve(right), eliminated.solve_transposed(right)
        for row in range(size):
            assert sum(v * z[column] for column, v in matrix[row].items()) == right[row]
            assert sum(matrix[r].get(row, 0) * w[r] for r in range(size)) == right[row]
    with pytest.raises(ZeroDivisionError):
        SparseLU([{0: Fraction(1), 1: Fraction(2)}, {0: Fraction(2), 1: Fraction(4)}])


def test_openspiel_agrees():
    pyspiel = pytest.importorskip("pyspiel")
    source = random.Random(4)
    for name in ("kuhn_poker", "leduc_poker", "liars_dice(numdice=1,dice_sides=3)"):
        game = pyspiel.load_game(name)
        tree = GameTree(game)
        policy = random_policy(tree, source)
        table = pyspiel.TabularPolicy({text: list(entry.items()) for text, entry in policy.items()})
        assert nash_conv(tree, policy) == pytest.approx(pyspiel.nash_conv(game, table), abs=1e-9)
