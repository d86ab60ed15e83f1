"""OGN, game files of oware: tags as in PGN, moves by letter, captures, comments, a result.

    [Event "Casual game"]
    [Variant "abapa"]
    [Result "1-0"]

    1. F f 2. E c+2 {North captures first} 3. D ...  1-0

A move is a house's letter, upper case South's and lower case North's; ``+`` and the number of
seeds captured may follow. Move numbers count South's moves; where North is first, the game begins
with ``1...``. Comments stand in braces, or run from ``;`` to the end of the line. A game ends with
``1-0``, ``0-1``, ``1/2-1/2``, ``*`` or both players' seeds such as ``26-22``; at the end of a text its
``Result`` tag, or ``*``, stands for it. Several games may follow each other.

Tags that decide what is legal: ``Variant`` (a rule set, "Oware" before it or not; abapa without
it), ``Houses``, ``Seeds``, ``GrandSlam``, ``Feeding``, ``NoMove``, ``Repetition``, ``Majority``
(the switches of ``Oware``), and ``FEN`` (the position text that the game starts from). All other
tags are kept as they are.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any

from zerosum.core.files import write_text
from zerosum.games.oware import Oware, OwareState
from zerosum.games.oware_text import house_letter, switch_value

__all__ = ["OgnError", "OgnGame", "OgnMove", "format_ogn", "parse_ogn", "read_ogn", "write_ogn"]

RESULT = re.compile(r"1/2-1/2|\*|[0-9]{1,3}-[0-9]{1,3}")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
SWITCH_TAGS = {
    "GrandSlam": "grand_slam",
    "Feeding": "feeding",
    "NoMove": "no_move",
    "Repetition": "repetition",
    "Majority": "majority",
}
RULE_TAGS = ("Variant", "Houses", "Seeds", "FEN", *SWITCH_TAGS)
LINE_WIDTH = 80

TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | \[\s*(?P<tag>[A-Za-z0-9_]+)\s+"(?P<value>(?:[^"\\\n]|\\["\\])*)"\s*\]
  | \{(?P<braces>[^}]*)\}
  | ;(?P<line>[^\n]*)
  | (?P<result>(?:1/2-1/2|\*|[0-9]{1,3}-[0-9]{1,3})(?![^\s{;\[]))
  | (?P<number>[0-9]{1,6})(?P<dots>\.\.\.|\.)
  | (?P<move>[A-Za-z])(?:\+(?P<captured>[0-9]{1,3}))?(?![^\s{;])
    """,
    re.VERBOSE,
)


class OgnError(ValueError):
    """An OGN text that is wrong; ``line`` and ``column`` count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column


@dataclass
class OgnMove:
    """One move: the action, the seeds it is said to capture (None: not said), comments after it."""

    action: int
    captured: int | None = None
    comments: list[str] = field(default_factory=list)


@dataclass
class OgnGame:
    """A game: its tags in order, the comments before the first move, its moves, its result."""

    tags: dict[str, str] = field(default_factory=dict)
    moves: list[OgnMove] = field(default_factory=list)
    result: str = "*"
    comments: list[str] = field(default_factory=list)

    @classmethod
    def from_state(cls, state: OwareState, tags: dict[str, str] | None = None) -> "OgnGame":
        """The game that led to a state, from where the state was made.

        The tags that the rules and the start need are added to ``tags``, and ``Result``.
        """
        start = state.clone()
        actions = state.history()
        for action in reversed(actions):
            start.undo_action(1 - start.to_move, action)
        result = result_of(state)
        kept = {name: value for name, value in (tags or {}).items() if name not in RULE_TAGS}
        merged = {**kept, **rule_tags(state.game)}
        if start != state.game.new_initial_state():
            merged["FEN"] = start.to_text()
        merged["Result"] = result
        game = cls(tags=merged, result=result)
        for action in actions:
            game.moves.append(OgnMove(action, play(start, action) or None))
        return game

    def initial_state(self) -> OwareState:
        """A state at the start of the game, by its tags; ValueError when they make no game."""
        game = game_of(self.tags)
        if "FEN" in self.tags:
            return game.state(self.tags["FEN"])
        return game.new_initial_state()

    def final_state(self) -> OwareState:
        """The state after all moves; ValueError when one is illegal."""
        start = self.initial_state()
        return start.game.play([move.action for move in self.moves], start)


# ---- Rules and results -------------------------------------------------------------------------


def result_of(state: OwareState) -> str:
    """The result of a state as OGN writes it; ``*`` while the game is running."""
    if not state.is_terminal():
        return "*"
    value = state.returns()[0]
    return "1-0" if value > 0 else "0-1" if value < 0 else "1/2-1/2"


def rule_tags(game: Oware) -> dict[str, str]:
    """The tags that ``game_of`` makes the same game from."""
    tags = {"Variant": game.rules}
    for name, value, usual in (("Houses", game.houses, 6), ("Seeds", game.seeds, 4)):
        if value != usual:
            tags[name] = str(value)
    usual_switches = Oware(game.rules).switches()
    for tag, switch in SWITCH_TAGS.items():
        value = game.switches()[switch]
        if value != usual_switches[switch]:
            tags[tag] = str(value).lower()
    return tags


def game_of(tags: dict[str, str]) -> Oware:
    """The game that tags describe; ValueError names what is wrong."""
    numbers = {"Houses": 6, "Seeds": 4}
    for name in numbers:
        if name in tags:
            if not re.fullmatch(r"[0-9]{1,4}", tags[name]):
                raise ValueError(f"{name} is {tags[name]!r}: expected a number")
            numbers[name] = int(tags[name])
    switches: dict[str, Any] = {
        switch: switch_value(tags[tag]) for tag, switch in SWITCH_TAGS.items() if tag in tags
    }
    rules = tags.get("Variant", "abapa").lower().removeprefix("oware ")
    return Oware(rules, numbers["Houses"], numbers["Seeds"], **switches)


def wrong_rule(tags: dict[str, str]) -> tuple[str, str] | None:
    """(tag, what is wrong) of the tag that, in their order, makes the rules impossible; None when none does."""
    try:
        game_of(tags)
    except ValueError as error:
        message = str(error)
    else:
        return None
    so_far: dict[str, str] = {}
    for name in filter(RULE_TAGS.__contains__, tags):
        so_far[name] = tags[name]
        try:
            game_of(so_far)
        except ValueError as error:
            if str(error) == message:
                break
    return name, message


def check_result(result: str, state: OwareState) -> None:
    """ValueError when a text is no result of a game."""
    if not RESULT.fullmatch(result):
        raise ValueError(
            f"{result!r} is not a result: expected {', '.join(RESULTS)} or seeds as in 26-22"
        )
    if result not in RESULTS and sum(map(int, result.split("-"))) > state.game.total_seeds:
        raise ValueError(f"the result {result} has more than {state.game.total_seeds} seeds")


def play(state: OwareState, action: int) -> int:
    """Play an action; returns the seeds that its player captured."""
    player = state.to_move
    before = state.scores[player]
    state.apply_action(action)
    return state.scores[player] - before


def play_move(state: OwareState, move: "OgnMove") -> None:
    """Play a move; ValueError when it does not capture what it is said to.

    Some programs say of the last move that it captures what the end of the game gives its player, too.
    """
    player = state.to_move
    before = state.scores[player]
    captured = play(state, move.action)
    swept = state.final_scores()[player] - before if state.is_terminal() else captured
    if move.captured not in (None, captured, swept):
        raise ValueError(f"captures {captured}, not {move.captured}")


# ---- Reading -----------------------------------------------------------------------------------


@dataclass
class Token:
    """A piece of text by kind, and where it begins and ends."""

    kind: str
    groups: dict[str, str]
    place: int
    end: int


class Reader:
    """Reads the games of a text one after the other, playing each move as it comes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = list(self.split())
        self.next: int = 0

    def error(self, message: str, place: int) -> OgnError:
        line = self.text.count("\n", 0, place) + 1
        return OgnError(message, line, place - (self.text.rfind("\n", 0, place) + 1) + 1)

    def split(self) -> Iterator[Token]:
        place = 0
        while place < len(self.text):
            match = TOKEN.match(self.text, place)
            if match is None:
                raise self.error(self.complaint(place), place)
            groups = {name: text for name, text in match.groupdict().items() if text is not None}
            if "space" not in groups:
                yield Token(next(iter(groups)), groups, place, match.end())
            place = match.end()

    def complaint(self, place: int) -> str:
        word = re.match(r"\S{1,20}", self.text[place:])
        shown = word.group() if word else self.text[place]
        if shown[0] == "{":
            return "a comment is not closed with }"
        if shown[0] == "[":
            return 'a tag is not of the form [Name "value"]'
        return f"{shown!r} is neither a move, a move number, a comment, a tag nor a result"

    def games(self) -> Iterator[OgnGame]:
        while self.next < len(self.tokens):
            yield self.game()

    def game(self) -> OgnGame:
        game = OgnGame()
        tag_places = self.tags(game)
        state = self.start(game, tag_places)
        while True:
            if self.next == len(self.tokens):
                game.result = self.result_of_tag(game, state, tag_places)
                return game
            token = self.tokens[self.next]
            self.next += 1
            if token.kind == "result":
                return self.finished(game, state, token)
            self.movetext(game, state, token)

    def tags(self, game: OgnGame) -> dict[str, int]:
        """The tags at the head of a game, comments between them; returns where each tag begins."""
        places: dict[str, int] = {}
        while self.next < len(self.tokens):
            token = self.tokens[self.next]
            if token.kind == "tag":
                name = token.groups["tag"]
                if name in places:
                    raise self.error(f"the tag {name} is given twice", token.place)
                places[name] = token.place
                game.tags[name] = re.sub(r'\\(["\\])', r"\1", token.groups.get("value", ""))
            elif token.kind in ("braces", "line"):
                game.comments.append(token.groups[token.kind])
            else:
                break
            self.next += 1
        return places

    def start(self, game: OgnGame, tag_places: dict[str, int]) -> OwareState:
        wrong = wrong_rule(game.tags)
        if wrong is not None:
            raise self.error(f"the tag {wrong[0]}: {wrong[1]}", tag_places[wrong[0]])
        try:
            return game.initial_state()
        except ValueError as error:
            raise self.error(str(error), tag_places["FEN"]) from None

    def movetext(self, game: OgnGame, state: OwareState, token: Token) -> None:
        if token.kind in ("braces", "line"):
            add_comment(game, token)
        elif token.kind == "number":
            self.check_number(game, state, token)
        elif token.kind == "move":
            game.moves.append(self.move(state, token))
        else:
            raise self.error(
                "a tag stands among the moves; is the result missing before it?", token.place
            )

    def check_number(self, game: OgnGame, state: OwareState, token: Token) -> None:
        north_first = state.to_move != len(game.moves) % 2
        expected = (len(game.moves) + north_first) // 2 + 1
        if int(token.groups["number"]) != expected:
            raise self.error(
                f"move number {token.groups['number']}, expected {expected}", token.place
            )
        if (token.groups["dots"] == "...") != (state.to_move == 1):
            whose = "North" if state.to_move else "South"
            dots = "..." if state.to_move else "."
            raise self.error(f"{whose} is to move: expected {expected}{dots}", token.place)

    def move(self, state: OwareState, token: Token) -> OgnMove:
        try:
            action = state.string_to_action(token.groups["move"])
        except ValueError as error:
            if state.is_terminal():
                late = f"comes after the end of the game ({state.end_reason()})"
                raise self.error(f"move {token.groups['move']} {late}", token.place) from None
            raise self.error(str(error), token.place) from None
        said = int(token.groups["captured"]) if "captured" in token.groups else None
        move = OgnMove(action, said)
        try:
            play_move(state, move)
        except ValueError as error:
            raise self.error(f"move {token.groups['move']} {error}", token.place) from None
        return move

    def result_of_tag(self, game: OgnGame, state: OwareState, tag_places: dict[str, int]) -> str:
        """What stands for the result that is missing at the end of the text."""
        result = game.tags.get("Result", "*")
        try:
            check_result(result, state)
        except ValueError as error:
            raise self.error(str(error), tag_places["Result"]) from None
        return result

    def finished(self, game: OgnGame, state: OwareState, token: Token) -> OgnGame:
        game.result = token.groups["result"]
        try:
            check_result(game.result, state)
        except ValueError as error:
            raise self.error(str(error), token.place) from None
        if game.tags.get("Result", game.result) != game.result:
            raise self.error(
                f"the game ends with {game.result}, its tag says {game.tags['Result']}", token.place
            )
        self.comments_after(game, token.end)
        return game

    def comments_after(self, game: OgnGame, end: int) -> None:
        """Comments behind a result on its line, or at the end of the text, are the ended game's."""
        last = all(token.kind in ("braces", "line") for token in self.tokens[self.next :])
        while self.next < len(self.tokens) and self.tokens[self.next].kind in ("braces", "line"):
            token = self.tokens[self.next]
            if not last and "\n" in self.text[end : token.place]:
                break
            add_comment(game, token)
            end = token.end
            self.next += 1


def add_comment(game: OgnGame, token: Token) -> None:
    comments = game.moves[-1].comments if game.moves else game.comments
    comments.append(token.groups[token.kind])


def parse_ogn(text: str) -> list[OgnGame]:
    """The games of an OGN text; OgnError (a ValueError) says at which line and column it is wrong.

    Every move is played, so that illegal moves and wrong captures are found, too.
    """
    return list(
        Reader(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")).games()
    )


def read_ogn(path: str | PathLike[str]) -> list[OgnGame]:
    """The games of an OGN file in UTF-8; OgnError as ``parse_ogn``; OSError."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - (before.rfind(b"\n") + 1) + 1
        raise OgnError("the file is not UTF-8", line, column) from None
    return parse_ogn(text)


# ---- Writing -----------------------------------------------------------------------------------


def format_ogn(games: OgnGame | Iterable[OgnGame]) -> str:
    """OGN text of one or several games, which ``parse_ogn`` reads back as they are.

    ValueError when a tag, a comment or the result cannot be written, or a move is illegal.
    """
    if isinstance(games, OgnGame):
        games = [games]
    return "\n".join(format_game(game) for game in games)


def write_ogn(path: str | PathLike[str], games: OgnGame | Iterable[OgnGame]) -> None:
    """Write games to a file in UTF-8, replacing it; nothing is written when one cannot be."""
    write_text(path, format_ogn(games))


def format_game(game: OgnGame) -> str:
    lines = [format_tag(name, value) for name, value in game.tags.items()]
    body = wrapped(movetext_tokens(game))
    return "\n".join([*lines, *([""] if lines else []), body, ""])


def format_tag(name: str, value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_]+", name):
        raise ValueError(f"a tag cannot be called {name!r}: only letters, digits and _")
    if "\n" in value or "\r" in value:
        raise ValueError(f"the tag {name} holds a line break: {value!r}")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def movetext_tokens(game: OgnGame) -> Iterator[str]:
    state = game.initial_state()
    check_result(game.result, state)
    north_first = state.to_move
    yield from map(format_comment, game.comments)
    for ply, move in enumerate(game.moves):
        number, player = divmod(ply + north_first, 2)
        if player == 0:
            yield f"{number + 1}."
        elif ply == 0:
            yield "1..."
        try:
            play_move(state, move)
        except ValueError as error:
            raise ValueError(f"move {ply + 1} {error}") from None
        yield house_letter(player, move.action) + (
            "" if move.captured is None else f"+{move.captured}"
        )
        yield from map(format_comment, move.comments)
    yield game.result


def format_comment(text: str) -> str:
    """In braces, or as a line of its own when it holds a closing brace."""
    if "\r" in text:
        raise ValueError(f"a comment holds a carriage return: {text!r}")
    if "}" not in text:
        return f"{{{text}}}"
    if "\n" in text:
        raise ValueError(f"a comment holds both a closing brace and a line break: {text!r}")
    return f";{text}\n"


def wrapped(tokens: Iterable[str]) -> str:
    """Tokens parted by spaces, in lines of ``LINE_WIDTH`` where they allow it; none is changed."""
    text, column = "", 0
    for token in tokens:
        if column and column + 1 + len(token.split("\n", 1)[0]) > LINE_WIDTH:
            text, column = text + "\n", 0
        text += (" " if column else "") + token
        column = len(text) - (text.rfind("\n") + 1)
    return text
