"""A user's file for mypy --strict: every public name has a type, and one planted mistake is found.

Without stubs mypy would find no mistake on that line, and call the ignore unused.
"""

import zerosum as zs

game = zs.TicTacToe()
state = game.state("XX.O..O..")
result: zs.SearchResult = zs.solve(state, threads=2)
best: int | None = result.action
for action, (value, distance) in result.action_values.items():
    print(state.action_to_string(action), value, distance)

lines: int = zs.perft(state, 3) + sum(zs.perft_divide(state, 3).values())
nodes: str = zs.search(state, depth=3).nodes  # type: ignore[assignment]
plain: list[int] = zs.minimax(state.child(2).clone(), depth=2).best_actions
folder: str = zs.get_include()


class Board(zs.Game):
    def num_distinct_actions(self) -> int:
        return zs.MNK(4, 3, 3).num_distinct_actions()


def estimate(position: zs.State) -> float:
    return float(len(position.legal_actions()))


print(zs.search(zs.MNK(4, 3, 3).new_initial_state(), depth=2, evaluate=estimate).value)
