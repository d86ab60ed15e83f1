"""Boards drawn for a terminal with rich."""

from typing import Any

from rich.box import SQUARE
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from zerosum.core.state import State
from zerosum.games.mnk import MNKState
from zerosum.games.oware import OwareState

__all__ = ["PLAYER_STYLES", "draw_state"]

PLAYER_STYLES = ("bold yellow", "bold cyan")
LAST_MOVE = "reverse"
FAINT = "bright_black"

LastMove = tuple[int, int] | None
"""(player, action) of the move to mark."""


def draw_state(state: State, last: LastMove = None) -> RenderableType:
    """The board of a state, its latest move marked."""
    if isinstance(state, OwareState):
        return draw_oware(state, last)
    if isinstance(state, MNKState):
        return draw_mnk(state, last)
    return Text(str(state))


def draw_oware(state: OwareState, last: LastMove) -> Table:
    """North's row above South's, house letters above and below, stores at the right."""
    houses = range(state.get_game().houses)
    table = Table(box=SQUARE, show_footer=True, padding=(0, 1))
    table.add_column(Text(), Text(), justify="left")
    for house in houses:
        north = letter(state, 1, len(houses) - 1 - house)
        table.add_column(north, letter(state, 0, house), justify="right", min_width=2)
    table.add_column(Text("store", FAINT), Text(), justify="right")
    for player in (1, 0):
        table.add_row(*row_of(state, player, last), end_section=player == 1)
    return table


def letter(state: OwareState, player: int, house: int) -> Text:
    """A house's letter, bright when it may be played now."""
    playable = state.current_player() == player and house in state.legal_actions()
    return Text(state.action_to_string(player, house), PLAYER_STYLES[player] if playable else FAINT)


def row_of(state: OwareState, player: int, last: LastMove) -> list[Text]:
    """A side's name, seeds and store, in the order of the board as South sees it."""
    seeds = state.north if player else state.south
    cells = []
    for house, count in enumerate(seeds):
        style = PLAYER_STYLES[player] if count else FAINT
        if last == (player, house):
            style = f"{style} {LAST_MOVE}"
        cells.append(Text(str(count), style))
    if player:
        cells.reverse()
    name = Text(("South", "North")[player], PLAYER_STYLES[player])
    return [name, *cells, Text(str(state.scores[player]), "bold")]


def draw_mnk(state: MNKState, last: LastMove) -> Table:
    """The cells in rows; an empty cell shows its number."""
    game: Any = state.get_game()
    table = Table(box=SQUARE, show_header=False, show_lines=True)
    for _ in range(game.m):
        table.add_column(justify="center", min_width=len(str(game.m * game.n - 1)))
    marks = [
        Text(str(cell), FAINT) if mark == "." else Text(mark, mark_style(mark, cell, last))
        for cell, mark in enumerate(state.cells())
    ]
    for row in range(game.n):
        table.add_row(*marks[row * game.m : (row + 1) * game.m])
    return table


def mark_style(mark: str, cell: int, last: LastMove) -> str:
    """A side's colour, reversed where it moved last."""
    player = "XO".index(mark)
    return (
        f"{PLAYER_STYLES[player]} {LAST_MOVE}" if last == (player, cell) else PLAYER_STYLES[player]
    )
