# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Kuhn poker (H. W. Kuhn, A simplified two-person poker, 1950) with any number of cards.

Action and card numbers and information states are OpenSpiel's; actions show as CHECK, BET, FOLD, CALL.
"""

from libc.stdint cimport uint64_t

from zerosum.core.game import Game
from zerosum.core.hidden cimport HiddenState
from zerosum.core.state cimport CHANCE, State, mix64

RANKS = "A23456789TJQK"
NAMES = {1: ("CHECK", "BET"), 2: ("CHECK", "BET"), 3: ("FOLD", "CALL"), 5: ("FOLD", "CALL")}


class KuhnPoker(Game):
    """Kuhn poker for two: ante 1, one card each from a deck of ``cards`` ranked cards, one bet of 1.

    ``cards`` is at least 3 (ValueError otherwise); three are the standard game with J, Q and K.
    Returns are in coins. Actions: 0 pass (check or fold), 1 bet or call; at chance nodes, card indices.
    """

    perfect_information = False
    deterministic = False

    def __init__(self, cards=3):
        if isinstance(cards, bool) or int(cards) != cards or cards < 3:
            raise ValueError(f"cards={cards!r}: Kuhn poker needs a whole number of cards, 3 or more")
        if cards > 1 << 24:
            raise ValueError(f"cards={cards!r}: at most {1 << 24} are supported")
        self.cards = int(cards)

    def new_initial_state(self):
        """A new state before the deal."""
        return KuhnState(self)

    def state(self, cards="", history=""):
        """A state from the cards dealt so far and the betting.

        ``cards``: up to two of them, player 0's first, as text (``"JQ"``; ``"9 11"`` where cards have no
        one-letter names), or as a sequence of names or indices. ``history``: text of p (check or fold)
        and b (bet or call), such as ``"pb"``. ValueError says what is wrong.
        """
        state = KuhnState(self)
        for card in self.parse_cards(cards):
            if card not in state.legal_actions():
                raise ValueError(f"cards={cards!r}: expected at most two different cards")
            state.apply_action(card)
        for place, letter in enumerate(history):
            if letter not in ("p", "b"):
                raise ValueError(f"history {history!r}: {letter!r} at {place} is not p or b")
            if state.is_chance_node():
                raise ValueError(f"history {history!r}: betting starts when both players have a card")
            if state.is_terminal():
                raise ValueError(f"history {history!r}: the hand is over after {history[:place]!r}")
            state.apply_action("pb".index(letter))
        return state

    def parse_cards(self, cards):
        """Card indices of a text or a sequence of names or indices; ValueError names an unknown card."""
        if isinstance(cards, str):
            cards = cards.split() if " " in cards or self.cards > len(RANKS) else list(cards)
        return [self.card_index(card) for card in cards]

    def card_index(self, card):
        """The index of one card given as its name or index; ValueError when the deck has no such card."""
        if isinstance(card, str):
            names = RANKS[-self.cards:] if self.cards <= len(RANKS) else None
            if names and len(card) == 1 and card.upper() in names:
                return names.index(card.upper())
            if names is None and card.isdigit() and 1 <= int(card) <= self.cards:
                return int(card) - 1
            shown = f"one of {names}" if names else f"a number from 1 to {self.cards}"
            raise ValueError(f"card {card!r}: expected {shown}")
        if isinstance(card, bool) or int(card) != card or not 0 <= card < self.cards:
            raise ValueError(f"card {card!r}: indices run from 0 to {self.cards - 1}")
        return int(card)

    def card_name(self, card):
        """What people call a card: J, Q, K for three cards, down to A for 13, else a number from 1."""
        return RANKS[card - self.cards] if self.cards <= len(RANKS) else str(card + 1)

    def num_distinct_actions(self):
        """2: pass and bet."""
        return 2

    def max_utility(self):
        """2 coins: the ante and one bet."""
        return 2.0

    def max_game_length(self):
        """3 actions, the deal not counted."""
        return 3

    def __eq__(self, other):
        return isinstance(other, KuhnPoker) and self.cards == other.cards

    def __hash__(self):
        return hash(("KuhnPoker", self.cards))

    def __repr__(self):
        return f"KuhnPoker(cards={self.cards})"


cdef class KuhnState(HiddenState):
    """KuhnState(game)\n--\n
    A hand of Kuhn poker, before the deal; made by ``KuhnPoker.new_initial_state`` and ``KuhnPoker.state``.
    """

    def __init__(self, game):
        State.__init__(self, game)
        self.cards = game.cards
        self.line = 1
        self.mover = CHANCE
        self.max_actions = game.cards
        self.max_utility = 2.0
        self.can_repeat = False

    cdef State copy(self):
        cdef KuhnState other = KuhnState.__new__(KuhnState)
        other.game = self.game
        other.cards = self.cards
        other.dealt = self.dealt
        other.hand = self.hand
        other.line = self.line
        other.mover = self.mover
        other.max_actions = self.max_actions
        other.max_utility = 2.0
        other.can_repeat = False
        return other

    cdef int legal(self, int* actions) except -1 nogil:
        cdef int card, count = 0
        if self.dealt == 2:
            if self.over():
                return 0
            actions[0] = 0
            actions[1] = 1
            return 2
        for card in range(self.cards):
            if self.dealt == 0 or card != self.hand[0]:
                actions[count] = card
                count += 1
        return count

    cdef int chance(self, double* probabilities) except -1 nogil:
        cdef int i, count = self.cards - self.dealt
        for i in range(count):
            probabilities[i] = 1.0 / count
        return 0

    cdef int apply(self, int action) except -1 nogil:
        if self.dealt < 2:
            self.hand[self.dealt] = action
            self.dealt += 1
        else:
            self.line = 2 * self.line + action
        self.mover = CHANCE if self.dealt < 2 else mover_after(self.line)
        return 0

    cdef int undo(self) except -1 nogil:
        if self.line > 1:
            self.line >>= 1
        else:
            self.dealt -= 1
        self.mover = CHANCE if self.dealt < 2 else mover_after(self.line)
        return 0

    cdef int over(self) except -1 nogil:
        return self.line > 3 and self.line != 5

    cdef double utility(self) except? -1e300 nogil:
        if self.line == 6:
            return 1.0
        if self.line == 10:
            return -1.0
        cdef double stake = 1.0 if self.line == 4 else 2.0
        return stake if self.hand[0] > self.hand[1] else -stake

    cdef uint64_t key(self) except? 0 nogil:
        cdef uint64_t packed = <uint64_t>(self.hand[0] if self.dealt > 0 else 0)
        packed = packed << 25 | <uint64_t>(self.hand[1] if self.dealt > 1 else 0)
        return mix64((packed << 6 | <uint64_t>self.dealt << 4 | <uint64_t>self.line) + 1)

    cdef uint64_t information_key(self) except? 0xFFFFFFFFFFFFFFFF nogil:
        return <uint64_t>self.hand[self.mover] << 4 | <uint64_t>self.line

    def betting(self):
        """The betting so far: p for check and fold, b for bet and call."""
        return bin(self.line)[3:].replace("0", "p").replace("1", "b")

    def information_state_string(self, player=None):
        """A player's card index, then the betting: ``"0pb"``. The player to move unless given."""
        cdef int who = self.mover if player is None else player
        if who not in (0, 1):
            raise ValueError(f"player {who}: only players 0 and 1 have information states")
        return (str(self.hand[who]) if self.dealt > who else "") + self.betting()

    def action_to_string(self, player, action=None):
        """CHECK, BET, FOLD or CALL; the card's name at a deal."""
        player, action = (self.mover, player) if action is None else (player, action)
        if player == CHANCE:
            return f"deal {self.game.card_name(action)}"
        if self.line not in NAMES:
            raise ValueError("the hand is over: no action has a name")
        return NAMES[self.line][action]

    def put_in(self):
        """The coins that each player has put into the pot, antes included: [player 0's, player 1's]."""
        return [2 if self.line in (3, 6, 7, 11) else 1, 2 if self.line in (5, 7, 10, 11) else 1]

    def __str__(self):
        parts = [str(self.hand[player]) for player in range(self.dealt)]
        return " ".join(parts + [self.betting()] if self.line > 1 else parts)


cdef inline int mover_after(int line) noexcept nogil:
    return 1 if line == 2 or line == 3 else 0
