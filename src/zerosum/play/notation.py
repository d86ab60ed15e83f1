"""How people write a game: its sides, moves, results and game files. No drawing, no input."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

from zerosum.core.files import write_text
from zerosum.core.game import Game
from zerosum.core.state import State
from zerosum.games.ogn import OgnGame, read_ogn, write_ogn
from zerosum.games.oware import Oware, OwareState
from zerosum.games.oware_text import house_letter
from zerosum.games.tictactoe import MNK
from zerosum.play.record import format_record, read_record

__all__ = ["GameRecord", "MNKNotation", "Notation", "OwareNotation", "notation_for"]


@dataclass
class GameRecord:
    """A game as a file holds it: the state after its moves, and what else is said about it.

    ``state`` has the moves in its history. ``tags`` are names and texts such as the players'; ``result``
    is ``1-0``, ``0-1``, ``1/2-1/2`` or ``*``, which may differ from the state's when a player resigned.
    """

    state: State
    tags: dict[str, str] = field(default_factory=dict)
    result: str = "*"
    left_out: str = ""
    """What the file holds besides and a save would lose; empty when there is nothing."""


class Notation(ABC):
    """How the moves and results of one game are written."""

    sides: tuple[str, str]
    unit = ""
    """What a value counts, when it counts something: seeds."""
    move_form: str
    file_form: str
    """For help texts: what a move is, and what a game file is."""

    def __init__(self, game: Any) -> None:
        self.game = game

    @abstractmethod
    def move(self, state: State, action: int) -> str:
        """A move as players write it."""

    @abstractmethod
    def read_move(self, state: State, text: str) -> int:
        """The legal action that a player means; ValueError that says what is wrong otherwise."""

    @abstractmethod
    def read_moves(self, state: State, text: str) -> State:
        """The state after several moves, strictly written; ValueError names the first that is wrong."""

    @abstractmethod
    def outcome(self, state: State) -> str:
        """The end of a finished game in a sentence."""

    @abstractmethod
    def save(self, path: str, record: GameRecord) -> None:
        """Write a game file; OSError when that fails."""

    @abstractmethod
    def load(self, path: str) -> GameRecord:
        """Read a game file; ValueError that says where it is wrong, OSError."""

    def side(self, player: int) -> str:
        """A player's name in this game."""
        return self.sides[player]

    def player(self, side: str) -> int:
        """The player of a side's name, in any case; ValueError that lists the names."""
        names = [name.lower() for name in self.sides]
        if side.lower() not in names:
            raise ValueError(f"the sides are {' and '.join(self.sides)}, not {side!r}")
        return names.index(side.lower())

    def legal_moves(self, state: State) -> str:
        """All legal moves, for a message."""
        return ", ".join(self.move(state, action) for action in state.legal_actions())

    def line(self, state: State, actions: list[int]) -> list[str]:
        """A line of play as written moves."""
        place = state.clone()
        names = []
        for action in actions:
            names.append(self.move(place, action))
            place.apply_action(action)
        return names


class OwareNotation(Notation):
    """Houses by letter, games in OGN."""

    sides: tuple[str, str] = ("South", "North")
    unit = "seeds"
    move_form = "a house's letter, such as C"
    file_form = "OGN"

    def move(self, state: State, action: int) -> str:
        """The house's letter."""
        return state.action_to_string(action)

    def read_move(self, state: State, text: str) -> int:
        """A house's letter in either case."""
        assert isinstance(state, OwareState)
        player = state.to_move
        houses = self.game.houses
        letters = [house_letter(player, house) for house in range(houses)]
        names = [letter.lower() for letter in letters]
        if text.lower() not in names:
            raise ValueError(
                f"{text!r} is no house of {self.sides[player]}, who plays {letters[0]} to "
                f"{letters[-1]}; legal are {self.legal_moves(state)}"
            )
        action = names.index(text.lower())
        if action not in state.legal_actions():
            raise ValueError(
                f"{letters[action]} cannot be played: {self.why_illegal(state, action)}; "
                f"legal are {self.legal_moves(state)}"
            )
        return action

    def why_illegal(self, state: OwareState, action: int) -> str:
        """Why a house that exists cannot be played."""
        player = state.to_move
        row, other = (state.south, state.north)[:: 1 - 2 * player]
        if row[action] == 0:
            return "the house is empty"
        if not any(other):
            return f"it leaves {self.sides[1 - player]} without seeds, who must be fed"
        return f"it takes all of {self.sides[1 - player]}'s seeds"

    def read_moves(self, state: State, text: str) -> State:
        """Letters, upper case South's and lower case North's, with or without spaces."""
        moved: State = self.game.play(text, state)
        return moved

    def outcome(self, state: State) -> str:
        """Winner, seeds and reason."""
        assert isinstance(state, OwareState)
        south, north = state.final_scores()
        reason = {
            "majority": "more than half of the seeds",
            "repetition": "the position came back",
            "no move": "no legal move is left",
        }[state.end_reason() or "no move"]
        if south == north:
            return f"A tie, {south:g} seeds each: {reason}."
        winner = self.sides[north > south]
        return f"{winner} wins, {max(south, north):g} seeds to {min(south, north):g}: {reason}."

    def save(self, path: str, record: GameRecord) -> None:
        """Write OGN."""
        assert isinstance(record.state, OwareState)
        game = OgnGame.from_state(record.state, record.tags)
        game.result = game.tags["Result"] = record.result
        write_ogn(path, game)

    def load(self, path: str) -> GameRecord:
        """Read OGN; the first game of a file with several."""
        games = read_ogn(path)
        if not games:
            raise ValueError(f"{path} holds no game")
        game = games[0]
        left_out = [f"the other games of {len(games)}"] if len(games) > 1 else []
        if game.comments or any(move.comments for move in game.moves):
            left_out.append("comments")
        return GameRecord(game.final_state(), game.tags, game.result, " and ".join(left_out))


class MNKNotation(Notation):
    """Cells by number, row by row from 0 at the top left; games in the text form of ``record``."""

    sides: tuple[str, str] = ("X", "O")
    move_form = "a cell's number, or row,column counted from 0"
    file_form = "a few lines of text"

    def move(self, state: State, action: int) -> str:
        """The cell's number."""
        return str(action)

    def read_move(self, state: State, text: str) -> int:
        """A cell's number, or its row and column counted from 0 as in ``1,2`` or ``x(1,2)``."""
        action = self.cell(state, text)
        if action in state.legal_actions():
            return action
        raise ValueError(f"cell {action} is taken; legal are {self.legal_moves(state)}")

    def cell(self, state: State, text: str) -> int:
        """The number of the cell that a text names; ValueError when it names none."""
        cells = self.game.m * self.game.n
        numbers = (
            text.lower().removeprefix("xo"[state.current_player() == 1]).strip("()").split(",")
        )
        if len(numbers) <= 2 and all(n.strip().isdecimal() and len(n) < 9 for n in numbers):
            *rows, column = map(int, numbers)
            on_board = column < self.game.m and rows[0] < self.game.n if rows else column < cells
            if on_board:
                return rows[0] * self.game.m + column if rows else column
        raise ValueError(
            f"{text!r} is no cell: type a number from 0 to {cells - 1}, or row,column counted from 0; "
            f"legal are {self.legal_moves(state)}"
        )

    def read_moves(self, state: State, text: str) -> State:
        """Cell numbers with spaces between."""
        moved = state.clone()
        for number, word in enumerate(text.split(), 1):
            if moved.is_terminal():
                raise ValueError(f"move {number}, {word!r}, comes after the end of the game")
            try:
                moved.apply_action(self.read_move(moved, word))
            except ValueError as error:
                raise ValueError(f"move {number}: {error}") from None
        return moved

    def outcome(self, state: State) -> str:
        """Winner, or a full board."""
        value = state.returns()[0]
        if value == 0:
            return "A tie: the board is full."
        return f"{self.sides[value < 0]} wins with {self.game.k} in a row."

    def save(self, path: str, record: GameRecord) -> None:
        """Write the text form."""
        write_text(path, format_record(record.state, record.tags, record.result))

    def load(self, path: str) -> GameRecord:
        """Read the text form."""
        return GameRecord(*read_record(path))


def notation_for(game: Game) -> Notation:
    """The notation of a game; ValueError when people do not play it here."""
    for kind, notation in ((Oware, OwareNotation), (MNK, MNKNotation)):
        if isinstance(game, kind):
            return notation(game)
    raise ValueError(f"{game} is not played here: known are oware, tictactoe and mnk")
