"""Boards of marks and cells in every form people hold them in, and back."""

from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["format_board", "parse_cells"]

MARKS = {"X": "X", "x": "X", "O": "O", "o": "O", "0": "O", ".": ".", "-": ".", "_": ".", " ": "."}


def format_board(cells: Sequence[str], columns: int) -> str:
    """The board as text, a line a row."""
    return "\n".join(
        "".join(cells[start : start + columns]) for start in range(0, len(cells), columns)
    )


def parse_cells(board: Any, columns: int, rows: int) -> list[str]:
    """A list of "X", "O" and ".", cell by cell from the top left, of a board in any usual form.

    Text (``XX.O..O..``; line breaks, ``/`` and ``|`` may part the rows), a flat sequence, rows of cells,
    or a numpy array. A cell is X or 1, O or -1, and empty as ``.``, ``None``, 0, or, in a flat sequence
    that mixes marks and numbers, its own cell number. The board is only read.

    Raises ValueError for a wrong size or an unknown cell, with its place.
    """
    cells = split_text(board) if isinstance(board, str) else flatten(board, columns, rows)
    if len(cells) != columns * rows:
        raise ValueError(
            f"a board of {columns} columns and {rows} rows has {columns * rows} cells, not {len(cells)}"
        )
    # In text every "0" is an O; a cell may be its own number only where marks are cells of a sequence.
    text = isinstance(board, str) or any(isinstance(row, str) and len(row) > 1 for row in board)
    numbered = not text and any(isinstance(cell, str) for cell in cells)
    return [parse_cell(cell, place, columns, numbered) for place, cell in enumerate(cells)]


def split_text(text: str) -> list[Any]:
    """The characters of a board's text, without what only parts its rows."""
    body = text.strip("\r\n")
    return [mark for mark in body if mark not in "\r\n\t/|"]


def flatten(board: Any, columns: int, rows: int) -> list[Any]:
    """The cells of a flat or nested sequence or array; ValueError where a row has a wrong length."""
    if hasattr(board, "tolist"):
        board = board.tolist()
    if not isinstance(board, Iterable):
        raise ValueError(f"a board is text, a sequence or an array, not {board!r}")
    cells = list(board)
    nested = [not isinstance(row, str) and isinstance(row, Iterable) for row in cells]
    if cells and len(cells) == rows and all(isinstance(row, str) for row in cells) and columns > 1:
        nested = [len(row) > 1 for row in cells]
    if not any(nested):
        return cells
    if not all(nested):
        raise ValueError(
            f"row {nested.index(False)} of the board is {cells[nested.index(False)]!r}"
        )
    if len(cells) != rows:
        raise ValueError(f"the board has {len(cells)} rows, not {rows}")
    flattened: list[Any] = []
    for number, row in enumerate(cells):
        entries = list(row)
        if len(entries) != columns:
            raise ValueError(f"row {number} of the board has {len(entries)} cells, not {columns}")
        flattened += entries
    return flattened


def parse_cell(cell: Any, place: int, columns: int, numbered: bool) -> str:
    """ "X", "O" or "." for one cell; ValueError with its place for anything else."""
    if isinstance(cell, str):
        if cell in MARKS and (cell != "0" or not numbered):
            return MARKS[cell]
        if cell == "" or (numbered and cell == str(place)):
            return "."
    elif cell is None:
        return "."
    elif numbered and cell == place and not isinstance(cell, bool):
        return "."
    elif not numbered and not isinstance(cell, bool) and cell in (1, -1, 0):
        return {1: "X", -1: "O", 0: "."}[int(cell)]
    elif numbered and not isinstance(cell, bool) and cell in (-1, 0):
        return "O" if cell == -1 else "."
    raise ValueError(
        f"cell {place} (row {place // columns}, column {place % columns}) holds {cell!r}: "
        "expected X or 1, O or -1, and . or None or 0 for empty"
    )
