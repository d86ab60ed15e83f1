"""``zerosum tablebase``: build, show, probe and verify oware tablebases; solve small boards."""

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TextIO

from zerosum.core.errors import TablebaseBusyError
from zerosum.tablebase.building import EARLIER_READ, default_threads
from zerosum.tablebase.memory import available_memory, disk_needed, memory_needed, positions
from zerosum.tablebase.oware import OwareTablebase, checked_seeds
from zerosum.tablebase.small_boards import SolvedBoard, solve_small_boards

__all__ = ["ProgressBar", "register"]

RULE_SETS = ("abapa", "awari", "casual")
SWITCHES: dict[str, Any] = {
    "grand_slam": (
        "no_capture",
        "illegal",
        "captures_all",
        "opponent_keeps",
        "all_but_first",
        "all_but_last",
    ),
    "feeding": ("no_duty", "must_feed", "must_not_starve"),
    "no_move": ("own_row", "opponent", "nobody"),
}
DEFAULT_HOUSES = 6
BAD_INPUT = 2
BOARD_FORMS = (
    "the mover's houses and then the other's, such as 0-0-1-0-0-0-0-1-0-0-0-0, "
    "or a position text, such as 0-0-1-0-0-0-0-1-0-0-0-0-23-23-S"
)
STOPPED = 130  # the shell's exit status for Ctrl-C


class ProgressBar:
    """One line that is written over: how far, how fast, how long still.

    Where there is no screen, a line of its own every ten seconds.
    """

    WIDTH = 24

    def __init__(self, stream: TextIO, quiet: bool = False) -> None:
        self.stream: TextIO = stream
        self.quiet: bool = quiet
        self.screen: bool = stream.isatty()
        self.began: float = time.monotonic()
        self.last_line: float = 0.0
        self.start: int | None = None

    def __call__(self, done: int, total: int, text: str) -> None:
        """Show that ``done`` of ``total`` positions are solved."""
        now = time.monotonic()
        if self.start is None or done < self.start or text == EARLIER_READ:
            self.start, self.began = done, now
        if self.quiet or (not self.screen and now - self.last_line < 10 and done < total):
            return
        self.last_line = now
        line = self.line(done, total, text, now - self.began)
        self.stream.write(f"\r{line:<79}" if self.screen else line + "\n")
        self.stream.flush()

    def line(self, done: int, total: int, text: str, seconds: float) -> str:
        """The text of the bar."""
        share = done / total if total else 1.0
        bar = "#" * round(self.WIDTH * share)
        rate = (done - (self.start or 0)) / seconds if seconds > 0 else 0.0
        left = duration((total - done) / rate) if rate > 0 else "?"
        speed = f"{rate / 1e6:.1f} M/s"
        return f"[{bar:.<{self.WIDTH}}] {100 * share:3.0f} %  {speed}  {left} left  {text}"

    def close(self) -> None:
        """Leave the line."""
        if self.screen and not self.quiet and self.start is not None:
            self.stream.write("\n")


def duration(seconds: float) -> str:
    """``1:05`` or ``2:00:00``."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def amount(count: float) -> str:
    """Bytes for people."""
    for unit in ("bytes", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.2f} GB"


# ---- the commands ----------------------------------------------------------------------------


def rules_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Rule set, houses and switches, those that were given."""
    names = ("rules", "houses", *SWITCHES)
    return {name: value for name in names if (value := getattr(arguments, name)) is not None}


def path_of(arguments: argparse.Namespace) -> Path:
    """The file that is meant; ValueError for rules that no table can have."""
    default = OwareTablebase.default_path(**rules_of(arguments))
    return default if arguments.path is None else Path(arguments.path)


def opened(arguments: argparse.Namespace) -> OwareTablebase:
    path = path_of(arguments)
    if not path.exists():
        raise FileNotFoundError(f"there is no tablebase {path}; zerosum tablebase build makes it")
    return OwareTablebase.open(arguments.path, **rules_of(arguments))


def build(arguments: argparse.Namespace) -> int:
    """Say what it takes, then build."""
    path = path_of(arguments)
    checked_seeds(arguments.max_seeds)
    print_needs(
        DEFAULT_HOUSES if arguments.houses is None else arguments.houses, arguments.max_seeds
    )
    bar = ProgressBar(sys.stderr, arguments.quiet)
    began = time.perf_counter()
    try:
        table = OwareTablebase.build(
            arguments.max_seeds,
            threads=arguments.threads,
            path=path,
            progress=bar,
            **rules_of(arguments),
        )
    except KeyboardInterrupt:
        print("zerosum: stopped; the next build goes on from the last whole layer", file=sys.stderr)
        return STOPPED
    finally:
        bar.close()
    seconds = time.perf_counter() - began
    print(f"{path}: {table.num_positions:,} positions in {seconds:.1f} s")
    return 0


def print_needs(houses: int, seeds: int) -> None:
    """How large the table is, in positions, memory and on disk."""
    available = available_memory()
    print(
        f"{positions(houses, seeds):,} positions of 0 to {seeds} seeds: "
        f"{amount(memory_needed(houses, seeds))} of memory"
        f"{f' ({amount(available)} free)' if available else ''}, "
        f"{amount(disk_needed(houses, seeds))} on disk"
    )


def info(arguments: argparse.Namespace) -> int:
    """Rules, size and counts of a file."""
    table = opened(arguments)
    switches = ", ".join(f"{name}={value}" for name, value in table.switches.items())
    print(f"{table.path}\nrules: {table.rules or 'own'} ({switches})")
    print(
        f"{table.houses} houses a side, 0 to {table.max_seeds} seeds, "
        f"{table.num_positions:,} positions"
    )
    if arguments.counts:
        print(f"{'seeds':>5} {'wins':>13} {'draws':>13} {'losses':>13}")
        for n in range(table.max_seeds + 1):
            print("{:>5} {:>13,} {:>13,} {:>13,}".format(n, *table.win_draw_loss(n)))
    return 0


def probe(arguments: argparse.Namespace) -> int:
    """Value and every move of a board."""
    table = opened(arguments)
    text: str = arguments.board.strip()
    north = "N" in text
    board = text if north or "S" in text else cells_of(text)
    print(f"value {table.probe(board):+d}")
    best = table.best_actions(board)
    for action, value in table.action_values(board).items():
        letter = chr(ord("a" if north else "A") + action)
        print(f"{letter} {value:+d}{'  best' if action in best else ''}")
    return 0


def cells_of(text: str) -> list[int]:
    """The board of a list of its houses; ValueError names the field that is no number."""
    cells = []
    for place, field in enumerate(re.split(r"[\s,-]+", text), 1):
        if not (field.isascii() and field.isdigit()):
            raise ValueError(f"field {place} of {text!r} is {field!r}; a board is {BOARD_FORMS}")
        cells.append(int(field))
    return cells


def verify(arguments: argparse.Namespace) -> int:
    """Checksums, and every value against its moves."""
    table = opened(arguments)
    bar = ProgressBar(sys.stderr, arguments.quiet)
    try:
        wrong = table.verify(threads=arguments.threads, progress=bar)
    finally:
        bar.close()
    for mismatch in wrong:
        board = "-".join(map(str, mismatch.board))
        print(f"{board}: stored {mismatch.stored:+d}, its moves are worth {mismatch.expected:+d}")
    print(f"{table.path}: {table.num_positions:,} positions, {len(wrong) or 'no'} errors")
    return 1 if wrong else 0


def boards(arguments: argparse.Namespace) -> int:
    """Solve the start position of every board that fits."""
    memory = (
        (available_memory() or 2 * 10**9) * 3 // 4
        if arguments.memory is None
        else round(arguments.memory * 1e9)
    )
    most = arguments.max_positions
    bar = ProgressBar(sys.stderr, arguments.quiet)
    rows = solve_small_boards(
        memory=memory,
        max_positions=None if most is None else round(most),
        rules=arguments.rules or ("abapa", "awari"),
        houses=arguments.houses or range(1, 9),
        threads=arguments.threads,
        progress=bar,
    )
    try:
        print_boards(rows, arguments.format)
    finally:
        bar.close()
    return 0


def print_boards(rows: Iterable[SolvedBoard], form: str) -> None:
    """A Markdown table or comma-separated lines, each as soon as it is known."""
    titles = ("rules", "houses", "seeds", "positions", "value", "best first moves", "seconds")
    if form == "markdown":
        print("| " + " | ".join(titles) + " |\n|" + "---|" * len(titles))
    else:
        print(",".join(titles))
    for row in rows:
        letters = "".join(chr(ord("A") + action) for action in row.best_actions)
        value = f"{row.value:+d}" if row.value else "0"
        cells = (
            row.rules,
            row.houses,
            row.seeds,
            row.positions,
            value,
            letters,
            f"{row.seconds:.2f}",
        )
        line = " | ".join(map(str, cells)) if form == "markdown" else ",".join(map(str, cells))
        print(f"| {line} |" if form == "markdown" else line, flush=True)


# ---- the command line ------------------------------------------------------------------------


def register(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add ``tablebase`` and its commands.

    Each sets ``run``, a function of the parsed arguments; SystemExit has the status when it is not 0: 1 for a
    table with errors, 2 for bad input and files that cannot be used, 130 after Ctrl-C.
    """
    parser = subparsers.add_parser(
        "tablebase", help="exact oware endgames: build, info, probe, verify, boards"
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    add(
        commands, "build", build, "build a table, or go on with one", file_options, work_options
    ).add_argument("max_seeds", type=int, help="the most seeds on the board")
    add(commands, "info", info, "say what a file holds", file_options).add_argument(
        "--counts",
        action="store_true",
        help="count wins, draws and losses by seeds (reads the whole file)",
    )
    add(commands, "probe", probe, "value and moves of a board", file_options).add_argument(
        "board", help=BOARD_FORMS
    )
    add(
        commands,
        "verify",
        verify,
        "check every value against its moves",
        file_options,
        work_options,
    )
    add(
        commands,
        "boards",
        boards,
        "solve the start of every board that fits",
        boards_options,
        work_options,
    )


Options = Callable[[argparse.ArgumentParser], None]


def add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    run: Callable[[argparse.Namespace], int],
    text: str,
    *options: Options,
) -> argparse.ArgumentParser:
    """One command, its errors turned into a line on stderr and an exit status."""
    parser = commands.add_parser(name, help=text, description=text)
    for option in options:
        option(parser)

    def guarded(arguments: argparse.Namespace) -> None:
        try:
            status = run(arguments)
        except KeyboardInterrupt:
            print("zerosum: stopped", file=sys.stderr)
            status = STOPPED
        except BrokenPipeError:  # whoever reads has seen enough: for the main program
            raise
        except (ValueError, LookupError, OSError, MemoryError, TablebaseBusyError) as error:
            print(f"zerosum: error: {error}", file=sys.stderr)
            status = BAD_INPUT
        if status:
            raise SystemExit(status)

    parser.set_defaults(run=guarded)
    return parser


def file_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rules", choices=RULE_SETS, help="abapa by default")
    parser.add_argument("--houses", type=int, help=f"a side, {DEFAULT_HOUSES} by default")
    parser.add_argument(
        "--path",
        help="the file, of any rules unless some are given; "
        "by default in the user's data folder, named for the rules",
    )
    for name, choices in SWITCHES.items():
        parser.add_argument(
            f"--{name.replace('_', '-')}", choices=choices, help="replaces that of the rules"
        )


def work_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--threads", type=int, help=f"{default_threads()} by default on this machine"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress bar")


def boards_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--rules", choices=RULE_SETS, action="append", help="abapa and awari by default"
    )
    parser.add_argument("--houses", type=int, action="append", help="1 to 8 by default")
    parser.add_argument(
        "--memory", type=float, help="GB; by default three quarters of what is free"
    )
    parser.add_argument("--max-positions", type=float, help="of one table, such as 1e9")
    parser.add_argument("--format", choices=("markdown", "csv"), default="markdown")
