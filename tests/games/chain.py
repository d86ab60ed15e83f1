"""Very long games: from n there is one move, to n + 1; who makes the last move wins."""


class Chain:
    """Without a key."""

    def __init__(self, length, at=0):
        self.length, self.at = length, at

    def current_player(self):
        return -4 if self.is_terminal() else self.at % 2

    def is_terminal(self):
        return self.at == self.length

    def legal_actions(self):
        return [] if self.is_terminal() else [0]

    def apply_action(self, action):
        if action != 0 or self.is_terminal():
            raise ValueError(f"no move {action} at {self.at} of {self.length}")
        self.at += 1

    def undo_action(self, player, action):
        self.at -= 1

    def returns(self):
        if not self.is_terminal():
            return [0, 0]
        return [1, -1] if self.length % 2 else [-1, 1]

    def clone(self):
        return type(self)(self.length, self.at)

    def __str__(self):
        return f"{self.at} of {self.length}"


class KeyedChain(Chain):
    """With a key."""

    def key(self):
        return self.at
