"""Oware played seed by seed from the rule book: slow, obvious, sharing nothing with the package.

The board is a list: South's houses A, B, .., then North's a, b, ..; sowing goes up it and round.
"""

RULE_SETS = {
    "abapa": {
        "grand_slam": "no_capture",
        "feeding": "must_feed",
        "no_move": "own_row",
        "repetition": "own_row",
        "majority": True,
    },
    "awari": {
        "grand_slam": "illegal",
        "feeding": "must_not_starve",
        "no_move": "opponent",
        "repetition": "split",
        "majority": True,
    },
    "casual": {
        "grand_slam": "captures_all",
        "feeding": "no_duty",
        "no_move": "nobody",
        "repetition": "none",
        "majority": False,
    },
}


class OwareTwin:
    def __init__(
        self, rules="abapa", houses=6, seeds=4, board=None, stores=(0, 0), mover=0, **switches
    ):
        self.rules = {**RULE_SETS[rules], **switches}
        self.houses = houses
        self.total = 2 * houses * seeds
        self.board = list(board) if board is not None else [seeds] * (2 * houses)
        self.stores = list(stores)
        self.mover = mover
        self.seen = [self.position()]  # since the last capture, this one included
        self.past = []

    def position(self):
        return (tuple(self.board), tuple(self.stores), self.mover)

    def row(self, player):
        """Places of a player's houses in the board, in sowing order."""
        return list(range(player * self.houses, (player + 1) * self.houses))

    def seeds_of(self, board, player):
        return sum(board[place] for place in self.row(player))

    # ---- one move ------------------------------------------------------------------------------

    def sow(self, board, house):
        """Sow seed by seed; returns where the last one fell."""
        origin = self.row(self.mover)[house]
        hand = board[origin]
        board[origin] = 0
        place = origin
        while hand:
            place = (place + 1) % len(board)
            if place == origin:
                continue
            board[place] += 1
            hand -= 1
        return place

    def captured_houses(self, board, last):
        """Enemy houses with 2 or 3, from the last seed's house backwards, as they are captured."""
        enemy = self.row(1 - self.mover)
        taken = []
        place = last
        while place in enemy and board[place] in (2, 3):
            taken.append(place)
            place -= 1
        return taken

    def result(self, house):
        """(board, seeds to the mover, seeds to the opponent, was it a grand slam?) of a move."""
        board = list(self.board)
        last = self.sow(board, house)
        taken = self.captured_houses(board, last)
        captured = sum(board[place] for place in taken)
        slam = captured > 0 and captured == self.seeds_of(board, 1 - self.mover)
        if slam:
            how = self.rules["grand_slam"]
            if how == "no_capture":
                taken = []
            elif how == "all_but_first":
                taken = taken[1:]
            elif how == "all_but_last":
                taken = taken[:-1]
        captured = 0
        for place in taken:
            captured += board[place]
            board[place] = 0
        forfeited = 0
        if slam and self.rules["grand_slam"] == "opponent_keeps":
            forfeited = sum(board)
            board = [0] * len(board)
        return board, captured, forfeited, slam

    # ---- which moves are legal -----------------------------------------------------------------

    def feeds(self, house):
        board = list(self.board)
        self.sow(board, house)
        return self.seeds_of(board, 1 - self.mover) > 0

    def starves(self, house):
        return self.seeds_of(self.result(house)[0], 1 - self.mover) == 0

    def moves(self):
        """Legal moves, whether or not a majority or a repetition has ended the game."""
        moves = [
            house for house in range(self.houses) if self.board[self.row(self.mover)[house]] > 0
        ]
        if self.rules["feeding"] == "must_not_starve":
            return [house for house in moves if not self.starves(house)] or moves
        if self.rules["feeding"] == "must_feed" and self.seeds_of(self.board, 1 - self.mover) == 0:
            moves = [house for house in moves if self.feeds(house)]
        if self.rules["grand_slam"] == "illegal":
            moves = [house for house in moves if not self.result(house)[3]]
        return moves

    # ---- the end -------------------------------------------------------------------------------

    def end_reason(self):
        if self.rules["majority"] and max(self.stores) > self.total / 2:
            return "majority"
        if self.rules["repetition"] != "none" and self.position() in self.seen[:-1]:
            return "repetition"
        if not self.moves():
            return "no move"
        return None

    def legal(self):
        return [] if self.end_reason() else self.moves()

    def final_scores(self):
        reason = self.end_reason()
        rest = [self.seeds_of(self.board, player) for player in (0, 1)]
        how = {
            "majority": "own_row",
            "repetition": self.rules["repetition"],
            "no move": self.rules["no_move"],
        }[reason]
        if how == "own_row":
            gain = rest
        elif how == "split":
            gain = [sum(rest) / 2, sum(rest) / 2]
        elif how == "opponent":
            gain = [0, 0]
            gain[1 - self.mover] = sum(rest)
        else:
            gain = [0, 0]
        return (self.stores[0] + gain[0], self.stores[1] + gain[1])

    def original_evaluation(self):
        """(2 own captured + enemy houses of 1 or 2) - (2 enemy captured + own houses of 1 or 2)."""
        me, other = self.mover, 1 - self.mover
        small = [
            sum(self.board[place] in (1, 2) for place in self.row(player)) for player in (0, 1)
        ]
        return (2 * self.stores[me] + small[other]) - (2 * self.stores[other] + small[me])

    def default_evaluation(self):
        """Own captured minus enemy captured, and half seeds for what the houses of the rows hold."""
        worth = []
        for player in (0, 1):
            half_seeds = 0
            for house, place in enumerate(self.row(player)):
                seeds = self.board[place]
                half_seeds += 2 * (seeds >= 1) + (seeds >= 3) + 3 * (seeds >= 12)
                half_seeds -= seeds >= self.houses - house  # they reach the other row
            worth.append(self.stores[player] + half_seeds / 2)
        return worth[self.mover] - worth[1 - self.mover]

    # ---- play and take back --------------------------------------------------------------------

    def play(self, house):
        self.past.append((self.board, list(self.stores), list(self.seen)))
        self.board, captured, forfeited, _ = self.result(house)
        self.stores[self.mover] += captured
        self.stores[1 - self.mover] += forfeited
        self.mover = 1 - self.mover
        if captured:
            self.seen = []
        self.seen.append(self.position())

    def undo(self):
        self.board, self.stores, self.seen = self.past.pop()
        self.mover = 1 - self.mover

    def text(self):
        return "-".join(map(str, self.board + self.stores)) + "-" + "SN"[self.mover]
