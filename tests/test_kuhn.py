"""Kuhn poker's rules."""

import pytest

from tests.poker_cases import CASES, POKER
from tests.reference.trees import count
from zerosum.games.kuhn import KuhnPoker

CARDS = "JQK"


def test_actors_and_legal_actions():
    case = CASES["B28"]
    game = KuhnPoker()
    for history in case["input"]["histories"]:
        state = game.state("JQ", history)
        if history in case["expected"]["terminal"]:
            assert state.is_terminal()
            assert state.legal_actions() == []
            assert state.current_player() == -4
        else:
            assert state.current_player() == case["expected"]["actor"][history]
            assert state.legal_actions() == [0, 1]


@pytest.mark.parametrize("history", CASES["B28"]["expected"]["illegal_histories_raise"])
def test_illegal_histories_raise(history):
    with pytest.raises(ValueError, match="history"):
        KuhnPoker().state("JQ", history)


def test_information_sets():
    expected = CASES["B28"]["expected"]
    totals, texts = count(KuhnPoker().new_initial_state())
    sizes = POKER["tree_sizes"]["kuhn"]
    assert totals["nodes"] == sizes["nodes"]
    assert totals["terminal"] == expected["terminal_nodes"] == sizes["terminal"]
    assert totals["decision"] == expected["decision_nodes"] == sizes["decision"]
    for player in range(2):
        named = {f"{CARDS.index(text[0])}{text[1:]}" for text in expected["infosets"][str(player)]}
        assert texts[player] == named


def test_every_payoff():
    case = CASES["B29"]
    game = KuhnPoker()
    for deal, payoffs in case["expected"]["payoff_first"].items():
        for history, payoff in zip(case["input"]["histories"], payoffs, strict=True):
            state = game.state(deal, history)
            assert state.returns() == [payoff, -payoff]
            assert state.put_in() == case["expected"]["put_in"][history]
            loser = 0 if payoff < 0 else 1
            # The loser loses what that player put in: a bet that is folded to goes back.
            assert abs(payoff) == state.put_in()[loser]


def test_action_names():
    game = KuhnPoker()
    names = {"": ["CHECK", "BET"], "p": ["CHECK", "BET"], "b": ["FOLD", "CALL"]}
    names["pb"] = ["FOLD", "CALL"]
    for history, expected in names.items():
        state = game.state("KJ", history)
        assert [state.action_to_string(action) for action in (0, 1)] == expected
        assert state.string_to_action(expected[1]) == 1
    assert game.new_initial_state().action_to_string(2) == "deal K"


def test_chance():
    state = KuhnPoker(4).new_initial_state()
    assert state.chance_outcomes() == [(card, 1 / 4) for card in range(4)]
    state.apply_action(2)
    assert state.chance_outcomes() == [(card, 1 / 3) for card in (0, 1, 3)]
    with pytest.raises(ValueError, match="not a chance node"):
        KuhnPoker().state("JQ").chance_outcomes()
    with pytest.raises(ValueError, match="not legal"):
        state.apply_action(2)


def test_undo_and_clone_and_key():
    game = KuhnPoker()
    state = game.new_initial_state()
    seen = {}

    def walk():
        before, key = str(state), state.position_key()
        assert seen.setdefault(key, before) == before
        assert state.clone() == state
        assert hash(state.clone()) == hash(state)
        player = state.current_player()
        for action in state.legal_actions():
            state.apply_action(action)
            walk()
            state.undo_action(player, action)
            assert (str(state), state.position_key()) == (before, key)

    walk()
    assert len(seen) == 58


@pytest.mark.parametrize("cards", [2, 0, -1, True, 3.5])
def test_bad_decks(cards):
    with pytest.raises(ValueError, match="cards"):
        KuhnPoker(cards)


@pytest.mark.parametrize("cards", ["JJ", "XQ", "JQK", [0, 9]])
def test_bad_deals(cards):
    with pytest.raises(ValueError, match="card"):
        KuhnPoker().state(cards)


def test_card_names():
    assert "".join(KuhnPoker(13).card_name(card) for card in range(13)) == "A23456789TJQK"
    assert KuhnPoker(1000).card_name(999) == "1000"
    assert KuhnPoker(1000).state("1000 1", "pb").information_state_string() == "999pb"


def test_same_as_openspiel():
    pyspiel = pytest.importorskip("pyspiel")

    def walk(ours, theirs):
        assert ours.current_player() == theirs.current_player()
        assert ours.legal_actions() == theirs.legal_actions()
        assert ours.returns() == theirs.returns()
        if ours.is_terminal():
            return
        if ours.is_chance_node():
            assert ours.chance_outcomes() == theirs.chance_outcomes()
        else:
            for player in range(2):
                text = theirs.information_state_string(player)
                assert ours.information_state_string(player) == text
        for action in ours.legal_actions():
            walk(ours.child(action), theirs.child(action))

    walk(KuhnPoker().new_initial_state(), pyspiel.load_game("kuhn_poker").new_initial_state())
