"""Building a tablebase: layer after layer, each pass shared out to threads, stoppable anytime."""

import os
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from math import comb
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import numpy as np

from zerosum.tablebase.files import Header, Layer, PartFile, layer_size
from zerosum.tablebase.halves import Halves
from zerosum.tablebase.memory import check_disk, check_memory, positions
from zerosum.tablebase.retrograde import LayerSolver, number_of_codes

__all__ = [
    "EARLIER_READ",
    "Crew",
    "Meter",
    "Progress",
    "build_layers",
    "default_threads",
    "row_ranges",
]

Progress = Callable[[int, int, str], object]
T = TypeVar("T")

POLL = 0.05  # seconds between two looks at the threads
REPORT = 0.1  # seconds between two reports of progress
SMALL = 200_000  # positions below which threads cost more than they give
ROW_RANGE = 1 << 16  # positions that a thread takes at once in the first pass
EARLIER_READ = "earlier layers read"  # the progress text that comes before all solving


def default_threads() -> int:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def row_ranges(houses: int, seeds: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Rows of a layer in pieces of about 65,536 positions.

    [pieces, 3]: the mover's seeds, the first row, the row after the last.
    """
    rows = [comb(k + houses - 1, houses - 1) for k in range(seeds + 1)]
    ranges = []
    for k in range(seeds + 1):
        step = max(1, ROW_RANGE // rows[seeds - k])
        ranges += [(k, row, min(row + step, rows[k])) for row in range(0, rows[k], step)]
    return np.array(ranges, np.int64)


class Meter:
    """Reports progress at most ten times a second: positions done, of how many, and the work."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self.progress: Progress | None = progress
        self.total: int = total
        self.done: float = 0.0
        self.text: str = ""
        self.last: float = 0.0

    def advance(self, amount: float, text: str, force: bool = False) -> None:
        """Count positions and change the text."""
        self.done += amount
        self.text = text
        self.report(force)

    def report(self, force: bool = False) -> None:
        """Report unless that has just been done."""
        now = time.monotonic()
        if self.progress is not None and (force or now - self.last >= REPORT):
            self.last = now
            self.progress(min(round(self.done), self.total), self.total, self.text)


class Crew:
    """Threads that do one piece of work together; the caller's minds Ctrl-C and progress."""

    def __init__(self, threads: int, meter: Meter) -> None:
        self.threads: int = threads
        self.meter: Meter = meter
        self.pool: ThreadPoolExecutor = ThreadPoolExecutor(threads, thread_name_prefix="tablebase")

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *error: object) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)

    def run(
        self, work: Callable[[], T], stop: Callable[[], object] | None, threads: int = 0
    ) -> list[T]:
        """Call ``work`` in every thread at once; an exception stops the rest and is raised.

        Without ``stop`` nobody waits for them then: only for work that touches nothing of others.
        """
        futures: list[Future[T]] = []
        try:
            for _ in range(threads or self.threads):
                futures.append(self.pool.submit(work))  # noqa: PERF401 - a later one may fail
            self.wait(futures)
            return [future.result() for future in futures]
        except BaseException:
            if stop is not None:
                stop()
                wait(futures)
            raise

    def run_one(self, work: Callable[[Callable[[], bool]], T]) -> T:
        """Call ``work`` in one thread; what it is given says whether to stop."""
        stopped = Event()
        return self.run(lambda: work(stopped.is_set), stopped.set, threads=1)[0]

    def wait(self, futures: list[Future[T]]) -> None:
        """Until all are done or one has failed."""
        pending = set(futures)
        while pending:
            done, pending = wait(pending, timeout=POLL)
            for future in done:
                future.result()
            self.meter.report()


def solve_layer(halves: Halves, seeds: int, layers: list[Layer], crew: Crew) -> Layer:
    """The values of all boards with ``seeds`` seeds; ``layers`` are those of fewer."""
    size = layer_size(halves.houses, seeds)
    small = number_of_codes(halves.houses, seeds) <= 255
    codes = np.empty(size, np.uint8 if small else np.uint16)
    solver = LayerSolver(halves, seeds, layers, codes, 1 if size < SMALL else crew.threads)

    def run(work: Callable[[], object]) -> None:
        if size < SMALL:
            work()
        else:
            crew.run(work, solver.ask_to_stop)
        crew.meter.advance(size / (seeds + 2), f"{seeds} seeds")

    solver.share_rows(row_ranges(halves.houses, seeds))
    run(solver.first_pass)
    for bound in range(seeds, 0, -1):
        solver.set_bound(bound)
        run(solver.settle)
    values = codes.view(np.int8) if small else np.empty(size, np.int8)
    solver.share_positions()
    run(lambda: solver.finish(values))
    return values


def build_layers(
    header: Header, max_seeds: int, threads: int, path: Path | None, progress: Progress | None
) -> list[Layer]:
    """The layers of 0 to ``max_seeds`` seeds, in memory, and at ``path`` when it is given."""
    check_memory(header.houses, max_seeds)
    meter = Meter(progress, positions(header.houses, max_seeds))
    with Crew(threads, meter) as crew:
        if path is None:
            return add_layers(header, max_seeds, [], crew, None)
        check_disk(path, header.houses, max_seeds)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = PartFile(path, header)
        try:
            meter.advance(0, "looking for layers of an earlier build")
            layers = crew.run_one(part.resume)
            meter.advance(sum(layer.size for layer in layers), EARLIER_READ, force=True)
            layers = add_layers(header, max_seeds, layers, crew, part)
            meter.advance(0, "finishing the file", force=True)
            crew.run_one(lambda _: part.sync())
            part.finish()
        finally:
            part.close()
        return layers


def add_layers(
    header: Header, max_seeds: int, layers: list[Layer], crew: Crew, part: PartFile | None
) -> list[Layer]:
    """Solve, and write, the layers that are not there yet."""
    if len(layers) > max_seeds:
        return layers
    crew.meter.advance(0, "half boards", force=True)
    make_halves = partial(Halves, header.houses, max_seeds, *header.rules[1:])
    halves = crew.run(make_halves, None, threads=1)[0]
    for seeds in range(len(layers), max_seeds + 1):
        layers.append(solve_layer(halves, seeds, layers, crew))
        if part is not None:
            crew.run_one(partial(part.append, layers[-1]))
    crew.meter.advance(0, f"{max_seeds} seeds", force=True)
    return layers
