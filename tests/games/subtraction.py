"""Take-away games as a user writes them: who cannot move loses, or wins when misere."""


class Subtraction:
    """A pile; a move takes one of ``take``. The key is the pile alone, as a careless user has it."""

    def __init__(self, pile, take, misere=False, player=0):
        self.pile, self.take, self.misere, self.player = pile, tuple(take), misere, player

    def current_player(self):
        return -4 if self.is_terminal() else self.player

    def is_terminal(self):
        return not any(count <= self.pile for count in self.take)

    def legal_actions(self):
        return [count for count in self.take if count <= self.pile]

    def apply_action(self, action):
        if action not in self.legal_actions():
            raise ValueError(f"cannot take {action} of {self.pile}")
        self.pile -= action
        self.player = 1 - self.player

    def undo_action(self, player, action):
        self.pile += action
        self.player = player

    def returns(self):
        if not self.is_terminal():
            return [0, 0]
        mover_wins = self.misere
        value = 1 if (self.player == 0) == mover_wins else -1
        return [value, -value]

    def clone(self):
        return type(self)(self.pile, self.take, self.misere, self.player)

    def key(self):
        return self.pile

    def __str__(self):
        return f"{self.pile} left"


class Nim:
    """Several piles; the move 10 * pile + count takes from one. Who takes the last stone wins."""

    def __init__(self, piles, player=0):
        self.piles, self.player = tuple(piles), player

    def current_player(self):
        return -4 if self.is_terminal() else self.player

    def is_terminal(self):
        return not any(self.piles)

    def legal_actions(self):
        return [10 * i + n for i, pile in enumerate(self.piles) for n in range(1, pile + 1)]

    def child(self, action):
        index, count = divmod(action, 10)
        if action not in self.legal_actions():
            raise ValueError(f"cannot take {count} from pile {index} of {self.piles}")
        piles = list(self.piles)
        piles[index] -= count
        return type(self)(piles, 1 - self.player)

    def apply_action(self, action):
        after = self.child(action)
        self.piles, self.player = after.piles, after.player

    def returns(self):
        if not self.is_terminal():
            return [0, 0]
        return [-1, 1] if self.player == 0 else [1, -1]

    def clone(self):
        return type(self)(self.piles, self.player)

    def key(self):
        return self.piles

    def __str__(self):
        return "-".join(map(str, self.piles))
