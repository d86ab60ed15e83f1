"""Game files of m,n,k games: a few lines of text that a person can read and type.

    game: mnk:3,3,3
    x: human
    o: zerosum, depth 9
    start: ......... X
    moves: 4 0 8
    result: *

``start``, the position before the first move and who moves there, may be left out for the empty board
with X to move. Moves are cell numbers, row by row from 0 at the top left. The result is ``1-0`` for X,
``0-1`` for O, ``1/2-1/2`` or ``*``. Empty lines and lines that begin with ``#`` are skipped; lines of
other names are kept as tags.
"""

from pathlib import Path

from zerosum.core.state import State
from zerosum.games.mnk import MNKState
from zerosum.games.tictactoe import MNK
from zerosum.play.match import start_of
from zerosum.play.names import game_by_name

__all__ = ["format_record", "parse_record", "read_record"]

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
OWN_NAMES = ("game", "start", "moves", "result")

Lines = dict[str, tuple[int, str]]


def format_record(state: State, tags: dict[str, str], result: str) -> str:
    """The text of the game that led to a state."""
    start = start_of(state)
    assert isinstance(start, MNKState)
    game = state.get_game()
    lines = {
        "game": f"mnk:{game.m},{game.n},{game.k}",
        **{name.lower(): text for name, text in tags.items() if name.lower() not in OWN_NAMES},
        "start": f"{start.to_text()} {'XO'[start.current_player() == 1]}",
        "moves": " ".join(map(str, state.history())),
        "result": result,
    }
    return "".join(f"{name}: {value}".rstrip() + "\n" for name, value in lines.items())


def read_record(path: str) -> tuple[State, dict[str, str], str]:
    """(state after the moves, tags, result) of a file; ValueError with the line that is wrong, OSError."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not a text in UTF-8") from None
    return parse_record(text)


def parse_record(text: str) -> tuple[State, dict[str, str], str]:
    """As ``read_record``, of a text."""
    lines = split_lines(text)
    if "game" not in lines:
        raise ValueError("there is no line 'game: ...'")
    state = start_state(lines)
    play_moves(state, lines)
    result_line, result = lines.get("result", (0, "*"))
    if result not in RESULTS:
        raise ValueError(f"line {result_line}: the result is {result!r}, not {', '.join(RESULTS)}")
    tags = {name: value for name, (_, value) in lines.items() if name not in OWN_NAMES}
    return state, tags, result


def split_lines(text: str) -> Lines:
    """{name: (line number, value)} of a record's text."""
    lines: Lines = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, value = line.partition(":")
        name = name.strip().lower()
        if not colon or not name:
            raise ValueError(f"line {number}: {line!r} is not of the form 'name: value'")
        if name in lines:
            raise ValueError(f"line {number}: {name} is given twice")
        lines[name] = number, value.strip()
    return lines


def start_state(lines: Lines) -> MNKState:
    """The position before the first move."""
    number, name = lines["game"]
    try:
        game = game_by_name(name)
        if not isinstance(game, MNK):
            raise ValueError(f"games of {name} are not kept in this form")
        if "start" not in lines:
            return game.new_initial_state()
        number, text = lines["start"]
        board, _, mover = text.rpartition(" ")
        if mover not in ("X", "O"):
            raise ValueError(f"{text!r} is not a board and the side to move, X or O")
        return state_with_mover(game, board, mover)
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from None


def state_with_mover(game: MNK, board: str, mover: str) -> MNKState:
    """The state of a board on which a side is to move, whoever began."""
    failures = []
    for first in ("X", "O"):
        try:
            state = game.state(board, first_player=first)
        except ValueError as error:
            failures.append(error)
            continue
        if state.is_terminal() or state.current_player() == "XO".index(mover):
            return state
    if len(failures) == 2:
        raise failures[0]
    raise ValueError(f"{mover} cannot be to move on {board}")


def play_moves(state: State, lines: Lines) -> None:
    """Play the moves of a record."""
    number, text = lines.get("moves", (0, ""))
    for place, word in enumerate(text.split(), 1):
        if state.is_terminal():
            raise ValueError(f"line {number}: move {place} comes after the end of the game")
        legal = state.legal_actions()
        if not word.isdecimal() or len(word) > 4 or int(word) not in legal:
            raise ValueError(
                f"line {number}: move {place} is {word!r}; legal are {', '.join(map(str, legal))}"
            )
        state.apply_action(int(word))
