"""m,n,k games from the rules, on a plain string of cells: "X", "O" and "." from the top left.

Values are from the side of the player to move. A worth is (value, plies to the end): the quickest win, the
slowest loss, and of ties the length that X shortening and O prolonging the game gives.
"""

from functools import cache


def lines(m, n, k):
    """Every k cells in a row, in a column or on a diagonal of m columns and n rows."""
    found = []
    for row in range(n):
        for column in range(m):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + down * i, column + right * i) for i in range(k)]
                if all(0 <= r < n and 0 <= c < m for r, c in cells):
                    found.append([r * m + c for r, c in cells])
    return found


class ReferenceMNK:
    """The rules and the plain minimax of one m,n,k game."""

    def __init__(self, m=3, n=3, k=3):
        self.m, self.n, self.k = m, n, k
        self.lines = lines(m, n, k)
        self.start = "." * (m * n)
        self.worth = cache(self._worth)

    def winner(self, board):
        """ "X" or "O" when it has k in a row, else None."""
        for line in self.lines:
            marks = {board[cell] for cell in line}
            if len(marks) == 1 and marks != {"."}:
                return marks.pop()
        return None

    def is_over(self, board):
        return self.winner(board) is not None or "." not in board

    def mover(self, board):
        """The mark to move; X begins."""
        return "X" if board.count("X") == board.count("O") else "O"

    def actions(self, board):
        return [] if self.is_over(board) else [i for i, cell in enumerate(board) if cell == "."]

    def play(self, board, action):
        assert board[action] == "."
        return board[:action] + self.mover(board) + board[action + 1 :]

    def value_of_end(self, board):
        """A finished game's value for the player whose turn it would be: the loser, or nobody won."""
        return 0 if self.winner(board) is None else -1

    def _worth(self, board):
        if self.is_over(board):
            return self.value_of_end(board), 0
        return max(self.action_values(board).values(), key=lambda worth: self.rank(board, worth))

    def action_values(self, board):
        """{action: worth for the mover}."""
        values = {}
        for action in self.actions(board):
            value, distance = self.worth(self.play(board, action))
            values[action] = (-value, distance + 1)
        return values

    def rank(self, board, worth):
        """Sorts worths as the mover likes them."""
        value, distance = worth
        if value == 0:
            return value, -distance if self.mover(board) == "X" else distance
        return value, -distance if value > 0 else distance

    def best_actions(self, board):
        """All actions with the best value and, where it is not 0, the best distance."""
        value, distance = self.worth(board)
        return [
            action
            for action, worth in self.action_values(board).items()
            if worth[0] == value and (value == 0 or worth[1] == distance)
        ]

    def reachable(self):
        """All positions that play from the empty board can reach."""
        seen = {self.start}
        fresh = [self.start]
        while fresh:
            board = fresh.pop()
            for action in self.actions(board):
                child = self.play(board, action)
                if child not in seen:
                    seen.add(child)
                    fresh.append(child)
        return seen

    def count_tree(self):
        """(nodes of the game tree, finished games among them)."""

        @cache
        def count(board):
            actions = self.actions(board)
            if not actions:
                return 1, 1
            below = [count(self.play(board, action)) for action in actions]
            return 1 + sum(nodes for nodes, _ in below), sum(games for _, games in below)

        return count(self.start)

    def perft(self, board, depth):
        """Lines of play of exactly that many plies."""
        if depth == 0:
            return 1
        return sum(
            self.perft(self.play(board, action), depth - 1) for action in self.actions(board)
        )
