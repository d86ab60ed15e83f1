"""How oware's default evaluation was found: a fit over games of the engine, then matches of weights.

python benchmarks/tune_oware.py fit [--games 3000] [--nodes 3000] [--seed 1]
python benchmarks/tune_oware.py match [--games 1000] [--nodes 3000] [--seed 2] [--against 2,1,4,-1]
python benchmarks/tune_oware.py neighbours [--games 1000] ...

``fit``: the engine plays itself by the captured seeds alone, from random openings. Least squares over all
positions say how many half seeds more a house brings until the end for each step it stands on.
``match``: the weights in the package against ``seeds``, or against ``--against``, both with the same number
of nodes a move, every random opening with both colours. ``neighbours``: against each set of weights that
differs by 1 in one of them.

Nodes are counted, so the same arguments give the same games everywhere.
"""

import argparse
import math
import random
from collections.abc import Iterator

import numpy as np

import zerosum as zs
from zerosum.games.oware import WEIGHTS

NAMES = list(WEIGHTS)
BLUNDERS = 0.05  # random moves in games to fit: more kinds of positions


def opening(game: zs.Oware, rng: random.Random) -> zs.State:
    """A position after 4 to 12 random plies."""
    while True:
        state = game.new_initial_state()
        for _ in range(rng.randint(4, 12)):
            state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal():
            return state


def best_action(state: zs.State, nodes: int, evaluate: str) -> int:
    """The engine's move."""
    return zs.search(state, nodes=nodes, evaluate=evaluate, table_mb=4, all_actions=False).action


# ---- the fit -----------------------------------------------------------------------------------


def features(row: list[int]) -> list[int]:
    """How many houses of a row stand on each step, in the order of the weights."""
    steps = [sum(seeds >= least for seeds in row) for least in (1, 3, 12)]
    return [*steps, sum(seeds >= len(row) - house for house, seeds in enumerate(row))]


def positions(games: int, nodes: int, rng: random.Random) -> Iterator[tuple[list[int], float]]:
    """Own minus enemy features, and own minus enemy seeds still to come, of every position of the games."""
    for _ in range(games):
        state, seen = opening(zs.Oware(), rng), []
        while not state.is_terminal():
            south, north = features(state.south), features(state.north)
            seen.append(([a - b for a, b in zip(south, north, strict=True)], state.scores))
            blunder = rng.random() < BLUNDERS
            action = best_action(state, nodes, "seeds")
            state.apply_action(rng.choice(state.legal_actions()) if blunder else action)
        result = state.returns()[0]
        yield from ((row, result - scores[0] + scores[1]) for row, scores in seen)


def fit(games: int, nodes: int, seed: int) -> None:
    """Print the least-squares weights, in half seeds."""
    rows, gains = zip(*positions(games, nodes, random.Random(seed)), strict=True)
    weights, *_ = np.linalg.lstsq(np.array(rows, float), np.array(gains), rcond=None)
    print(f"{len(rows)} positions of {games} games")
    print(
        ", ".join(f"{name} {2 * weight:.2f}" for name, weight in zip(NAMES, weights, strict=True))
    )


# ---- matches -----------------------------------------------------------------------------------


def weighed(weights: dict[str, int] | None) -> tuple[zs.Oware, str]:
    """A game of its own for a player, and the evaluation to search it by; no weights: the seeds alone."""
    game = zs.Oware()
    game.rule_book.weigh(**(weights or WEIGHTS))
    return game, "seeds" if weights is None else "default"


def play(start: zs.State, players: list[tuple[zs.Oware, str]], nodes: int) -> float:
    """South's seeds minus North's; every player searches in a game of its own."""
    views = [game.state(start) for game, _ in players]
    while not views[0].is_terminal():
        mover = views[0].current_player()
        action = best_action(views[mover], nodes, players[mover][1])
        for view in views:
            view.apply_action(action)
    return views[0].returns()[0]


def match(one, other, games: int, nodes: int, seed: int) -> str:
    """The score of one set of weights against another, from every opening with both colours."""
    rng, points = random.Random(seed), 0.0
    first, second = weighed(one), weighed(other)
    for _ in range(games // 2):
        start = opening(zs.Oware(), rng)
        for result in (
            play(start, [first, second], nodes),
            -play(start, [second, first], nodes),
        ):
            points += 1 if result > 0 else 0.5 if result == 0 else 0
    share = points / (games // 2 * 2)
    error = math.sqrt(share * (1 - share) / (games // 2 * 2))
    return f"{100 * share:.1f} % +- {100 * error:.1f} of {games // 2 * 2} games"


def neighbours() -> Iterator[dict[str, int]]:
    """Weights one step away from the package's."""
    for name in NAMES:
        for step in (-1, 1):
            yield {**WEIGHTS, name: WEIGHTS[name] + step}


def main() -> None:
    """Read the arguments and print."""
    parser = argparse.ArgumentParser(description="Tune oware's default evaluation.")
    parser.add_argument("what", choices=["fit", "match", "neighbours"])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", help=f"weights in half seeds: {','.join(NAMES)}")
    asked = parser.parse_args()
    if asked.what == "fit":
        fit(asked.games, asked.nodes, asked.seed)
        return
    others = list(neighbours()) if asked.what == "neighbours" else [None]
    if asked.against:
        others = [dict(zip(NAMES, map(int, asked.against.split(",")), strict=True))]
    for other in others:
        score = match(WEIGHTS, other, asked.games, asked.nodes, asked.seed)
        print(f"against {other or 'seeds'}: {score}", flush=True)


if __name__ == "__main__":
    main()
