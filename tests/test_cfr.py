"""CFRSolver: convergence rows, plain twins, sampling, resuming, interrupting."""

import os
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
    straight = CFRSolver(KuhnPoker(), variant, sampling=sampling, seed=7)
    stopped = CFRSolver(KuhnPoker(), variant, sampling=sampling, seed=7)
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
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        CFRSolver(KuhnPoker(), **arguments)


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
    assert time.monotonic() - sent[0] < 0.1
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
