"""Fair timing on a noisy machine: alternate the candidates, quote medians of CPU time and ratios."""

import statistics
import time
from collections.abc import Callable

__all__ = ["Row", "Seconds", "alternate", "table"]

Row = tuple[str, str, str, str]  # what, measured, bar, met


class Seconds(float):
    """What a candidate that runs in a process of its own returns: the CPU time it measured itself."""


def alternate(candidates: dict[str, Callable[[], object]], rounds: int = 7) -> dict[str, float]:
    """Median CPU seconds of one call of each candidate, called in turn; a first round is not counted."""
    times: dict[str, list[float]] = {name: [] for name in candidates}
    for number in range(rounds + 1):
        for name, call in candidates.items():
            begun = time.process_time()
            result = call()
            spent = time.process_time() - begun
            if number:
                times[name].append(result if isinstance(result, Seconds) else spent)
    return {name: statistics.median(spent) for name, spent in times.items()}


def table(title: str, rows: list[Row]) -> str:
    """Rows as aligned text under a title."""
    header = ("what", "measured", "bar", "met")
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(4)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in [header, *rows]
    ]
    return "\n".join([title, *lines])
