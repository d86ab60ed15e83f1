"""The numbering of boards is a bijection, and half boards know where they come from."""

from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerosum.tablebase.files import layer_size
from zerosum.tablebase.halves import Halves
from zerosum.tablebase.oware import OwareTablebase

SIZES = [(1, 20), (2, 12), (3, 9), (4, 7), (5, 6), (6, 6), (7, 4), (8, 4)]


@pytest.mark.parametrize(("houses", "seeds"), SIZES)
def test_half_boards_are_numbered_one_to_one(houses, seeds):
    halves = Halves(houses, seeds, 0, 1, 0)
    assert halves.count == comb(seeds + houses, houses)
    boards = [halves.unrank(half) for half in range(halves.count)]
    assert len(set(boards)) == halves.count
    assert [halves.rank(board) for board in boards] == list(range(halves.count))
    assert [sum(board) for board in boards] == sorted(sum(board) for board in boards)


@pytest.mark.parametrize(("houses", "seeds"), SIZES)
def test_boards_are_numbered_one_to_one(houses, seeds):
    table = OwareTablebase.build(seeds, houses=houses)
    for n in range(seeds + 1):
        assert table.layer(n).size == layer_size(houses, n) == comb(n + 2 * houses - 1, n)
        step = max(1, table.layer(n).size // 5000)
        for index in range(0, table.layer(n).size, step):
            board = table.board(n, index)
            assert len(board) == 2 * houses
            assert sum(board) == n
            assert min(board) >= 0
            assert table.index_of(board) == index
            assert table.probe(board) == table.layer(n)[index]


def test_all_small_boards_have_different_places():
    table = OwareTablebase.build(6, houses=3)
    for n in range(7):
        boards = [board for board in product(range(n + 1), repeat=6) if sum(board) == n]
        assert sorted(table.index_of(board) for board in boards) == list(range(len(boards)))


TABLE = OwareTablebase.build(8)


@given(st.lists(st.integers(0, 11), max_size=8))
def test_any_board_comes_back(places):
    board = tuple(places.count(place) for place in range(12))
    assert TABLE.board(len(places), TABLE.index_of(board)) == board


def test_places_outside_a_layer_are_refused():
    for n, index in [(3, -1), (3, layer_size(6, 3)), (9, 0), (-1, 0)]:
        with pytest.raises(LookupError):
            TABLE.board(n, index)
    with pytest.raises(ValueError, match="half board"):
        Halves(2, 2, 0, 1, 0).unrank(6)


@pytest.mark.parametrize(("houses", "seeds"), [(0, 3), (9, 3), (6, -1), (6, 128)])
def test_impossible_half_boards_are_refused(houses, seeds):
    with pytest.raises(ValueError, match=r"houses|seeds"):
        Halves(houses, seeds, 0, 1, 0)


def test_too_many_half_boards_are_refused():
    with pytest.raises(ValueError, match="too many"):
        Halves(8, 100, 0, 1, 0)


@pytest.mark.parametrize(
    ("board", "error"),
    [
        ([0] * 11, "11 houses"),
        ([0] * 11 + [-1], "-1 seeds"),
        ("1-2-3", "fields"),
        (7, "no board"),
        (["x"] * 12, "no board"),
    ],
)
def test_what_is_no_board_is_refused(board, error):
    with pytest.raises(ValueError, match=error):
        TABLE.probe(board)


def test_boards_with_too_many_seeds_are_not_there():
    board = [9] + [0] * 11
    for ask in (TABLE.probe, TABLE.action_values, TABLE.best_actions, TABLE.index_of):
        with pytest.raises(LookupError, match="9 seeds"):
            ask(board)
    assert TABLE.get(board) is None
    assert TABLE.get(board, 7) == 7
    assert TABLE.get([250] * 2 + [0] * 10, 7) == 7
