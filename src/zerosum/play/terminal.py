"""A game in the terminal: board, commands, the engine's thoughts. Needs rich, of the ``cli`` extra."""

import contextlib
import datetime
import io
import sys
import threading
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from zerosum.core.state import State
from zerosum.play.board_view import PLAYER_STYLES, draw_state
from zerosum.play.match import Match
from zerosum.play.notation import GameRecord, Notation, notation_for
from zerosum.play.players import Choice, EnginePlayer, Player
from zerosum.search import SearchResult

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["TerminalGame"]

HELP = (
    ("MOVE", "play it: {move}"),
    ("moves", "list the legal moves"),
    ("hint", "the engine's choice in your place, at its own strength"),
    ("undo", "take back your latest move, and the answer to it"),
    ("new", "start again"),
    ("save FILE", "write the game: {file}"),
    ("load FILE", "go on with a game from a file"),
    ("resign", "give the game up"),
    ("help", "this list"),
    ("quit", "leave"),
)
STATUS_SECONDS = 0.1


class Left(Exception):  # noqa: N818 - not an error: the way out of the loop
    """The person leaves the game."""


class Terminal:
    """Text in and out: colours and a spinner on a terminal, plain text elsewhere."""

    def __init__(self) -> None:
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        self.console: Console = Console(highlight=False, markup=False, emoji=False)
        self.typed: bool | Any = sys.stdin.isatty()
        if self.typed:
            enable_line_editing()

    def say(self, text: str, style: str = "") -> None:
        """A line of text, not broken."""
        self.console.print(Text(text, style), soft_wrap=True)

    def complain(self, text: str) -> None:
        """What is wrong with an input."""
        self.say(text, "red")

    def show(self, picture: Any) -> None:
        """Something that rich can draw."""
        self.console.print()
        self.console.print(picture)

    def ask(self, prompt: str) -> str:
        """A line of input. EOFError at the end of input.

        Input that nobody types is shown behind its prompt, so that the output reads as a game.
        """
        if self.typed:
            return input(prompt).strip()
        self.console.print(Text(prompt), end="")
        line = sys.stdin.readline()
        self.say(line.rstrip("\r\n"))
        if not line:
            raise EOFError
        return line.strip()

    def thinking(self, text: str) -> AbstractContextManager[Any]:
        """A spinner with a text for as long as the block lasts, where there is a terminal."""
        if self.console.is_terminal:
            return self.console.status(self.one_line(text), spinner="line")
        return nullcontext()

    def one_line(self, text: str) -> Text:
        """Text cut to what stands behind a spinner on one line, so that it can be redrawn in place."""
        width = max(10, self.console.width - 4)
        return Text(text if len(text) <= width else text[: width - 3] + "...")


def enable_line_editing() -> None:
    """Give ``input`` arrow keys and a history, where Python has them."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - importing it is what switches it on


class Thought:
    """A player choosing in a thread of its own, so that the terminal stays awake."""

    def __init__(self, player: Player, state: State) -> None:
        self.player = player
        self.state = state
        self.stop: threading.Event = threading.Event()
        self.latest: SearchResult | None = None
        self.choice: Choice | None = None
        self.error: BaseException | None = None
        # Not the thread's own end: up to Python 3.12 a join that Ctrl-C breaks takes it for dead.
        self.done: threading.Event = threading.Event()
        threading.Thread(target=self.work, daemon=True).start()

    def work(self) -> None:
        """Think, in the thread."""
        try:
            self.choice = self.player.choose(self.state.clone(), self.stop, self.watch)
        except BaseException as error:
            self.error = error
        finally:
            self.done.set()

    def watch(self, result: SearchResult) -> None:
        """Keep the latest answer for the spinner."""
        self.latest = result

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most so long; is it there?"""
        return self.done.wait(seconds)

    def answer(self) -> Choice:
        """The choice, once it is made; raises what went wrong."""
        while not self.wait(STATUS_SECONDS):
            pass
        if self.error is not None:
            raise self.error
        assert self.choice is not None
        return self.choice


class TerminalGame:
    """TerminalGame(state, players, adviser): ``run`` plays until the game ends or the person leaves.

    ``adviser`` gives the hints.
    """

    def __init__(self, state: State, players: tuple[Player, Player], adviser: EnginePlayer) -> None:
        self.start = state
        self.match: Match = Match(state, players)
        self.adviser = adviser
        self.notation: Notation = notation_for(state.get_game())
        self.terminal: Terminal = Terminal()
        self.tags: dict[str, str] = {}
        self.own_files: set[Path] = set()
        self.announced: bool = False
        self.commands: dict[str, Callable[[str], None]] = {
            "moves": self.list_moves,
            "hint": self.hint,
            "undo": self.undo,
            "new": self.start_again,
            "save": self.save,
            "load": self.load,
            "resign": self.resign,
            "help": self.help,
            "?": self.help,
            "quit": self.quit,
            "exit": self.quit,
            "q": self.quit,
        }

    # ---- The loop ------------------------------------------------------------------------------

    def run(self) -> None:
        """Play. Returns when it is over or left; KeyboardInterrupt is the caller's."""
        self.heading()
        self.show_board()
        try:
            while True:
                self.turn()
        except Left:
            return
        except EOFError:
            self.terminal.say("End of input: the game is left.")
        except KeyboardInterrupt:
            self.terminal.say("")
            raise

    def turn(self) -> None:
        """One move, or one command of a person."""
        if self.match.is_over():
            self.announce()
            if not self.has_human():
                raise Left
            self.obey(self.terminal.ask("undo, new, save FILE, load FILE or quit> "))
        elif self.match.mover().is_human:
            self.obey(self.terminal.ask(f"{self.side_to_move()}> "))
        else:
            self.let_play(self.match.mover())

    def has_human(self) -> bool:
        """Does a person play?"""
        return any(player.is_human for player in self.match.players)

    def side_to_move(self) -> str:
        """The name of the side whose turn it is."""
        return self.notation.side(self.match.state.current_player())

    def heading(self) -> None:
        """Who plays which side, and how to get help."""
        sides = [
            f"{self.notation.side(i)}: {player.name}" for i, player in enumerate(self.match.players)
        ]
        self.terminal.say(f"{self.match.state.get_game()}   {'   '.join(sides)}", "bold")
        if self.has_human():
            self.terminal.say("Type a move, or help.")

    def show_board(self) -> None:
        """The board as it is now."""
        self.terminal.show(draw_state(self.match.state, self.match.last_move()))

    def announce(self) -> None:
        """Say once how the game ended."""
        if self.announced:
            return
        self.announced = True
        resigned = self.match.resigned
        if resigned is None:
            text = self.notation.outcome(self.match.state)
        else:
            winner = self.notation.side(1 - resigned)
            text = f"{self.notation.side(resigned)} resigns: {winner} wins."
        self.terminal.say(f"Game over. {text}", "bold green")

    # ---- Moves ---------------------------------------------------------------------------------

    def let_play(self, player: Player) -> None:
        """Let the engine, or another program, move."""
        choice = self.think(player, f"{self.side_to_move()} is thinking")
        self.play(choice)

    def play(self, choice: Choice) -> None:
        """Play a choice and show it."""
        state = self.match.state
        mover = state.current_player()
        text = f"{self.notation.side(mover)} plays {self.notation.move(state, choice.action)}"
        if choice.result is not None:
            text += f"   {self.thoughts(state, choice.result)}"
        self.match.play(choice.action)
        self.show_board()
        self.terminal.say(text, PLAYER_STYLES[mover])

    def think(self, player: Player, heading: str) -> Choice:
        """A player's choice. Ctrl-C makes it choose at once; with no person to play on, it leaves."""
        state = self.match.state
        thought = Thought(player, state)
        try:
            with self.terminal.thinking(f"{heading} ...") as status:
                while not thought.wait(STATUS_SECONDS):
                    if status is not None and thought.latest is not None:
                        known = self.thoughts(state, thought.latest)
                        status.update(self.terminal.one_line(f"{heading} ...   {known}"))
        except KeyboardInterrupt:
            thought.stop.set()
            if not self.has_human():
                thought.wait(2)
                raise
            self.terminal.say("Stopped thinking.")
        return thought.answer()

    def thoughts(self, state: State, result: SearchResult) -> str:
        """Value, depth, line and work of a search, in a line."""
        line = " ".join(self.notation.line(state, result.principal_variation[:12]))
        more = " ..." if len(result.principal_variation) > 12 else ""
        return (
            f"value {self.worth(result)}, depth {result.depth}, line {line}{more}, "
            f"{result.nodes:,} nodes in {result.time:.2f} s"
        )

    def worth(self, result: SearchResult) -> str:
        """A value from the mover's side: ``+3 seeds``, ``win in 5``."""
        value, distance = result.value, result.distance
        if value is None:
            return "unknown"
        end = "win" if value > 0 else "loss" if value < 0 else "tie"
        unit = self.notation.unit if self.adviser.counts_in_returns(self.match.state) else ""
        if not unit:
            return f"{end} in {distance}" if distance is not None else f"{value:+g}"
        number = f"{value:+g} {unit}" if value else f"0 {unit}"
        return f"{number} ({end} in {distance})" if distance is not None else number

    # ---- Commands ------------------------------------------------------------------------------

    def obey(self, line: str) -> None:
        """Do what a person typed; say what is wrong with it otherwise."""
        if not line:
            return
        name, _, rest = line.partition(" ")
        command = self.commands.get(name.lower())
        try:
            if command is not None:
                command(rest.strip())
            elif self.match.is_over():
                self.terminal.complain(
                    "The game is over; type undo, new, save FILE, load FILE or quit."
                )
            else:
                self.play(Choice(self.notation.read_move(self.match.state, line)))
        except OSError as error:
            self.terminal.complain(f"{error.filename or rest}: {error.strerror or error}")
        except (ValueError, RuntimeError) as error:
            self.terminal.complain(str(error))

    def help(self, rest: str) -> None:
        """List the commands."""
        forms = {"move": self.notation.move_form, "file": self.notation.file_form}
        for name, text in HELP:
            self.terminal.say(f"  {name:<11}{text.format(**forms)}")
        self.terminal.say(
            "Ctrl-C while the engine thinks makes it move at once; elsewhere it leaves."
        )

    def list_moves(self, rest: str) -> None:
        """List the legal moves."""
        self.require_running()
        self.terminal.say(f"Legal moves: {self.notation.legal_moves(self.match.state)}")

    def hint(self, rest: str) -> None:
        """The adviser's move and why."""
        self.require_running()
        state = self.match.state
        choice = self.think(self.adviser, "Looking for a hint")
        move = self.notation.move(state, choice.action)
        assert choice.result is not None
        self.terminal.say(f"Hint: {move}   {self.thoughts(state, choice.result)}")

    def require_running(self) -> None:
        """ValueError when the game is over."""
        if self.match.is_over():
            raise ValueError("the game is over")

    def undo(self, rest: str) -> None:
        """Take back to the person's latest turn, or a resignation."""
        if not self.match.undo():
            raise ValueError("there is no move of yours to take back")
        self.announced = False
        self.show_board()

    def start_again(self, rest: str) -> None:
        """From the position that the program was started with."""
        self.go_on_with(GameRecord(self.start))

    def resign(self, rest: str) -> None:
        """Give up."""
        self.match.resign()

    def quit(self, rest: str) -> None:
        """Leave."""
        raise Left

    # ---- Files ---------------------------------------------------------------------------------

    def save(self, name: str) -> None:
        """Write the game; a file that is not this game's own is not replaced."""
        if not name:
            raise ValueError("type save and a file name")
        path = Path(name).expanduser()
        if path.resolve() not in self.own_files and path.exists():
            raise ValueError(f"{name} exists already; choose another name")
        record = GameRecord(self.match.state, {**self.tags, **self.player_tags()})
        record.result = self.match.result()
        self.notation.save(str(path), record)
        self.own_files.add(path.resolve())
        self.terminal.say(f"Saved to {name}.")

    def player_tags(self) -> dict[str, str]:
        """The players' names by side, the day, and how the game ended where the moves do not say."""
        tags = {self.notation.side(i): p.name for i, p in enumerate(self.match.players)}
        tags["Date"] = datetime.date.today().strftime("%Y.%m.%d")
        if self.match.resigned is not None:
            tags["Termination"] = "resignation"
        return tags

    def load(self, name: str) -> None:
        """Go on with a game from a file; the players stay who they are."""
        if not name:
            raise ValueError("type load and a file name")
        path = Path(name).expanduser()
        record = self.notation.load(str(path))
        self.terminal.say(f"Loaded {name}: {record.state.get_game()}")
        if record.left_out:
            self.terminal.say(f"Left out: {record.left_out}.")
        self.go_on_with(record)

    def go_on_with(self, record: GameRecord) -> None:
        """Play on from a record; the players stay who they are."""
        self.match = Match(record.state, self.match.players)
        self.notation = notation_for(record.state.get_game())
        self.tags = {key: text for key, text in record.tags.items() if key != "Termination"}
        # What a file holds besides is not kept, so saving must not replace it.
        self.own_files.clear()
        self.announced = False
        self.show_board()
