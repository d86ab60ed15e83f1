"""Connect four as a user writes it: columns fill from below, four in a row wins.

Bits, seven a column, the seventh always empty so that no line runs over the edge:

     6 13 20 27 34 41 48
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42
"""

COLUMNS, ROWS = 7, 6
TALL = ROWS + 1
TOP = [1 << (TALL * column + ROWS - 1) for column in range(COLUMNS)]
BOTTOM = [1 << (TALL * column) for column in range(COLUMNS)]
FULL = sum(((1 << ROWS) - 1) << (TALL * column) for column in range(COLUMNS))


def has_four(stones):
    """Are four of the stones in a row?"""
    for step in (1, TALL, TALL - 1, TALL + 1):
        pairs = stones & stones >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


class ConnectFour:
    """A position; actions are columns 0..6."""

    def __init__(self):
        self.stones = [0, 0]
        self.mover = 0
        self.last_won = False
        self.placed = []

    def current_player(self):
        return -4 if self.is_terminal() else self.mover

    def is_terminal(self):
        return self.last_won or (self.stones[0] | self.stones[1]) == FULL

    def legal_actions(self):
        if self.last_won:
            return []
        taken = self.stones[0] | self.stones[1]
        return [column for column in range(COLUMNS) if not taken & TOP[column]]

    def apply_action(self, action):
        taken = self.stones[0] | self.stones[1]
        if self.is_terminal() or not 0 <= action < COLUMNS or taken & TOP[action]:
            raise ValueError(f"no stone can fall into column {action}")
        bit = (taken + BOTTOM[action]) & ~taken & (((1 << ROWS) - 1) << (TALL * action))
        self.stones[self.mover] |= bit
        self.last_won = has_four(self.stones[self.mover])
        self.placed.append(bit)
        self.mover = 1 - self.mover

    def undo_action(self, player, action):
        self.mover = player
        self.stones[player] ^= self.placed.pop()
        self.last_won = False

    def returns(self):
        if not self.last_won:
            return [0.0, 0.0]
        return [-1.0, 1.0] if self.mover == 0 else [1.0, -1.0]

    def max_utility(self):
        return 1.0

    def key(self):
        # The mover's stones plus all stones plus the bottom row is different for every position, below 2**50.
        return self.stones[self.mover] + (self.stones[0] | self.stones[1]) + sum(BOTTOM)

    def clone(self):
        other = type(self)()
        other.stones = self.stones.copy()
        other.mover = self.mover
        other.last_won = self.last_won
        other.placed = self.placed.copy()
        return other

    def __str__(self):
        rows = []
        for row in reversed(range(ROWS)):
            bits = [1 << (TALL * column + row) for column in range(COLUMNS)]
            rows.append(
                "".join(
                    "X" if self.stones[0] & b else "O" if self.stones[1] & b else "." for b in bits
                )
            )
        return "\n".join(rows)


def play(columns_1based, game=ConnectFour):
    """The position after the moves, columns counted from 1."""
    state = game()
    for column in columns_1based:
        state.apply_action(column - 1)
    return state
