# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""CFRSolver: counterfactual regret minimisation, its accelerated variants, and sampling.

One iteration of the full-width variants costs the payoff entries and the information sets of the sequence
form, not the nodes of the tree. All of them are one update. With q(a) the counterfactual value of an action
and v the strategy's,

    regret(a) <- f(regret(a) + q(a) - v),   f(r) = keep * r where r > 0, cut * r elsewhere
    strategy(a) proportional to max(0, regret(a) + lean * (q(a) - v)), uniform where all are zero

=======  ======================  ======================  ====  ====================================
variant  keep at iteration t     cut                     lean  source
=======  ======================  ======================  ====  ====================================
cfr      1                       1                       0     Zinkevich et al. 2007
cfr+     1                       0                       0     Tammelin 2014; Bowling et al. 2015
lcfr     t / (t + 1)             t / (t + 1)             0     Brown and Sandholm 2019
dcfr     t^alpha / (t^alpha+1)   t^beta / (t^beta+1)     0     Brown and Sandholm 2019
pcfr+    1                       0                       1     Farina, Kroer and Sandholm 2021
=======  ======================  ======================  ====  ====================================
"""

import json
import zlib
from numbers import Real
from operator import index

import numpy as np
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport floor, pow, sqrt
from libc.stdint cimport int64_t
from libc.stdlib cimport free

from zerosum.equilibrium.sampling cimport Sampler
from zerosum.equilibrium.sequence_form cimport Group, SequenceForm, Side, allocate, sequence_form
from zerosum.equilibrium.tree cimport GameTree
from zerosum.equilibrium.evaluation import trusted_table
from zerosum.equilibrium.tree import as_tree, naming, read_npz, write_npz

FORMAT = "zerosum CFR solver 1"
VARIANTS = ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+")
EXPONENTS = {"uniform": 0.0, "linear": 1.0, "quadratic": 2.0}
DEFAULT_AVERAGING = {"cfr": "uniform", "cfr+": "linear", "lcfr": "linear", "dcfr": "quadratic",
                     "pcfr+": "quadratic"}

cdef extern from *:
    """
    #if defined(_MSC_VER)
    typedef double* zs_numbers;   /* there a type cannot be restrict */
    #else
    typedef double* __restrict__ zs_numbers;
    #endif
    """
    # Pointers to numbers that no other pointer in sight reaches: loops over them can be vectorised.
    ctypedef double* numbers "zs_numbers"


cdef class CFRSolver:
    """CFRSolver(game_or_tree, variant="cfr+", *, alternating=True, averaging=None, averaged="played", \
alpha=None, beta=None, gamma=None, sampling=None, seed=None, epsilon=None)\n--\n
    Approaches an equilibrium of a two-player zero-sum game; its average policy is the answer.

    ``variant``: "cfr", "cfr+", "lcfr", "dcfr" (with ``alpha``, 1.5 unless given, and ``beta``, 0) or
    "pcfr+" (sources in the module's documentation). ``alternating``: player 1 answers player 0's updated
    strategy (as in OpenSpiel); else both are updated at once. ``averaging``: iteration t weighs t**g in the
    average, g = 0 for "uniform" (the default of cfr), 1 for "linear" (cfr+ and lcfr), 2 for "quadratic"
    (pcfr+), or any g from 0 to 16; dcfr calls it ``gamma`` and has 2. ``averaged``: "played" averages the
    strategies that iterations used, "next" (as in LiteEFG) those that came out of them.

    ``sampling``: None sweeps the whole game; "external" and "outcome" are Monte Carlo CFR (Lanctot et al.
    2009) for the variants cfr and cfr+ (regrets cut at zero), with xoshiro256++ (Blackman and Vigna 2021)
    seeded by splitmix64 from ``seed`` (0); ``epsilon`` (0.6) is outcome sampling's exploration. An
    iteration samples once for each player; the average sums the other's strategies where these walks meet
    them, divided by the probability of the updating player's sampled actions, so that it is unbiased.

    Deterministic: equal arguments and numbers of iterations give equal policies, however they were split
    into runs. ValueError for arguments that do not exist or do not go together.
    """

    def __init__(self, game_or_tree, variant="cfr+", *, alternating=True, averaging=None,
                 averaged="played", alpha=None, beta=None, gamma=None, sampling=None, seed=None,
                 epsilon=None):
        check_choices(variant, sampling, alternating, averaged)
        check_unused(variant, sampling, averaging,
                     {"alpha": alpha, "beta": beta, "gamma": gamma, "seed": seed, "epsilon": epsilon})
        self.variant = variant
        self.cuts = variant in ("cfr+", "pcfr+")
        self.discounts = variant in ("lcfr", "dcfr")
        self.alternating = alternating
        self.averages_played = averaged == "played"
        self.averaged = averaged
        if averaging is not None:
            self.exponent = exponent_of("averaging", averaging)
        elif gamma is not None:
            self.exponent = exponent_of("gamma", gamma)
        else:
            self.exponent = EXPONENTS[DEFAULT_AVERAGING[variant]]
        self.averaging = self.exponent
        self.alpha, self.beta = 1.0, 1.0
        if variant == "dcfr":
            self.alpha = 1.5 if alpha is None else number_of("alpha", alpha)
            self.beta = 0.0 if beta is None else number_of("beta", beta)
        self.lean = 1.0 if variant == "pcfr+" else 0.0
        tree = as_tree(game_or_tree, nodes=sampling is not None)
        self.form = sequence_form(tree)
        self.allocate_all()
        if sampling is not None:
            self.sampler = Sampler(tree, sampling, variant == "cfr+", 0 if seed is None else seed,
                                   0.6 if epsilon is None else epsilon)

    cdef int allocate_all(self) except -1:
        cdef int player, number, i
        cdef Side* side
        cdef Group* group
        cdef size_t size
        for player in range(2):
            side = &self.form.side[player]
            size = (side.sequences + 1) * sizeof(double)
            self.plan[player] = <double*>allocate(size)
            self.strategy[player] = <double*>allocate(size)
            self.regret[player] = <double*>allocate(size)
            self.total[player] = <double*>allocate(size)
            self.q[player] = <double*>allocate(size)
            for number in range(side.groups):
                group = side.group + number
                for i in range(group.start, group.start + group.count * group.actions):
                    self.strategy[player][i] = 1.0 / group.actions
            self.form.realize(player, self.strategy[player], self.plan[player])
        self.value = <double*>allocate(
            2 * max(self.form.side[0].widest, self.form.side[1].widest) * sizeof(double))
        self.scratch = self.form.new_scratch()
        self.found = -1.0
        return 0

    def __dealloc__(self):
        cdef int player
        for player in range(2):
            free(self.plan[player])
            free(self.strategy[player])
            free(self.regret[player])
            free(self.total[player])
            free(self.q[player])
        free(self.value)
        free(self.scratch)

    @property
    def tree(self):
        """The GameTree that is solved."""
        return self.form.tree

    @property
    def sampling(self):
        """None, "external" or "outcome"."""
        return None if self.sampler is None else self.sampler.kind

    # ---- running ----------------------------------------------------------------------------------

    def run(self, iterations, *, target=None, check_every=None, progress=None):
        """Run up to so many more iterations; return how many were run.

        With ``target``, stop as soon as the average policy's exploitability (nash_conv / 2, in the game's
        units) is at most that: checked every ``check_every`` iterations, by default after each of the first
        128 and then after every further 1/128 of those done. A check costs about one iteration.
        ``progress`` is called with (iterations run, iterations asked for, text) a few times a second.
        Ctrl-C stops between two iterations and leaves the solver ready to go on. Other threads run
        meanwhile, but must not touch this solver.
        """
        cdef long long wanted = index(iterations), done = 0, block, ran
        cdef double goal = -1.0 if target is None else target
        cdef long long every = index(check_every or 0)
        cdef long long size = self.block_size()
        if wanted < 0 or every < 0:
            raise ValueError("iterations and check_every cannot be negative")
        if target is not None and not goal >= 0:
            raise ValueError(f"target={target!r}: exploitability is never negative")
        while done < wanted:
            block = min(size, wanted - done)
            if self.sampler is not None:
                ran = self.run_sampler(block, goal, every)
            else:
                with nogil:
                    ran = self.sweep(block, goal, every)
            done += ran
            PyErr_CheckSignals()
            if progress is not None:
                progress(done, wanted, f"iteration {self.iterations}")
            if target is not None and 0 <= self.found <= goal:
                break
        return done

    def block_size(self):
        """Iterations that take a few hundredths of a second: between two looks at Ctrl-C."""
        cost = 2 * self.tree.num_payoffs + 8 * sum(self.tree.num_sequences)
        return max(1, 20_000 if self.sampler is not None else 8_000_000 // (cost + 40))

    def run_sampler(self, long long count, double target, long long every):
        """Run some sampled iterations; with a target, check the average at the end. Return how many."""
        cdef Sampler sampler = self.sampler
        if target >= 0:
            count = min(count, every if every else max(1000, self.iterations // 64))
        with nogil:
            sampler.run(count, self.iterations, self.exponent)
        self.iterations += count
        self.found = self.exploitability() if target >= 0 else -1.0
        return count

    cdef long long sweep(self, long long count, double target, long long every) noexcept nogil:
        cdef long long done = 0, check
        self.found = -1.0
        check = self.iterations + (every if every else self.iterations // 128 + 1)
        while done < count:
            self.iterations += 1
            self.iterate(<double>self.iterations)
            done += 1
            if target >= 0.0 and (self.iterations >= check or done == count):
                self.found = self.measure()
                if self.found <= target:
                    break
                check = self.iterations + (every if every else self.iterations // 128 + 1)
        return done

    cdef void iterate(self, double t) noexcept nogil:
        cdef double weight = power(t, self.exponent)
        cdef double keep = 1.0, cut = 1.0
        if self.cuts:
            cut = 0.0
        elif self.discounts:
            keep = discount(t, self.alpha)
            cut = discount(t, self.beta)
        self.form.gradient(0, self.plan[1], self.q[0])
        if self.alternating:
            self.update(0, weight, keep, cut)
            self.form.gradient(1, self.plan[0], self.q[1])
        else:
            self.form.gradient(1, self.plan[0], self.q[1])
            self.update(0, weight, keep, cut)
        self.update(1, weight, keep, cut)
        self.weight += weight

    cdef void update(self, int player, double weight, double keep, double cut) noexcept nogil:
        # From the gradient in q: regrets, the next strategy and its plan, and the average.
        cdef Side* side = &self.form.side[player]
        cdef Group* group
        cdef double* q = self.q[player]
        cdef double* plan = self.plan[player]
        cdef double* strategy = self.strategy[player]
        cdef double* total = self.total[player]
        cdef double* value = self.value
        cdef const int* parent
        cdef int number, action, j, at, count
        cdef bint played = self.averages_played
        for number in range(side.groups - 1, -1, -1):
            group = side.group + number
            at = group.start
            count = group.count
            if group.actions == 2:
                match_two(count, q + at, q + at + count, self.regret[player] + at,
                          self.regret[player] + at + count, strategy + at, strategy + at + count,
                          value, keep, cut, self.lean)
            else:
                match_many(count, group.actions, q + at, self.regret[player] + at, strategy + at,
                           value, value + side.widest, keep, cut, self.lean)
            parent = side.parent + group.infoset
            for j in range(count):
                q[parent[j]] += value[j]
        for number in range(side.groups):
            group = side.group + number
            at = group.start
            for action in range(group.actions):
                advance(group.count, side.parent + group.infoset, plan, plan + at, strategy + at,
                        total + at, weight, played)
                at += group.count

    cdef double measure(self) noexcept nogil:
        # Exploitability of the average. Plans average linearly, so the sums are as good as policies.
        # Rounding must not take it below 0, which no target could be met by.
        cdef double best[2]
        cdef double conv
        if self.weight == 0.0:
            conv = self.form.gap(self.plan[0], self.plan[1], best, self.scratch)
        else:
            self.total[0][0] = self.total[1][0] = self.weight
            conv = self.form.gap(self.total[0], self.total[1], best, self.scratch) / self.weight
        return 0.5 * conv if conv > 0.0 else 0.0

    # ---- results ----------------------------------------------------------------------------------

    def exploitability(self):
        """Exploitability (nash_conv / 2) of the average policy, in the game's units."""
        from zerosum.equilibrium.evaluation import exploitability
        if self.sampler is not None:
            return max(0.0, exploitability(self.tree, self.average_policy()))
        return self.measure()

    def average_policy(self):
        """The average policy so far: a TablePolicy, that is a mapping from information-state strings.

        Uniform where the average never comes (everywhere after 0 iterations).
        """
        return trusted_table(self.tree, tuple(self.average_of(player) for player in range(2)))

    def current_policy(self):
        """The strategy that the next iteration would use: a TablePolicy. It need not converge."""
        return trusted_table(self.tree, tuple(self.strategy_of(player) for player in range(2)))

    def average_of(self, int player):
        """Player's average: probability of its last action by sequence of the tree, 1 for the empty one."""
        if self.sampler is not None:
            return self.sampler.average_of(player)
        return self.normalized(player, self.plan[player] if self.weight == 0.0 else self.total[player])

    def strategy_of(self, int player):
        """Player's current strategy, by sequence of the tree."""
        if self.sampler is not None:
            return self.sampler.strategy_of(player)
        return self.in_tree_order(player, self.strategy[player])

    cdef object normalized(self, int player, const double* plan):
        cdef Side* side = &self.form.side[player]
        cdef double* behaviour = <double*>allocate((side.sequences + 1) * sizeof(double))
        cdef Group* group
        cdef int number, action, j
        cdef double total
        behaviour[0] = 1.0
        for number in range(side.groups):
            group = side.group + number
            for j in range(group.start, group.start + group.count):
                total = 0.0
                for action in range(group.actions):
                    total += plan[j + action * group.count]
                for action in range(group.actions):
                    behaviour[j + action * group.count] = (
                        plan[j + action * group.count] / total if total > 0.0 else 1.0 / group.actions)
        try:
            return self.in_tree_order(player, behaviour)
        finally:
            free(behaviour)

    cdef object in_tree_order(self, int player, const double* laid_out):
        cdef Side* side = &self.form.side[player]
        array = np.empty(side.sequences)
        cdef double[::1] view = array
        cdef int i
        for i in range(side.sequences):
            view[i] = laid_out[side.position[i]]
        view[0] = 1.0
        return array

    # ---- files ------------------------------------------------------------------------------------

    def save(self, path):
        """Write the state to an ``.npz`` file (beside it first, then renamed); nothing is pickled."""
        arrays = {"numbers": np.array([self.weight, self.exponent, self.alpha, self.beta])}
        for player in range(2):
            if self.sampler is None:
                arrays[f"plan_{player}"] = self.in_tree_order(player, self.plan[player])
                arrays[f"strategy_{player}"] = self.in_tree_order(player, self.strategy[player])
                arrays[f"regret_{player}"] = self.in_tree_order(player, self.regret[player])
                arrays[f"total_{player}"] = self.in_tree_order(player, self.total[player])
        if self.sampler is not None:
            arrays.update(self.sampler.arrays())
        meta = {"format": FORMAT, "variant": self.variant, "alternating": bool(self.alternating),
                "averaged": self.averaged, "sampling": self.sampling, "iterations": self.iterations,
                "epsilon": self.sampler.epsilon if self.sampler is not None else None,
                "tree": fingerprint(self.tree)}
        arrays["meta"] = np.frombuffer(json.dumps(meta).encode(), dtype=np.uint8)
        write_npz(path, arrays)

    @classmethod
    def load(cls, path, game_or_tree):
        """A solver from a file that ``save`` wrote, ready to run on. ValueError when the game is another."""
        cdef CFRSolver solver
        arrays, meta = read_npz(path, FORMAT)
        tree = as_tree(game_or_tree, nodes=meta.get("sampling") is not None)
        if fingerprint(tree) != meta.get("tree"):
            raise ValueError(f"{path} was saved for another game than {tree.game}")
        with naming(path):
            solver = cls(tree, **settings(arrays, meta))
            solver.restore(arrays, meta["iterations"])
        return solver

    cdef int restore(self, dict arrays, iterations) except -1:
        cdef int player
        self.weight = arrays["numbers"][0]
        self.iterations = index(iterations)
        finite = all(np.isfinite(array).all() for name, array in arrays.items() if name != "numbers")
        if not (finite and 0.0 <= self.weight < 1e300 and self.iterations >= 0):
            raise ValueError("numbers that no solver comes to")
        if self.sampler is not None:
            self.sampler.restore(arrays)
            return 0
        for player in range(2):
            self.lay_out(player, arrays[f"plan_{player}"], self.plan[player])
            self.lay_out(player, arrays[f"strategy_{player}"], self.strategy[player])
            self.lay_out(player, arrays[f"regret_{player}"], self.regret[player])
            self.lay_out(player, arrays[f"total_{player}"], self.total[player])
        return 0

    cdef int lay_out(self, int player, const double[::1] array, double* out) except -1:
        cdef Side* side = &self.form.side[player]
        cdef int i
        if array.shape[0] != side.sequences:
            raise ValueError(f"{array.shape[0]} numbers for {side.sequences} sequences")
        for i in range(side.sequences):
            out[side.position[i]] = array[i]
        return 0

    def __repr__(self):
        how = f", {self.sampling} sampling" if self.sampler is not None else ""
        return f"<CFRSolver of {self.tree.game}: {self.variant}{how}, {self.iterations} iterations>"


def check_choices(variant, sampling, alternating, averaged):
    """ValueError for a word that does not exist, or does not go with sampling."""
    if variant not in VARIANTS:
        raise ValueError(f"variant {variant!r}: expected one of {', '.join(VARIANTS)}")
    if averaged not in ("played", "next"):
        raise ValueError(f'averaged={averaged!r}: expected "played" or "next"')
    if not isinstance(alternating, bool):
        raise ValueError(f"alternating={alternating!r}: expected True or False")
    if sampling not in (None, "external", "outcome"):
        raise ValueError(f'sampling={sampling!r}: expected None, "external" or "outcome"')
    if sampling is None:
        return
    if variant not in ("cfr", "cfr+"):
        raise ValueError(f"sampling goes with the variants cfr and cfr+, not with {variant}")
    if not alternating or averaged != "played":
        raise ValueError('sampling updates players in turn and averages what was "played": '
                         "leave alternating and averaged out")


def check_unused(variant, sampling, averaging, given):
    """ValueError for an argument that would change nothing."""
    needs = {"alpha": (variant == "dcfr", 'variant="dcfr"'),
             "beta": (variant == "dcfr", 'variant="dcfr"'),
             "gamma": (variant == "dcfr" and averaging is None, 'variant="dcfr" and without averaging'),
             "seed": (sampling is not None, "sampling"),
             "epsilon": (sampling == "outcome", 'sampling="outcome"')}
    for name, (used, what) in needs.items():
        if given[name] is not None and not used:
            raise ValueError(f"{name}={given[name]!r} is used only with {what}")


def number_of(name, value):
    """The value as a float; ValueError when it is no number."""
    if isinstance(value, bool) or not isinstance(value, Real) or value != value:
        raise ValueError(f"{name}={value!r}: expected a number")
    return float(value)


def exponent_of(name, averaging):
    """The g of a word or a number. Above 16 the sums of t**g would overflow in long runs."""
    exponent = EXPONENTS.get(averaging) if isinstance(averaging, str) else averaging
    if isinstance(exponent, bool) or not isinstance(exponent, Real) or not 0 <= exponent <= 16:
        raise ValueError(f"{name}={averaging!r}: expected one of {', '.join(EXPONENTS)}, or a number "
                         "from 0 to 16")
    return float(exponent)


def settings(arrays, meta):
    """A solver's arguments, from what its file holds."""
    _, exponent, alpha, beta = arrays["numbers"].tolist()
    kept = {name: meta[name] for name in ("variant", "alternating", "averaged", "sampling")}
    kept["averaging"] = exponent
    if kept["variant"] == "dcfr":
        kept.update(alpha=alpha, beta=beta)
    if kept["sampling"] == "outcome":
        kept["epsilon"] = meta["epsilon"]
    return kept


def fingerprint(tree):
    """Numbers that differ between different games: sizes, and a checksum of the structure and payoffs."""
    checksum = 0
    for player in range(2):
        for arrays in (tree.offsets, tree.parents, tree.actions):
            checksum = zlib.crc32(arrays[player], checksum)
    for array in (tree.payoff_rows, tree.payoff_columns, tree.payoff_values):
        checksum = zlib.crc32(array, checksum)
    return [tree.num_nodes, *tree.num_sequences, tree.num_payoffs, checksum]


cdef inline void match_two(int count, numbers q0, numbers q1, numbers regret0, numbers regret1,
                           numbers strategy0, numbers strategy1, numbers value,
                           double keep, double cut, double lean) noexcept nogil:
    cdef int j
    cdef double v, gain0, gain1, r0, r1, s0, s1, total
    for j in range(count):
        v = strategy0[j] * q0[j] + strategy1[j] * q1[j]
        gain0 = q0[j] - v
        gain1 = q1[j] - v
        r0 = regret0[j] + gain0
        r1 = regret1[j] + gain1
        r0 = r0 * (keep if r0 > 0.0 else cut)
        r1 = r1 * (keep if r1 > 0.0 else cut)
        regret0[j] = r0
        regret1[j] = r1
        s0 = r0 + lean * gain0
        s1 = r1 + lean * gain1
        s0 = s0 if s0 > 0.0 else 0.0
        s1 = s1 if s1 > 0.0 else 0.0
        total = s0 + s1
        s0 = s0 if total > 0.0 else 1.0
        s1 = s1 if total > 0.0 else 1.0
        total = total if total > 0.0 else 2.0
        strategy0[j] = s0 / total
        strategy1[j] = s1 / total
        value[j] = v


cdef inline void match_many(int count, int actions, double* q, double* regret, double* strategy,
                            double* value, double* total, double keep, double cut,
                            double lean) noexcept nogil:
    cdef int action, j
    for j in range(count):
        value[j] = 0.0
        total[j] = 0.0
    for action in range(actions):
        add_products(count, q + action * count, strategy + action * count, value)
    for action in range(actions):
        match_one(count, q + action * count, regret + action * count, strategy + action * count,
                  value, total, keep, cut, lean)
    for action in range(actions):
        share(count, actions, strategy + action * count, total)


cdef inline void add_products(int count, numbers q, numbers strategy, numbers value) noexcept nogil:
    cdef int j
    for j in range(count):
        value[j] += q[j] * strategy[j]


cdef inline void match_one(int count, numbers q, numbers regret, numbers strategy, numbers value,
                           numbers total, double keep, double cut, double lean) noexcept nogil:
    cdef int j
    cdef double gain, r, s
    for j in range(count):
        gain = q[j] - value[j]
        r = regret[j] + gain
        r = r * (keep if r > 0.0 else cut)
        regret[j] = r
        s = r + lean * gain
        s = s if s > 0.0 else 0.0
        strategy[j] = s
        total[j] += s


cdef inline void share(int count, int actions, numbers strategy, numbers total) noexcept nogil:
    cdef int j
    cdef double s, t
    for j in range(count):
        s = strategy[j] if total[j] > 0.0 else 1.0
        t = total[j] if total[j] > 0.0 else <double>actions
        strategy[j] = s / t


cdef inline void advance(int count, const int* parent, const double* plan, numbers here, numbers strategy,
                         numbers total, double weight, bint played) noexcept nogil:
    # The parents' numbers lie before these, so the plan can be read through one pointer and written
    # through the other.
    cdef int j
    if played:
        for j in range(count):
            total[j] += weight * here[j]
            here[j] = plan[parent[j]] * strategy[j]
    else:
        for j in range(count):
            here[j] = plan[parent[j]] * strategy[j]
            total[j] += weight * here[j]


cdef double power(double t, double exponent) noexcept nogil:
    # Multiples of one half by multiplication and a square root, which round the same on every platform.
    cdef double result = 1.0
    cdef int i
    if exponent < 0.0 or exponent > 16.0 or floor(2.0 * exponent) != 2.0 * exponent:
        return pow(t, exponent)
    for i in range(<int>exponent):
        result *= t
    return result if floor(exponent) == exponent else result * sqrt(t)


cdef double discount(double t, double exponent) noexcept nogil:
    cdef double x = power(t, exponent)
    return x / (x + 1.0) if x < 1e300 else 1.0
