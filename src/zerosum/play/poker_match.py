"""A match at the table: two players with stacks, hand after hand, with a log that people can read."""

import csv
import json
import random
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from io import StringIO
from math import isclose, sqrt
from typing import Any, Protocol

__all__ = [
    "AlwaysPlayer",
    "Hand",
    "HumanPlayer",
    "Match",
    "MatchResult",
    "Player",
    "PolicyPlayer",
    "RandomPlayer",
    "make_player",
    "play_match",
]

STACK = 3000
ANTE = 1
NORMAL_95 = 1.959963984540054


class Player(Protocol):
    """Whoever can choose an action."""

    def choose(self, state: Any, source: random.Random) -> int:
        """A legal action; ``state`` is to be looked at only through what its mover may know."""
        ...


class RandomPlayer:
    """Every legal action with the same probability."""

    def choose(self, state: Any, source: random.Random) -> int:
        """One of the legal actions."""
        actions = state.legal_actions()
        return int(actions[int(source.random() * len(actions))])


@dataclass(frozen=True)
class AlwaysPlayer:
    """One action whenever it is legal, else the legal action next to it."""

    action: int

    def choose(self, state: Any, source: random.Random) -> int:
        """The fixed action, or the nearest legal one."""
        return int(min(state.legal_actions(), key=lambda legal: (abs(legal - self.action), legal)))


class PolicyPlayer:
    """Plays a policy, a mapping from information-state strings to {action: probability}.

    ValueError names the information state whose entry is no distribution.
    """

    def __init__(self, policy: Mapping[str, Mapping[int, Any]]) -> None:
        for text, entry in policy.items():
            check_entry(text, entry)
        self.policy = policy

    def choose(self, state: Any, source: random.Random) -> int:
        """An action drawn from the policy; ValueError when it has no entry for what the player
        knows, or plays an action that is not legal there.
        """
        text = state.information_state_string()
        entry = self.policy.get(text)
        if entry is None:
            raise ValueError(f"the policy has no entry for information state {text!r}")
        legal = state.legal_actions()
        for action, probability in entry.items():
            if probability and action not in legal:
                raise ValueError(f"information state {text!r}: action {action!r} is not legal")
        point = source.random()
        chosen = -1
        for action in legal:
            probability = float(entry.get(action, 0))
            if probability > 0:
                chosen = int(action)
                if point < probability:
                    break
                point -= probability
        return chosen


def check_entry(text: str, entry: Any) -> None:
    """ValueError when a policy's entry is no distribution over actions."""
    try:
        shares = [float(share) for share in entry.values() if not isinstance(share, str)]
    except (AttributeError, TypeError, ValueError):
        shares = []
    if not shares or len(shares) < len(entry) or not min(shares) >= 0:
        raise ValueError(
            f"information state {text!r}: expected {{action: probability}}, not {entry!r:.80}"
        )
    if not isclose(sum(shares), 1, abs_tol=1e-6):
        raise ValueError(
            f"information state {text!r}: the probabilities sum to {sum(shares)}, not to 1"
        )


class HumanPlayer:
    """Asks at the terminal; a first letter is enough. EOFError or "quit" ends the match."""

    def __init__(
        self, ask: Callable[[str], str] = input, show: Callable[[str], None] = print
    ) -> None:
        self.ask = ask
        self.show = show
        self.match: Match | None = None
        self.seat: int = 0
        self.announced: int = 0

    def sit_down(self, match: "Match", seat: int) -> None:
        """Learn which match this is: its hands and stacks are shown before a hand's first choice."""
        self.match, self.seat, self.announced = match, seat, 0

    def choose(self, state: Any, source: random.Random) -> int:
        """The action that the human names."""
        opponent = "The opponent"
        if self.match is not None:
            opponent = self.match.names[1 - self.seat]
            self.announce(self.match)
        names = {state.action_to_string(action): action for action in state.legal_actions()}
        prompt = f"{situation(state, opponent)} {' or '.join(names)}? "
        while True:
            try:
                answer = self.ask(prompt).strip().upper()
            except (EOFError, KeyboardInterrupt):
                self.show("")  # what follows begins a line of its own
                raise
            if answer in ("QUIT", "Q"):
                raise EOFError
            fitting = [
                action for name, action in names.items() if answer and name.startswith(answer)
            ]
            if len(fitting) == 1:
                return int(fitting[0])
            self.show(f"Please answer {' or '.join(names)} (or QUIT).")

    def announce(self, match: "Match") -> None:
        """Once a hand: its number and both stacks."""
        if self.announced <= match.played:
            self.announced = match.played + 1
            stacks = zip(match.names, match.stacks, strict=True)
            shown = ", ".join(f"{name} {stack}" for name, stack in stacks)
            self.show(f"\nHand {self.announced}. Stacks: {shown}")


def situation(state: Any, opponent: str) -> str:
    """What the player to move sees: what the opponent did last, and the cards."""
    again = state.get_game().new_initial_state()
    cards, news = [], "You act first."
    for action in state.history():
        if again.is_chance_node():
            cards.append(state.get_game().card_name(action))
        elif again.current_player() != state.current_player():
            news = f"{opponent} {again.action_to_string(action).lower()}s."
        again.apply_action(action)
    board = f", the board is {cards[2]}" if len(cards) > 2 else ""
    return f"{news} You hold {cards[state.current_player()]}{board}."


def make_player(spec: Any, game: Any) -> Player:
    """A player from a word, a policy, or a player as it is.

    Words: "random" (or "uniform"), "equilibrium" (solved exactly when the ``lp`` extra is there,
    else by CFR), "pass" (always checks and folds), "bet" (always bets, raises and calls).
    ValueError for others.
    """
    if hasattr(spec, "choose"):
        return spec  # type: ignore[no-any-return]
    if isinstance(spec, Mapping):
        return PolicyPlayer(spec)
    if spec in ("random", "uniform"):
        return RandomPlayer()
    if spec == "pass":
        return AlwaysPlayer(0)
    if spec == "bet":
        return AlwaysPlayer(game.num_distinct_actions() - 1)
    if spec == "equilibrium":
        return PolicyPlayer(equilibrium_policy(game))
    raise ValueError(f"player {spec!r}: expected random, equilibrium, pass, bet or a policy")


def equilibrium_policy(game: Any) -> Mapping[str, Mapping[int, Any]]:
    """An equilibrium of the game: exact where the solver is installed, else nearly one."""
    from zerosum.equilibrium.cfr import CFRSolver
    from zerosum.equilibrium.lp import equilibrium

    try:
        return equilibrium(game).policy  # type: ignore[no-any-return]
    except ImportError:
        solver = CFRSolver(game, "pcfr+")
        solver.run(100_000, target=1e-6)
        return dict(solver.average_policy())


@dataclass(frozen=True)
class Hand:
    """One hand as it was played. Lists by player (not by seat), in coins."""

    number: int
    first: int  # the player who acts first
    cards: list[str]
    board: list[str]  # public cards
    actions: list[tuple[int, str]]  # (player, the action's name)
    winner: int | None  # None: the pot is split
    coins: int  # what the loser pays
    stacks: list[int]  # after the hand

    def text(self, names: Sequence[str]) -> str:
        """The hand as lines for people."""
        cards = ", ".join(
            f"{clause(name, 'have')} {card}" for name, card in zip(names, self.cards, strict=True)
        )
        lines = [
            f"Hand {self.number}: {cards}"
            + (f", board {' '.join(self.board)}" if self.board else "")
        ]
        lines += [f"  {names[player]}: {action}" for player, action in self.actions]
        stacks = ", ".join(
            f"{name} {stack}" for name, stack in zip(names, self.stacks, strict=True)
        )
        result = "  The pot is split"
        if self.winner is not None:
            unit = "coin" if self.coins == 1 else "coins"
            winner = clause(names[self.winner], "win")
            result = f"  {winner} {self.coins} {unit} from {names[1 - self.winner]}"
        return "\n".join([*lines, f"{result}. Stacks: {stacks}"])


def clause(name: str, verb: str) -> str:
    """Subject and verb: "you win", but "Ann wins"."""
    if name == "you":
        return f"{name} {verb}"
    return f"{name} has" if verb == "have" else f"{name} {verb}s"


@dataclass(frozen=True)
class MatchResult:
    """All hands of a match, and what they come to. Means are the first-named player's coins a hand."""

    game: str
    names: list[str]
    stack: list[int]  # each player's at the start
    seed: int
    hands: list[Hand] = field(repr=False)

    @property
    def gains(self) -> list[int]:
        """What the first-named player won in each hand."""
        signs = {0: 1, 1: -1, None: 0}
        return [signs[hand.winner] * hand.coins for hand in self.hands]

    @property
    def stacks(self) -> list[list[int]]:
        """Both players' stacks before the first and after every hand: what a plot of the match
        shows.
        """
        return [self.stack, *(hand.stacks for hand in self.hands)]

    @property
    def mean(self) -> float:
        """Mean gain of the first-named player; nan without a hand."""
        return sum(self.gains) / len(self.hands) if self.hands else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the mean (normal approximation); without bounds below two
        hands.
        """
        count = len(self.hands)
        if count < 2:
            return float("-inf"), float("inf")
        mean = self.mean
        variance = sum((gain - mean) ** 2 for gain in self.gains) / (count - 1)
        half = NORMAL_95 * sqrt(variance / count)
        return mean - half, mean + half

    def log(self) -> str:
        """Every hand, for people."""
        return "\n".join(hand.text(self.names) for hand in self.hands)

    def summary(self) -> str:
        """A few lines: who has what, the mean with its interval, and the seed."""
        if not self.hands:
            return f"No hand was played. Seed {self.seed}"
        stacks = ", ".join(
            f"{name} {stack}" for name, stack in zip(self.names, self.stacks[-1], strict=True)
        )
        low, high = self.interval
        count = len(self.hands)
        interval = f", 95 % in [{low:+.4f}, {high:+.4f}]" if count > 1 else ""
        return (
            f"{count} {'hand' if count == 1 else 'hands'} of {self.game}. Stacks: {stacks}\n"
            f"{clause(self.names[0], 'win')} {self.mean:+.4f} coins a hand{interval}\n"
            f"Seed {self.seed}"
        )

    def to_json(self) -> str:
        """The match as JSON: what it was, its summary, and every hand."""
        low, high = self.interval
        finite = len(self.hands) > 1
        return json.dumps(
            {
                "game": self.game,
                "names": self.names,
                "stack": self.stack,
                "seed": self.seed,
                "summary": {
                    "hands": len(self.hands),
                    "mean": self.mean if self.hands else None,
                    "interval": [low, high] if finite else None,
                    "stacks": self.stacks[-1],
                },
                "hands": [asdict(hand) for hand in self.hands],
            },
            indent=1,
        )

    def to_csv(self) -> str:
        """A line a hand, with a heading."""
        out = StringIO()
        writer = csv.writer(out, lineterminator="\n")
        first, second = self.names
        writer.writerow(
            [
                "hand",
                "first",
                f"card {first}",
                f"card {second}",
                "board",
                "actions",
                "winner",
                "coins",
                f"stack {first}",
                f"stack {second}",
            ]
        )
        for hand in self.hands:
            actions = " ".join(f"{self.names[player]}:{action}" for player, action in hand.actions)
            winner = "" if hand.winner is None else self.names[hand.winner]
            writer.writerow(
                [
                    hand.number,
                    self.names[hand.first],
                    *hand.cards,
                    " ".join(hand.board),
                    actions,
                    winner,
                    hand.coins,
                    *hand.stacks,
                ]
            )
        return out.getvalue()


def is_count(number: Any) -> bool:
    """Is this a whole number, 0 or more?"""
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0


class Match:
    """Two players, their stacks, and hands to be played one after the other.

    ``game``: KuhnPoker or LeducPoker. ``players``: a pair of what ``make_player`` takes.
    ``stacks``: coins, one number or a pair. ``alternate``: the second-named player acts first in
    every second hand. Nobody wins more than either had before the hand, and the match ends when one
    cannot post the ante. ``seed``: None draws one.
    """

    def __init__(
        self,
        game: Any,
        players: Sequence[Any],
        *,
        names: Sequence[str] = ("Player 1", "Player 2"),
        stacks: int | Sequence[int] = STACK,
        alternate: bool = False,
        seed: int | None = None,
    ) -> None:
        pair = list(stacks) if isinstance(stacks, Sequence) else [stacks, stacks]
        if len(pair) != 2 or not all(is_count(stack) for stack in pair):
            raise ValueError(
                f"stacks={stacks!r}: expected whole numbers of coins, one for each player"
            )
        if len(players) != 2 or len(set(names)) != 2:
            raise ValueError("two players with different names are needed")
        self.game = game
        self.players: list[Player] = [make_player(player, game) for player in players]
        self.names: list[str] = list(names)
        self.start: list[int] = list(pair)
        self.stacks: list[int] = list(pair)
        self.alternate = alternate
        self.seed: int = secrets.randbits(32) if seed is None else seed
        self.source: random.Random = random.Random(self.seed)
        self.played: int = 0
        self.record: list[Hand] = []
        for seat, player in enumerate(self.players):
            if isinstance(player, HumanPlayer):
                player.sit_down(self, seat)

    def play(self, count: int, show: Callable[[str], None] | None = None) -> None:
        """Play and record up to ``count`` more hands; ``show`` gets the text of each as it ends.

        A human who quits ends the match after the last full hand.
        """
        if not is_count(count):
            raise ValueError(f"hands={count!r}: expected a whole number of hands")
        try:
            for hand in self.hands(count):
                self.record.append(hand)
                if show is not None:
                    show(hand.text(self.names))
        except EOFError:
            pass

    def result(self) -> MatchResult:
        """All full hands that were recorded so far."""
        return MatchResult(repr(self.game), self.names, self.start, self.seed, list(self.record))

    def hands(self, count: int) -> Iterator[Hand]:
        """Play up to ``count`` more hands; fewer when somebody cannot post the ante."""
        for _ in range(count):
            if min(self.stacks) < ANTE:
                return
            yield self.play_hand()

    def play_hand(self) -> Hand:
        """Deal, play and pay one hand."""
        first = self.played % 2 if self.alternate else 0
        state, actions = self.game.new_initial_state(), []
        dealt: list[str] = []
        while not state.is_terminal():
            if state.is_chance_node():
                card = self.draw_card(state)
                dealt.append(self.game.card_name(card))
                state.apply_action(card)
                continue
            player = first ^ state.current_player()
            action = self.players[player].choose(state, self.source)
            actions.append((player, state.action_to_string(action)))
            state.apply_action(action)
        value = round(state.returns()[0])
        winner = None if value == 0 else first if value > 0 else 1 - first
        coins = min(abs(value), *self.stacks)
        if winner is not None:
            self.stacks[winner] += coins
            self.stacks[1 - winner] -= coins
        self.played += 1
        cards = dealt[:2] if first == 0 else dealt[1::-1]
        return Hand(self.played, first, cards, dealt[2:], actions, winner, coins, list(self.stacks))

    def draw_card(self, state: Any) -> int:
        """A card by chance's probabilities."""
        point = self.source.random()
        outcomes = state.chance_outcomes()
        for card, probability in outcomes:
            if point < probability:
                return int(card)
            point -= probability
        return int(outcomes[-1][0])


def play_match(
    game: Any,
    players: Sequence[Any],
    hands: int = 1000,
    *,
    names: Sequence[str] = ("Player 1", "Player 2"),
    stacks: int | Sequence[int] = STACK,
    alternate: bool = False,
    seed: int | None = None,
    show: Callable[[str], None] | None = None,
) -> MatchResult:
    """Play a whole match and return it; ``show`` gets the text of every hand as it ends.

    Deterministic for a seed on every platform; None draws one, found in the result. A human who
    quits ends the match after the last full hand.
    """
    match = Match(game, players, names=names, stacks=stacks, alternate=alternate, seed=seed)
    match.play(hands, show)
    return match.result()
