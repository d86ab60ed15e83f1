"""Oware in text: house letters, move lists such as ``FeDb``, position texts, the drawn board."""

import operator
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = [
    "check_position",
    "draw_board",
    "format_moves",
    "format_position",
    "house_letter",
    "parse_moves",
    "parse_position",
    "switch_value",
]

PLAYERS = ("South", "North")
FIRST_LETTER = ("A", "a")
MOVER_LETTERS = "SN"

Position = tuple[list[int], list[int], tuple[int, int], int]


def house_letter(player: int, house: int) -> str:
    """A, B, .. for South's houses (player 0) and a, b, .. for North's, in sowing order."""
    return chr(ord(FIRST_LETTER[player]) + house)


def format_moves(actions: Iterable[int], to_move: int = 0) -> str:
    """Actions of both players by turns, ``to_move`` first, as letters: ``FeDb``."""
    return "".join(house_letter((to_move + i) % 2, action) for i, action in enumerate(actions))


def parse_moves(text: str, houses: int = 6, to_move: int = 0) -> list[int]:
    """The actions of a game such as ``FeDb``; white space is skipped.

    ValueError, with the character's place counted from 1, for a letter that is no house of the
    player whose turn it is. Whether a move is legal is not known here: ``Oware.play`` checks that.
    """
    actions: list[int] = []
    for place, letter in enumerate(text, 1):
        if letter.isspace():
            continue
        player = (to_move + len(actions)) % 2
        action = ord(letter) - ord(FIRST_LETTER[player])
        if not 0 <= action < houses:
            first, last = house_letter(player, 0), house_letter(player, houses - 1)
            raise ValueError(
                f"{letter!r} at character {place} is no move: "
                f"{PLAYERS[player]} plays {first} to {last}"
            )
        actions.append(action)
    return actions


def format_position(
    south: Sequence[int],
    north: Sequence[int],
    scores: Sequence[int],
    to_move: int,
    missing: int = 0,
) -> str:
    """Position text: South's houses, North's, stores, mover; then the missing seeds, if any."""
    fields = [*map(str, [*south, *north, *scores]), MOVER_LETTERS[to_move]]
    return "-".join(fields + [str(missing)] * bool(missing))


def parse_position(
    text: str, houses: int = 6
) -> tuple[list[int], list[int], tuple[int, int], int, int]:
    """(south, north, scores, to_move, missing) of a text; ValueError names the wrong field."""
    if not isinstance(text, str):
        raise ValueError(f"a position text was expected, not {text!r}")
    fields = text.strip().split("-")
    expected = 2 * houses + 3
    if len(fields) not in (expected, expected + 1):
        raise ValueError(
            f"{text!r} has {len(fields)} fields; with {houses} houses a side there are {expected}: "
            f"{houses} for South, {houses} for North, two stores, and S or N"
        )
    mover = fields[expected - 1]
    if mover not in ("S", "N"):
        raise ValueError(f"the mover, field {expected} of {text!r}, is {mover!r}: expected S or N")
    numbers = [
        parse_number(field, i + 1, text) for i, field in enumerate(fields) if i != expected - 1
    ]
    south, north = numbers[:houses], numbers[houses : 2 * houses]
    scores = (numbers[2 * houses], numbers[2 * houses + 1])
    missing = numbers[expected - 1] if len(fields) > expected else 0
    return south, north, scores, MOVER_LETTERS.index(mover), missing


def parse_number(field: str, place: int, text: str) -> int:
    """A field of a position text as a number of seeds."""
    if not (field.isascii() and field.isdigit() and len(field) <= 4):
        raise ValueError(f"field {place} of {text!r} is {field!r}: expected a number of seeds")
    return int(field)


def check_position(
    south: Any,
    north: Any,
    scores: Any,
    to_move: Any,
    houses: int,
    total: int,
    missing: int | None = None,
) -> Position:
    """The position in plain ints, or ValueError saying what is impossible and where.

    ``missing`` is how many of the game's seeds are in neither board nor stores; None allows any
    number when both scores are 0.
    """
    rows = [checked_row(name, row, houses) for name, row in (("south", south), ("north", north))]
    try:
        stores = list(scores)
    except TypeError:
        stores = []
    if len(stores) != 2:
        raise ValueError(f"scores={scores!r}: expected two numbers, South's and North's")
    stores = [checked_seeds(f"{PLAYERS[i]}'s score", value) for i, value in enumerate(stores)]
    board, found = sum(rows[0]) + sum(rows[1]), sum(rows[0]) + sum(rows[1]) + sum(stores)
    if missing is None:
        missing = total - found if not any(stores) and found < total else 0
    if found + missing != total:
        besides = f", {missing} are missing" if missing else ""
        raise ValueError(
            f"{board} seeds on the board and {stores[0]} + {stores[1]} in the stores "
            f"are {found}{besides}; the game has {total}"
        )
    return rows[0], rows[1], (stores[0], stores[1]), checked_mover(to_move)


def checked_row(name: str, row: Any, houses: int) -> list[int]:
    """A row of houses as a list of ints."""
    try:
        values = list(row)
    except TypeError:
        raise ValueError(f"{name}={row!r} is not a list of {houses} numbers of seeds") from None
    if len(values) != houses:
        raise ValueError(f"{name} has {len(values)} houses; the game has {houses} a side")
    first = FIRST_LETTER[name == "north"]
    return [checked_seeds(f"house {chr(ord(first) + i)}", value) for i, value in enumerate(values)]


def checked_seeds(where: str, value: Any) -> int:
    """A number of seeds as an int that is not negative."""
    try:
        seeds = operator.index(value)
    except TypeError:
        raise ValueError(f"{where} holds {value!r}: expected a number of seeds") from None
    if seeds < 0:
        raise ValueError(f"{where} holds {seeds} seeds: a number of seeds is not negative")
    return seeds


def checked_mover(to_move: Any) -> int:
    """0 or 1 from 0, 1, "S" or "N"."""
    if isinstance(to_move, str) and to_move in ("S", "N"):
        return MOVER_LETTERS.index(to_move)
    try:
        mover = operator.index(to_move)
    except TypeError:
        mover = -1
    if mover not in (0, 1):
        raise ValueError(f"to_move={to_move!r}: expected 0 or 'S' for South, 1 or 'N' for North")
    return mover


def switch_value(text: str) -> str | bool:
    """A switch's value from text: true and false, in any case, are truths."""
    return {"true": True, "false": False}.get(text.lower(), text)


def draw_board(south: Sequence[int], north: Sequence[int], scores: Sequence[int]) -> str:
    """The board as players see it: North's houses, right to left, above South's; stores beside."""
    houses = len(south)
    top = "".join(f"{house_letter(1, i):>4}" for i in reversed(range(houses)))
    bottom = "".join(f"{house_letter(0, i):>4}" for i in range(houses))
    upper = "".join(f"{seeds:>4}" for seeds in reversed(north))
    lower = "".join(f"{seeds:>4}" for seeds in south)
    return "\n".join(
        [
            f"     {top}",
            f"North{upper}  [{scores[1]}]",
            f"South{lower}  [{scores[0]}]",
            f"     {bottom}",
        ]
    )
