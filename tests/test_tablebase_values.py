"""Tablebase values against their definition, published counts, positions with every move."""

import itertools
import json
from pathlib import Path

import pytest

from tests.reference.oware import RULE_SETS
from tests.reference.oware_values import moves_of, values
from zerosum.games.oware import Oware
from zerosum.tablebase.oware import OwareTablebase

ORACLE = json.loads((Path(__file__).parent / "data" / "oware_values.json").read_text())
LETTERS = "ABCDEF"
BOARDS = [(1, 6), (2, 6), (3, 6), (4, 6), (5, 4), (7, 3), (8, 3)]
SLAMS = ["no_capture", "illegal", "captures_all", "opponent_keeps", "all_but_first", "all_but_last"]
FEEDINGS = ["no_duty", "must_feed", "must_not_starve"]
NO_MOVES = ["own_row", "opponent", "nobody"]
SHARED = {}


def tablebase(rules, seeds):
    """One table a rule set for all tests of this file that need no more seeds."""
    if rules not in SHARED or SHARED[rules].max_seeds < seeds:
        SHARED[rules] = OwareTablebase.build(seeds, rules=rules)
    return SHARED[rules]


def compare(table, expected):
    wrong = [
        (board, table.probe(board), value)
        for board, value in expected.items()
        if table.probe(board) != value
    ]
    assert not wrong, f"{len(wrong)} of {len(expected)} boards differ; the first: {wrong[:3]}"
    assert table.num_positions == len(expected)


@pytest.mark.parametrize("rules", ["abapa", "awari", "casual"])
@pytest.mark.parametrize(("houses", "seeds"), BOARDS)
def test_values_are_those_of_the_definition(rules, houses, seeds):
    table = OwareTablebase.build(seeds, rules=rules, houses=houses)
    compare(table, values(houses, seeds, RULE_SETS[rules]))


@pytest.mark.parametrize("rules", ["abapa", "awari"])
def test_the_full_board_to_six_seeds(rules):
    compare(OwareTablebase.build(6, rules=rules), values(6, 6, RULE_SETS[rules]))


@pytest.mark.parametrize(
    ("slam", "feeding", "no_move"), list(itertools.product(SLAMS, FEEDINGS, NO_MOVES))
)
def test_every_switch_on_small_boards(slam, feeding, no_move):
    switches = {"grand_slam": slam, "feeding": feeding, "no_move": no_move}
    for houses, seeds in [(1, 12), (2, 8), (3, 5)]:
        table = OwareTablebase.build(seeds, rules="awari", houses=houses, **switches)
        compare(table, values(houses, seeds, switches))
        assert table.verify(threads=1) == []


def test_layers_too_wide_for_a_byte_of_codes():
    for rules in ("abapa", "awari"):
        compare(OwareTablebase.build(60, rules=rules, houses=1), values(1, 60, RULE_SETS[rules]))
    table = OwareTablebase.build(50, rules="abapa", houses=2, threads=2)
    assert table.verify() == []


@pytest.mark.parametrize("n", range(15))
def test_histograms_of_lincke(n):
    counts = {int(value): count for value, count in ORACLE["histogram_awari"]["n"][str(n)].items()}
    assert tablebase("awari", 14).histogram(n) == counts


def compare_counts(rules, n):
    assert (
        list(tablebase(rules, n).win_draw_loss(n)) == ORACLE[f"win_draw_loss_{rules}"]["n"][str(n)]
    )


@pytest.mark.parametrize(
    ("rules", "n"), [("awari", n) for n in range(15)] + [("abapa", n) for n in range(13)]
)
def test_win_draw_loss(rules, n):
    compare_counts(rules, n)


@pytest.mark.long
def test_win_draw_loss_of_awari_to_20():
    tablebase("awari", 20)
    for n in range(21):
        compare_counts("awari", n)


@pytest.mark.long
def test_win_draw_loss_of_abapa_to_16():
    tablebase("abapa", 16)
    for n in range(17):
        compare_counts("abapa", n)


@pytest.mark.long
def test_verify_to_18_seeds():
    table = OwareTablebase.build(18, rules="awari")
    assert table.verify() == []


POSITIONS = ORACLE["positions"] + ORACLE["positions_where_the_rule_sets_differ"]


def compare_position(rules, position):
    table, board = tablebase(rules, 14), position["board"]
    expected = {
        LETTERS.index(letter): value for letter, value in position[f"{rules}_moves"].items()
    }
    assert table.probe(board) == position[rules]
    assert table.action_values(board) == expected
    best = max(expected.values(), default=0)
    assert table.best_actions(board) == [
        action for action, value in expected.items() if value == best
    ]


@pytest.mark.parametrize("rules", ["awari", "abapa"])
@pytest.mark.parametrize(
    "position",
    [p for p in POSITIONS if sum(p["board"]) <= 14],
    ids=lambda p: "-".join(map(str, p["board"])),
)
def test_positions_with_every_move(rules, position):
    compare_position(rules, position)


@pytest.mark.long
@pytest.mark.parametrize("rules", ["awari", "abapa"])
def test_larger_positions_with_every_move(rules):
    tablebase(rules, 17)
    for position in POSITIONS:
        compare_position(rules, position)


def test_the_twin_itself_against_the_published_counts():
    known = values(6, 4, RULE_SETS["awari"])
    for n in range(5):
        layer = [value for board, value in known.items() if sum(board) == n]
        counts = [sum(v > 0 for v in layer), layer.count(0), sum(v < 0 for v in layer)]
        assert counts == ORACLE["win_draw_loss_awari"]["n"][str(n)]


def test_action_values_are_those_of_the_moves():
    table = tablebase("abapa", 14)
    for index in range(0, table.layer(8).size, 997):
        board = table.board(8, index)
        expected = {
            house: gain - table.probe(after)
            for house, gain, after in moves_of(board, 6, RULE_SETS["abapa"])
        }
        assert table.action_values(board) == expected


def test_boards_in_every_form_have_one_value():
    table = tablebase("abapa", 14)
    game = Oware("abapa")
    south, north = [0, 1, 0, 3, 0, 2], [1, 0, 0, 2, 0, 0]
    state = game.state(south=south, north=north)
    turned = game.state(south=north, north=south, to_move="N")
    value = table.probe(south + north)
    assert value == table.probe(state) == table.probe(turned) == table.probe(state.to_text())
    assert value == table.probe(turned.to_text()) == table.probe(tuple(south + north))
    assert table.action_values(state) == table.action_values(turned)


def test_a_state_of_another_game_is_refused():
    table = tablebase("abapa", 14)
    south, north = [0, 1, 0, 3, 0, 2], [1, 0, 0, 2, 0, 0]
    other = Oware("awari").state(south=south, north=north)
    for ask in (table.probe, table.get, table.action_values, table.best_actions, table.index_of):
        with pytest.raises(ValueError, match=r"abapa.* is for another game than .*awari"):
            ask(other)
    assert table.probe(other.to_text()) == table.probe(south + north)


def test_boards_are_whole_numbers_read_once():
    table = tablebase("abapa", 14)
    board = [0, 1, 0, 3, 0, 2, 1, 0, 0, 2, 0, 0]
    for wrong in (1.9, "1", float("inf"), None):
        with pytest.raises(ValueError, match="is no board: expected 12 numbers"):
            table.probe([wrong, *board[1:]])
    assert table.action_values(iter(board)) == table.action_values(board)
    assert table.index_of(iter(board)) == table.index_of(board)
    with pytest.raises(LookupError, match="15 seeds"):
        table.action_values([15] + [0] * 11)
