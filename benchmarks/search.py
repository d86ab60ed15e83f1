"""The search's figures, beside plain C and, where they are installed, the peers.

    pip install ".[bench]"
    python benchmarks/search.py

Connect four is compiled here as an outside Cython module against the installed package.
"""

import importlib.util
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from timing import Row, Seconds, alternate, table

import zerosum as zs

HERE = Path(__file__).resolve().parent
CONNECT_FOUR = HERE.parent / "tests" / "cython_game"


def plain_c(name: str, folder: str) -> Path:
    """Compile a C program of this folder."""
    program = Path(folder) / name
    subprocess.run(["cc", "-O3", "-o", str(program), str(HERE / f"{name}.c")], check=True)
    return program


def c_seconds(program: Path) -> Seconds:
    """The median that a compiled program measured."""
    run = subprocess.run([program], capture_output=True, check=True, text=True)
    return Seconds(run.stdout.split()[2])


def reachable(state: zs.State) -> list[zs.State]:
    """Every position that can come from a state, each once."""
    found, waiting = {}, [state]
    while waiting:
        place = waiting.pop()
        if str(place) not in found:
            found[str(place)] = place
            waiting += [place.child(action) for action in place.legal_actions()]
    return list(found.values())


def minimax_row(folder: str) -> list[Row]:
    """Full plain minimax against plain C, and OpenSpiel where it is installed."""
    program = plain_c("tictactoe_minimax", folder)
    empty = zs.TicTacToe().new_initial_state()
    times = alternate({"ours": lambda: zs.minimax(empty), "c": lambda: c_seconds(program)}, 15)
    ratio = times["ours"] / times["c"]
    text = f"{1e3 * times['ours']:.2f} ms, C {1e3 * times['c']:.2f} ms, ratio {ratio:.2f}"
    return [("plain minimax, 549,946 nodes", text, "2.5 x plain C", met(ratio <= 2.5))]


def solve_rows() -> list[Row]:
    """The empty board, and every position."""
    empty = zs.TicTacToe().new_initial_state()
    peers = {"OpenSpiel alpha-beta": openspiel_solver(), "easyAI negamax": easyai_solver()}
    candidates = {name: peer for name, peer in peers.items() if peer}
    times = alternate(candidates | {"ours": lambda: repeat(20, lambda: zs.solve(empty))}, 9)
    text = f"{50 * times['ours']:.3f} ms"
    for name in candidates:
        text += f", {name} {1e3 * times[name]:.1f} ms"
    live = [state for state in reachable(empty) if not state.is_terminal()]
    all_seconds = alternate({"all": lambda: [zs.solve(state) for state in live]}, 5)["all"]
    return [
        ("solve the empty board, fresh table", text, "0.5 ms", met(50 * times["ours"] < 0.5)),
        (
            f"solve all {len(live)} positions",
            f"{all_seconds:.3f} s",
            "0.2 s",
            met(all_seconds < 0.2),
        ),
        wrong_row(live),
    ]


def wrong_row(live: list[zs.State]) -> Row:
    """Answers of ``solve`` against plain minimax over the whole tree below."""
    wrong = slow_win = fast_loss = 0
    for state in live:
        truth, answer = zs.minimax(state), zs.solve(state)
        wrong += answer.value != truth.value
        slow_win += truth.value > 0 and answer.distance != truth.distance
        fast_loss += truth.value < 0 and answer.distance != truth.distance
    counts = f"{wrong} / {slow_win} / {fast_loss}"
    return (
        "wrong / not quickest win / not slowest loss",
        counts,
        "0 / 0 / 0",
        met(counts == "0 / 0 / 0"),
    )


def easyai_solver() -> Callable[[], object] | None:
    """easyAI's alpha-beta with its table on the empty board, or None."""
    if importlib.util.find_spec("easyAI") is None:
        return None
    from easyAI import TwoPlayerGame, solve_with_iterative_deepening
    from easyAI.AI import TranspositionTable

    class Board(TwoPlayerGame):
        lines = (
            (0, 1, 2),
            (3, 4, 5),
            (6, 7, 8),
            (0, 3, 6),
            (1, 4, 7),
            (2, 5, 8),
            (0, 4, 8),
            (2, 4, 6),
        )

        def __init__(self):
            self.players, self.current_player, self.cells = [None, None], 1, [0] * 9

        def possible_moves(self):
            return [cell for cell in range(9) if not self.cells[cell]]

        def make_move(self, cell):
            self.cells[cell] = self.current_player

        def unmake_move(self, cell):
            self.cells[cell] = 0

        def lose(self):
            return any(
                all(self.cells[c] == self.opponent_index for c in line) for line in self.lines
            )

        def is_over(self):
            return self.lose() or all(self.cells)

        def scoring(self):
            return -100 if self.lose() else 0

        def ttentry(self):
            return (self.current_player, *self.cells)

    return lambda: solve_with_iterative_deepening(
        Board(), ai_depths=[9], win_score=100, tt=TranspositionTable(), verbose=False
    )


def openspiel_solver():
    """OpenSpiel's alpha-beta on the empty board, or None."""
    if importlib.util.find_spec("pyspiel") is None:
        return None
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game("tic_tac_toe")
    return lambda: minimax.alpha_beta_search(game)


def repeat(times: int, call) -> None:
    """Call so often."""
    for _ in range(times):
        call()


class Nim:
    """Three piles, take any number from one; who cannot move loses. As a user would write it."""

    def __init__(self, piles=(3, 4, 5)):
        self.piles, self.player, self.taken = list(piles), 0, []

    def current_player(self):
        return self.player

    def legal_actions(self):
        return [8 * pile + n for pile, size in enumerate(self.piles) for n in range(1, size + 1)]

    def apply_action(self, action):
        self.piles[action // 8] -= action % 8
        self.player ^= 1

    def undo_action(self, player, action):
        self.piles[action // 8] += action % 8
        self.player = player

    def is_terminal(self):
        return not any(self.piles)

    def returns(self):
        return [-1.0, 1.0] if self.player == 0 else [1.0, -1.0]


def negamax(state, counter) -> float:
    """Plain negamax as a Python user writes it."""
    counter[0] += 1
    if state.is_terminal():
        return state.returns()[state.current_player()]
    best = -2.0
    player = state.current_player()
    for action in state.legal_actions():
        state.apply_action(action)
        best = max(best, -negamax(state, counter))
        state.undo_action(player, action)
    return best


def alphabeta(state, depth, alpha, beta, counter) -> float:
    """The same to a depth, with cutoffs: its nodes are a mixture like that of a search."""
    counter[0] += 1
    if state.is_terminal():
        return state.returns()[state.current_player()]
    if depth == 0:
        return 0.0
    player = state.current_player()
    for action in state.legal_actions():
        state.apply_action(action)
        alpha = max(alpha, -alphabeta(state, depth - 1, -beta, -alpha, counter))
        state.undo_action(player, action)
        if alpha >= beta:
            break
    return alpha


def door_rows() -> list[Row]:
    """Nanoseconds a node of a Python-written game, through the door and by plain Python."""
    small, large, depth = (3, 3, 2), (4, 4, 4), 6
    full, cut = [0], [0]
    negamax(Nim(small), full)
    alphabeta(Nim(large), depth, -2.0, 2.0, cut)
    nodes = {
        "negamax": full[0],
        "minimax": zs.minimax(Nim(small)).nodes,
        "alphabeta": cut[0],
        "search": zs.search(Nim(large), depth=depth).nodes,
    }
    times = alternate(
        {
            "negamax": lambda: negamax(Nim(small), [0]),
            "minimax": lambda: zs.minimax(Nim(small)),
            "alphabeta": lambda: alphabeta(Nim(large), depth, -2.0, 2.0, [0]),
            "search": lambda: zs.search(Nim(large), depth=depth),
        },
        15,
    )
    cost = {name: 1e9 * times[name] / nodes[name] for name in nodes}
    rows = []
    for ours, plain in (("minimax", "negamax"), ("search", "alphabeta")):
        ratio = cost[ours] / cost[plain]
        text = f"{cost[ours]:.0f} ns a node, plain {plain} {cost[plain]:.0f}, ratio {ratio:.2f}"
        rows.append((f"Python-written game, {ours}", text, "1.0 x plain Python", met(ratio <= 1)))
    return rows


def connect_four_row(folder: str) -> Row:
    """Nodes a second on connect four, 7x6, compiled outside the package."""
    subprocess.run(
        [
            sys.executable,
            "setup.py",
            "-q",
            "build_ext",
            f"--build-lib={folder}",
            f"--build-temp={folder}",
        ],
        cwd=CONNECT_FOUR,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    sys.path.insert(0, folder)
    from outside_connect_four import ConnectFour

    start = ConnectFour()
    rates = []
    for _ in range(7):
        begun = time.process_time()
        nodes = zs.search(start, depth=14).nodes
        rates.append(nodes / (time.process_time() - begun) / 1e6)
    rate = statistics.median(rates)
    return (
        "connect four 7x6, depth 14, every move",
        f"{rate:.1f} M nodes/s",
        "10 M/s",
        met(rate > 10),
    )


INTERRUPTED = """
import os, signal, threading, time
import zerosum as zs
class Nim:
    def __init__(self): self.piles, self.player = [9, 9, 9], 0
    def current_player(self): return self.player
    def legal_actions(self): return [10 * p + n for p in range(3) for n in range(1, self.piles[p] + 1)]
    def apply_action(self, a): self.piles[a // 10] -= a % 10; self.player ^= 1
    def undo_action(self, player, a): self.piles[a // 10] += a % 10; self.player = player
    def is_terminal(self): return not any(self.piles)
    def returns(self): return [-1.0, 1.0] if self.player == 0 else [1.0, -1.0]
large = zs.MNK(7, 7, 5).new_initial_state()
def interrupt():
    global sent
    sent = time.perf_counter()
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.5, interrupt).start()
try:
    {call}
except KeyboardInterrupt:
    print(time.perf_counter() - sent)
"""


def interrupt_rows() -> list[Row]:
    """Seconds from a SIGINT to the KeyboardInterrupt in long calls."""
    rows = []
    for call in (
        "zs.solve(large)",
        "zs.solve(large, threads=2)",
        "zs.solve(Nim())",
        "zs.minimax(large)",
        "zs.perft(large, 20)",
    ):
        late = []
        for _ in range(5):
            run = subprocess.run(
                [sys.executable, "-c", INTERRUPTED.replace("{call}", call)],
                capture_output=True,
                text=True,
                check=True,
            )
            late.append(float(run.stdout))
        text = f"{statistics.median(late):.3f} s, worst of 5 {max(late):.3f} s"
        rows.append((f"Ctrl-C in {call}", text, "0.1 s", met(max(late) < 0.1)))
    return rows


def import_row() -> Row:
    """Import time beyond numpy's."""
    seconds = {"numpy": [], "numpy, zerosum": []}
    for _ in range(15):
        for modules, spent in seconds.items():
            code = f"import time; t = time.process_time(); import {modules}; print(time.process_time() - t)"
            run = subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, check=True
            )
            spent.append(float(run.stdout))
    extra = statistics.median(seconds["numpy, zerosum"]) - statistics.median(seconds["numpy"])
    return ("import zerosum beyond numpy", f"{1e3 * extra:.1f} ms", "20 ms", met(extra < 0.020))


def met(answer: bool) -> str:
    """For the table."""
    return "yes" if answer else "NO"


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            *minimax_row(folder),
            *solve_rows(),
            *door_rows(),
            connect_four_row(folder),
            import_row(),
            *interrupt_rows(),
        ]
    print(table(f"zerosum search, medians of CPU time, {os.cpu_count()} cores", rows))


if __name__ == "__main__":
    main()
