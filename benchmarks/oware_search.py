"""Oware's search: time to a depth beside OpenSpiel, the original's searches, and two threads against one.

pip install ".[bench]"
python benchmarks/oware_search.py [positions]

CPU time, medians, but for two threads: there it is wall clock, which wants two idle cores. Beside it stands
the CPU time of two threads over that of one, which does not.
"""

import importlib.util
import os
import random
import statistics
import sys
import time
from collections.abc import Callable

from timing import Row, alternate, table

import zerosum as zs

ORIGINAL_MOVES = (0, 2, 1, 4, 1)  # South's, in the reader's order
ORIGINAL_REPLIES = (0, 0, 3, 4, 2)  # North's in sowing order
ORIGINAL_VALUES = (1, 3, 4, 6, 10)
MIDDLE_GAME_PLIES = 20
THREADS_DEPTH = 20


def start() -> zs.State:
    """The start of a game under tournament rules."""
    return zs.Oware().new_initial_state()


def met(answer: bool) -> str:
    """For the table."""
    return "yes" if answer else "NO"


def quick(state: zs.State, depth: int, evaluate: str = "default", **options) -> zs.SearchResult:
    """One search for the best action alone."""
    return zs.search(state, depth=depth, evaluate=evaluate, all_actions=False, **options)


def openspiel_search(depth: int) -> Callable[[], float] | None:
    """OpenSpiel's alpha-beta by the seed difference, or None where it is not installed."""
    if importlib.util.find_spec("pyspiel") is None:
        return None
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("oware")
    # The stores are the last two numbers of the tensor, in parts of all seeds: four times as fast as the text.
    scale = 48

    def difference(state) -> float:
        *_, south, north = state.observation_tensor(0)
        return round(scale * south) - round(scale * north)

    def search() -> float:
        value, _ = minimax.alpha_beta_search(
            game, value_function=difference, maximum_depth=depth, maximizing_player_id=0
        )
        return value

    return search


def openspiel_row() -> Row:
    """Depth 10 from the start, the same value as OpenSpiel."""
    what, bar = "depth 10 from the start, seed difference", "1/100 of OpenSpiel"
    ours = (
        alternate({"ours": lambda: [quick(start(), 10, "seeds") for _ in range(20)]})["ours"] / 20
    )
    peer = openspiel_search(10)
    if peer is None:
        return (what, f"{1e3 * ours:.2f} ms, OpenSpiel is not installed", bar, "?")
    same = peer() == quick(start(), 10, "seeds").value
    times = alternate(
        {"ours": lambda: [quick(start(), 10, "seeds") for _ in range(20)], "openspiel": peer}, 5
    )
    ratio = times["openspiel"] / (times["ours"] / 20)
    text = (
        f"{50 * times['ours']:.2f} ms, OpenSpiel {1e3 * times['openspiel']:.0f} ms, 1/{ratio:.0f}"
    )
    return (what, text if same else f"{text}, other value", bar, met(same and ratio >= 100))


def original_rows() -> list[Row]:
    """The five searches of the original's transcript, and what they answer."""
    state = zs.Oware("casual").new_initial_state()
    rows = []
    for number, (move, reply, value) in enumerate(
        zip(ORIGINAL_MOVES, ORIGINAL_REPLIES, ORIGINAL_VALUES, strict=True), 1
    ):
        state.apply_action(move)
        result = quick(state, 10, "original")
        here = state.clone()
        seconds = alternate({"ours": lambda here=here: quick(here, 10, "original")}, 9)["ours"]
        right = (result.action, result.value) == (reply, value)
        text = f"{1e3 * seconds:.2f} ms, {result.nodes} nodes" + ("" if right else ", other answer")
        rows.append(
            (f"the original's search {number}", text, "5 ms", met(right and seconds < 0.005))
        )
        state.apply_action(reply)
    return rows


def depth_20_row() -> Row:
    """One thread, a large table."""
    seconds = alternate({"ours": lambda: quick(start(), 20, table_mb=256)}, 3)["ours"]
    nodes = quick(start(), 20, table_mb=256).nodes
    text = f"{seconds:.2f} s, {nodes / 1e6:.1f} M nodes, {nodes / seconds / 1e6:.1f} M nodes/s"
    return ("depth 20 from the start, default, 256 MB", text, "2 s", met(seconds < 2))


def middle_game(count: int) -> list[zs.State]:
    """Positions after so many random plies."""
    rng, found = random.Random(20), []
    while len(found) < count:
        state = start()
        while not state.is_terminal() and len(state.history()) < MIDDLE_GAME_PLIES:
            state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal() and len(state.legal_actions()) > 1:
            found.append(state)
    return found


def timed(state: zs.State, threads: int) -> tuple[float, float, zs.SearchResult]:
    """Wall and CPU seconds of a search."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = quick(state, THREADS_DEPTH, threads=threads)
    return time.perf_counter() - wall, time.process_time() - cpu, result


def threads_row(count: int) -> Row:
    """One and two threads by turns, three times each position."""
    faster, cpu, nodes = [], [], []
    for state in middle_game(count):
        one, two = zip(*((timed(state, 1), timed(state, 2)) for _ in range(3)), strict=True)
        assert len({result.value for _, _, result in one + two}) == 1
        faster.append(statistics.median(a[0] / b[0] for a, b in zip(one, two, strict=True)))
        cpu.append(statistics.median(b[1] / a[1] for a, b in zip(one, two, strict=True)))
        nodes.append(two[0][2].nodes / one[0][2].nodes)
    ratio = statistics.median(faster)
    text = (
        f"{ratio:.2f} x faster; CPU time x {statistics.median(cpu):.2f}, "
        f"nodes x {statistics.median(nodes):.2f}"
    )
    what = f"two threads, {count} positions to depth {THREADS_DEPTH}"
    return (what, text, "1.5 x faster", met(ratio >= 1.5))


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    rows = [openspiel_row(), *original_rows(), depth_20_row(), threads_row(count)]
    print(table(f"zerosum on oware, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}", rows))


if __name__ == "__main__":
    main()
