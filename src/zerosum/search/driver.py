"""search, solve and minimax: iterations, limits and threads round the compiled kernels."""

import math
import threading
import time as clock
from collections.abc import Callable, Iterator
from typing import Any, Literal, Protocol

from zerosum.core.errors import SearchLimitError, UnsupportedGameError
from zerosum.core.state import State, copy_state
from zerosum.core.tablebase import Tablebase, default_tablebase
from zerosum.search import kernels
from zerosum.search.alphabeta import Searcher, Shared
from zerosum.search.graph import Graph
from zerosum.search.minimax import root_moves
from zerosum.search.result import SearchResult, finished_result, make_result
from zerosum.search.table import TranspositionTable

__all__ = ["deepen", "minimax", "search", "solve"]

MAX_DEPTH = 1 << 18
DIVE_NODES = 20_000  # 1 ms
BUILD_PAYS_FROM = 1.0  # seconds of a search; a tablebase built on the way takes up to 0.3 of them
THREADS_PAY_FROM = 20_000  # nodes of an iteration; below it threads cost more than they save


# Called with (depth done, depth asked for or None, text).
Progress = Callable[[int, int | None, str], object]


class StopEvent(Protocol):
    """What ends a search from outside: a ``threading.Event``, or anything that can say it is set."""

    def is_set(self) -> bool:
        """Shall the search end?"""


def search(
    state: Any,
    *,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    evaluate: Callable[[Any], float] | str | None = None,
    table_mb: float = 64,
    threads: int = 1,
    tablebase: Tablebase | Literal[False] | None = None,
    all_actions: bool = True,
    progress: Progress | None = None,
    stop: StopEvent | None = None,
) -> SearchResult:
    """Look ahead from a state: to a depth, for a time, so many nodes, or without limits to the end.

    With ``depth`` the values are those of plain minimax to that depth, whatever the order of search and
    the number of threads; only where a position that comes back ends the game, a value that is not proved
    may be that of another way to the same position. Without it, iterations deepen until everything is
    proved or a limit is met; a limit always leaves a legal action, and the values of the last finished
    iteration.

    Args:
        state: a state of any game without chance and hidden information; it is not changed.
        depth: plies to look ahead, at least 1.
        time: seconds of wall clock, at least 0.
        nodes: positions to visit, at least 1, by all threads together.
        evaluate: estimate of an unfinished game, for the player to move there, in units of the game's
            returns: a function of the state, or the name of one of the game's own. It is never called
            for a finished game. Default: the game's own default, 0 where it has none.
        table_mb: most memory for the transposition table, in MiB.
        threads: threads that search together, sharing the table.
        tablebase: a ``Tablebase`` such as ``OwareTablebase``, whose values then stand in for everything
            below the positions it has; False for none. By default, and only without a depth, a game's
            own is found, or built where that takes less than a second. Distances are None where values
            come from it, and ``exact`` is False where its convention may not be the game's rule.
        all_actions: False gives up the values of actions that are not the best one, for speed.
        progress: called after every iteration with (depth done, depth asked for or None, text).
        stop: a limit from outside: setting this ``threading.Event``, from any thread, ends the search
            within some 20 ms.

    Raises:
        ValueError: an argument out of range, or a game that this cannot search.
        TypeError: ``state`` is no game state.
        GameTooLongError: without a depth, a line of play beyond 524,287 plies.
        SearchLimitError: without any limit, a game that repeats positions, too large for ``table_mb``.
    """
    check_limits(depth, time, nodes, threads)
    engine = Engine(state, evaluate, table_mb, threads, stop, solving=depth is None)
    engine.use(tablebase, may_build=time is None or time >= BUILD_PAYS_FROM)
    return engine.run(depth, time, nodes, all_actions, progress)


def deepen(
    state: Any,
    *,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    evaluate: Callable[[Any], float] | str | None = None,
    table_mb: float = 64,
    threads: int = 1,
    tablebase: Tablebase | Literal[False] | None = None,
    all_actions: bool = True,
    stop: StopEvent | None = None,
) -> Iterator[SearchResult]:
    """The same search, giving its answer after every iteration; the last one is what ``search`` returns.

    For programs that show an engine thinking. Arguments and errors as in ``search``; the errors come with
    the first answer. The clock runs on while the caller looks at an answer, and nothing is searched then.
    """
    check_limits(depth, time, nodes, threads)
    engine = Engine(state, evaluate, table_mb, threads, stop, solving=depth is None)
    engine.use(tablebase, may_build=time is None or time >= BUILD_PAYS_FROM)
    engine.keep_line = True
    for _ in engine.deepen(depth, time, nodes, all_actions):
        yield engine.result()
    yield engine.result()


def solve(
    state: Any,
    *,
    table_mb: float = 64,
    threads: int = 1,
    tablebase: Tablebase | Literal[False] | None = None,
    all_actions: bool = True,
    time: float | None = None,
    nodes: int | None = None,
    progress: Progress | None = None,
) -> SearchResult:
    """The true value of a state, of every action, and perfect play; never a guess.

    Arguments as in ``search``. Endless play counts as a tie (0) without a distance; where a tablebase
    gives the values it does so too, also when a rule of the game would end such play otherwise: then, and
    only then, ``exact`` is False.

    Raises:
        SearchLimitError: a limit came before the proof was complete.
        ValueError, TypeError, GameTooLongError: as in ``search``.
    """
    check_limits(None, time, nodes, threads)
    engine = Engine(state, None, table_mb, threads, None, solving=True)
    engine.use(tablebase, may_build=True)
    result = engine.run(None, time, nodes, all_actions, progress)
    if not engine.solved(all_actions):
        raise SearchLimitError(
            f"not solved within the limits: {result.nodes} nodes, {result.time:.3g} s, depth {result.depth}"
        )
    return result


def minimax(state: Any, depth: int | None = None) -> SearchResult:
    """Plain minimax to the end of the game or a depth: no pruning, no table, every node counted.

    The reference that the real search is compared with. Raises what ``search`` raises; a game that
    repeats positions needs a depth.
    """
    check_limits(depth, None, None, 1)
    started = clock.perf_counter()
    root = require_perfect_information(state)
    moves, line, nodes = kernels.MINIMAX.get(type(root), root_moves)(root, depth)
    if not moves:
        return finished_result(root, root.returns()[0], clock.perf_counter() - started)
    moves.sort(key=lambda move: (-move[0], move[1]))
    best_order, _, best_value, _ = moves[0]
    worths = [
        (action, value, distance, order == best_order or value == best_value == 0)
        for order, action, value, distance in moves
    ]
    distances = [distance for _, _, distance, _ in worths if distance is not None]
    exact = len(distances) == len(worths)
    deepest = max(distances) if exact or depth is None else depth
    seconds = clock.perf_counter() - started
    return make_result(root, worths, line, exact, deepest, nodes, seconds)


def check_limits(depth: Any, time: Any, nodes: Any, threads: Any) -> None:
    """ValueError for a limit out of its range, TypeError for one that is no number."""
    for name, value, least in (("depth", depth, 1), ("nodes", nodes, 1), ("threads", threads, 1)):
        if value is None and name != "threads":
            continue
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise TypeError(f"{name} must be a whole number, not {value!r}")
        if value < least:
            raise ValueError(f"{name} must be at least {least}, not {value}")
    if depth is not None and depth > MAX_DEPTH:
        raise ValueError(f"depth must be at most {MAX_DEPTH}, not {depth}; None is without limit")
    if time is not None and not (time >= 0 and math.isfinite(time)):
        raise ValueError(f"time must be a finite number of seconds, at least 0, not {time}")


class Engine:
    """One search: its threads' searchers, and what they share."""

    def __init__(
        self,
        state: Any,
        evaluate: Any,
        table_mb: float,
        threads: int,
        stop: StopEvent | None,
        *,
        solving: bool,
    ) -> None:
        self.started: float = clock.perf_counter()
        self.root: State = require_perfect_information(state)
        if isinstance(evaluate, str):
            self.root.select_evaluation(evaluate)
            evaluate = None
        self.evaluate = evaluate
        self.solving = solving
        self.table_mb = table_mb
        self.threads = threads
        self.stop = stop
        self.tablebase: Tablebase | None = None
        # A line costs a search of its own, so without anybody to see it only the last one is made; with
        # a limit that may come in the middle of the next iteration, every one is.
        self.keep_line: bool = stop is not None
        self.line: list[int] = []
        self.done: int = 0
        self.spent: int = 0  # nodes of searches that led to nothing
        self.graph: Graph | None = None
        self.start(solving=solving)

    def use(self, tablebase: Tablebase | Literal[False] | None, *, may_build: bool) -> None:
        """Search with a tablebase: the given one, or by default the game's own when solving."""
        if tablebase is None and self.solving:
            tablebase = default_tablebase(self.root, may_build)
        if not tablebase:
            return
        if not isinstance(tablebase, Tablebase):
            raise TypeError(f"tablebase must be a Tablebase, False or None, not {tablebase!r}")
        if tablebase.coverage(self.root) == "foreign":
            raise ValueError(f"{tablebase} is for another game than {self.root.get_game()}")
        self.tablebase = tablebase
        self.start(solving=self.solving)

    def start(self, *, solving: bool) -> None:
        """Make the searchers; while solving they watch for games that repeat positions."""
        self.shared: Shared = Shared(
            self.make_table(),
            self.stop,
            self.tablebase,
        )
        self.searchers: list[Searcher] = [
            Searcher(self.root, self.shared, self.evaluate, solving, solving)
            for _ in range(self.threads)
        ]
        self.main: Searcher = self.searchers[0]

    def make_table(self) -> TranspositionTable | None:
        """The table; None when nothing says which positions are equal."""
        if not self.root.tells_positions_apart():
            return None
        # With m moves there are up to 2**m sets of moves played, thrice as many positions.
        expected = 8 * 2.0 ** min(len(self.root.legal_actions()), 30)
        return TranspositionTable(self.table_mb, expected)

    def run(
        self,
        depth: int | None,
        time: float | None,
        nodes: int | None,
        all_actions: bool,
        progress: Progress | None,
    ) -> SearchResult:
        """Deepen to the end, reporting after every iteration, and answer."""
        self.keep_line |= progress is not None
        for done in self.deepen(depth, time, nodes, all_actions):
            if progress is not None:
                progress(done, depth, self.describe())
        return self.result()

    def deepen(
        self, depth: int | None, time: float | None, nodes: int | None, all_actions: bool
    ) -> Iterator[int]:
        """Deepen until the depth, a limit or the proof; gives the depth after every iteration.

        Between two iterations, and at the end, ``result`` says what is known.
        """
        if self.main.root_count == 0:
            return
        limited = time is not None or nodes is not None
        self.keep_line |= limited
        if depth is None and nodes is None and self.dive(time, all_actions):
            self.done = max(move[2] or 0 for move in self.main.root_moves())
        elif self.tablebase is not None and self.tablebase.utility_of(self.root) is not None:
            self.spent = self.nodes()
            self.start(solving=self.solving)
            self.shared.probe_all()
            yield from self.iterations(depth, time, nodes, all_actions)
        else:
            yield from self.iterations(depth, time, nodes, all_actions)
        if not self.main.cycle_found:
            if self.main.is_settled(all_actions):
                # The line is searched for with what is left, not with what the dive was given.
                self.main.limit(None if time is None else self.time_left(time), None)
                self.line = self.main.principal_variation()
            return
        self.spent = self.nodes()
        if not limited and self.stop is None:
            self.graph = Graph(self.root, self.table_mb)
        elif not self.solve_cyclic_game(time, nodes):
            self.start(solving=False)
            yield from self.iterations(depth, time, nodes, all_actions)

    def iterations(
        self, depth: int | None, time: float | None, nodes: int | None, all_actions: bool
    ) -> Iterator[int]:
        """The depth after every finished iteration of the present searchers."""
        seconds = None if time is None else self.time_left(time)
        share = None if nodes is None else -(-self.nodes_left(nodes) // self.threads)
        for searcher in self.searchers:
            searcher.limit(seconds, share)
        main = self.main
        work = 0
        while (
            self.done < (depth or MAX_DEPTH)
            and not main.cycle_found
            and not main.is_settled(all_actions)
        ):
            before = main.nodes
            # Every other depth orders the moves of the last well enough: oware to 20 took 12 M nodes, not 17.
            single = self.keep_line or depth is None or (depth - self.done) % 2
            goal = self.done + (1 if single else 2)
            if not self.iterate(goal, all_actions, work):
                break
            self.done = goal
            work = main.nodes - before
            if self.keep_line:
                self.line = main.principal_variation()
            yield self.done

    def dive(self, time: float | None, all_actions: bool) -> bool:
        """Try to prove everything in one go, which for a small game is quickest; is it proved?"""
        self.main.limit(None if time is None else time / 8, DIVE_NODES)
        return not self.main.cycle_found and self.main.iterate(MAX_DEPTH, all_actions)

    def iterate(self, depth: int, all_actions: bool, work: int) -> bool:
        """One iteration by all threads; False when a limit came first."""
        if len(self.searchers) == 1 or work < THREADS_PAY_FROM:
            return self.main.iterate(depth, all_actions)
        for searcher in self.searchers[1:]:
            searcher.follow(self.main)
        with Helpers(self.searchers[1:], self.shared, depth, all_actions):
            return self.main.iterate(depth, all_actions)

    def solve_cyclic_game(self, time: float | None, nodes: int | None) -> bool:
        """Try to build the graph of a game that repeats positions in half of what the limits leave."""
        seconds = None if time is None else self.time_left(time) / 2
        most = None if nodes is None else self.nodes_left(nodes) // 2
        try:
            self.graph = Graph(self.root, self.table_mb, seconds, most, self.stop)
        except SearchLimitError:
            self.spent += most or 0
            self.done, self.line = 0, []
            return False
        return True

    def result(self) -> SearchResult:
        """What is known, as an answer."""
        main, graph = self.main, self.graph
        if main.root_count == 0:
            return finished_result(self.root, main.finished_value(), self.seconds())
        if graph is not None:
            line = graph.principal_variation()
            moves, work = graph.root_moves(), graph.num_positions()
            return make_result(self.root, moves, line, True, len(line), work, self.seconds())
        if not self.line:
            self.line = main.principal_variation()
        return make_result(
            self.root,
            main.root_moves(),
            self.line,
            main.is_exact() and not self.shared.rests_on_convention(),
            self.done,
            self.nodes(),
            self.seconds(),
        )

    def solved(self, all_actions: bool) -> bool:
        """Is everything asked for known, by proof or by a tablebase's convention?"""
        return self.graph is not None or self.main.is_settled(all_actions)

    def describe(self) -> str:
        """The state of the search in a line of text."""
        _, value, distance, _ = self.main.root_moves()[0]
        end = "" if distance is None else f" in {distance}"
        line = " ".join(map(str, self.line))
        value = (value or 0.0) * self.root.value_scale()
        return f"value {value:g}{end}, {self.nodes()} nodes, line {line}"

    def nodes(self) -> int:
        """Positions visited by all threads."""
        return self.spent + sum(searcher.nodes for searcher in self.searchers)

    def nodes_left(self, nodes: int) -> int:
        """What remains of a limit; at least one."""
        return max(1, nodes - self.spent)

    def time_left(self, time: float) -> float:
        """What remains of a limit; at least nothing."""
        return max(0.0, time - self.seconds())

    def seconds(self) -> float:
        """Seconds since the search began."""
        return clock.perf_counter() - self.started


class Helpers:
    """Threads that search the same iteration as the main one for as long as the block lasts."""

    def __init__(
        self, searchers: list[Searcher], shared: Shared, depth: int, all_actions: bool
    ) -> None:
        self.shared = shared
        self.errors: list[BaseException] = []
        self.threads: list[threading.Thread] = [
            threading.Thread(target=self.work, args=(searcher, depth, all_actions), daemon=True)
            for searcher in searchers
        ]

    def work(self, searcher: Searcher, depth: int, all_actions: bool) -> None:
        """Search, and stop everybody when something goes wrong."""
        try:
            searcher.iterate(depth, all_actions)
        except BaseException as error:
            self.errors.append(error)
            self.shared.request_stop()

    def __enter__(self) -> None:
        self.shared.open()
        for thread in self.threads:
            thread.start()

    def __exit__(self, *error: object) -> None:
        self.shared.request_stop()
        for thread in self.threads:
            thread.join()
        self.shared.close()
        if self.errors and error[0] is None:
            raise self.errors[0]


def require_perfect_information(state: Any) -> State:
    """A copy of a state to search on; UnsupportedGameError names the property that is in the way."""
    root = copy_state(state)
    hidden, chance = root.hides_or_rolls()
    if hidden or chance:
        what = "hidden information" if hidden else "chance"
        raise UnsupportedGameError(
            f"{root.get_game()} has {what}: search, solve and minimax are for games without; "
            "use GameTree, CFRSolver and equilibrium"
        )
    return root
