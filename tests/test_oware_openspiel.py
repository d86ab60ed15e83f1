"""Oware under abapa against OpenSpiel's, random games move by move on several boards."""

import random

import pytest

from zerosum.games.oware import Oware

pyspiel = pytest.importorskip("pyspiel")

BOARDS = [(6, 4), (6, 2), (5, 3), (4, 4), (3, 2), (2, 2), (3, 1)]


def seeds_of(peer):
    """(South's houses, North's in sowing order, scores) from OpenSpiel's drawing of the board."""
    lines = str(peer).splitlines()
    scores = {line.split()[1]: int(line.split()[4]) for line in lines if line.startswith("Player")}
    rows = [line.split() for line in lines if line.split() and line.split()[0].isdigit()]
    north, south = ([int(seeds) for seeds in row] for row in rows)
    return south, north[::-1], (scores["0"], scores["1"])


def replay(houses, seeds, rng):
    state = Oware(houses=houses, seeds=seeds).new_initial_state()
    peer = pyspiel.load_game(
        f"oware(num_houses_per_player={houses},num_seeds_per_house={seeds})"
    ).new_initial_state()
    while not peer.is_terminal():
        assert state.current_player() == peer.current_player(), str(peer)
        assert state.legal_actions() == peer.legal_actions(), str(peer)
        assert (state.south, state.north, state.scores) == seeds_of(peer)
        action = rng.choice(peer.legal_actions())
        state.apply_action(action)
        peer.apply_action(action)
    assert state.is_terminal(), str(peer)
    assert state.legal_actions() == []
    south, north, scores = seeds_of(peer)
    assert state.final_scores() == (scores[0] + sum(south), scores[1] + sum(north)), str(peer)
    signs = [(value > 0) - (value < 0) for value in state.returns()]
    assert signs == peer.returns(), str(peer)


def replay_many(games):
    rng = random.Random(2002)
    for number in range(games):
        replay(*BOARDS[number % len(BOARDS)], rng)


def test_random_games():
    replay_many(200)


@pytest.mark.long
def test_random_games_long():
    replay_many(2_000)
