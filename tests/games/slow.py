"""A full tree whose rules take their time."""

import time


class SlowTree:
    """``width`` moves to a fixed depth; listing them sleeps. Every game is a tie."""

    def __init__(self, depth, width, seconds, path=()):
        self.depth, self.width, self.seconds, self.path = depth, width, seconds, tuple(path)

    def current_player(self):
        return -4 if self.is_terminal() else len(self.path) % 2

    def is_terminal(self):
        return len(self.path) == self.depth

    def legal_actions(self):
        time.sleep(self.seconds)
        return [] if self.is_terminal() else list(range(self.width))

    def apply_action(self, action):
        self.path += (action,)

    def returns(self):
        return [0, 0]

    def action_to_string(self, player, action):
        return "abc"[action]

    def clone(self):
        return type(self)(self.depth, self.width, self.seconds, self.path)
