"""simulate, matches at the table, and the terminal's commands."""

import argparse
import csv
import io
import json
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from tests.poker_cases import CASES, constant, nash
from zerosum.equilibrium import GameTree, expected_value, simulate
from zerosum.games.kuhn import KuhnPoker
from zerosum.games.leduc import LeducPoker
from zerosum.play.kuhn_cli import game_by_name, register
from zerosum.play.poker_match import HumanPlayer, Match, PolicyPlayer, make_player, play_match

KUHN = GameTree(KuhnPoker())
POLICIES = {"uniform": "uniform", "nash(1/5)": nash(Fraction(1, 5))}


@pytest.mark.parametrize("request_", CASES["B30"]["input"]["simulate"], ids=lambda r: r["profile"])
def test_distribution_of_outcomes(request_):
    expected, name = CASES["B30"]["expected"], request_["profile"]
    result = simulate(KUHN, POLICIES[name], request_["n"], seed=request_["seed"])
    mean = float(Fraction(expected["mean"][name]))
    assert result.hands == request_["n"] == sum(result.outcomes.values())
    assert abs(result.mean - mean) < expected["tolerance_of_mean_5_sigma"][name]
    assert result.variance == pytest.approx(float(Fraction(expected["variance"][name])), rel=0.02)
    for outcome, share in expected["outcome_distribution"][name].items():
        p = float(Fraction(share))
        sigma = (p * (1 - p) / result.hands) ** 0.5
        assert abs(result.outcomes[float(outcome)] / result.hands - p) < 5 * sigma


def test_leaves_follow_the_policies():
    hands = 400_000
    tree = GameTree(LeducPoker(ranks_only=True))
    result = simulate(tree, "uniform", hands, seed=5)
    from zerosum.equilibrium.evaluation import uniform_arrays
    from zerosum.equilibrium.simulate import leaf_weights

    leaves, weights = leaf_weights(tree, uniform_arrays(tree))
    assert weights.sum() == pytest.approx(1)
    expected = weights * hands
    square = ((result.leaf_counts[leaves] - expected) ** 2 / expected).sum()
    degrees = len(leaves) - 1
    assert abs(square - degrees) < 5 * (2 * degrees) ** 0.5
    assert result.leaf_counts.sum() == hands


def test_same_seed_same_hands():
    first = simulate(KUHN, "uniform", 5000, seed=9, record=True)
    again = simulate(KuhnPoker(), "uniform", 5000, seed=9, record=True)
    assert (first.leaves == again.leaves).all()
    assert (simulate(KUHN, "uniform", 5000, seed=10, record=True).leaves != first.leaves).any()
    assert first.returns().mean() == pytest.approx(first.mean)
    assert (np.bincount(first.leaves, minlength=58) == first.leaf_counts).all()
    code = (
        "from zerosum.equilibrium import simulate\nfrom zerosum.games.kuhn import KuhnPoker\n"
        "print(simulate(KuhnPoker(), 'uniform', 5000, seed=9).outcomes)"
    )
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert output.strip() == str(first.outcomes)
    unseeded = simulate(KUHN, "uniform", 10)
    assert simulate(KUHN, "uniform", 10, seed=unseeded.seed).outcomes == unseeded.outcomes


def test_two_policies():
    policies = (constant(1), constant(0))
    result = simulate(KUHN, policies, 1000, seed=1)
    assert result.outcomes == {1.0: 1000}
    assert result.interval == (1.0, 1.0)
    assert expected_value(KUHN, policies) == 1


def test_bad_requests():
    for n in (0, -1, 2.5):
        with pytest.raises(ValueError, match="n="):
            simulate(KUHN, "uniform", n)
    with pytest.raises(ValueError, match="seed"):
        simulate(KUHN, "uniform", 1, seed=-1)
    with pytest.raises(ValueError, match="no entry"):
        simulate(KUHN, {}, 1)
    with pytest.raises(ValueError, match="two are needed"):
        simulate(KUHN, ("uniform",) * 3, 1)


class Scripted:
    """Deals and actions written down beforehand."""

    def __init__(self, session):
        self.session = session

    def match(self, stacks):
        match = Match(KuhnPoker(), (self, self), stacks=stacks)
        match.draw_card = self.draw_card
        return match

    def draw_card(self, state):
        deal, self.line = self.session[0]
        return "JQK".index(deal[len(state.history())])

    def choose(self, state, source):
        self.line, letter = self.line[1:], self.line[0]
        if not self.line:
            self.session = self.session[1:]
        return "pb".index(letter)


def test_a_session_of_known_hands():
    case = CASES["B29"]
    script = Scripted([tuple(hand) for hand in case["input"]["session"]])
    match = script.match(case["input"]["stacks"])
    hands = list(match.hands(5))
    signs = {0: 1, 1: -1}
    net = [signs[hand.winner] * hand.coins for hand in hands]
    assert net == case["expected"]["session_net_first"]
    assert match.stacks == case["expected"]["final_stacks"]
    assert all(sum(hand.stacks) == 20 for hand in hands)
    assert hands[0].text(["Ann", "Bob"]) == (
        "Hand 1: Ann has K, Bob has Q\n  Ann: BET\n  Bob: CALL\n"
        "  Ann wins 2 coins from Bob. Stacks: Ann 12, Bob 8"
    )


@pytest.mark.parametrize("game", [KuhnPoker(), KuhnPoker(20), LeducPoker()], ids=repr)
def test_a_thousand_hands(game):
    result = play_match(game, ("random", "bet"), 1000, seed=4, alternate=True)
    assert len(result.hands) == 1000
    assert all(sum(stacks) == 6000 for stacks in result.stacks)
    assert [hand.first for hand in result.hands[:4]] == [0, 1, 0, 1]
    assert sum(result.gains) == result.stacks[-1][0] - 3000
    low, high = result.interval
    assert low < result.mean < high
    log = result.log()
    assert log.count("Hand ") == 1000
    assert "Hand 1000:" in log
    assert play_match(game, ("random", "bet"), 1000, seed=4, alternate=True) == result


def test_match_ends_when_the_ante_cannot_be_posted():
    result = play_match(KuhnPoker(), ("random", "random"), 10_000, stacks=3, seed=2)
    assert len(result.hands) < 10_000
    assert sorted(result.stacks[-1]) == [0, 6]
    assert all(min(stacks) >= 0 and sum(stacks) == 6 for stacks in result.stacks)


def test_equilibrium_beats_random_play():
    pytest.importorskip("highspy")
    result = play_match(KuhnPoker(), ("equilibrium", "random"), 4000, seed=1, alternate=True)
    assert result.mean > 0


def test_files():
    result = play_match(KuhnPoker(), ("random", "pass"), 20, names=("Ann", "Bob"), seed=1)
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert len(rows) == 20
    assert rows[-1]["stack Ann"] == str(result.stacks[-1][0])
    data = json.loads(result.to_json())
    assert data["summary"]["stacks"] == result.stacks[-1]
    assert len(data["hands"]) == 20
    assert data["hands"][0]["actions"] == [list(action) for action in result.hands[0].actions]
    assert "95 %" in result.summary()


def test_a_human():
    answers = iter(["x", "check", "f", "quit"])
    shown = []
    human = HumanPlayer(ask=lambda prompt: next(answers), show=shown.append)
    result = play_match(KuhnPoker(), (human, "bet"), 5, seed=3)
    assert shown
    assert result.hands[0].actions == [(0, "CHECK"), (1, "BET"), (0, "FOLD")]
    assert len(result.hands) == 1


def test_players():
    with pytest.raises(ValueError, match="player 'nobody'"):
        make_player("nobody", KuhnPoker())
    assert isinstance(make_player(constant(0), KuhnPoker()), PolicyPlayer)
    with pytest.raises(ValueError, match="no entry"):
        play_match(KuhnPoker(), ({}, {}), 1)
    with pytest.raises(ValueError, match="stacks"):
        Match(KuhnPoker(), ("random", "random"), stacks=[1, -1])


def run_command(*words):
    """(exit code, printed lines) of a command line."""
    parser = argparse.ArgumentParser()
    subparsers = parser.add_subparsers(required=True)
    register(subparsers)
    args = parser.parse_args(words)
    lines = []
    return args.run(args, show=lines.append), "\n".join(lines)


def test_simulate_command(tmp_path):
    table, record = tmp_path / "hands.csv", tmp_path / "match.json"
    words = [
        "kuhn",
        "simulate",
        "--first",
        "random",
        "--second",
        "bet",
        "--hands",
        "30",
        "--seed",
        "1",
    ]
    code, text = run_command(*words, "--csv", str(table), "--json", str(record))
    assert code == 0
    assert text.count("Hand ") == 30
    assert "95 %" in text
    assert len(table.read_text().splitlines()) == 31
    assert len(json.loads(record.read_text())["hands"]) == 30
    _, quiet = run_command(*words, "--quiet")
    assert "Hand " not in quiet


def test_flowchart_command():
    code, text = run_command("kuhn", "flowchart", "--format", "dot")
    assert code == 0
    assert text.count("->") == 57


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_cfr_command(tmp_path, kind):
    pytest.importorskip("matplotlib")
    picture = tmp_path / f"out.{kind}"
    code, text = run_command(
        *("cfr", "kuhn", "--variant", "cfr+", "--variant", "pcfr+"),
        *("--iterations", "200", "--plot", str(picture)),
    )
    assert code == 0
    assert "pcfr+" in text
    start = picture.read_bytes()[:200]
    assert start.startswith(b"\x89PNG") if kind == "png" else b"<?xml" in start


def test_game_names():
    assert game_by_name("kuhn:5") == KuhnPoker(5)
    assert game_by_name("leduc-ranks") == LeducPoker(ranks_only=True)
    with pytest.raises(ValueError, match="expected kuhn"):
        game_by_name("chess")
