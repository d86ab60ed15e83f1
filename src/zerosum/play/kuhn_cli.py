"""The terminal's commands for games with hidden cards: ``kuhn``, ``cfr`` and ``play kuhn``."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zerosum.core.files import write_text
from zerosum.games.kuhn import KuhnPoker
from zerosum.games.leduc import LeducPoker
from zerosum.play.names import check_folder
from zerosum.play.poker_match import HumanPlayer, Match

__all__ = [
    "add_play_kuhn",
    "game_by_name",
    "register",
    "run_cfr",
    "run_flowchart",
    "run_play_kuhn",
    "run_simulate",
]

VARIANTS = ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+")
PLAYERS = "random, equilibrium, pass or bet"


def register(subparsers: Any) -> None:
    """Add the commands to a parser's subparsers."""
    kuhn = subparsers.add_parser("kuhn", help="Kuhn poker: simulate matches, draw the flowchart")
    commands = kuhn.add_subparsers(dest="kuhn_command", required=True)
    add_simulate(commands)
    add_flowchart(commands)
    add_cfr(subparsers)
    add_play_kuhn(subparsers)


def add_simulate(commands: Any) -> None:
    """``kuhn simulate``."""
    parser = commands.add_parser("simulate", help="play a match and print every hand")
    parser.add_argument(
        "--first", default="equilibrium", help=f"first player: {PLAYERS} (equilibrium)"
    )
    parser.add_argument("--second", default="random", help=f"second player: {PLAYERS} (random)")
    add_match_arguments(parser)
    parser.add_argument("--quiet", action="store_true", help="print only the summary")
    parser.set_defaults(run=run_simulate)


def add_match_arguments(parser: argparse.ArgumentParser) -> None:
    """What a simulated match and a match against a human have in common."""
    parser.add_argument("--hands", type=positive, default=1000, help="hands to play (1000)")
    parser.add_argument(
        "--stack", type=positive, default=3000, help="coins each starts with (3000)"
    )
    parser.add_argument("--cards", type=int, default=3, help="cards in the deck (3)")
    parser.add_argument("--alternate", action="store_true", help="change seats after every hand")
    parser.add_argument(
        "--seed", type=int, help="a whole number; the same one gives the same match"
    )
    parser.add_argument("--csv", type=Path, help="write the hands to this file")
    parser.add_argument("--json", type=Path, help="write the match to this file")


def add_flowchart(commands: Any) -> None:
    """``kuhn flowchart``."""
    parser = commands.add_parser(
        "flowchart", help="print the game tree as Graphviz or Mermaid text"
    )
    parser.add_argument("--format", choices=("dot", "mermaid"), default="mermaid")
    parser.add_argument("--cards", type=int, default=3, help="cards in the deck (3)")
    parser.add_argument(
        "--equilibrium", action="store_true", help="show an equilibrium's probabilities"
    )
    parser.add_argument(
        "--max-nodes", type=positive, default=500, help="refuse to draw a larger tree (500)"
    )
    parser.set_defaults(run=run_flowchart)


def add_cfr(subparsers: Any) -> None:
    """``cfr GAME``."""
    parser = subparsers.add_parser("cfr", help="approach an equilibrium by regret minimisation")
    parser.add_argument(
        "game", help="kuhn, kuhn:CARDS, leduc, leduc-ranks, or spiel:NAME of OpenSpiel"
    )
    parser.add_argument(
        "--variant", action="append", choices=VARIANTS, help="may be given several times (cfr+)"
    )
    parser.add_argument("--iterations", type=positive, default=1000)
    parser.add_argument("--target", type=not_negative, help="stop at this exploitability")
    parser.add_argument("--averaging", choices=("uniform", "linear", "quadratic"))
    parser.add_argument("--simultaneous", action="store_true", help="update both players at once")
    parser.add_argument("--sampling", choices=("external", "outcome"))
    parser.add_argument("--seed", type=int, help="of the sampling (0)")
    parser.add_argument("--plot", type=Path, help="draw the convergence to this png or svg file")
    parser.set_defaults(run=run_cfr)


def add_play_kuhn(subparsers: Any) -> None:
    """``play kuhn``, which the command line passes on as ``play-kuhn``: a match against the computer."""
    # Without help it is left out of the list of commands.
    parser = subparsers.add_parser("play-kuhn", prog="zerosum play kuhn")
    parser.add_argument("--against", default="equilibrium", help=f"{PLAYERS} (equilibrium)")
    add_match_arguments(parser)
    parser.set_defaults(run=run_play_kuhn)


def positive(text: str) -> int:
    """A whole number above 0, for argparse."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def not_negative(text: str) -> float:
    """A number that is 0 or more, for argparse."""
    number = float(text)
    if not number >= 0:
        raise argparse.ArgumentTypeError(f"{text} is not 0 or more")
    return number


def game_by_name(name: str) -> Any:
    """A game from its name on the command line; ValueError lists what there is."""
    kind, _, detail = name.partition(":")
    if kind == "kuhn":
        if detail and not detail.isdecimal():
            raise ValueError(f"{name!r}: expected a number of cards, such as kuhn:5")
        return KuhnPoker(int(detail) if detail else 3)
    if name in ("leduc", "leduc-ranks"):
        return LeducPoker(ranks_only=name == "leduc-ranks")
    if kind == "spiel" and detail:
        return openspiel_game(detail)
    raise ValueError(f"game {name!r}: expected kuhn, kuhn:CARDS, leduc, leduc-ranks or spiel:NAME")


def openspiel_game(name: str) -> Any:
    """A game of OpenSpiel; ValueError where there is none of that name, or no OpenSpiel."""
    try:
        import pyspiel  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise ValueError("games of OpenSpiel need it: pip install open-spiel") from None
    # OpenSpiel itself would print the names of all its games.
    if name.partition("(")[0] not in pyspiel.registered_names():
        raise ValueError(f"OpenSpiel has no game {name!r}")
    try:
        return pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        raise ValueError(str(error).partition("\n")[0]) from None


def run_simulate(args: argparse.Namespace, show: Callable[[str], None] = print) -> int:
    """Play the match of ``kuhn simulate`` and print it."""
    players = (args.first, args.second)
    names = [
        f"{player} ({seat})" if args.first == args.second else player
        for seat, player in enumerate(players, 1)
    ]
    return finish_match(args, players, names, show, None if args.quiet else show)


def run_play_kuhn(args: argparse.Namespace, show: Callable[[str], None] = print) -> int:
    """A human against the computer."""
    return finish_match(
        args, (HumanPlayer(show=show), args.against), ("you", args.against), show, show
    )


def finish_match(
    args: argparse.Namespace,
    players: Any,
    names: Any,
    show: Callable[[str], None],
    show_hand: Callable[[str], None] | None,
) -> int:
    """Play, print the summary, write the files; 130 after Ctrl-C, which keeps the full hands."""
    for path in (args.csv, args.json):
        if path is not None:
            check_folder(path)
    match = Match(
        KuhnPoker(args.cards),
        players,
        names=names,
        stacks=args.stack,
        alternate=args.alternate,
        seed=args.seed,
    )
    status = 0
    try:
        match.play(args.hands, show_hand)
    except KeyboardInterrupt:
        status = 130
    result = match.result()
    show(result.summary())
    if args.csv is not None:
        write_text(args.csv, result.to_csv())
    if args.json is not None:
        write_text(args.json, result.to_json() + "\n")
    return status


def run_flowchart(args: argparse.Namespace, show: Callable[[str], None] = print) -> int:
    """Print the tree of ``kuhn flowchart``."""
    from zerosum.equilibrium.lp import equilibrium
    from zerosum.equilibrium.tree import GameTree

    tree = GameTree(KuhnPoker(args.cards))
    policy = equilibrium(tree).policy if args.equilibrium else None
    draw = tree.to_dot if args.format == "dot" else tree.to_mermaid
    show(draw(max_nodes=args.max_nodes, policy=policy).rstrip())
    return 0


def run_cfr(args: argparse.Namespace, show: Callable[[str], None] = print) -> int:
    """Run ``cfr``'s variants one after the other, print their convergence, and draw it."""
    from zerosum.equilibrium.cfr import CFRSolver
    from zerosum.equilibrium.tree import GameTree
    from zerosum.play.plot import check_picture, converge, plot_convergence

    if args.plot is not None:
        check_picture(args.plot)
    tree = GameTree(game_by_name(args.game))
    options = {
        "averaging": args.averaging,
        "alternating": not args.simultaneous,
        "sampling": args.sampling,
        "seed": args.seed,
    }
    default = "cfr" if args.sampling else "cfr+"
    solvers = [CFRSolver(tree, variant, **options) for variant in args.variant or [default]]
    show(f"{tree.game}: {tree.num_nodes} nodes, {tree.num_information_sets} information sets")
    curves = [
        converge(solver, args.iterations, target=args.target, show=show) for solver in solvers
    ]
    for curve in curves:
        show(f"{curve.label}: the average policies are worth {curve.value:+.9f} to player 0")
    if args.plot is not None:
        plot_convergence(curves, args.plot, title=str(tree.game))
    return 0
