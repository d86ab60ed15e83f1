"""Times of oware tablebases: building, two threads against one, probing, verifying.

    python benchmarks/tablebase.py [--large] [--rules awari]

Wall and processor time are printed side by side: on a machine with other work to do only the second is
comparable, and ``ideal`` is what the wall time would be if each thread had a processor of its own (the sum
over all passes of the busiest thread's processor time). ``--large`` builds 20 and 24 seeds, too.
"""

import argparse
import json
import os
import resource
import time
import timeit
from pathlib import Path

from zerosum.games.oware import Oware
from zerosum.tablebase import building
from zerosum.tablebase.oware import OwareTablebase

ORACLE = Path(__file__).parent.parent / "tests" / "data" / "oware_values.json"


class TimedCrew(building.Crew):
    """A crew that adds up each pass's busiest thread."""

    ideal = 0.0

    def run(self, work, stop, threads=0):
        def timed():
            began = time.thread_time()
            result = work()
            return time.thread_time() - began, result

        outcomes = super().run(timed, stop, threads)
        TimedCrew.ideal += max(seconds for seconds, _ in outcomes)
        return [result for _, result in outcomes]


def build(seeds, rules, threads):
    """Build in memory and print the times; returns the table and its ideal time."""
    TimedCrew.ideal = 0.0
    wall, cpu = time.perf_counter(), time.process_time()
    table = OwareTablebase.build(seeds, rules=rules, threads=threads)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"{rules} 0..{seeds}, {threads} threads: {table.num_positions:,} positions, "
        f"wall {wall:.2f} s, processor {cpu:.2f} s, ideal {TimedCrew.ideal:.2f} s, "
        f"{table.num_positions / TimedCrew.ideal / 1e6:.1f} M/s, peak {peak:.2f} GB, "
        f"load {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    return table, TimedCrew.ideal


def check(table, rules):
    """Compare with the published counts, as far as they go."""
    counts = json.loads(ORACLE.read_text())[f"win_draw_loss_{rules}"]["n"]
    layers = [n for n in range(table.max_seeds + 1) if str(n) in counts]
    wrong = [n for n in layers if list(table.win_draw_loss(n)) != counts[str(n)]]
    print(f"  counts to n = {layers[-1]}: {'equal' if not wrong else f'WRONG at {wrong}'}")


def probes(table):
    """Nanoseconds of a probe from Python, by kind of board."""
    game = Oware(table.rules, 6, 4)
    state = game.state(south=[0, 1, 0, 3, 0, 2], north=[1, 0, 0, 2, 0, 0])
    board = state.south + state.north
    for name, call in (
        ("probe(state)", lambda: table.probe(state)),
        ("probe(list)", lambda: table.probe(board)),
        ("utility_of(state)", lambda: table.utility_of(state)),
        ("action_values(state)", lambda: table.action_values(state)),
    ):
        best = min(timeit.repeat(call, number=20_000, repeat=7)) / 20_000
        print(f"{name}: {best * 1e9:.0f} ns")
    print(f"inside a search, warm: {table.time_look_ups(state, 10_000_000):.1f} ns")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="awari")
    parser.add_argument("--large", action="store_true", help="20 and 24 seeds, too")
    arguments = parser.parse_args()
    building.Crew = TimedCrew
    building.SMALL = 0  # all work through the crew, so that all of it is timed
    table, _ = build(15, arguments.rules, 1)
    check(table, arguments.rules)
    probes(table)
    _, one = build(18, arguments.rules, 1)
    table, two = build(18, arguments.rules, 2)
    print(f"two threads at 18 seeds: {one / two:.2f} times one")
    wall, cpu = time.perf_counter(), time.process_time()
    wrong = table.verify(threads=2)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"verify 0..18: {len(wrong)} errors, wall {wall:.1f} s, processor {cpu:.1f} s")
    for seeds in (20, 24) if arguments.large else ():
        table = None
        table, _ = build(seeds, arguments.rules, 2)
        check(table, arguments.rules)


if __name__ == "__main__":
    main()
