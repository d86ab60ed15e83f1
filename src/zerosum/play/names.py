"""Games by the names that people type, and files by theirs."""

from pathlib import Path
from typing import Any

from zerosum.core.game import Game
from zerosum.games.oware import CHOICES, RULE_SETS, Oware
from zerosum.games.oware_text import switch_value
from zerosum.games.tictactoe import MNK, TicTacToe

__all__ = ["GAMES", "check_folder", "game_by_name"]

GAMES = (
    "tictactoe, mnk:M,N,K (such as mnk:4,3,3), oware, oware:RULES (abapa, awari or casual), "
    "oware:RULES,NAME=VALUE,... (houses, seeds, grand_slam, feeding, no_move, repetition, majority)"
)

NUMBERS = ("houses", "seeds")


def game_by_name(name: str) -> Game:
    """The game that a name stands for; ValueError that lists the names when there is none."""
    kind, _, rest = name.partition(":")
    if kind == "tictactoe" and not rest:
        return TicTacToe()
    if kind == "mnk":
        numbers = rest.split(",")
        if len(numbers) != 3 or not all(number.strip().isdecimal() for number in numbers):
            raise ValueError(f"mnk needs three numbers, such as mnk:4,3,3, not {name!r}")
        return MNK(*map(int, numbers))
    if kind == "oware":
        return oware_by_name(rest)
    if kind in ("kuhn", "leduc", "leduc-ranks"):
        play = "; zerosum play kuhn plays it" if kind == "kuhn" else ""
        raise ValueError(f"{name} has hidden cards: zerosum cfr {name} solves it{play}")
    raise ValueError(f"there is no game called {name!r}; known are {GAMES}")


def check_folder(path: Path) -> None:
    """ValueError when no file can be written to the path; asked before long work."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder")
    if not path.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {path.parent}")


def oware_by_name(text: str) -> Oware:
    """Oware from what stands behind its name: ``casual,houses=5,grand_slam=illegal``, all of it optional."""
    words = text.split(",") if text else []
    rules = words.pop(0) if words and "=" not in words[0] else "abapa"
    if rules not in RULE_SETS:
        raise ValueError(f"oware has the rules {', '.join(RULE_SETS)}, not {rules!r}")
    given: dict[str, Any] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in (*NUMBERS, *CHOICES) or name in given:
            raise ValueError(
                f"{word!r} is no setting of oware, or its second: {', '.join((*NUMBERS, *CHOICES))}"
            )
        if name in NUMBERS and not value.isdecimal():
            raise ValueError(f"{name} needs a whole number, not {value!r}")
        given[name] = int(value) if name in NUMBERS else switch_value(value)
    return Oware(rules, **given)
