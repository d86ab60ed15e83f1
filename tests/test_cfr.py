"""CFRSolver: convergence rows, plain twins, sampling, resuming, interrupting."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from tests.games.liars_dice import LiarsDice
from tests.poker_cases import CASES, POKER
from tests.reference.trees import PlainCFR
from zerosum.equilibrium import CFRSolver, GameTree, expected_value, exploitability, nash_conv
from zerosum.games.kuhn import KuhnPoker
from zerosum.games.leduc import LeducPoker


def solver_of_row(tree, name):
    """The CFRSolver that a row of the data describes, such as "CFR+ alternating, linear avg of
    NEXT".
    """
    averaging = next(
        word
        for word, mark in (("quadratic", "quad"), ("linear", "linear"), ("uniform", "uniform"))
        if mark in name
    )
    return CFRSolver(
        tree,
        name.split()[0].split("(")[0].lower(),
        alternating="alternating" in name,
        averaging=averaging,
        averaged="next" if "NEXT" in name else "played",
    )


@pytest.mark.parametrize("name", POKER["exploitability_kuhn"])
def test_kuhn_convergence(name):
    solver = solver_of_row(GameTree(KuhnPoker()), name)
    for t, expected in POKER["exploitability_kuhn"][name].items():
        if t == "value":
            value = expected_value(solver.tree, solver.average_policy())
            assert value == pytest.approx(expected, abs=1e-9)
            continue
        solver.run(int(t) - solver.iterations)
        assert solver.exploitability() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", POKER["exploitability_leduc"])
def test_leduc_convergence(name):
    solver = solver_of_row(GameTree(LeducPoker()), name)
    loose = 1.6 if name.startswith(("LCFR", "DCFR")) else 1.5
    for t, expected in POKER["exploitability_leduc"][name].items():
        if t == "value":
            value = expected_value(solver.tree, solver.average_policy())
            assert value == pytest.approx(expected, abs=1e-4)
            continue
        solver.run(int(t) - solver.iterations)
        if int(t) <= 100:
            assert solver.exploitability() == pytest.approx(expected, abs=1e-5)
        else:
            assert expected / loose < solver.exploitability() < expected * loose


@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize(
    ("variant", "power"), [("cfr", 0), ("cfr+", 1), ("lcfr", 1), ("dcfr", 2), ("pcfr+", 2)]
)
@pytest.mark.parametrize("game", [KuhnPoker(4), LiarsDice(2)], ids=["kuhn", "dice"])
def test_plain_twin(game, variant, power, alternating):
    twin = PlainCFR(game.new_initial_state(), variant, power, alternating)
    solver = CFRSolver(game, variant, alternating=alternating)
    for _ in range(12):
        twin.iterate()
    solver.run(12)
    average = solver.average_policy()
    for text, entry in twin.average().items():
        assert average[text] == pytest.approx(entry, abs=1e-12)


def test_uniform_before_the_first_iteration():
    for sampling in (None, "external", "outcome"):
        solver = CFRSolver(LeducPoker(), "cfr", sampling=sampling)
        for policy in (solver.average_policy(), solver.current_policy()):
            for entry in policy.values():
                assert list(entry.values()) == [1 / len(entry)] * len(entry)
        assert solver.exploitability() == exploitability(LeducPoker(), "uniform")


def test_public_rows_of_plain_cfr():
    expected = CASES["B36"]["expected"]
    for name, row in expected["nashconv_of_average"].items():
        solver = CFRSolver(
            KuhnPoker(),
            "cfr",
            alternating=name.startswith("alternating"),
            averaged="next" if "after each update" in name else "played",
        )
        for t, conv in enumerate(row, 1):
            solver.run(1)
            assert solver.iterations == t
            assert nash_conv(solver.tree, solver.average_policy()) == pytest.approx(conv, abs=1e-6)
    solver = CFRSolver(KuhnPoker(), "cfr", alternating=False)
    solver.run(1)
    current = solver.current_policy()
    after = expected["current_strategy_prob_b_after_1_simultaneous_iteration"]
    for text, bet in after.items():
        assert current[f"{'JQK'.index(text[0])}{text[1:]}"][1] == bet


def test_public_bounds_after_1000():
    expected = CASES["B36"]["expected"]
    bounds = expected["after_1000"]
    solver = CFRSolver(KuhnPoker(), "cfr", alternating=True)
    solver.run(1000)
    average = solver.average_policy()
    bet = {"JQK"[int(text[0])] + text[1:]: entry[1] for text, entry in average.items()}
    assert nash_conv(solver.tree, average) <= bounds["nashconv_of_average_max"]
    assert abs(expected_value(solver.tree, average) + 1 / 18) <= bounds["abs_value_plus_1_18_max"]
    for name in ("Kb", "Kpb"):
        assert bet[name] >= bounds[f"{name}_min"]
    for name in ("Jb", "Jpb"):
        assert bet[name] <= bounds[f"{name}_max"]
    for name in ("Jp", "Qb"):
        assert bet[name] == pytest.approx(1 / 3, abs=bounds[name][1])
    assert abs(bet["K"] - 3 * bet["J"]) <= bounds["K_minus_3J_abs_max"]
    assert (
        nash_conv(solver.tree, solver.current_policy())
        > (expected["current_nashconv_at_1000_is_above"])
    )


def test_every_strategy_is_a_distribution():
    for variant in ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+"):
        solver = CFRSolver(LeducPoker(ranks_only=True), variant)
        solver.run(200)
        for policy in (solver.average_policy(), solver.current_policy()):
            for entry in policy.values():
                assert sum(entry.values()) == pytest.approx(1, abs=1e-12)
                assert min(entry.values()) >= 0


def test_suits_and_ranks_have_one_value():
    for ranks_only in (False, True):
        solver = CFRSolver(LeducPoker(ranks_only), "dcfr")
        solver.run(5000, target=2e-4)
        value = expected_value(solver.tree, solver.average_policy())
        assert value == pytest.approx(POKER["leduc_value"], abs=4e-4)


def test_target_stops_at_the_iteration():
    solver = CFRSolver(KuhnPoker(), "pcfr+")
    ran = solver.run(100_000, target=1e-6, check_every=1)
    assert ran == solver.iterations < 400
    assert solver.exploitability() <= 1e-6
    before = CFRSolver(KuhnPoker(), "pcfr+")
    before.run(ran - 1)
    assert before.exploitability() > 1e-6


def test_split_runs_are_one_run():
    whole, parts = CFRSolver(LeducPoker(), "dcfr"), CFRSolver(LeducPoker(), "dcfr")
    whole.run(60)
    for count in (1, 7, 0, 52):
        parts.run(count)
    for player in range(2):
        assert (whole.average_of(player) == parts.average_of(player)).all()


@pytest.mark.parametrize("sampling", [None, "external", "outcome"])
def test_save_and_load_resume(tmp_path, sampling):
    variant = "pcfr+" if sampling is None else "cfr"
    seed = None if sampling is None else 7
    straight = CFRSolver(KuhnPoker(), variant, sampling=sampling, seed=seed)
    stopped = CFRSolver(KuhnPoker(), variant, sampling=sampling, seed=seed)
    straight.run(500)
    stopped.run(200)
    stopped.save(tmp_path / "solver.npz")
    resumed = CFRSolver.load(tmp_path / "solver.npz", KuhnPoker())
    assert (resumed.iterations, resumed.variant, resumed.sampling) == (200, variant, sampling)
    resumed.run(300)
    for player in range(2):
        assert (straight.average_of(player) == resumed.average_of(player)).all()
        assert (straight.strategy_of(player) == resumed.strategy_of(player)).all()
    with pytest.raises(ValueError, match="another game"):
        CFRSolver.load(tmp_path / "solver.npz", KuhnPoker(4))


@pytest.mark.parametrize(
    ("sampling", "variant", "bound"),
    [
        ("external", "cfr", 0.01),
        ("external", "cfr+", 0.02),
        ("outcome", "cfr", 0.05),
        ("outcome", "cfr+", 0.05),
    ],
)
def test_sampling_converges_on_kuhn(sampling, variant, bound):
    solver = CFRSolver(KuhnPoker(), variant, sampling=sampling, seed=3, averaging="uniform")
    solver.run(200_000)
    assert solver.exploitability() < bound
    again = CFRSolver(KuhnPoker(), variant, sampling=sampling, seed=3, averaging="uniform")
    again.run(200_000)
    assert again.exploitability() == solver.exploitability()
    other = CFRSolver(KuhnPoker(), variant, sampling=sampling, seed=4, averaging="uniform")
    other.run(200_000)
    assert other.exploitability() != solver.exploitability()


def test_sampling_on_leduc():
    solver = CFRSolver(LeducPoker(), "cfr", sampling="external", seed=1)
    solver.run(1_000_000, target=0.1)
    assert solver.exploitability() <= 0.1


def test_difference_rows_change_nothing():
    """A deck of 20 has rows long enough to be kept as differences; the plain twin knows nothing of
    it.
    """
    game = KuhnPoker(20)
    solver, twin = CFRSolver(game, "cfr+"), PlainCFR(game.new_initial_state(), "cfr+", 1)
    solver.run(3)
    for _ in range(3):
        twin.iterate()
    average = solver.average_policy()
    for text, entry in twin.average().items():
        assert average[text] == pytest.approx(entry, abs=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"variant": "cfr++"}, "variant"),
        ({"averaging": -1}, "averaging"),
        ({"averaged": "last"}, "averaged"),
        ({"sampling": "chance"}, "sampling"),
        ({"variant": "dcfr", "sampling": "external"}, "sampling"),
        ({"sampling": "external", "seed": -1}, "seed"),
        ({"sampling": "outcome", "epsilon": 0}, "epsilon"),
        ({"alternating": "no"}, "alternating"),
        ({"averaging": "foo"}, "averaging='foo'.*quadratic"),
        ({"averaging": [1]}, r"averaging=\[1\]"),
        ({"averaging": 99}, "from 0 to 16"),
        ({"variant": "dcfr", "gamma": -1}, "gamma=-1"),
        ({"variant": "dcfr", "alpha": float("nan")}, "alpha=nan"),
        ({"alpha": 1.5}, "alpha=1.5 is used only"),
        ({"variant": "lcfr", "beta": 0.0}, "beta=0.0 is used only"),
        ({"variant": "dcfr", "averaging": "linear", "gamma": 2}, "gamma=2 is used only"),
        ({"seed": 0}, "seed=0 is used only"),
        ({"sampling": "external", "epsilon": 0.6}, "epsilon=0.6 is used only"),
        ({"sampling": "external", "alternating": False}, "in turn"),
        ({"sampling": "external", "averaged": "next"}, "in turn"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        CFRSolver(KuhnPoker(), **arguments)


def test_numbers_of_iterations_are_whole():
    with pytest.raises(TypeError):
        CFRSolver(KuhnPoker()).run(10.5)
    with pytest.raises(TypeError):
        CFRSolver(KuhnPoker()).run(10, check_every=1.5)


def test_the_steepest_averaging_stays_finite():
    solver = CFRSolver(KuhnPoker(), averaging=16)
    solver.run(200_000)
    assert 0 <= solver.exploitability() < 1e-3


class Forced:
    """Nobody has a choice, so the gap is 0 but for rounding: the players see different halves of the
    draw, and their values are sums in different orders.
    """

    def __init__(self, scale, line=()):
        self.scale = scale
        self.line = line

    def new_initial_state(self):
        return Forced(self.scale)

    def current_player(self):
        return -4 if self.is_terminal() else len(self.line) - 1

    def is_chance_node(self):
        return not self.line

    def chance_outcomes(self):
        return [(draw, 1 / 9) for draw in range(9)]

    def is_terminal(self):
        return len(self.line) == 3

    def legal_actions(self):
        return [0] if self.line else list(range(9))

    def apply_action(self, action):
        self.line = (*self.line, action)

    def returns(self):
        value = (self.scale * (self.line[0] + 1) ** 2) % 1
        return [value, -value]

    def information_state_string(self, player=None):
        return str(self.line[0] // 3 if player == 0 else self.line[0] % 3)


def test_rounding_never_takes_exploitability_below_0():
    solvers = [CFRSolver(Forced(scale / 41)) for scale in range(1, 40)]
    assert min(solver.exploitability() for solver in solvers) == 0


class OutsideOption:
    """Player 0 takes a matrix game's value, 11/26, or plays it against a player who sees only that."""

    PAYOFFS = ((0, -1, 2), (2, 0, -1), (-1, 3, 0))

    def __init__(self, line=()):
        self.line = line

    def new_initial_state(self):
        return OutsideOption()

    def current_player(self):
        return -4 if self.is_terminal() else int(len(self.line) == 2)

    def is_terminal(self):
        return self.line == (0,) or len(self.line) == 3

    def legal_actions(self):
        return [0, 1, 2] if self.line else [0, 1]

    def apply_action(self, action):
        self.line = (*self.line, action)

    def returns(self):
        value = 11 / 26 if len(self.line) == 1 else self.PAYOFFS[self.line[1]][self.line[2]]
        return [value, -value]

    def information_state_string(self, player=None):
        return str(self.line[:1])


def test_outcome_sampling_averages_without_bias():
    """How often player 0 enters the matrix game changes all the time; player 1's average there may
    not depend on it.
    """
    tree = GameTree(OutsideOption())
    found = []
    for seed in range(8):
        solver = CFRSolver(tree, "cfr", sampling="outcome", seed=seed)
        solver.run(1_000_000)
        found.append(solver.exploitability())
    assert sum(found) / len(found) < 0.005


def damaged(data, source):
    """A copy of a file's bytes that is cut short, or has some bits flipped."""
    if source.random() < 0.3:
        return data[: source.randrange(len(data))]
    changed = bytearray(data)
    for _ in range(source.choice((1, 1, 1, 2, 8))):
        changed[source.randrange(len(data))] ^= 1 << source.randrange(8)
    return bytes(changed)


@pytest.mark.parametrize("sampling", [None, "outcome"])
def test_damaged_files_are_refused_or_sound(tmp_path, sampling):
    game, path, source = KuhnPoker(), tmp_path / "file.npz", random.Random(1)
    tree = GameTree(game)
    solver = CFRSolver(tree, "cfr", sampling=sampling)
    solver.run(50)
    for saved, load in (
        (tree, lambda: CFRSolver(GameTree.load(path), "cfr", sampling="external")),
        (solver, lambda: CFRSolver.load(path, tree)),
    ):
        saved.save(path)
        data = path.read_bytes()
        for _ in range(300):
            path.write_bytes(damaged(data, source))
            with contextlib.suppress(ValueError):
                loaded = load()
                loaded.run(5)
                assert loaded.exploitability() >= 0


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ("regret_0", np.full(13, np.nan)),
        ("total_1", np.ones(2)),
        ("plan_0", np.ones(13, np.float32)),
        ("strategy_1", None),
        ("numbers", np.array([-1.0, 1.0, 1.0, 1.0])),
        ("numbers", np.ones(2)),
        ("meta", np.frombuffer(b"[]", np.uint8)),
        ("meta", np.frombuffer(b'{"format": "zerosum CFR solver 1"}', np.uint8)),
    ],
)
def test_files_of_another_make_are_refused(tmp_path, change, value):
    path = tmp_path / "solver.npz"
    solver = CFRSolver(KuhnPoker())
    solver.run(3)
    solver.save(path)
    with np.load(path) as file:
        arrays = dict(file)
    arrays[change] = value
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    with pytest.raises(ValueError, match=r"solver\.npz"):
        CFRSolver.load(path, KuhnPoker())


def test_progress():
    seen = []
    CFRSolver(KuhnPoker()).run(100, progress=lambda *step: seen.append(step))
    assert seen[-1][:2] == (100, 100)


def test_interrupt_leaves_the_solver_whole():
    solver = CFRSolver(LeducPoker())
    sent = []

    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solver.run(10**9)
    assert time.monotonic() - sent[0] < 10
    timer.join()
    again = CFRSolver(LeducPoker())
    again.run(solver.iterations)
    assert again.exploitability() == solver.exploitability()


def test_other_threads_run_meanwhile():
    solver, other = CFRSolver(LeducPoker()), CFRSolver(LeducPoker())
    worker = threading.Thread(target=solver.run, args=(20_000,))
    worker.start()
    other.run(2000)
    worker.join()
    alone = CFRSolver(LeducPoker())
    alone.run(2000)
    assert other.exploitability() == alone.exploitability()


def test_openspiel_agrees():
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("leduc_poker")
    theirs, ours = pyspiel.CFRPlusSolver(game), CFRSolver(game, "cfr+")
    for _ in range(10):
        theirs.evaluate_and_update_policy()
    ours.run(10)
    expected = pyspiel.exploitability(game, theirs.average_policy())
    assert ours.exploitability() == pytest.approx(expected, abs=1e-9)


@pytest.mark.long
def test_a_thousand_cards():
    solver = CFRSolver(KuhnPoker(1000), "cfr+")
    solver.run(5000, target=1e-3)
    assert solver.exploitability() <= 1e-3
    value = expected_value(solver.tree, solver.average_policy())
    assert value == pytest.approx(-1 / 18, abs=5e-3)


def test_same_result_in_another_process():
    code = (
        "from zerosum.equilibrium import CFRSolver\n"
        "from zerosum.games.kuhn import KuhnPoker\n"
        "s = CFRSolver(KuhnPoker(), 'cfr', sampling='external', seed=11)\n"
        "s.run(1000)\n"
        "print(s.average_of(0).tobytes().hex())"
    )
    outputs = {subprocess.check_output([sys.executable, "-c", code]) for _ in range(2)}
    assert len(outputs) == 1
    here = CFRSolver(KuhnPoker(), "cfr", sampling="external", seed=11)
    here.run(1000)
    assert np.frombuffer(bytes.fromhex(outputs.pop().decode()), np.float64).tolist() == (
        here.average_of(0).tolist()
    )
