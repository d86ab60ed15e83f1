"""Perft of oware from the start, every move made, one thread, by turns with a plain C program.

    python benchmarks/oware_perft.py [depth] [rounds]

Prints moves a second of both and the ratio of their times; exits with 1 when it is above 0.5.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from zerosum import Oware, perft

BAR = 0.5
SOURCE = Path(__file__).with_suffix(".c")


def compiled(folder: str) -> str:
    program = str(Path(folder) / "oware_perft")
    compiler = os.environ.get("CC", "cc").split()
    subprocess.run([*compiler, "-O3", str(SOURCE), "-o", program], check=True)
    return program


def peer_seconds(program: str, depth: int, expected: int) -> float:
    result = subprocess.run([program, str(depth), "1"], check=True, capture_output=True, text=True)
    lines, seconds = result.stdout.split()
    if int(lines) != expected:
        raise SystemExit(f"the C program counts {lines} lines, zerosum {expected}")
    return float(seconds)


def our_seconds(depth: int) -> float:
    state = Oware().new_initial_state()
    start = time.perf_counter()
    perft(state, depth)
    return time.perf_counter() - start


def main() -> int:
    depth = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 15
    counts = [perft(Oware().new_initial_state(), d) for d in range(1, depth + 1)]
    moves = sum(counts)
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        for _ in range(rounds):
            ours.append(our_seconds(depth))
            theirs.append(peer_seconds(program, depth, counts[-1]))
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    print(f"perft({depth}) = {counts[-1]}, {moves} moves made, {rounds} rounds by turns")
    for name, times in (("zerosum", ours), ("plain C", theirs)):
        best, median = moves / min(times) / 1e6, moves / statistics.median(times) / 1e6
        print(f"{name}: best {best:.1f}, median {median:.1f} million moves/s")
    print(f"time ratio, median of rounds: {ratio:.2f} (bar {BAR})")
    return 0 if ratio <= BAR else 1


if __name__ == "__main__":
    raise SystemExit(main())
