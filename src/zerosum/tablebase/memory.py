"""How much memory and disk a tablebase takes, and whether they are there."""

import os
import shutil
import sys
from math import comb
from pathlib import Path

from zerosum.tablebase.files import Header, layer_size
from zerosum.tablebase.retrograde import number_of_codes

__all__ = [
    "available_memory",
    "check_disk",
    "check_memory",
    "disk_needed",
    "memory_needed",
    "positions",
]


def positions(houses: int, max_seeds: int) -> int:
    """Boards of 0 to ``max_seeds`` seeds on 2 x ``houses`` houses."""
    return comb(max_seeds + 2 * houses, 2 * houses)


def half_board_bytes(houses: int, max_seeds: int) -> int:
    """Bytes of the half-board tables at their largest, while they are made."""
    lap = 2 * houses - 1
    patterns = max_seeds // lap * houses + min(max_seeds % lap, houses) + 1
    return comb(max_seeds + houses, houses) * (60 * houses + 13 * patterns + 60)


def memory_needed(houses: int, max_seeds: int) -> int:
    """Bytes that a build takes at its peak.

    A byte a position, the half-board tables, and the work on the last layer.
    """
    last = layer_size(houses, max_seeds)
    work = last // 256 + (2 * last if number_of_codes(houses, max_seeds) > 255 else 0)
    return positions(houses, max_seeds) + half_board_bytes(houses, max_seeds) + work


def disk_needed(houses: int, max_seeds: int) -> int:
    """Bytes of the file."""
    return Header(houses, 0, 0, 0, (b"",) * (max_seeds + 1)).file_length


def available_memory() -> int | None:
    """Bytes that can be had without swapping, or None where the system does not say."""
    if sys.platform == "win32":
        return available_on_windows()
    try:
        with Path("/proc/meminfo").open(encoding="ascii") as lines:
            for line in lines:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return None


def available_on_windows() -> int | None:
    """ullAvailPhys of GlobalMemoryStatusEx."""
    import ctypes  # 2 ms that only Windows needs

    # MEMORYSTATUSEX: its own length and the load in one, then seven numbers of bytes.
    status = (ctypes.c_uint64 * 8)(64)
    if sys.platform != "win32" or not ctypes.windll.kernel32.GlobalMemoryStatusEx(status):
        return None
    return int(status[2])


def check_memory(houses: int, max_seeds: int) -> None:
    """MemoryError, with both figures, when a build would not fit."""
    needed, available = memory_needed(houses, max_seeds), available_memory()
    if available is not None and needed > available:
        raise MemoryError(
            f"{max_seeds} seeds on 2 x {houses} houses need {needed / 1e9:.2f} GB of memory; "
            f"{available / 1e9:.2f} GB are free"
        )


def check_disk(path: Path, houses: int, max_seeds: int) -> None:
    """OSError, with both figures, when the file would not fit beside what is there already."""
    part = path.with_name(path.name + ".part")
    needed = disk_needed(houses, max_seeds) - (part.stat().st_size if part.exists() else 0)
    free = shutil.disk_usage(path.parent).free
    if needed > free:
        raise OSError(
            f"{path} needs {needed / 1e9:.2f} GB more on disk; {free / 1e9:.2f} GB are free"
        )
