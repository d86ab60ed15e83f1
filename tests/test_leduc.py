"""Leduc poker's rules."""

import pytest

from tests.poker_cases import CASES, POKER
from tests.reference.trees import count
from zerosum.games.leduc import LeducPoker

NAMES = {"f": 0, "c": 1, "r": 2}


def dealt(game, history):
    """The state after a history, with as many cards as it deals."""
    return game.state("JQK" if "/" in history else "JQ", history)


@pytest.mark.parametrize("ranks_only", [False, True])
def test_rules(ranks_only):
    case = CASES["B38"]
    game = LeducPoker(ranks_only)
    for history, legal in case["expected"]["legal"].items():
        state = dealt(game, history)
        assert state.legal_actions() == [NAMES[letter] for letter in legal]
        assert state.current_player() == case["expected"]["actor"][history]
    for history, put_in in case["expected"]["put_in"].items():
        assert dealt(game, history).put_in() == put_in
    for history, payoff in case["expected"]["terminal_payoff_first"].items():
        assert game.state("JQ", history).returns() == [payoff, -payoff]


@pytest.mark.parametrize("history", ["f", "rrr", "x", "rcr", "rc/f", "rff", "/", "rc/cc/"])
def test_illegal_histories_raise(history):
    with pytest.raises(ValueError, match="history"):
        LeducPoker().state("JQK", history)


@pytest.mark.parametrize(
    ("cards", "history"),
    [("JJJ", "cc/"), ([0, 1, 1], "cc/"), ([0, 0], ""), ("JQK", "cc"), ("JQK", ""), ([0.5], "")],
)
def test_cards_that_cannot_be_dealt(cards, history):
    for ranks_only in (False, True):
        if ranks_only and not isinstance(cards, str) and len(cards) > 1:
            continue  # as ranks these are dealt
        with pytest.raises(ValueError, match="card"):
            LeducPoker(ranks_only).state(cards, history)


def test_ranks_only_is_a_choice_of_two():
    with pytest.raises(ValueError, match="ranks_only='no'"):
        LeducPoker(ranks_only="no")


def test_sizes():
    totals, texts = count(LeducPoker().new_initial_state())
    sizes = POKER["tree_sizes"]["leduc"]
    assert totals == {name: sizes[name] for name in ("nodes", "terminal", "chance", "decision")}
    assert [len(texts[player]) for player in range(2)] == sizes["information_sets"]
    _, texts = count(LeducPoker(ranks_only=True).new_initial_state())
    for player in range(2):
        assert len(texts[player]) == CASES["B39"]["expected"]["infosets_per_player"]


@pytest.mark.parametrize(
    ("cards", "history", "payoff"),
    [
        ("JQJ", "cc/cc", 1),  # a pair of jacks beats the queen
        ("KQJ", "cc/cc", 1),
        ("JKQ", "rc/rrc", -11),
        ("QQK", "rrc/rrc", 0),
        ("JKK", "rrc/rrc", -13),
    ],
)
def test_showdowns(cards, history, payoff):
    for ranks_only in (False, True):
        assert LeducPoker(ranks_only).state(cards, history).returns() == [payoff, -payoff]


def test_ranks_only_deals_like_the_deck():
    state = LeducPoker(ranks_only=True).new_initial_state()
    assert state.chance_outcomes() == [(rank, 1 / 3) for rank in range(3)]
    state.apply_action(0)
    assert state.chance_outcomes() == [(0, 1 / 5), (1, 2 / 5), (2, 2 / 5)]
    state.apply_action(0)
    for _ in range(2):
        state.apply_action(1)
    assert state.chance_outcomes() == [(1, 1 / 2), (2, 1 / 2)]


def test_action_names():
    state = LeducPoker().state("JQ", "")
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["CHECK", "BET"]
    state.apply_action(2)
    names = [state.action_to_string(action) for action in state.legal_actions()]
    assert names == ["FOLD", "CALL", "RAISE"]


def test_same_as_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    keys = {}

    def walk(ours, theirs):
        assert ours.current_player() == theirs.current_player()
        assert ours.legal_actions() == theirs.legal_actions()
        assert ours.is_terminal() == theirs.is_terminal()
        assert keys.setdefault(ours.position_key(), str(ours)) == str(ours)
        if ours.is_terminal():
            assert ours.returns() == theirs.returns()
            return
        if ours.is_chance_node():
            assert ours.chance_outcomes() == theirs.chance_outcomes()
        else:
            text = theirs.information_state_string()
            assert ours.information_state_string() == text
        for action in ours.legal_actions():
            player, before = ours.current_player(), str(ours)
            ours.apply_action(action)
            walk(ours, theirs.child(action))
            ours.undo_action(player, action)
            assert str(ours) == before

    walk(LeducPoker().new_initial_state(), pyspiel.load_game("leduc_poker").new_initial_state())
    assert len(keys) == POKER["tree_sizes"]["leduc"]["nodes"]
