"""Our engine, so long a move, against the AI of the simulator that this game replaces.

    python benchmarks/oware_match.py [--openings 100] [--milliseconds 100] [--rules casual] [--jobs 1]

That AI looks 10 plies ahead with its own evaluation and takes the first best move from the reader's
left. It knows only casual rules, so both play by those unless ``--rules`` says otherwise: then it
searches and evaluates by the other rules, too. Every random opening of 6 plies is played twice, colours
changed; same seed, same openings. Casual rules know no repetition: a game ends there when a position
stands on the board for the third time or after 400 plies, and the seeds captured count.

Prints the engine's points in %, a tie being half a point; exits with 1 when they are not above 95.
"""

import argparse
import random
import statistics
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

from zerosum.core.state import State
from zerosum.games.oware import RULE_SETS, Oware
from zerosum.play.match import Match
from zerosum.play.players import Choice, EnginePlayer, Player
from zerosum.search import search

BAR = 95
OPENING_PLIES = 6
ORIGINAL_DEPTH = 10
MOST_PLIES = 400
MOST_VISITS = 3


class OriginalPlayer(Player):
    """Depth 10, the original's evaluation, the first best house from the reader's left."""

    name = "original"

    def choose(self, state: State, stop: Any = None, watch: Any = None) -> Choice:
        result = search(state, depth=ORIGINAL_DEPTH, evaluate="original", table_mb=16)
        values = {action: value or 0.0 for action, (value, _) in result.action_values.items()}
        best = [action for action, value in values.items() if value == max(values.values())]
        # North's houses run from the reader's right to the left.
        return Choice(max(best) if state.current_player() else min(best), result)


@dataclass(frozen=True)
class Game:
    """One game to play: the rules, its opening, which side our engine has, its time in seconds."""

    rules: str
    opening: tuple[int, ...]
    engine_side: int
    seconds: float


def openings(rules: str, count: int, seed: int) -> list[tuple[int, ...]]:
    """Different lines of random moves that do not end the game."""
    chance = random.Random(seed)
    lines: dict[tuple[int, ...], None] = {}
    while len(lines) < count:
        state = Oware(rules).new_initial_state()
        while len(state.history()) < OPENING_PLIES and not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        if not state.is_terminal():
            lines[tuple(state.history())] = None
    return list(lines)


def play(game: Game) -> tuple[float, float, int]:
    """(our points, our seeds less theirs, plies) of one game."""
    players: list[Player] = [OriginalPlayer(), OriginalPlayer()]
    players[game.engine_side] = EnginePlayer(time=game.seconds)
    match = Match(Oware(game.rules).play(game.opening), (players[0], players[1]))
    visits = Counter([match.state.clone()])
    while not match.is_over() and len(match.state.history()) < MOST_PLIES:
        match.step()
        visits[match.state.clone()] += 1
        if visits[match.state] == MOST_VISITS:
            break
    difference = seeds_ahead(match.state)
    if game.engine_side:
        difference = -difference
    return (difference > 0) + (difference == 0) / 2, difference, len(match.state.history())


def seeds_ahead(state: Any) -> float:
    """South's seeds less North's, at the end of the game or where it was broken off."""
    south, north = state.final_scores() if state.is_terminal() else state.scores
    return south - north


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--openings", type=int, default=100, help="each is played twice")
    parser.add_argument("--milliseconds", type=float, default=100, help="our time for a move")
    parser.add_argument("--rules", choices=sorted(RULE_SETS), default="casual")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="games at a time, at most one a core")
    arguments = parser.parse_args()
    games = [
        Game(arguments.rules, opening, side, arguments.milliseconds / 1000)
        for opening in openings(arguments.rules, arguments.openings, arguments.seed)
        for side in (0, 1)
    ]
    with ProcessPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(play, games))
    return report(arguments, results)


def report(arguments: argparse.Namespace, results: list[tuple[float, float, int]]) -> int:
    """Print the score; the exit status."""
    points = Counter(result[0] for result in results)
    percent = 100 * sum(result[0] for result in results) / len(results)
    print(
        f"{len(results)} games, {arguments.rules} rules, {arguments.milliseconds:g} ms a move "
        f"against the original's depth {ORIGINAL_DEPTH}"
    )
    print(f"won {points[1]}, tied {points[0.5]}, lost {points[0]}: {percent:.1f} % of points")
    print(
        f"seeds ahead: mean {statistics.mean(result[1] for result in results):+.1f}; "
        f"plies a game: median {statistics.median(result[2] for result in results):g}"
    )
    return 0 if percent > BAR else 1


if __name__ == "__main__":
    sys.exit(main())
