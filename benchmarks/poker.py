"""Games with hidden cards beside their peers: ``python benchmarks/poker.py [--rounds 5]``.

Every row runs this package and each peer in turn, several rounds in one process, on one thread, and
prints the median processor time of each and their ratio. Peers that are not installed are left out:
open-spiel, LiteEFG, and a sequence form in numpy and scipy that stands in this file.
"""

import argparse
import contextlib
import importlib
import io
import statistics
import sys
import time

import numpy as np

from zerosum.equilibrium import (
    CFRSolver,
    GameTree,
    equilibrium,
    exploitability,
    nash_conv,
    simulate,
)
from zerosum.games.kuhn import KuhnPoker
from zerosum.games.leduc import LeducPoker


def optional(name):
    """A module, or None where it is not installed; what it prints while it loads is dropped."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            return importlib.import_module(name)
        except ImportError:
            return None


class NumpyCFRPlus:
    """CFR+ in the sequence form with numpy and scipy: what a hundred lines of them reach.

    Sequences are numbered by depth, so that a level is a slice; sums over information sets and over
    the ones that follow a sequence are products with sparse matrices of ones.
    """

    def __init__(self, tree):
        from scipy.sparse import csr_matrix

        payoff = csr_matrix(
            (tree.payoff_values, (tree.payoff_rows, tree.payoff_columns)), shape=tree.num_sequences
        )
        self.sides, orders = [], []
        for player in range(2):
            side, order = self.side(tree, player)
            self.sides.append(side)
            orders.append(order)
        payoff = payoff[orders[0]][:, orders[1]].tocsr()
        self.payoff = [payoff, (-payoff.T).tocsr()]
        self.t = 0

    def side(self, tree, player):
        """One player's levels and vectors, and the order that its sequences are numbered in."""
        from scipy.sparse import csr_matrix

        offsets, parents = tree.offsets[player], tree.parents[player]
        counts, size = np.diff(offsets), len(tree.actions[player])
        owner = np.repeat(np.arange(len(parents)), counts)
        depth = np.zeros(len(parents), int)
        for infoset, parent in enumerate(parents):
            depth[infoset] = 0 if parent == 0 else depth[owner[parent - 1]] + 1
        order = np.concatenate([[0], 1 + np.argsort(depth[owner], kind="stable")])
        place = np.argsort(order)
        levels, start = [], 1
        for level in range(depth.max() + 1):
            sets = np.flatnonzero(depth == level)
            stop = start + counts[sets].sum()
            of = np.repeat(np.arange(len(sets)), counts[sets])
            ones = np.ones(len(of))
            adds = csr_matrix((ones, (of, np.arange(len(of)))))
            above = place[parents[sets]]
            up = csr_matrix(
                (np.ones(len(sets)), (above, np.arange(len(sets)))), shape=(start, len(sets))
            )
            levels.append((slice(start, stop), adds, of, up, above[of], 1 / counts[sets][of]))
            start = stop
        side = {name: np.zeros(size) for name in ("regret", "total")}
        side |= {name: np.ones(size) for name in ("strategy", "plan")}
        side["levels"] = levels
        for at, _, _, _, above, share in levels:
            side["strategy"][at] = share
            side["plan"][at] = side["plan"][above] * share
        return side, order

    def run(self, iterations):
        for _ in range(iterations):
            self.t += 1
            for player in range(2):
                side = self.sides[player]
                side["total"] += self.t * side["plan"]
                self.update(side, self.payoff[player] @ self.sides[1 - player]["plan"])

    def update(self, side, q):
        strategy, regret, plan = side["strategy"], side["regret"], side["plan"]
        for at, adds, of, up, _, _ in reversed(side["levels"]):
            value = adds @ (strategy[at] * q[at])
            q[: up.shape[0]] += up @ value
            regret[at] = np.maximum(regret[at] + q[at] - value[of], 0)
        for at, adds, of, _, above, share in side["levels"]:
            total = (adds @ regret[at])[of]
            strategy[at] = np.where(total > 0, regret[at] / np.where(total > 0, total, 1), share)
            plan[at] = plan[above] * strategy[at]


class LiteEFGSolver:
    """LiteEFG's own baseline of a variant on one of OpenSpiel's games."""

    def __init__(self, name, module="CFRplus"):
        with contextlib.redirect_stdout(io.StringIO()):
            self.lite = optional("LiteEFG")
            baseline = importlib.import_module(f"LiteEFG.baselines.{module}")
            self.env = self.lite.OpenSpielEnv(optional("pyspiel").load_game(name), regenerate=False)
            self.graph = baseline.graph()
            self.env.set_graph(self.graph)

    def run(self, iterations):
        for _ in range(iterations):
            self.graph.update_graph(self.env)
            self.env.update_strategy(self.graph.current_strategy())

    def exploitability(self):
        return sum(self.env.exploitability(self.graph.current_strategy(), "linear-avg-iterate")) / 2


def spiel(name):
    """A game of OpenSpiel, or None."""
    pyspiel = optional("pyspiel")
    return pyspiel.load_game(name) if pyspiel else None


def repeat(step):
    """A runner that calls something so many times."""

    def run(count):
        for _ in range(count):
            step()

    return run


def spiel_policy(name):
    """OpenSpiel's uniform policy of a game as a table."""
    return optional("pyspiel").UniformRandomPolicy(spiel(name))


def rates():
    """Rows in things a second: (name, bar, unit, {who: (set-up, number of things a round)})."""
    have_spiel = optional("pyspiel") is not None
    have_lite = have_spiel and optional("LiteEFG") is not None
    have_scipy = optional("scipy") is not None

    def cfr_plus(label, game, name, ours, lite, numpy, open_spiel, bar):
        who = {"zerosum": (lambda: CFRSolver(game(), "cfr+").run, ours)}
        if have_lite and name:
            who["LiteEFG"] = (lambda: LiteEFGSolver(name).run, lite)
        if have_spiel and name:
            who["OpenSpiel"] = (
                lambda: repeat(
                    optional("pyspiel").CFRPlusSolver(spiel(name)).evaluate_and_update_policy
                ),
                open_spiel,
            )
        if have_scipy:
            who["numpy"] = (lambda: NumpyCFRPlus(GameTree(game())).run, numpy)
        return label, bar, "iterations/s", who

    def sampling(label, game, name, ours, theirs):
        who = {"zerosum": (lambda: CFRSolver(game(), "cfr", sampling="external", seed=1).run, ours)}
        if have_spiel:
            pyspiel = optional("pyspiel")
            who["OpenSpiel"] = (
                lambda: repeat(pyspiel.ExternalSamplingMCCFRSolver(spiel(name), 1).run_iteration),
                theirs,
            )
        return label, "10x OpenSpiel", "iterations/s", who

    yield cfr_plus("Kuhn CFR+", KuhnPoker, "kuhn_poker", 1_000_000, 5000, 3000, 3000, "4 M/s")
    yield cfr_plus("Leduc CFR+", LeducPoker, "leduc_poker", 20_000, 100, 1000, 20, "60,000/s")
    yield cfr_plus(
        "Leduc CFR+, ranks only", lambda: LeducPoker(True), None, 60_000, 0, 2000, 0, "200,000/s"
    )
    yield sampling("Kuhn, external sampling", KuhnPoker, "kuhn_poker", 2_000_000, 50_000)
    yield sampling("Leduc, external sampling", LeducPoker, "leduc_poker", 300_000, 5000)
    tree = GameTree(KuhnPoker())
    who = {"zerosum": (lambda: lambda n: simulate(tree, "uniform", n, seed=1), 20_000_000)}
    if have_spiel:
        who["OpenSpiel bots"] = (spiel_hands, 20_000)
    yield "Kuhn hands between two tables", "20 M/s", "hands/s", who
    if have_spiel:
        theirs = GameTree(spiel("leduc_poker"))
        yield (
            "Leduc CFR+ on a tree of OpenSpiel's game",
            "as our own",
            "iterations/s",
            {
                "zerosum, its tree": (lambda: CFRSolver(theirs, "cfr+").run, 20_000),
                "zerosum, our tree": (lambda: CFRSolver(LeducPoker(), "cfr+").run, 20_000),
            },
        )


def spiel_hands():
    """Hands of Kuhn between two uniform bots in OpenSpiel's C++ loop."""
    pyspiel, game = optional("pyspiel"), spiel("kuhn_poker")
    bots = [pyspiel.make_uniform_random_bot(player, 7 + player) for player in range(2)]
    rng = np.random.RandomState(1)

    def run(count):
        for _ in range(count):
            state = game.new_initial_state()
            while state.is_chance_node():
                actions = state.legal_actions()
                state.apply_action(actions[rng.randint(len(actions))])
            pyspiel.evaluate_bots(state, bots, 3)

    return run


def times():
    """Rows in seconds: (name, bar, {who: what to do once}), set-up included in what is done."""
    have_spiel = optional("pyspiel") is not None
    have_lite = have_spiel and optional("LiteEFG") is not None

    def solve(game, variant, target, averaging=None):
        solver = CFRSolver(game, variant, averaging=averaging)
        solver.run(10**6, target=target)

    def lite(name, target, module, every):
        solver = LiteEFGSolver(name, module)
        solver.run(every)
        while solver.exploitability() > target:
            solver.run(every)

    who = {"zerosum": lambda: solve(LeducPoker(), "dcfr", 1e-3)}
    if have_lite:
        who["LiteEFG CFR+"] = lambda: lite("leduc_poker", 1e-3, "CFRplus", 25)
    yield "Leduc to 1e-3, game construction included", "20 ms", who
    kuhn = GameTree(KuhnPoker())
    who = {
        "zerosum": lambda: solve(KuhnPoker(), "pcfr+", 1e-6),
        "zerosum, tree built": lambda: solve(kuhn, "pcfr+", 1e-6),
    }
    if have_lite:
        who["LiteEFG PCFR+"] = lambda: lite("kuhn_poker", 1e-6, "PCFR", 25)
    yield "Kuhn to 1e-6", "0.3 ms", who
    yield (
        "Kuhn with 1,000 cards to 1e-3 of the ante",
        "10 s",
        {"zerosum": lambda: solve(KuhnPoker(1000), "cfr+", 1e-3)},
    )
    tree = GameTree(LeducPoker())
    table = CFRSolver(tree).average_policy()
    arrays, mapping = table.arrays, dict(table)
    exploitability(tree, mapping)
    who = {
        "zerosum, arrays": lambda: exploitability(tree, arrays),
        "zerosum, TablePolicy": lambda: exploitability(tree, table),
    }
    if have_lite:
        solver = LiteEFGSolver("leduc_poker")
        solver.run(1)
        who["LiteEFG"] = solver.exploitability
    yield "exploitability of arrays, Leduc", "25 us", who
    who = {"zerosum, dict": lambda: exploitability(tree, mapping)}
    if have_spiel:
        game, uniform = spiel("leduc_poker"), spiel_policy("leduc_poker")
        who["OpenSpiel"] = lambda: optional("pyspiel").nash_conv(game, uniform)
    yield "exploitability of a dict, Leduc", "1 ms", who
    if optional("highspy"):
        yield from linear_programs(have_spiel)


def linear_programs(have_spiel):
    """The rows that need HiGHS; exact results are checked to have a gap of exactly 0."""

    def exact(game):
        assert nash_conv(game, equilibrium(game).policy) == 0

    yield "exact equilibrium, Kuhn 3", "20 ms", {"zerosum": lambda: equilibrium(KuhnPoker())}
    yield "exact equilibrium, Kuhn 13", "200 ms", {"zerosum": lambda: equilibrium(KuhnPoker(13))}
    yield (
        "exact equilibrium, Leduc",
        "3 s",
        {
            "zerosum": lambda: equilibrium(LeducPoker()),
            "zerosum, ranks only": lambda: equilibrium(LeducPoker(True)),
            "zerosum, checked again": lambda: exact(LeducPoker()),
        },
    )
    who = {"zerosum": lambda: equilibrium(LeducPoker(), exact=False)}
    if have_spiel and optional("cvxopt"):
        from open_spiel.python.algorithms import sequence_form_lp

        who["OpenSpiel"] = lambda: sequence_form_lp.solve_zero_sum_game(spiel("leduc_poker"))
    yield "floating equilibrium, Leduc", "80 ms", who


def seconds_of(function, *arguments):
    """Processor time of one call; short ones are repeated until they take 20 ms."""
    calls, start = 0, time.process_time()
    while True:
        function(*arguments)
        calls += 1
        used = time.process_time() - start
        if used > 0.02:
            return used / calls


def show(name, bar, figures, unit):
    """Print a row: figures are per second, or seconds where there is no unit."""
    print(f"\n{name}  (bar: {bar})")
    base = next(iter(figures.values()))
    for who, figure in figures.items():
        ratio = base / figure if unit else figure / base
        shown = f"{figure:14,.0f} {unit}" if unit else f"{figure * 1e3:14.4f} ms"
        print(f"  {who:<24}{shown:>28}   x{ratio:,.1f}")
    sys.stdout.flush()


def main():
    """Measure the rows whose name has the word in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    for name, bar, unit, who in rates():
        if args.only not in name:
            continue
        runners = {peer: (setup(), count) for peer, (setup, count) in who.items()}
        found = {peer: [] for peer in who}
        for _ in range(args.rounds):
            for peer, (run, count) in runners.items():
                start = time.process_time()
                run(count)
                found[peer].append(count / (time.process_time() - start))
        show(name, bar, {peer: statistics.median(rates) for peer, rates in found.items()}, unit)
    for name, bar, who in times():
        if args.only not in name:
            continue
        found = {peer: [] for peer in who}
        for _ in range(args.rounds):
            for peer, once in who.items():
                found[peer].append(seconds_of(once))
        show(name, bar, {peer: statistics.median(times) for peer, times in found.items()}, "")


if __name__ == "__main__":
    main()
