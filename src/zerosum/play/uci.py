"""UCI, the protocol between engines and interfaces, for games other than chess.

As in chess but for what follows. Moves are the game's own: houses of oware by letter, in one word or
several (``position startpos moves FeDb``, ``... moves F e D b``); cells of m,n,k games by number
(``position startpos moves 4 0 8``). ``position fen`` takes the game's position text
(``4-4-4-4-4-4-4-4-4-4-4-4-0-0-S``, ``XX.O..O..``). Player 0 (South, X) has ``wtime`` and ``winc``.

``score cp`` is 100 times the value from the mover's side: in oware, 100 a seed of difference at the
end of the game, whatever the evaluation counts in. In m,n,k games, where a value is won or lost, a
proved one is ``score mate`` in moves. When an answer is proved, ``info string exact ...`` says so
with its distance in plies. ``bestmove (none)`` is the answer when the game is over.

``go ponder`` searches until ``ponderhit``, from which on the limits count, or ``stop``.

A command that is wrong is answered with ``info string`` and changes nothing; ``go`` with a wrong
number does not search, words that it does not know are left out. The end of input quits, as ``quit``
does: a search that is running answers with what it has found.
"""

import contextlib
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TextIO

import zerosum
from zerosum.core.game import Game
from zerosum.core.state import State
from zerosum.games.ogn import SWITCH_TAGS, rule_tags
from zerosum.games.oware import CHOICES, EVALUATIONS, RULE_SETS, Oware
from zerosum.games.oware_text import switch_value
from zerosum.play.notation import Notation, notation_for
from zerosum.play.players import FAR, think
from zerosum.search import SearchResult

__all__ = ["Limits", "Uci", "parse_limits", "seconds_for_move"]

MOST = 10**12
MOST_ECHOED = 100
GO_NUMBERS = ("depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "mate")
GO_FLAGS = ("infinite", "ponder")
IGNORED = ("debug", "register")
USUAL_MOVES_TO_GO = 30
BY_THE_RULES = "default"
"""A switch of oware that the rule set decides."""


@dataclass
class Option:
    """One option as the protocol describes it: a ``spin`` with a range, or a ``combo`` with choices."""

    name: str
    default: Any
    low: int = 0
    high: int = 0
    choices: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.value: Any = self.default

    def describe(self) -> str:
        """The line that announces it."""
        head = f"option name {self.name} type"
        if self.choices:
            choices = " ".join(f"var {choice}" for choice in self.choices)
            return f"{head} combo default {self.default} {choices}"
        return f"{head} spin default {self.default} min {self.low} max {self.high}"

    def read(self, text: str) -> Any:
        """A value from text; ValueError when it is none."""
        if self.choices:
            for choice in self.choices:
                if choice.lower() == text.lower():
                    return choice
            raise ValueError(f"{self.name} is one of {', '.join(self.choices)}, not {shown(text)}")
        number = whole_number(self.name, text)
        if not self.low <= number <= self.high:
            raise ValueError(f"{self.name} is from {self.low} to {self.high}, not {shown(text)}")
        return number


@dataclass(frozen=True)
class Limits:
    """What ``go`` asks for; without any limit it is infinite. Times in milliseconds."""

    numbers: dict[str, int]
    infinite: bool = False
    ponder: bool = False
    unknown: tuple[str, ...] = ()
    """Words that mean nothing here."""

    def depth(self) -> int | None:
        """Plies to look ahead; None when nothing is said."""
        asked = [self.numbers["depth"]] if "depth" in self.numbers else []
        asked += [2 * self.numbers["mate"]] if "mate" in self.numbers else []
        return max(1, min(*asked, FAR)) if asked else None


def parse_limits(words: list[str]) -> Limits:
    """The limits that the words behind ``go`` set; ValueError for one that is no number."""
    numbers: dict[str, int] = {}
    flags, unknown = set(), []
    rest = iter(words)
    for word in rest:
        if word in GO_FLAGS:
            flags.add(word)
        elif word in GO_NUMBERS:
            numbers[word] = whole_number(word, next(rest, ""))
        else:
            unknown.append(word)
    bounding = {"depth", "nodes", "movetime", "wtime", "btime", "mate"} & numbers.keys()
    infinite = "infinite" in flags or not bounding
    return Limits(numbers, infinite, "ponder" in flags, tuple(unknown))


def seconds_for_move(limits: Limits, player: int, overhead: float) -> float | None:
    """How long to think, by ``movetime`` or the mover's clock, less the overhead; None without either."""
    numbers = limits.numbers
    if limits.infinite:
        return None
    if "movetime" in numbers:
        return max(0.001, numbers["movetime"] / 1000 - overhead)
    side = "wb"[player]
    if side + "time" not in numbers:
        side = "bw"[player]  # better the other's clock than none
    if side + "time" not in numbers:
        return None
    left = max(0, numbers[side + "time"]) / 1000 - overhead
    moves = max(1, numbers.get("movestogo", USUAL_MOVES_TO_GO))
    share = left / moves + 0.75 * numbers.get(side + "inc", 0) / 1000
    return max(0.001, min(share, 0.8 * left))


class Search:
    """A search in a thread of its own, which says ``bestmove`` when it ends."""

    def __init__(self, work: Callable[["Search"], None], limits: Limits) -> None:
        self.limits = limits
        self.stop: threading.Event = threading.Event()
        self.answer: threading.Event = threading.Event()
        """May it say what it has found?"""
        if not limits.infinite and not limits.ponder:
            self.answer.set()
        self.thread: threading.Thread = threading.Thread(target=work, args=(self,), daemon=True)
        self.thread.start()

    def halt(self) -> None:
        """Make it answer soon."""
        self.stop.set()
        self.answer.set()

    def release(self, seconds: float | None) -> None:
        """Make it answer when it is done, at the latest after so many seconds."""
        self.answer.set()
        if seconds is not None:
            timer = threading.Timer(seconds, self.stop.set)
            timer.daemon = True
            timer.start()

    def end(self) -> None:
        """Stop it and wait for its answer."""
        self.halt()
        self.thread.join()


class Uci:
    """Uci(game, output): an engine that ``handle`` gives lines to, and that writes its answers.

    The thread that reads never searches, so that ``stop`` and ``isready`` are heard at once.
    """

    def __init__(self, game: Game, output: TextIO) -> None:
        self.output = output
        self.lock: threading.Lock = threading.Lock()
        self.search: Search | None = None
        self.options: dict[str, Option] = {
            option.name.lower(): option for option in options_for(game)
        }
        self.start_with(game)
        self.commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self.identify,
            "isready": lambda words: self.say("readyok"),
            "ucinewgame": self.new_game,
            "setoption": self.set_option,
            "position": self.set_position,
            "go": self.go,
            "stop": self.stop,
            "ponderhit": self.ponderhit,
            "d": self.display,
            **dict.fromkeys(IGNORED, lambda words: None),
        }

    def start_with(self, game: Game) -> None:
        """Make a game the one that is played, from its start."""
        self.notation: Notation = notation_for(game)
        self.game: Any = game
        self.state: State = self.game.new_initial_state()

    # ---- Lines in, lines out -------------------------------------------------------------------

    def run(self, lines: Iterable[bytes]) -> None:
        """Answer lines until ``quit`` or the last one."""
        try:
            for line in lines:
                if not self.handle(line.decode("utf-8", "replace")):
                    return
        finally:
            self.end_search()

    def handle(self, line: str) -> bool:
        """Answer one line; False when it is ``quit``."""
        words = line.split()
        if not words:
            return True
        if words[0] == "quit":
            return False
        command = self.commands.get(words[0])
        try:
            if command is None:
                raise ValueError(f"unknown command {shown(words[0])}")
            command(words[1:])
        except BrokenPipeError:
            return False
        except Exception as error:
            # Whatever a line does, the next one must find the engine alive.
            self.inform(error)
        return True

    def say(self, text: str) -> None:
        """Write one line, whole, whichever thread says it."""
        with self.lock:
            self.output.write(text + "\n")
            self.output.flush()

    def inform(self, error: object) -> None:
        """An ``info string`` with the first line of what went wrong."""
        first_line = str(error).partition("\n")[0].rstrip(":")
        # It may quote input that the output's encoding does not have.
        first_line = first_line.encode("ascii", "backslashreplace").decode()
        self.say(f"info string {first_line or type(error).__name__}")

    # ---- Commands ------------------------------------------------------------------------------

    def identify(self, words: list[str]) -> None:
        """Name, options, ``uciok``."""
        self.say(f"id name zerosum {zerosum.__version__}")
        self.say("id author the zerosum developers")
        for option in self.options.values():
            self.say(option.describe())
        self.say("uciok")

    def new_game(self, words: list[str]) -> None:
        """Back to the start."""
        self.end_search()
        self.state = self.game.new_initial_state()

    def set_option(self, words: list[str]) -> None:
        """``name NAME value VALUE``; options of the rules bring a new game."""
        text = " ".join(words)
        name, has_value, value = text.partition(" value ")
        option = self.options.get(name.removeprefix("name ").strip().lower())
        if option is None or not name.startswith("name "):
            raise ValueError(f"no option is called {shown(name.removeprefix('name '))}")
        if not has_value:
            raise ValueError(f"the option {option.name} needs a value")
        before, option.value = option.value, option.read(value.strip())
        try:
            game = self.game_of_options()
        except ValueError:
            option.value = before
            raise
        self.end_search()
        if game != self.game:
            self.start_with(game)

    def game_of_options(self) -> Any:
        """The game that the options describe; ValueError when they make none."""
        if not isinstance(self.game, Oware):
            return self.game
        rules, houses, seeds = (self.options[name].value for name in ("rules", "houses", "seeds"))
        chosen = {switch: self.options[tag.lower()].value for tag, switch in SWITCH_TAGS.items()}
        switches: dict[str, Any] = {
            switch: switch_value(text) for switch, text in chosen.items() if text != BY_THE_RULES
        }
        return Oware(rules, houses, seeds, **switches)

    def set_position(self, words: list[str]) -> None:
        """``startpos`` or ``fen TEXT``, then ``moves`` and moves."""
        head, moves = words, []
        if "moves" in words:
            place = words.index("moves")
            head, moves = words[:place], words[place + 1 :]
        if head == ["startpos"]:
            start = self.game.new_initial_state()
        elif head[:1] == ["fen"]:
            start = self.game.state(" ".join(head[1:]))
        else:
            raise ValueError("position is startpos or fen TEXT, then moves MOVES")
        state = self.notation.read_moves(start, " ".join(moves))
        self.end_search()
        self.state = state

    def go(self, words: list[str]) -> None:
        """Search in the background."""
        limits = parse_limits(words)
        self.end_search()
        if limits.unknown:
            self.inform(f"go leaves out {', '.join(map(shown, limits.unknown))}")
        state = self.state.clone()

        def work(search: Search) -> None:
            with contextlib.suppress(BrokenPipeError, ValueError):  # nobody reads any more
                self.think(search, state)

        self.search = Search(work, limits)

    def stop(self, words: list[str]) -> None:
        """Make the search answer; its own thread writes the answer."""
        if self.search is not None:
            self.search.halt()

    def ponderhit(self, words: list[str]) -> None:
        """The move that was pondered on is played: the limits count from now; without any, answer."""
        search = self.search
        if search is not None and search.limits.infinite:
            search.halt()
        elif search is not None:
            search.release(self.seconds(search.limits, self.state))

    def display(self, words: list[str]) -> None:
        """The board, for people."""
        for line in str(self.state).splitlines():
            self.say(f"info string {line}")

    def end_search(self) -> None:
        """Stop the search, if one runs, and wait for its answer."""
        if self.search is not None:
            self.search.end()
            self.search = None

    # ---- Searching, in the search's thread -----------------------------------------------------

    def think(self, search: Search, state: State) -> None:
        """Search within the limits, and say what is found and the move."""
        legal = state.legal_actions()
        action = legal[0] if legal else None
        if action is not None:
            try:
                action = self.best_action(search, state)
            except Exception as error:
                # No memory for the table, or the like: an interface waits for a move all the same.
                self.inform(error)
        search.answer.wait()
        self.say(f"bestmove {'(none)' if action is None else self.notation.move(state, action)}")

    def best_action(self, search: Search, state: State) -> int | None:
        """Deepen, reporting every iteration; the last answer's action."""
        limits = search.limits
        if "evaluate" in self.options:
            state.select_evaluation(self.options["evaluate"].value)
        reported = 0
        for result in think(
            state,
            depth=limits.depth(),
            time=None if limits.ponder else self.seconds(limits, state),
            nodes=max(1, limits.numbers["nodes"]) if "nodes" in limits.numbers else None,
            table_mb=self.options["hash"].value,
            threads=self.options["threads"].value,
            all_actions=False,
            stop=search.stop,
        ):
            if result.depth > reported:
                reported = result.depth
                self.report(state, result)
        if result.exact:
            value = (result.value or 0) / state.value_scale()
            self.say(f"info string exact value {value:+g}{self.when(result)}")
        return result.action

    def seconds(self, limits: Limits, state: State) -> float | None:
        """How long to think about a state."""
        overhead = self.options["move overhead"].value / 1000
        return seconds_for_move(limits, state.current_player(), overhead)

    def when(self, result: SearchResult) -> str:
        """How far away the end is, in words; nothing where play never ends."""
        return "" if result.distance is None else f" in {result.distance} plies"

    def report(self, state: State, result: SearchResult) -> None:
        """The ``info`` line of an iteration."""
        milliseconds = round(1000 * result.time)
        rate = round(result.nodes / result.time) if result.time else 0
        line = " ".join(self.notation.line(state, result.principal_variation))
        self.say(
            f"info depth {result.depth} score {self.score(state, result)} nodes {result.nodes} "
            f"nps {rate} time {milliseconds} pv {line}"
        )

    def score(self, state: State, result: SearchResult) -> str:
        """``cp`` or, for a game that only has winners, ``mate``."""
        value = (result.value or 0) / state.value_scale()
        if not self.notation.unit and result.distance is not None and value:
            moves = (result.distance + 1) // 2
            return f"mate {moves if value > 0 else -moves}"
        return f"cp {round(100 * value)}"


def options_for(game: Game) -> list[Option]:
    """The options of an engine for a game."""
    options = [
        Option("Hash", 64, 1, 1 << 16),
        Option("Threads", 1, 1, 256),
        Option("Move Overhead", 10, 0, 5000),
    ]
    if isinstance(game, Oware):
        options += [
            Option("Rules", game.rules, choices=list(RULE_SETS)),
            Option("Houses", game.houses, 1, 8),
            Option("Seeds", game.seeds, 1, 255),
            *(switch_option(tag, game) for tag in SWITCH_TAGS),
            Option("Evaluate", "default", choices=list(EVALUATIONS)),
        ]
    return options


def switch_option(tag: str, game: Oware) -> Option:
    """The option of a switch of oware, by its name in game files."""
    choices = [BY_THE_RULES, *(str(choice).lower() for choice in CHOICES[SWITCH_TAGS[tag]])]
    return Option(tag, rule_tags(game).get(tag, BY_THE_RULES), choices=choices)


def whole_number(name: str, text: str) -> int:
    """A whole number from text, held within what a search takes; ValueError when it is none."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"{name} needs a whole number, not {shown(text)}")
    number = int(digits) if len(digits) < 14 else MOST
    return min(number, MOST) * (-1 if text[0] == "-" else 1)


def shown(text: str) -> str:
    """Text of unknown origin for a message: one line, ASCII, not long."""
    return ascii(text if len(text) <= MOST_ECHOED else text[:MOST_ECHOED] + "...")
