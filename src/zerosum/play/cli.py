"""The command line: every ``zerosum COMMAND``."""

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

import zerosum as zs
from zerosum.games.oware import EVALUATIONS
from zerosum.play.names import GAMES, game_by_name
from zerosum.play.notation import notation_for
from zerosum.play.pictures import SearchTree
from zerosum.play.players import EnginePlayer, Human, Player, RandomPlayer
from zerosum.play.report import result_as_json, result_as_text
from zerosum.play.uci import Uci

__all__ = ["main"]

# What bad input, a missing extra or a limit of the machine raises: the message says all.
EXPECTED = (
    ValueError,
    TypeError,
    OSError,
    ImportError,
    ArithmeticError,
    MemoryError,
    zs.SearchLimitError,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status: 0, 2 for bad input, 130 after Ctrl-C."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["play"] and "kuhn" in words:
        words.remove("kuhn")
        words[0] = "play-kuhn"
    arguments = build_parser(words).parse_args(words)
    try:
        status = arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = None
        return 0
    except EXPECTED as error:
        print(f"zerosum: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("zerosum: stopped", file=sys.stderr)
        return 130
    return status or 0


class ShowVersion(argparse.Action):
    """``--version``; argparse's own would read the package's metadata at every start."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print and leave."""
        print(f"zerosum {zs.__version__}")
        parser.exit()


def build_parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser with every subcommand that a command line of these words may need."""
    parser = argparse.ArgumentParser(
        prog="zerosum", description="Plays and exactly solves two-player zero-sum games."
    )
    parser.add_argument(
        "--version", action=ShowVersion, nargs=0, help="print the version and leave"
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    add_solve(commands)
    add_perft(commands)
    add_play(commands)
    add_uci(commands)
    if not words or words[0] not in commands.choices:
        # These import numpy and the solvers, which takes longer than most commands run.
        from zerosum.play import kuhn_cli, tablebase_cli

        kuhn_cli.register(commands)
        tablebase_cli.register(commands)
    return parser


def add_position(parser: argparse.ArgumentParser) -> None:
    """The arguments that name a game and a position."""
    parser.add_argument("game", help=GAMES)
    parser.add_argument(
        "position",
        nargs="?",
        help='the position as text, such as "XX.O..O.."; without it, the start of the game',
    )


def read_position(arguments: argparse.Namespace) -> Any:
    """The state that the arguments name."""
    game = game_by_name(arguments.game)
    if arguments.position is None:
        return game.new_initial_state()
    return game.state(arguments.position)


def add_solve(commands: Any) -> None:
    """``zerosum solve``."""
    parser = commands.add_parser(
        "solve", help="the value of a position, the best moves, the line of play"
    )
    add_position(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--tree", choices=("text", "dot", "mermaid"), help="draw the searched tree")
    parser.add_argument("--tree-depth", type=int, default=2, metavar="N", help="levels to draw")
    parser.add_argument(
        "--tree-width", type=int, metavar="N", help="most children to draw of a node"
    )
    parser.add_argument("--depth", type=int, metavar="PLIES", help="look only so far ahead")
    parser.add_argument("--time", type=float, metavar="SECONDS", help="stop after so long")
    parser.add_argument("--nodes", type=int, metavar="N", help="stop after so many positions")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads (default 1)")
    parser.add_argument("--table-mb", type=float, default=64, metavar="MIB", help="table size")
    parser.set_defaults(run=run_solve)


def run_solve(arguments: argparse.Namespace) -> None:
    """Search the position and print the answer, or the tree."""
    state = read_position(arguments)
    limits = {"time": arguments.time, "nodes": arguments.nodes}
    sizes = {"threads": arguments.threads, "table_mb": arguments.table_mb}
    if arguments.tree:
        tree = SearchTree(
            state,
            arguments.tree_depth,
            arguments.tree_width,
            search_depth=arguments.depth,
            **limits,
            **sizes,
        )
        forms = {"text": tree.__str__, "dot": tree.to_dot, "mermaid": tree.to_mermaid}
        print(forms[arguments.tree]().rstrip("\n"))
        return
    result = zs.search(state, depth=arguments.depth, progress=show_progress(), **limits, **sizes)
    print((result_as_json if arguments.json else result_as_text)(state, result))


def show_progress() -> Any:
    """A progress callable that keeps one line on the terminal up to date; None when nobody watches."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int | None, text: str) -> None:
        print(f"\r\x1b[Kdepth {done}: {text}"[:160], end="\r\x1b[K", file=sys.stderr, flush=True)

    return show


def add_perft(commands: Any) -> None:
    """``zerosum perft``."""
    parser = commands.add_parser("perft", help="count the lines of play of a length")
    add_position(parser)
    parser.add_argument(
        "--depth", type=int, required=True, metavar="PLIES", help="length of a line"
    )
    parser.add_argument("--divide", action="store_true", help="a count for each first move")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run_perft)


def run_perft(arguments: argparse.Namespace) -> None:
    """Count and print."""
    state = read_position(arguments)
    if not arguments.divide:
        print(zs.perft(state, arguments.depth))
        return
    counts = zs.perft_divide(state, arguments.depth)
    if arguments.json:
        print(json.dumps(counts))
        return
    for action, count in counts.items():
        print(f"{action} {state.action_to_string(action)}: {count}")
    print(f"total: {sum(counts.values())}")


def add_play(commands: Any) -> None:
    """``zerosum play``."""
    parser = commands.add_parser(
        "play",
        help="play a game in the terminal",
        epilog="zerosum play kuhn: Kuhn poker, with options of its own (zerosum play kuhn --help)",
    )
    add_position(parser)
    parser.add_argument(
        "--side",
        metavar="SIDE",
        help="the side that you play, such as south, north, X or O (default: the first); "
        "both: two people play; none: the engine plays itself",
    )
    parser.add_argument(
        "--opponent",
        choices=("engine", "random"),
        default="engine",
        help="who plays the other side",
    )
    parser.add_argument("--depth", type=int, metavar="PLIES", help="the engine looks so far ahead")
    parser.add_argument(
        "--time", type=float, metavar="SECONDS", help="the engine thinks so long (default 1)"
    )
    parser.add_argument(
        "--evaluate",
        metavar="NAME",
        help=f"the engine's evaluation, of oware {', '.join(EVALUATIONS)}",
    )
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads (default 1)")
    parser.add_argument("--table-mb", type=float, default=64, metavar="MIB", help="table size")
    parser.add_argument("--seed", type=int, help="makes the random player's moves the same again")
    parser.set_defaults(run=run_play)


def run_play(arguments: argparse.Namespace) -> None:
    """Play until the game is over or left."""
    terminal_game = load_terminal_game()
    state = read_position(arguments)
    engine = EnginePlayer(
        arguments.depth,
        arguments.time,
        evaluate=arguments.evaluate,
        table_mb=arguments.table_mb,
        threads=arguments.threads,
    )
    if arguments.evaluate is not None:
        state.clone().select_evaluation(arguments.evaluate)
    terminal_game(state, choose_players(arguments, state, engine), engine).run()


def load_terminal_game() -> Any:
    """The class that plays in a terminal; ValueError that names the extra where rich is missing."""
    try:
        from zerosum.play.terminal import TerminalGame
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "rich":
            raise
        raise ValueError(
            'the terminal game needs the package rich: pip install "zerosum[cli]"'
        ) from None
    return TerminalGame


def choose_players(
    arguments: argparse.Namespace, state: Any, engine: EnginePlayer
) -> tuple[Player, Player]:
    """The players of both sides, by ``--side`` and ``--opponent``."""
    program = engine if arguments.opponent == "engine" else RandomPlayer(arguments.seed)
    side = (arguments.side or "").lower()
    if side == "both":
        return Human(), Human()
    if side == "none":
        return engine, program
    person = person_of_side(state, side) if side else 0
    return (Human(), program) if person == 0 else (program, Human())


def person_of_side(state: Any, side: str) -> int:
    """The player of a side's name; ValueError that lists what there is."""
    try:
        return notation_for(state.get_game()).player(side)
    except ValueError as error:
        raise ValueError(f"{error}; both is for two people, none for the engine alone") from None


def add_uci(commands: Any) -> None:
    """``zerosum uci``."""
    parser = commands.add_parser(
        "uci", help="speak UCI, the protocol between engines and interfaces"
    )
    parser.add_argument("--game", default="oware", help=f"{GAMES} (default oware)")
    parser.set_defaults(run=run_uci)


def run_uci(arguments: argparse.Namespace) -> None:
    """Answer commands until ``quit`` or the end of input."""
    Uci(game_by_name(arguments.game), sys.stdout).run(sys.stdin.buffer)
