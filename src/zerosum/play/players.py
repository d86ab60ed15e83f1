"""Who plays: a person, the engine, chance. No drawing, no input."""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from zerosum.core.state import State
from zerosum.core.tablebase import default_tablebase
from zerosum.search import SearchResult, deepen
from zerosum.search.driver import BUILD_PAYS_FROM, StopEvent, check_limits
from zerosum.search.table import TranspositionTable

__all__ = ["Choice", "EnginePlayer", "Human", "Player", "RandomPlayer", "Watcher", "think"]

# Deeper is of no use at the speed of any game here; it ends the search of endless play without a clock.
FAR = 200

Watcher = Callable[[SearchResult], object]
"""Is shown the engine's answers as it thinks, in the thread that thinks."""


@dataclass(frozen=True)
class Choice:
    """A chosen action, and what was known of the position, if the player knows such things."""

    action: int
    result: SearchResult | None = None


class Player(ABC):
    """Somebody who chooses actions. ``name`` is for headings and game files."""

    name = "player"
    is_human = False

    @abstractmethod
    def choose(
        self, state: State, stop: StopEvent | None = None, watch: Watcher | None = None
    ) -> Choice:
        """A legal action; soon when ``stop`` is set. ``state`` is the player's to change."""


class Human(Player):
    """A person; ``ask`` is called for the action. A front end that has its own loop gives none."""

    name = "human"
    is_human = True

    def __init__(self, ask: Callable[[State], int] | None = None) -> None:
        self.ask = ask

    def choose(
        self, state: State, stop: StopEvent | None = None, watch: Watcher | None = None
    ) -> Choice:
        """What the person answers."""
        if self.ask is None:
            raise TypeError("nobody asks this person for a move")
        return Choice(self.ask(state))


class RandomPlayer(Player):
    """Any legal action, each as likely; the same ones for the same seed."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self.random: random.Random = random.Random(seed)

    def choose(
        self, state: State, stop: StopEvent | None = None, watch: Watcher | None = None
    ) -> Choice:
        """An action by chance."""
        return Choice(self.random.choice(state.legal_actions()))


def think(
    state: State, *, depth: int | None, time: float | None, **options: Any
) -> Iterator[SearchResult]:
    """``deepen``, as play wants it: to the proof where the game's tablebase is of use, else as far as can be.

    To a depth, an engine is to be as strong as that depth, so no tablebase is asked.
    """
    table = None if depth else default_tablebase(state, time is None or time >= BUILD_PAYS_FROM)
    goal = depth or (None if table else FAR)
    return deepen(state, depth=goal, time=time, tablebase=table or False, **options)


class EnginePlayer(Player):
    """The search, to a depth, for a time in seconds, or both; for a second where neither is given.

    Without a depth it uses the game's tablebase near the end, as ``search`` does.
    ValueError or TypeError for limits out of range, as in ``search``.
    """

    def __init__(
        self,
        depth: int | None = None,
        time: float | None = None,
        *,
        evaluate: str | None = None,
        table_mb: float = 64,
        threads: int = 1,
    ) -> None:
        check_limits(depth, time, None, threads)
        TranspositionTable(table_mb)  # small until it is used: says now whether the limit is one
        self.depth = depth
        self.time: float | None = 1.0 if depth is None and time is None else time
        self.evaluate = evaluate
        self.table_mb = table_mb
        self.threads = threads

    def counts_in_returns(self, state: State) -> bool:
        """Are the values of its answers in units of the game's returns?"""
        place = state.clone()
        if self.evaluate is not None:
            place.select_evaluation(self.evaluate)
        return place.value_scale() == 1

    @property
    def name(self) -> str:  # type: ignore[override]
        """The engine with its limits: ``zerosum, depth 10``."""
        limits = [f"depth {self.depth}"] if self.depth is not None else []
        limits += [f"{self.time:g} s a move"] if self.time is not None else []
        return ", ".join(["zerosum", *limits])

    def choose(
        self, state: State, stop: StopEvent | None = None, watch: Watcher | None = None
    ) -> Choice:
        """The best action found within the limits."""
        for result in think(
            state,
            depth=self.depth,
            time=self.time,
            evaluate=self.evaluate,
            table_mb=self.table_mb,
            threads=self.threads,
            all_actions=False,
            stop=stop,
        ):
            if watch is not None:
                watch(result)
        if result.action is None:
            raise ValueError("the game is over: there is nothing to choose")
        return Choice(result.action, result)
