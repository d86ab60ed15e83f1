"""How much memory and disk a tablebase takes, and whether they are there."""

import os
import shutil
import sys
from math import comb
from pathlib import Path, PurePosixPath

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


# What limits memory in a control group, by controller; version 2 has one group for all.
GROUP_FILES = {
    "": ("memory.max", "memory.current", "inactive_file"),
    "memory": ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
}


def positions(houses: int, max_seeds: int) -> int:
    """Boards of 0 to ``max_seeds`` seeds on 2 x ``houses`` houses."""
    return comb(max_seeds + 2 * houses, 2 * houses)


def half_board_bytes(houses: int, max_seeds: int) -> int:
    """Bytes of the half-board tables at their largest, while they are made; measured."""
    lap = 2 * houses - 1
    longest = max_seeds // lap * houses + min(max_seeds % lap, houses)
    patterns = longest + 1 + longest // houses
    # On wide boards most are the tables themselves, on narrow ones the pairs of a pattern and a half,
    # and with one house the starts of the lists by pattern, seeds and seeds taken.
    tables = comb(max_seeds + houses, houses) * (30 * houses + 9 * patterns + 20)
    pairs = 33 * sum(comb(max_seeds - t + houses, houses) for t in range(1, longest + 1))
    starts = 24 * patterns * (max_seeds + 1) * (min(3 * houses, max(max_seeds, 1)) + 1)
    return tables + pairs + starts + 20_000


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
    """Bytes that this process can have without swapping, or None where the system does not say."""
    rooms = [room for room in (free_memory(), room_in_address_space()) if room is not None]
    return min(rooms + rooms_in_groups(), default=None)


def free_memory() -> int | None:
    """What is free on the machine, or None."""
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


def room_in_address_space() -> int | None:
    """What ``ulimit -v`` leaves, or None."""
    if sys.platform == "win32":
        return None
    import resource  # which Windows does not have

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return None
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return limit
    return max(0, limit - pages * os.sysconf("SC_PAGE_SIZE"))


def rooms_in_groups(
    mount: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")
) -> list[int]:
    """What the memory limits of Linux's control groups leave, of both versions.

    A group's limit holds for the groups below it too; in a container the mounted root is its own.
    """
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    rooms: list[int | None] = []
    for line in lines:
        _, controllers, name = line.split(":", 2)
        group = PurePosixPath(name.lstrip("/"))
        if controllers in GROUP_FILES:
            root = mount / controllers
            files = GROUP_FILES[controllers]
            rooms += [room_in_group(root / above, *files) for above in (group, *group.parents)]
    return [room for room in rooms if room is not None]


def room_in_group(folder: Path, limit: str, usage: str, cache: str) -> int | None:
    """What one group's limit leaves, cached files counted as free; None without group or limit."""
    try:
        room = int((folder / limit).read_text()) - int((folder / usage).read_text())
        stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        return max(0, room + int(stat.get(cache, 0)))
    except (OSError, ValueError):  # "max" is no number
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
    folder = next(folder for folder in path.absolute().parents if folder.exists())
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise OSError(
            f"{path} needs {needed / 1e9:.2f} GB more on disk; {free / 1e9:.2f} GB are free"
        )
