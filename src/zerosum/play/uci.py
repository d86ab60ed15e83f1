"""UCI, the protocol between engines and interfaces, for games other than chess.

As in chess but for what follows. Moves are the game's own: houses of oware by letter, in one word or
several (``position startpos moves FeDb``, ``... moves F e D b``); cells of m,n,k games by number
(``position startpos moves 4 0 8``). ``position fen`` takes the game's position text
(``4-4-4-4-4-4-4-4-4-4-4-4-0-0-S``, ``XX.O..O..``). Player 0 (South, X) has ``wtime`` and ``winc``.

``score cp`` is 100 times the value from the mover's side: in oware, 100 a seed of difference at the end
of the game. In m,n,k games, where a value is won or lost, a proved one is ``score mate`` in moves. When
an answer is proved, ``info string exact ...`` says so with its distance in plies. ``bestmove (none)`` is
the answer when the game is over.

A command that is wrong is answered with ``info string`` and changes nothing; ``go`` with a wrong number
does not search. The end of input quits, as ``quit`` does: a search that is running answers with what it
has found.
"""

import contextlib
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TextIO

from zerosum.core.game import Game
from zerosum.core.state import State
from zerosum.games.oware import EVALUATIONS, RULE_SETS, Oware
from zerosum.play.notation import Notation, notation_for
from zerosum.play.players import FAR
from zerosum.search import SearchResult, deepen

__all__ = ["Limits", "Uci", "parse_limits", "seconds_for_move"]

MOST = 10**12
MOST_ECHOED = 100
GO_NUMBERS = ("depth", "nodes", "movetime", "wtime", "btime", "winc", "binc", "movestogo", "mate")
GO_FLAGS = ("infinite", "ponder")
IGNORED = ("debug", "register", "ponderhit")
USUAL_MOVES_TO_GO = 30


@dataclass
class Option:
    """One option as the protocol describes it: a ``spin`` with a range, or a ``combo`` with choices."""

    name: str
    default: Any
    low: int = 0
    high: int = 0
    choices: list[str] = field(default_factory=list)
    value: Any = None

    def __post_init__(self) -> None:
        self.value = self.default if self.value is None else self.value

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

    def depth(self) -> int:
        """Plies to look ahead."""
        asked = self.numbers.get("depth", FAR)
        mate = 2 * self.numbers["mate"] if "mate" in self.numbers else FAR
        return max(1, min(asked, mate, FAR))


def parse_limits(words: list[str]) -> Limits:
    """The limits that the words behind ``go`` set; ValueError for one that is unknown or no number."""
    numbers: dict[str, int] = {}
    flags = set()
    rest = iter(words)
    for word in rest:
        if word in GO_FLAGS:
            flags.add(word)
        elif word in GO_NUMBERS:
            numbers[word] = whole_number(word, next(rest, ""))
        else:
            raise ValueError(f"go does not know {shown(word)}")
    bounding = {"depth", "nodes", "movetime", "wtime", "btime", "mate"} & numbers.keys()
    return Limits(numbers, infinite="infinite" in flags or not bounding)


def seconds_for_move(limits: Limits, player: int, overhead: float) -> float | None:
    """How long to think, by ``movetime`` or the mover's clock, less the overhead; None without either."""
    numbers = limits.numbers
    if limits.infinite:
        return None
    if "movetime" in numbers:
        return max(0.001, numbers["movetime"] / 1000 - overhead)
    side = "wb"[player]
    if side + "time" not in numbers:
        return None
    left = max(0, numbers[side + "time"]) / 1000 - overhead
    moves = max(1, numbers.get("movestogo", USUAL_MOVES_TO_GO))
    share = left / moves + 0.75 * numbers.get(side + "inc", 0) / 1000
    return max(0.001, min(share, 0.8 * left))


class Search:
    """A search in a thread of its own, which says ``bestmove`` when it ends."""

    def __init__(self, work: Callable[["Search"], None], *, infinite: bool) -> None:
        self.stop: threading.Event = threading.Event()
        self.infinite = infinite
        self.thread: threading.Thread = threading.Thread(target=work, args=(self,), daemon=True)
        self.thread.start()

    def end(self) -> None:
        """Stop it and wait for its answer."""
        self.stop.set()
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
        self.say(f"info string {first_line or type(error).__name__}")

    # ---- Commands ------------------------------------------------------------------------------

    def identify(self, words: list[str]) -> None:
        """Name, options, ``uciok``."""
        self.say(f"id name zerosum {package_version()} {self.game}")
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
        self.end_search()
        before = option.value
        option.value = option.read(value.strip())
        try:
            self.apply_rules()
        except ValueError:
            option.value = before
            raise

    def apply_rules(self) -> None:
        """Start the game that the options describe, when it is another one."""
        if not isinstance(self.game, Oware):
            return
        rules, houses, seeds = (self.options[name].value for name in ("rules", "houses", "seeds"))
        game = Oware(rules, houses, seeds)
        if game != self.game:
            self.start_with(game)

    def set_position(self, words: list[str]) -> None:
        """``startpos`` or ``fen TEXT``, then ``moves`` and moves."""
        self.end_search()
        head, moves = words, []
        if "moves" in words:
            place = words.index("moves")
            head, moves = words[:place], words[place + 1 :]
        if head[:1] == ["startpos"]:
            start = self.game.new_initial_state()
        elif head[:1] == ["fen"]:
            start = self.game.state(" ".join(head[1:]))
        else:
            raise ValueError("position needs startpos or fen")
        self.state = self.notation.read_moves(start, " ".join(moves))

    def go(self, words: list[str]) -> None:
        """Search in the background."""
        self.end_search()
        limits = parse_limits(words)
        state = self.state.clone()

        def work(search: Search) -> None:
            with contextlib.suppress(BrokenPipeError, ValueError):  # nobody reads any more
                self.think(search, state, limits)

        self.search = Search(work, infinite=limits.infinite)

    def stop(self, words: list[str]) -> None:
        """Make the search answer; its own thread writes the answer."""
        if self.search is not None:
            self.search.stop.set()

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

    def think(self, search: Search, state: State, limits: Limits) -> None:
        """Search within the limits, and say what is found and the move."""
        legal = state.legal_actions()
        action = legal[0] if legal else None
        if action is not None:
            try:
                action = self.best_action(search, state, limits)
            except Exception as error:
                # No memory for the table, or the like: an interface waits for a move all the same.
                self.inform(error)
        if search.infinite:
            search.stop.wait()
        self.say(f"bestmove {'(none)' if action is None else self.notation.move(state, action)}")

    def best_action(self, search: Search, state: State, limits: Limits) -> int | None:
        """Deepen, reporting every iteration; the last answer's action."""
        overhead = self.options["move overhead"].value / 1000
        evaluate = self.options.get("evaluate")
        reported = 0
        for result in deepen(
            state,
            depth=limits.depth(),
            time=seconds_for_move(limits, state.current_player(), overhead),
            nodes=max(1, limits.numbers["nodes"]) if "nodes" in limits.numbers else None,
            evaluate=evaluate.value if evaluate is not None else None,
            table_mb=self.options["hash"].value,
            threads=self.options["threads"].value,
            all_actions=False,
            stop=search.stop,
        ):
            if result.depth > reported:
                reported = result.depth
                self.report(state, result)
        if result.exact:
            self.say(f"info string exact value {result.value:+g}{self.when(result)}")
        return result.action

    def when(self, result: SearchResult) -> str:
        """How far away the end is, in words; nothing where play never ends."""
        return "" if result.distance is None else f" in {result.distance} plies"

    def report(self, state: State, result: SearchResult) -> None:
        """The ``info`` line of an iteration."""
        milliseconds = round(1000 * result.time)
        rate = round(result.nodes / result.time) if result.time else 0
        line = " ".join(self.notation.line(state, result.principal_variation))
        self.say(
            f"info depth {result.depth} score {self.score(result)} nodes {result.nodes} "
            f"nps {rate} time {milliseconds} pv {line}"
        )

    def score(self, result: SearchResult) -> str:
        """``cp`` or, for a game that only has winners, ``mate``."""
        value = result.value or 0
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
            Option("Rules", "abapa", choices=list(RULE_SETS), value=game.rules),
            Option("Houses", 6, 1, 8, value=game.houses),
            Option("Seeds", 4, 1, 255, value=game.seeds),
            Option("Evaluate", "default", choices=list(EVALUATIONS)),
        ]
    return options


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


def package_version() -> str:
    """The installed version; empty when the package runs without being installed."""
    try:
        return version("zerosum")
    except PackageNotFoundError:
        return ""
