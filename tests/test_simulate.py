"""simulate, matches at the table, and the terminal's commands."""

import argparse
import csv
import io
import json
import re
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from tests.poker_cases import CASES, constant, nash
from zerosum.equilibrium import CFRSolver, GameTree, expected_value, simulate
from zerosum.games.kuhn import KuhnPoker
from zerosum.games.leduc import LeducPoker
from zerosum.play.cli import main
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
    for wrong in (np.ones(1), np.full(13, 5.0), np.full(13, -1.0)):
        for policies in ((wrong, wrong), ("uniform", wrong), [wrong, constant(0)]):
            with pytest.raises(ValueError, match=r"array|distribution"):
                simulate(KUHN, policies, 10, seed=1)


def test_one_hand_has_no_interval():
    everything = (float("-inf"), float("inf"))
    assert simulate(KUHN, "uniform", 1, seed=1).interval == everything
    assert play_match(KuhnPoker(), ("random", "random"), 1, seed=1).interval == everything


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


def human_match(answers, seat=0, **options):
    """(result, all that was shown, prompts included) of a match of a human against "bet"."""
    answers, shown = iter(answers), []

    def ask(prompt):
        shown.append(prompt)
        answer = next(answers)
        if isinstance(answer, type):
            raise answer
        return answer

    players, names = [HumanPlayer(ask, shown.append), "bet"], ["you", "bet"]
    if seat:
        players.reverse()
        names.reverse()
    match = Match(KuhnPoker(), players, names=names, seed=3, **options)
    try:
        match.play(5, shown.append)
    except KeyboardInterrupt:
        shown.append("stopped")
    return match.result(), "\n".join(shown)


def test_a_human_sees_the_hand():
    result, shown = human_match(["check", "fold", "quit"])
    card = result.hands[0].cards[0]
    assert "Hand 1. Stacks: you 3000, bet 3000" in shown
    assert f"You act first. You hold {card}. CHECK or BET?" in shown
    assert f"bet bets. You hold {card}. FOLD or CALL?" in shown
    assert "Hand 2. Stacks: you 2999, bet 3001" in shown
    assert f"Hand 1: you have {card}, bet has" in shown
    _, shown = human_match(["call", "quit"], seat=1)
    assert "bet bets. You hold" in shown
    result, _ = human_match(["bet", "bet", "bet", "quit"])
    assert "you win 2 coins" in result.log()
    assert result.summary().splitlines()[1].startswith("you win ")


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_leaving_keeps_the_full_hands(end):
    result, shown = human_match(["bet", "check", end])
    assert len(result.hands) == 1
    assert shown.endswith("stopped" if end is KeyboardInterrupt else "CALL? \n")
    assert ", 95 %" not in result.summary()
    assert "1 hand of" in result.summary()


def test_leaving_before_the_first_hand():
    result, _ = human_match(["quit"])
    assert result.summary() == "No hand was played. Seed 3"
    assert json.loads(result.to_json())["summary"]["mean"] is None


def test_a_drawn_seed_is_told():
    result = play_match(KuhnPoker(), ("random", "random"), 20)
    assert f"Seed {result.seed}" in result.summary()
    assert play_match(KuhnPoker(), ("random", "random"), 20, seed=result.seed) == result


def test_players():
    with pytest.raises(ValueError, match="player 'nobody'"):
        make_player("nobody", KuhnPoker())
    assert isinstance(make_player(constant(0), KuhnPoker()), PolicyPlayer)
    with pytest.raises(ValueError, match="no entry"):
        play_match(KuhnPoker(), ({}, {}), 1)
    for stacks in ([1, -1], True, 2.5):
        with pytest.raises(ValueError, match="stacks"):
            Match(KuhnPoker(), ("random", "random"), stacks=stacks)
    for hands in (-5, True, 2.5):
        with pytest.raises(ValueError, match="hands"):
            play_match(KuhnPoker(), ("random", "random"), hands)


@pytest.mark.parametrize(
    "entry",
    [
        {},
        [0.5, 0.5],
        {0: 0.5, 1: 0.4},
        {0: 1.5, 1: -0.5},
        {0: float("nan"), 1: 1},
        {0: "0.5", 1: 0.5},
        {0: 0.5, 1: None},
    ],
)
def test_a_player_of_no_policy_is_refused(entry):
    with pytest.raises(ValueError, match="'1p'"):
        make_player(constant(0) | {"1p": entry}, KuhnPoker())


def test_a_player_of_illegal_actions_is_refused():
    policy = {text: {0: 0.5, 7: 0.5} for text in constant(0)}
    with pytest.raises(ValueError, match="7 is not legal"):
        play_match(KuhnPoker(), (policy, "random"), 1)


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


def test_files_are_checked_before_play(tmp_path, capsys):
    words = ["kuhn", "simulate", "--first", "random", "--hands", "30"]
    for option in ("--csv", "--json"):
        for path in (tmp_path / "none" / "x", tmp_path):
            assert main([*words, option, str(path)]) == 2
            captured = capsys.readouterr()
            assert str(tmp_path) in captured.err
            assert not captured.out


def test_interrupt_keeps_the_full_hands(tmp_path, monkeypatch, capsys):
    play_hand, record = Match.play_hand, tmp_path / "match.json"

    def play_three(match):
        if match.played == 3:
            raise KeyboardInterrupt
        return play_hand(match)

    monkeypatch.setattr(Match, "play_hand", play_three)
    words = ["kuhn", "simulate", "--first", "random", "--second", "pass", "--json", str(record)]
    assert main(words) == 130
    assert "3 hands of" in capsys.readouterr().out
    assert len(json.loads(record.read_text())["hands"]) == 3
    assert record.read_bytes().endswith(b"}\n")
    assert list(tmp_path.iterdir()) == [record]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("play leduc", "leduc has hidden cards: zerosum cfr leduc"),
        ("solve kuhn", "zerosum cfr kuhn.*zerosum play kuhn"),
        ("cfr kuhn:x", "kuhn:x.*number of cards"),
        ("cfr kuhn --plot x.nonsense", "x.nonsense.*png"),
        ("cfr kuhn --plot none/x.png", "no folder none"),
        ("cfr kuhn --seed 1", "seed=1 is used only with sampling"),
        ("cfr kuhn --variant cfr --variant dcfr --sampling outcome", "not with dcfr"),
        ("kuhn flowchart --max-nodes 10", "max_nodes=10"),
    ],
)
def test_errors_of_commands(words, message, capsys):
    pytest.importorskip("matplotlib")
    assert main(words.split()) == 2
    captured = capsys.readouterr()
    assert re.search(message, captured.err)
    assert not captured.out


@pytest.mark.parametrize("target", ["-1", "nan", "x"])
def test_bad_targets(target, capsys):
    with pytest.raises(SystemExit):
        main(["cfr", "kuhn", "--target", target])
    assert "--target" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["nonsense", "kuhn_poker(players=99)"])
def test_a_wrong_openspiel_game_is_one_line(name, capfd):
    pytest.importorskip("pyspiel")
    assert main(["cfr", f"spiel:{name}"]) == 2
    *others, last = capfd.readouterr().err.splitlines()
    assert last.startswith("zerosum: error: ")
    assert not others or name != "nonsense"


@pytest.mark.parametrize("missing", ["matplotlib.figure", "highspy"])
def test_missing_extras(missing, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, missing, None)
    words = {
        "matplotlib.figure": "cfr kuhn --plot x.png",
        "highspy": "kuhn flowchart --equilibrium",
    }
    assert main(words[missing].split()) == 2
    captured = capsys.readouterr()
    assert "zerosum: error" in captured.err
    assert "pip install" in captured.err
    assert not captured.out


def test_target_stops_at_the_iteration():
    pytest.importorskip("matplotlib")
    _, text = run_command("cfr", "kuhn", "--variant", "pcfr+", "--target", "1e-6")
    last = [int(number) for number in re.findall(r"(\d+) iterations", text)][-1]
    solver = CFRSolver(KUHN, "pcfr+")
    solver.run(last - 3)
    assert solver.exploitability() > 1e-6


def test_play_kuhn_wherever_the_game_stands(monkeypatch, capsys):
    def end(prompt):
        raise EOFError

    monkeypatch.setattr("builtins.input", end)
    monkeypatch.setattr(HumanPlayer.__init__, "__defaults__", (end, print))
    for words in ("play kuhn --seed 1 --against bet", "play --seed 1 --against bet kuhn"):
        assert main(words.split()) == 0
        assert "No hand was played. Seed 1" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "play-kuhn" not in capsys.readouterr().out


def test_flowchart_command():
    code, text = run_command("kuhn", "flowchart", "--format", "dot")
    assert code == 0
    assert text.count("->") == 57
    _, text = run_command("kuhn", "flowchart", "--cards", "8", "--max-nodes", "1000")
    assert text.count("-->") == 512


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
