"""Liar's dice with one die each, in plain Python with OpenSpiel's method names.

The highest face is wild. Bids are (quantity, face), numbered upwards; the last action calls the
liar.
"""


class LiarsDice:
    def __init__(self, sides=3):
        self.sides = sides

    def new_initial_state(self):
        return LiarsDiceState(self.sides)


class LiarsDiceState:
    def __init__(self, sides, dice=(), bids=()):
        self.sides = sides
        self.dice = dice
        self.bids = bids

    @property
    def liar(self):
        return 2 * self.sides

    def current_player(self):
        if self.is_terminal():
            return -4
        return -1 if len(self.dice) < 2 else len(self.bids) % 2

    def is_chance_node(self):
        return len(self.dice) < 2

    def chance_outcomes(self):
        return [(face, 1 / self.sides) for face in range(self.sides)]

    def is_terminal(self):
        return bool(self.bids) and self.bids[-1] == self.liar

    def legal_actions(self):
        if len(self.dice) < 2:
            return list(range(self.sides))
        if not self.bids:
            return list(range(self.liar))
        return list(range(self.bids[-1] + 1, self.liar + 1))

    def child(self, action):
        if len(self.dice) < 2:
            return LiarsDiceState(self.sides, (*self.dice, action), self.bids)
        return LiarsDiceState(self.sides, self.dice, (*self.bids, action))

    def apply_action(self, action):
        after = self.child(action)
        self.dice, self.bids = after.dice, after.bids

    def returns(self):
        quantity, face = divmod(self.bids[-2], self.sides)
        matching = sum(die in (face, self.sides - 1) for die in self.dice)
        caller = (len(self.bids) - 1) % 2
        winner = caller if matching < quantity + 1 else 1 - caller
        return [1.0, -1.0] if winner == 0 else [-1.0, 1.0]

    def information_state_string(self, player=None):
        player = self.current_player() if player is None else player
        bids = [
            "Liar" if bid == self.liar else f"{bid // self.sides + 1}-{bid % self.sides + 1}"
            for bid in self.bids
        ]
        return " ".join([str(self.dice[player] + 1), *bids])
