"""Boards in every form people hold them in, and boards that cannot be."""

import copy

import numpy as np
import pytest

import zerosum as zs

GAME = zs.TicTacToe()
TEXT = "XX.O..O.."
NUMBERS = [1, 1, 0, -1, 0, 0, -1, 0, 0]
MARKS = ["X", "X", ".", "O", ".", ".", "O", ".", "."]

FORMS = {
    "text": TEXT,
    "text in lines": "XX.\nO..\nO..\n",
    "text in windows lines": "XX.\r\nO..\r\nO..\r\n",
    "text with bars": "XX.|O..|O..",
    "text with slashes": "XX./O../O..",
    "lower case": "xx.o..o..",
    "minus for empty": "XX-O--O--",
    "underscore for empty": "XX_O__O__",
    "space for empty": "XX O  O  ",
    "flat numbers": NUMBERS,
    "tuple": tuple(NUMBERS),
    "flat floats": [float(n) for n in NUMBERS],
    "iterator": iter(NUMBERS),
    "marks": MARKS,
    "marks and None": [None if mark == "." else mark for mark in MARKS],
    "marks and empty strings": ["" if mark == "." else mark for mark in MARKS],
    "marks and spaces": [" " if mark == "." else mark for mark in MARKS],
    "marks and zeros": [0 if mark == "." else mark for mark in MARKS],
    "marks and cell numbers": [i if mark == "." else mark for i, mark in enumerate(MARKS)],
    "marks and cell numbers as text": [str(i) if m == "." else m for i, m in enumerate(MARKS)],
    "marks, None, cell numbers and -1": ["X", "X", None, -1, 4, ".", "O", 7, ""],
    "numbers and None": [None if n == 0 else n for n in NUMBERS],
    "rows of numbers": [NUMBERS[0:3], NUMBERS[3:6], NUMBERS[6:9]],
    "rows as tuples": (tuple(NUMBERS[0:3]), tuple(NUMBERS[3:6]), tuple(NUMBERS[6:9])),
    "rows of marks": [MARKS[0:3], MARKS[3:6], MARKS[6:9]],
    "rows of text": ["XX.", "O..", "O.."],
    "rows of marks and cell numbers": [["X", "X", 2], ["O", 4, 5], ["O", 7, 8]],
    "flat marks array": np.array(MARKS),
    "square marks array": np.array(MARKS).reshape(3, 3),
    "object array": np.array([None if mark == "." else mark for mark in MARKS], dtype=object),
    "transposed view": np.array(NUMBERS).reshape(3, 3).T.copy().T,
}
for dtype in (np.int8, np.int16, np.int32, np.int64, np.float32, np.float64):
    FORMS[f"flat {dtype.__name__} array"] = np.array(NUMBERS, dtype=dtype)
    FORMS[f"square {dtype.__name__} array"] = np.array(NUMBERS, dtype=dtype).reshape(3, 3)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read_and_never_written_to(form):
    board = FORMS[form]
    before = board if hasattr(board, "__next__") else copy.deepcopy(board)
    if isinstance(board, np.ndarray):
        board.setflags(write=False)
    state = GAME.state(board)
    assert state.to_text() == TEXT
    assert state.current_player() == 0
    zs.solve(state)
    if isinstance(board, np.ndarray):
        assert board.dtype == before.dtype
        assert np.array_equal(board, before)
    else:
        assert board == before


def test_text_round_trip():
    for board in (TEXT, ".........", "XOX.XOX.O", "XOOXOXXXO"):
        state = GAME.state(board)
        assert state.to_text() == board
        assert GAME.state(state.to_text()) == state
        assert GAME.state(str(state)) == state


def test_boards_of_other_shapes():
    game = zs.MNK(4, 3, 3)
    assert game.state([[1, 0, 0, -1], [0, 0, 0, 0], [0, 0, 0, 0]]).to_text() == "X..O........"
    assert game.state("X..O/..../....").to_text() == "X..O........"
    column = zs.MNK(1, 3, 2)
    assert column.state([[1], [-1], [0]]).to_text() == "XO."
    assert column.state(["X", "O", "."]).to_text() == "XO."
    row = zs.MNK(3, 1, 2)
    assert row.state([[1, -1, 0]]).to_text() == "XO."
    assert row.state(["XO."]).to_text() == "XO."


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("XX.O..O.", ["9 cells", "8"]),
        ("XX.O..O...", ["9 cells", "10"]),
        ("", ["9 cells", "0"]),
        ([], ["9 cells", "0"]),
        ([1, 0], ["9 cells", "2"]),
        ("XX.O.?O..", ["cell 5", "row 1, column 2", "'?'"]),
        ([1, 1, 0, -1, 0, 2, -1, 0, 0], ["cell 5", "2"]),
        ([1, 1, 0, -1, 0, 0.5, -1, 0, 0], ["cell 5", "0.5"]),
        ([1, 1, 0, -1, 0, True, -1, 0, 0], ["cell 5", "True"]),
        ([1, 1, 0, -1, 0, float("nan"), -1, 0, 0], ["cell 5", "nan"]),
        (["X", "X", 3, "O", 4, 5, "O", 7, 8], ["cell 2", "3"]),
        ([[1, 1, 0], [-1, 0], [-1, 0, 0]], ["row 1", "2 cells"]),
        ([[1, 1, 0], [-1, 0, 0]], ["2 rows"]),
        ([[1, 1, 0], 5, [-1, 0, 0]], ["row 1", "5"]),
        (np.zeros((2, 2)), ["2 rows"]),
        (np.zeros((3, 3, 1)), ["cell 0"]),
        (7, ["7"]),
        (None, ["None"]),
        ("XXX......", ["3 X", "0 O"]),
        ("XX.......", ["2 X", "0 O"]),
        ("O........", ["0 X", "1 O", "X moves first"]),
        ("O.OXXX.O.", ["X has 3 in a row", "O played after"]),
        ("XXX...OOO", ["both X and O"]),
    ],
)
def test_boards_that_cannot_be(board, words):
    with pytest.raises(ValueError) as caught:
        GAME.state(board)
    for word in words:
        assert word in str(caught.value)


def test_two_lines_need_one_last_stone():
    assert GAME.state("XXXOOXOOX").is_terminal()
    with pytest.raises(ValueError, match="no single last stone"):
        zs.MNK(5, 3, 3).state("XXX.O/O.OO./XXX.O")


def test_first_player_is_checked():
    with pytest.raises(ValueError, match="first_player"):
        GAME.state(".........", first_player="Y")
    with pytest.raises(ValueError, match="O moves"):
        GAME.state("X........", first_player="O")
    state = GAME.state("O........", first_player="O")
    assert state.current_player() == 0


def test_zero_is_o_in_rows_of_text():
    assert zs.TicTacToe().state(["0X.", "...", "..."]).to_text() == "OX......."
    assert zs.MNK(2, 2, 2).state(["0X", ".."]).to_text() == "OX.."
