"""equilibrium: a game solved to the end by linear programming, in floats or in exact fractions.

The program is the sequence form's (Koller, Megiddo and von Stengel 1996): player 0's plan and one
value for each of player 1's information sets. Sequences that only names tell apart (hands that
differ in suits, say) are merged first by colour refinement, which keeps the optimum (Grohe,
Kersting, Mladenov and Selman, Dimension reduction via colour refinement, 2014). HiGHS finds an
optimal basis; the exact result solves that basis in rationals, gives both players' plans, and is
then checked without the program: each player's best response must be worth exactly the value.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from zerosum.equilibrium.evaluation import Plans, TablePolicy
from zerosum.equilibrium.exact import exact_best_response, exact_payoffs
from zerosum.equilibrium.sparse_lu import SparseLU
from zerosum.equilibrium.tree import as_tree

__all__ = ["Equilibrium", "equilibrium"]

Array = np.ndarray[Any, Any]
EXACT_TOLERANCE = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
# What is tried in turn until the certificate holds: (merge equivalent sequences, HiGHS's options).
ATTEMPTS: tuple[tuple[bool, dict[str, Any]], ...] = (
    (True, {}),
    (True, EXACT_TOLERANCE),
    (False, {}),
    (False, EXACT_TOLERANCE),
    (False, {**EXACT_TOLERANCE, "presolve": "off", "simplex_strategy": 4}),
)


@dataclass(frozen=True)
class Equilibrium:
    """An equilibrium: player 0's ``value``, the ``policy`` of both players, and what a check found.

    ``nash_conv`` is the sum of both players' gains from a best response: exactly 0 for an exact
    result. With ``exact`` all numbers are Fractions and ``policy`` is a dictionary {information
    state: {action: probability}}, or a pair of them where the players share a name; else floats and
    a TablePolicy.
    """

    value: Any
    policy: Any
    nash_conv: Any
    exact: bool


def equilibrium(game: Any, exact: bool = True) -> Equilibrium:
    """Solve a game, or a GameTree, completely; needs the ``lp`` extra.

    ``exact=True`` gives Fractions with a certificate that was checked: nash_conv is exactly 0.
    Chance's probabilities and the returns are floats; one that is the nearest to a fraction with a
    denominator up to a million stands for it (0.333... is 1/3), any other for the binary number
    that it is (0.1234567890123 is not 1234567890123 / 10**13). ValueError when chance's then do not
    sum to exactly 1. ``exact=False`` gives floats, right to about 1e-9 of the largest payoff.
    Raises ImportError when the extra is missing, ArithmeticError when no certificate, or in floats
    no optimum, could be found. Ctrl-C stops it.
    """
    tree = as_tree(game)
    if not exact:
        return float_equilibrium(tree)
    payoffs = exact_payoffs(tree)
    entries = np.array([entry[:2] for entry in payoffs.entries], dtype=np.intp).reshape(-1, 2)
    weights = np.array([entry[2] for entry in payoffs.entries], dtype=object)
    for merge, options in ATTEMPTS:
        program = Program(tree, entries[:, 0], entries[:, 1], weights, merge)
        try:
            plans = program.exact_plans(program.solve(options), payoffs.denominator)
            return certified(tree, plans)
        except (ArithmeticError, NotCertifiedError):
            continue
    raise ArithmeticError(f"no optimal basis of {tree.game} could be certified in exact arithmetic")


def float_equilibrium(tree: Any) -> Equilibrium:
    """The equilibrium in floats, checked by both best responses."""
    scale = float(np.abs(tree.payoff_values).max(initial=0.0)) or 1.0
    best = None
    for merge, options in ATTEMPTS[::2]:
        program = Program(tree, tree.payoff_rows, tree.payoff_columns, tree.payoff_values, merge)
        try:
            policy = TablePolicy(tree, program.float_behaviour(program.solve(options)))
        except ArithmeticError:
            continue
        plans = Plans(tree, policy)
        gap = sum(plans.best_values())
        if best is None or gap < best.nash_conv:
            best = Equilibrium(plans.value(), policy, gap, False)
        if gap <= 1e-9 * max(scale, 1.0):
            break
    if best is None:
        raise ArithmeticError(f"HiGHS found no optimum for {tree.game}")
    return best


class NotCertifiedError(Exception):
    """A basis does not stand for an equilibrium in exact arithmetic."""


def certified(tree: Any, plans: list[list[Fraction]]) -> Equilibrium:
    """The equilibrium of two exact plans, after checking that both best responses are worth the
    value.
    """
    behaviour = [behaviour_of(tree, player, plans[player]) for player in range(2)]
    first, _ = exact_best_response(tree, behaviour[1], 0)
    second, _ = exact_best_response(tree, behaviour[0], 1)
    # Whatever player 0's value is, first >= value >= -second: with a sum of 0 all three are equal.
    if first + second != 0:
        raise NotCertifiedError
    tables = [table_of(tree, player, behaviour[player]) for player in range(2)]
    shared = tables[0].keys() & tables[1].keys()
    policy = tuple(tables) if shared else {**tables[0], **tables[1]}
    return Equilibrium(first, policy, first + second, True)


def behaviour_of(tree: Any, player: int, plan: list[Fraction]) -> list[Fraction]:
    """Probabilities of actions from a plan, uniform where it never comes; NotCertifiedError if it
    is none.
    """
    offsets, parents = tree.offsets[player].tolist(), tree.parents[player].tolist()
    behaviour = [Fraction(1)] * len(plan)
    for infoset, parent in enumerate(parents):
        span = range(offsets[infoset], offsets[infoset + 1])
        if min(plan[at] for at in span) < 0 or sum(plan[at] for at in span) != plan[parent]:
            raise NotCertifiedError
        for at in span:
            behaviour[at] = plan[at] / plan[parent] if plan[parent] else Fraction(1, len(span))
    return behaviour


def table_of(tree: Any, player: int, behaviour: list[Fraction]) -> dict[str, dict[int, Fraction]]:
    """{information state: {action: probability}} of one player."""
    offsets, actions = tree.offsets[player].tolist(), tree.actions[player].tolist()
    return {
        text: {actions[at]: behaviour[at] for at in range(offsets[number], offsets[number + 1])}
        for number, text in enumerate(tree.information_states(player))
    }


# ---- the linear program ---------------------------------------------------------------------


class Program:
    """The sequence form's linear program of a tree, over classes of sequences.

    Variables: player 0's probability of a sequence of each class, then player 1's information sets'
    values. Rows: what comes out of an information set of player 0 is what goes in; and the value of
    an information set of player 1 is at most that of each of its sequences. Maximised is the value
    at the root.
    """

    def __init__(self, tree: Any, rows: Array, columns: Array, weights: Array, merge: bool) -> None:
        self.tree = tree
        self.classes: Classes = Classes(tree, rows, columns, weights, merge)
        self.build(rows, columns, weights)

    def build(self, rows: Array, columns: Array, weights: Array) -> None:
        """Fill the matrix, summed over the members of a column's class, one row for each row's
        class.
        """
        tree, classes = self.tree, self.classes
        self.plan_size: int
        self.flow_rows: int
        self.plan_size, self.flow_rows = classes.sequences[0].count, classes.infosets[0].count
        terms: list[tuple[Array, Array, Array]] = []
        owner, chosen = owners(tree, 0), classes.infosets[0]
        keep = chosen.represents(owner[1:])
        ones = np.ones(len(owner), dtype=object)
        terms.append(
            (chosen.of[owner[1:]][keep], classes.sequences[0].of[1:][keep], ones[1:][keep])
        )
        first = chosen.first
        terms.append(
            (
                np.arange(chosen.count),
                classes.sequences[0].of[tree.parents[0][first]],
                -ones[: chosen.count],
            )
        )
        self.add_value_rows(terms, rows, columns, weights)
        self.matrix: tuple[Array, Array, Array] = summed(terms)
        self.num_rows: int = self.flow_rows + classes.sequences[1].count
        self.num_columns: int = self.plan_size + classes.infosets[1].count

    def add_value_rows(
        self, terms: list[tuple[Array, Array, Array]], rows: Array, columns: Array, weights: Array
    ) -> None:
        """A row for each class of player 1's sequences; that of the empty one is the objective."""
        tree, classes = self.tree, self.classes
        chosen, values = classes.sequences[1], classes.infosets[1]
        keep = chosen.represents(columns)
        terms.append(
            (
                self.flow_rows + chosen.of[columns[keep]],
                classes.sequences[0].of[rows[keep]],
                weights[keep],
            )
        )
        owner = owners(tree, 1)
        heads = chosen.first[chosen.first > 0]
        one = np.ones(max(len(tree.parents[1]), len(heads)), dtype=object)
        terms.append(
            (
                self.flow_rows + chosen.of[heads],
                self.plan_size + values.of[owner[heads]],
                -one[: len(heads)],
            )
        )
        parents = tree.parents[1]
        keep = chosen.represents(parents)
        sets = np.flatnonzero(keep)
        terms.append(
            (
                self.flow_rows + chosen.of[parents[keep]],
                self.plan_size + values.of[sets],
                one[: len(sets)],
            )
        )

    def solve(self, options: dict[str, Any]) -> Any:
        """Run HiGHS; return the solver. ArithmeticError when it finds no optimum."""
        highspy = load_highs()
        # The plain class: the one around it prints a banner before it can be told not to.
        solver = highspy.highs._Highs()
        solver.setOptionValue("output_flag", False)
        for name, setting in options.items():
            solver.setOptionValue(name, setting)
        solver.passModel(self.model(highspy))
        with stopped_by_interrupts(solver, highspy):
            solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            raise ArithmeticError(f"HiGHS found no optimum: {solver.getModelStatus()}")
        return solver

    def model(self, highspy: Any) -> Any:
        """The program as HiGHS takes it, payoffs scaled to at most 1."""
        row, column, value = self.matrix
        payoff = (row >= self.flow_rows) & (column < self.plan_size)
        # Whole numbers may be larger than any float: scaled first, then converted.
        value = value.copy()
        value[payoff] /= max(map(abs, value[payoff].tolist()), default=1)
        numbers = value.astype(float)
        in_objective = row == self.flow_rows + self.classes.sequences[1].of[0]
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = self.num_columns, self.num_rows
        self.bounds(program, highspy.kHighsInf)
        cost = np.zeros(self.num_columns)
        cost[column[in_objective]] = numbers[in_objective]
        program.col_cost_ = cost
        program.sense_ = highspy.ObjSense.kMaximize
        column, inside = column[~in_objective], ~in_objective
        starts = np.concatenate([[0], np.cumsum(np.bincount(column, minlength=self.num_columns))])
        program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        program.a_matrix_.start_ = starts.astype(np.int32)
        program.a_matrix_.index_ = row[inside].astype(np.int32)
        program.a_matrix_.value_ = numbers[inside]
        return program

    def bounds(self, program: Any, infinity: float) -> None:
        """Probabilities are not negative, the empty sequence's is 1; values are free."""
        lower, upper = np.zeros(self.num_columns), np.full(self.num_columns, infinity)
        lower[self.plan_size :] = -infinity
        empty = self.classes.sequences[0].of[0]
        lower[empty] = upper[empty] = 1.0
        row_upper = np.full(self.num_rows, infinity)
        row_upper[: self.flow_rows] = 0.0
        # The objective's row is empty in the matrix; it keeps the numbering of classes simple.
        program.col_lower_, program.col_upper_ = lower, upper
        program.row_lower_, program.row_upper_ = np.zeros(self.num_rows), row_upper

    def float_behaviour(self, solver: Any) -> tuple[Array, Array]:
        """Both players' probabilities of actions from HiGHS's primal and dual solution."""
        solution = solver.getSolution()
        primal = np.array(solution.col_value)[: self.plan_size]
        dual = -np.array(solution.row_dual)[self.flow_rows :]
        dual[self.classes.sequences[1].of[0]] = 1.0
        arrays = []
        for player, numbers in ((0, primal), (1, dual)):
            chosen = self.classes.sequences[player]
            plan = numbers[chosen.of] if player == 0 else (numbers / chosen.size)[chosen.of]
            arrays.append(float_shares(self.tree, player, np.maximum(plan, 0.0)))
        return arrays[0], arrays[1]

    def exact_plans(self, solver: Any, denominator: int) -> list[list[Fraction]]:
        """Both players' plans as Fractions: the optimal basis solved in rational arithmetic."""
        rational = load_rational()
        basis = solver.getBasis()
        basic = load_highs().HighsBasisStatus.kBasic
        columns = [at for at, status in enumerate(basis.col_status) if status == basic]
        active = [at for at, status in enumerate(basis.row_status) if status != basic]
        if len(columns) != len(active):
            raise NotCertifiedError
        empty, objective = (
            self.classes.sequences[0].of[0],
            self.flow_rows + self.classes.sequences[1].of[0],
        )
        row_at = {row: at for at, row in enumerate(active)}
        column_at = {column: at for at, column in enumerate(columns)}
        matrix: list[dict[int, Any]] = [{} for _ in active]
        right, cost = [rational(0)] * len(active), [rational(0)] * len(columns)
        for row, column, value in zip(*(part.tolist() for part in self.matrix), strict=True):
            if row in row_at and column in column_at:
                matrix[row_at[row]][column_at[column]] = rational(value)
            elif row in row_at and column == empty:
                right[row_at[row]] -= value
            elif row == objective and column in column_at:
                cost[column_at[column]] += value
        eliminated = SparseLU(matrix)
        primal, dual = eliminated.solve(right), eliminated.solve_transposed(cost)
        return [
            self.lift(0, dict(zip(columns, primal, strict=True)), 0, empty),
            self.lift(1, dict(zip(active, dual, strict=True)), self.flow_rows, objective),
        ]

    def lift(self, player: int, numbers: dict[int, Any], offset: int, empty: int) -> list[Fraction]:
        """A plan over sequences from numbers over classes; player 1's are the duals, with their
        sign.
        """
        chosen = self.classes.sequences[player]
        sizes = chosen.size.tolist()
        by_class = []
        for number in range(chosen.count):
            value = numbers.get(offset + number, 0)
            fraction = (
                Fraction(int(value.numerator), int(value.denominator)) if value else Fraction(0)
            )
            by_class.append(fraction if player == 0 else -fraction / sizes[number])
        by_class[empty - offset] = Fraction(1)
        return [by_class[number] for number in chosen.of.tolist()]


def owners(tree: Any, player: int) -> Array:
    """The information set of every sequence, -1 for the empty one."""
    counts = np.diff(tree.offsets[player])
    return np.concatenate([[-1], np.repeat(np.arange(len(counts)), counts)]).astype(np.intp)


def float_shares(tree: Any, player: int, plan: Array) -> Array:
    """Probabilities of actions from a plan of floats, uniform where it never comes."""
    starts = tree.offsets[player][:-1]
    counts = np.diff(tree.offsets[player])
    shares = np.ones(len(plan))
    if len(starts):
        totals = np.repeat(np.add.reduceat(plan, starts), counts)
        safe = np.where(totals > 1e-12, totals, 1.0)
        shares[1:] = np.where(totals > 1e-12, plan[1:] / safe, 1.0 / np.repeat(counts, counts))
    return shares


def summed(terms: list[tuple[Array, Array, Array]]) -> tuple[Array, Array, Array]:
    """(rows, columns, values) of a matrix by column, equal places added, zeros left out."""
    sums: dict[tuple[int, int], Any] = {}
    for rows, columns, values in terms:
        for row, column, value in zip(
            rows.tolist(), columns.tolist(), values.tolist(), strict=True
        ):
            sums[column, row] = sums.get((column, row), 0) + value
    places = sorted(place for place, value in sums.items() if value != 0)
    values = np.array([sums[place] for place in places], dtype=object)
    both = np.array(places, dtype=np.intp).reshape(-1, 2)
    return both[:, 1], both[:, 0], values


def load_highs() -> Any:
    """The highspy module; ImportError says how to get it."""
    try:
        import highspy
    except ImportError:
        raise ImportError("equilibrium needs HiGHS: pip install 'zerosum[lp]'") from None
    return highspy


@contextmanager
def stopped_by_interrupts(solver: Any, highspy: Any) -> Iterator[None]:
    """Let Ctrl-C end a run of HiGHS, which would not look at it: KeyboardInterrupt then."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    interrupted: list[bool] = []

    def ask(kind: Any, message: str, out: Any, into: Any, data: Any) -> None:
        into.user_interrupt = bool(interrupted)

    solver.setCallback(ask, None)
    solver.startCallback(highspy.cb.HighsCallbackType.kCallbackSimplexInterrupt)
    # An exception may not pass through HiGHS: the handler only takes a note.
    signal.signal(signal.SIGINT, lambda *_: interrupted.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupted:
        raise KeyboardInterrupt


def load_rational() -> Any:
    """The fastest exact rational number there is: python-flint's; Fraction without it."""
    try:
        from flint import fmpq
    except ImportError:
        return Fraction
    return fmpq


# ---- colour refinement ----------------------------------------------------------------------


class Partition:
    """Things in classes: ``of`` each its class, ``first`` and ``size`` by class, ``count``."""

    def __init__(self, colours: Array) -> None:
        self.first: Array
        self.of: Array
        self.size: Array
        _, self.first, self.of, self.size = np.unique(
            colours, return_index=True, return_inverse=True, return_counts=True
        )
        self.count: int = len(self.first)

    def represents(self, things: Array) -> Array:
        """Which of these things are the first of their class?"""
        return np.equal(self.first[self.of[things]], things)


class Classes:
    """Sequences and information sets of both players that the payoffs cannot tell apart.

    Colours are 64-bit hashes. Two sequences keep one colour while their information sets, the
    information sets after them, and their payoffs against every colour of the opponent's sequences
    agree.
    """

    def __init__(self, tree: Any, rows: Array, columns: Array, weights: Array, merge: bool) -> None:
        self.tree = tree
        if merge:
            sequence_colours, infoset_colours = self.refine(rows, columns, weights)
        else:
            sequence_colours = [np.arange(size) for size in tree.num_sequences]
            infoset_colours = [np.arange(size) for size in tree.information_sets_by_player]
        self.sequences: list[Partition] = [Partition(colours) for colours in sequence_colours]
        self.infosets: list[Partition] = [Partition(colours) for colours in infoset_colours]

    def refine(
        self, rows: Array, columns: Array, weights: Array
    ) -> tuple[list[Array], list[Array]]:
        """Refine colours until their number stands still."""
        tree, values = self.tree, value_hashes(weights)
        sequences = [mix(np.minimum(np.arange(size), 1)) for size in tree.num_sequences]
        infosets = [mix(np.zeros(size)) for size in tree.information_sets_by_player]
        places = (np.asarray(rows), np.asarray(columns))
        owner = [owners(tree, player) for player in range(2)]
        before = -1
        while True:
            after = sum(len(np.unique(colours)) for colours in (*sequences, *infosets))
            if after == before:
                return sequences, infosets
            before = after
            met = [
                mix(values * ODD + sequences[1 - player][places[1 - player]]) for player in range(2)
            ]
            for player in range(2):
                infosets[player] = self.infoset_colours(player, sequences[player], owner[player])
            for player in range(2):
                sequences[player] = self.sequence_colours(
                    player,
                    sequences[player],
                    infosets[player],
                    owner[player],
                    places[player],
                    met[player],
                )

    def infoset_colours(self, player: int, sequences: Array, owner: Array) -> Array:
        """From the colours of an information set's sequences and of the one before it."""
        parents = self.tree.parents[player]
        return mix(scatter(owner[1:], mix(sequences[1:]), len(parents)) * ODD + sequences[parents])

    def sequence_colours(
        self, player: int, sequences: Array, infosets: Array, owner: Array, place: Array, met: Array
    ) -> Array:
        """From a sequence's own colour, its information set's, those after it, and its payoffs."""
        size = len(sequences)
        after = scatter(self.tree.parents[player], mix(infosets), size)
        own = np.concatenate([np.zeros(1, np.uint64), infosets[owner[1:]]])
        payoffs = scatter(place, met, size)
        return mix(mix(mix(sequences * ODD + own) * ODD + after) * ODD + payoffs)


ODD = np.uint64(0x9E3779B97F4A7C15)


def mix(numbers: Array) -> Array:
    """Hashes of 64 bits (splitmix64's)."""
    x = numbers.astype(np.uint64) + ODD
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def scatter(places: Array, hashes: Array, size: int) -> Array:
    """Sums of hashes by place: a hash of the multiset that each place gets."""
    sums = np.zeros(size, np.uint64)
    np.add.at(sums, places, hashes)
    return sums


def value_hashes(weights: Array) -> Array:
    """A number for each distinct payoff; floats that differ only by rounding get the same."""
    if weights.dtype != object:
        scale = float(np.abs(weights).max(initial=0.0)) or 1.0
        weights = np.round(weights / scale, 12)
    numbers: dict[Any, int] = {}
    return mix(
        np.array([numbers.setdefault(value, len(numbers)) for value in weights.tolist()], np.uint64)
    )
