# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Leduc poker (Southey et al., Bayes' bluff: opponent modelling in poker, 2005).

Action and card numbers and information states are OpenSpiel's; actions show as FOLD, CHECK, CALL, BET
and RAISE.
"""

from libc.stdint cimport uint64_t

from zerosum.core.game import Game
from zerosum.core.hidden cimport HiddenState
from zerosum.core.state cimport CHANCE, State, mix64

LETTERS = {"f": 0, "c": 1, "r": 2}


class LeducPoker(Game):
    """Leduc poker for two: J, Q, K in two suits, ante 1, two rounds of betting, one public card between.

    A raise is 2 coins in the first round and 4 in the second, at most two a round; player 0 opens both.
    A pair with the public card wins, else the higher card. Actions: 0 fold (only against a raise), 1
    check or call, 2 raise. Cards are 0..5 with rank = card // 2; with ``ranks_only=True`` the suits are
    merged: cards are the ranks 0..2, dealt with the probabilities of the real deck. The game is the same,
    with 144 instead of 468 information sets a player. Returns are in coins.
    """

    perfect_information = False
    deterministic = False

    def __init__(self, ranks_only=False):
        if not isinstance(ranks_only, bool):
            raise ValueError(f"ranks_only={ranks_only!r}: expected True or False")
        self.ranks_only = ranks_only

    def new_initial_state(self):
        """A new state before the deal."""
        return LeducState(self)

    def state(self, cards="", history=""):
        """A state from the cards and the betting.

        ``cards``: player 0's, player 1's and the public one, as far as known: a sequence of card numbers,
        or text of J, Q and K (the first suit that is still in the deck). ``history``: text of f (fold),
        c (check or call) and r (raise), with ``/`` where the public card is dealt, such as ``"rc/r"``;
        only with it is there a third card.
        ValueError says what is wrong.
        """
        state = LeducState(self)
        numbers = self.parse_cards(cards)
        for card in numbers[:2]:
            deal_checked(state, card, cards)
        for place, letter in enumerate(history):
            if letter == "/":
                if len(numbers) < 3:
                    raise ValueError(f"history {history!r}: cards={cards!r} has no public card to deal")
                if not state.is_chance_node():
                    raise ValueError(f"history {history!r}: no card is dealt at {place}")
                deal_checked(state, numbers[2], cards)
            else:
                bet_checked(state, letter, history, place)
        if len(numbers) > 2 and "/" not in history:
            raise ValueError(f'cards={cards!r}: the third is dealt at "/", which {history!r} does not have')
        return state

    def parse_cards(self, cards):
        """Card numbers of a text of J, Q, K or a sequence of numbers; ValueError names a bad card."""
        copies = 2 if self.ranks_only else 1
        numbers = []
        for card in cards:
            if isinstance(card, str):
                card = self.card_number(card, numbers)
            if isinstance(card, bool) or int(card) != card or not 0 <= card < 6 // copies:
                raise ValueError(f"card {card!r} is not in the deck")
            if numbers.count(card) == copies:
                raise ValueError(f"cards={cards!r}: the deck has no more of {self.card_name(card)}")
            numbers.append(int(card))
        if len(numbers) > 3:
            raise ValueError(f"cards={cards!r}: at most three are dealt")
        return numbers

    def card_number(self, name, taken):
        """The number of J, Q or K: the first suit that is not taken."""
        if name.upper() not in ("J", "Q", "K"):
            raise ValueError(f"card {name!r}: expected J, Q or K")
        rank = "JQK".index(name.upper())
        return rank if self.ranks_only else 2 * rank + (2 * rank in taken)

    def card_name(self, card):
        """What people call a card: J, Q or K."""
        return "JQK"[card if self.ranks_only else card // 2]

    def num_distinct_actions(self):
        """3: fold, call and raise."""
        return 3

    def max_utility(self):
        """13 coins: the ante, two raises of 2 and two of 4."""
        return 13.0

    def max_game_length(self):
        """8 actions, the deal not counted."""
        return 8

    def __eq__(self, other):
        return isinstance(other, LeducPoker) and self.ranks_only == other.ranks_only

    def __hash__(self):
        return hash(("LeducPoker", self.ranks_only))

    def __repr__(self):
        return f"LeducPoker(ranks_only={self.ranks_only})"


def deal_checked(state, card, cards):
    """Deal a card; ValueError when it is not in the deck any more, or nothing is to be dealt."""
    if not state.is_chance_node() or card not in state.legal_actions():
        raise ValueError(f"cards={cards!r}: card {card} cannot be dealt here")
    state.apply_action(card)


def bet_checked(state, letter, history, place):
    """Play f, c or r; ValueError says where a history goes wrong."""
    if letter not in LETTERS:
        raise ValueError(f"history {history!r}: {letter!r} at {place} is none of f, c, r and /")
    if state.is_terminal():
        raise ValueError(f"history {history!r}: the hand is over after {history[:place]!r}")
    if state.is_chance_node():
        raise ValueError(f"history {history!r}: a card must be dealt before {letter!r} at {place}")
    if LETTERS[letter] not in state.legal_actions():
        raise ValueError(f"history {history!r}: {letter!r} at {place} is not legal there")
    state.apply_action(LETTERS[letter])


cdef class LeducState(HiddenState):
    """LeducState(game)\n--\n
    A hand of Leduc poker, before the deal; made by ``LeducPoker.new_initial_state`` and
    ``LeducPoker.state``.
    """

    def __init__(self, game):
        State.__init__(self, game)
        self.ranks_only = game.ranks_only
        self.mover = CHANCE
        self.max_actions = 6
        self.max_utility = 13.0
        self.can_repeat = False
        self.table.hand[0] = self.table.hand[1] = self.table.public = NO_CARD
        self.table.folded = -1
        self.table.mover = CHANCE
        self.table.put_in[0] = self.table.put_in[1] = 1
        self.table.line[0] = self.table.line[1] = 1

    cdef State copy(self):
        cdef LeducState other = LeducState.__new__(LeducState)
        other.game = self.game
        other.ranks_only = self.ranks_only
        other.plies = self.plies
        other.table = self.table
        other.past = self.past
        other.mover = self.mover
        other.max_actions = 6
        other.max_utility = 13.0
        other.can_repeat = False
        return other

    cdef int rank(self, int card) noexcept nogil:
        return card if self.ranks_only else card >> 1

    cdef int legal(self, int* actions) except -1 nogil:
        cdef int action, count = 0
        if self.table.over:
            return 0
        if self.mover == CHANCE:
            return self.deck(actions)
        for action in range(3):
            if action == 0 and self.table.put_in[0] == self.table.put_in[1]:
                continue
            if action == 2 and self.table.raises == 2:
                continue
            actions[count] = action
            count += 1
        return count

    cdef int left(self, int card) noexcept nogil:
        cdef int copies = 2 if self.ranks_only else 1
        return copies - (self.table.hand[0] == card) - (self.table.hand[1] == card)

    cdef int deck(self, int* actions) noexcept nogil:
        cdef int card, count = 0
        for card in range(3 if self.ranks_only else 6):
            if self.left(card) > 0:
                actions[count] = card
                count += 1
        return count

    cdef int chance(self, double* probabilities) except -1 nogil:
        cdef int actions[6]
        cdef int i, count = self.deck(actions)
        cdef int seen = (self.table.hand[0] != NO_CARD) + (self.table.hand[1] != NO_CARD)
        for i in range(count):
            probabilities[i] = <double>self.left(actions[i]) / (6 - seen)
        return 0

    cdef int apply(self, int action) except -1 nogil:
        self.past[self.plies] = self.table
        self.plies += 1
        if self.mover == CHANCE:
            self.deal(action)
        else:
            self.bet(action)
        self.mover = self.table.mover
        return 0

    cdef int undo(self) except -1 nogil:
        self.plies -= 1
        self.table = self.past[self.plies]
        self.mover = self.table.mover
        return 0

    cdef void deal(self, int card) noexcept nogil:
        if self.table.hand[0] == NO_CARD:
            self.table.hand[0] = <signed char>card
            return
        if self.table.hand[1] == NO_CARD:
            self.table.hand[1] = <signed char>card
        else:
            self.table.public = <signed char>card
        self.table.mover = 0

    cdef void bet(self, int action) noexcept nogil:
        cdef Table* table = &self.table
        cdef int mover = table.mover
        table.line[table.round] = table.line[table.round] << 2 | <unsigned int>action
        table.acted += 1
        table.mover = <signed char>(1 - mover)
        if action == 0:
            table.folded = <signed char>mover
            table.over = 1
        elif action == 1:
            table.put_in[mover] = table.put_in[1 - mover]
            if table.acted > 1:
                self.close_round()
        else:
            table.put_in[mover] = table.put_in[1 - mover] + (4 if table.round else 2)
            table.raises += 1

    cdef void close_round(self) noexcept nogil:
        if self.table.round == 1:
            self.table.over = 1
            return
        self.table.round = 1
        self.table.raises = self.table.acted = 0
        self.table.mover = CHANCE

    cdef int over(self) except -1 nogil:
        return self.table.over

    cdef int strength(self, int player) noexcept nogil:
        # A pair beats every single card.
        cdef int rank = self.rank(self.table.hand[player])
        return rank + 3 if rank == self.rank(self.table.public) else rank

    cdef double utility(self) except? -1e300 nogil:
        if self.table.folded >= 0:
            return self.table.put_in[1] if self.table.folded == 1 else -self.table.put_in[0]
        cdef int lead = self.strength(0) - self.strength(1)
        return 0.0 if lead == 0 else self.table.put_in[0] if lead > 0 else -self.table.put_in[0]

    cdef uint64_t view(self, int card) noexcept nogil:
        cdef uint64_t packed = <uint64_t>(card + 1) << 3 | <uint64_t>(self.table.public + 1)
        return packed << 24 | <uint64_t>self.table.line[0] << 12 | self.table.line[1]

    cdef uint64_t key(self) except? 0 nogil:
        return mix64((self.view(self.table.hand[0]) << 3 | <uint64_t>(self.table.hand[1] + 1)) + 1)

    cdef uint64_t information_key(self) except? 0xFFFFFFFFFFFFFFFF nogil:
        return self.view(self.table.hand[self.mover])

    def betting(self):
        """The actions of both rounds: ([first round's], [second round's])."""
        rounds = []
        for line in self.table.line:
            digits = bin(line)[3:]
            rounds.append([int(digits[at:at + 2], 2) for at in range(0, len(digits), 2)])
        return tuple(rounds)

    def information_state_string(self, player=None):
        """What a player (the one to move, unless given) knows, in OpenSpiel's words."""
        cdef int who = self.mover if player is None else player
        if who not in (0, 1):
            raise ValueError(f"player {who}: only players 0 and 1 have information states")
        table = self.table
        first, second = (" ".join(map(str, line)) for line in self.betting())
        money = " ".join(str(100 - table.put_in[seat]) for seat in range(2))
        private = self.table.hand[who]
        public = f"[Public: {table.public}]" if table.public != NO_CARD else ""
        return (f"[Observer: {who}][Private: {private if private != NO_CARD else -10000}]"
                f"[Round {table.round + 1}][Player: {table.mover}]"
                f"[Pot: {table.put_in[0] + table.put_in[1]}][Money: {money}]{public}"
                f"[Round1: {first}][Round2: {second}]")

    def action_to_string(self, player, action=None):
        """FOLD, CHECK, CALL, BET or RAISE; the card's name at a deal."""
        player, action = (self.mover, player) if action is None else (player, action)
        if player == CHANCE:
            return f"deal {self.game.card_name(action)}"
        facing = self.table.put_in[0] != self.table.put_in[1]
        return ("FOLD", "CALL" if facing else "CHECK", "RAISE" if facing else "BET")[action]

    def put_in(self):
        """The coins that each player has put into the pot, antes included: [player 0's, player 1's]."""
        return [self.table.put_in[0], self.table.put_in[1]]

    def __str__(self):
        first, second = ("".join("fcr"[action] for action in line) for line in self.betting())
        cards = [str(card) for card in self.table.hand if card != NO_CARD]
        public = f" / {self.table.public} {second}" if self.table.public != NO_CARD else ""
        return (" ".join([*cards, first]) + public).strip()
