"""The engine protocol, through pipes to a process of its own, as an interface speaks it."""

import os
import queue
import random
import re
import subprocess
import sys
import threading
import time

import pytest

import zerosum as zs
from zerosum.play.uci import parse_limits, seconds_for_move

PATIENCE = 60
COMMAND = [
    sys.executable,
    "-c",
    "from zerosum.play.cli import main; raise SystemExit(main())",
    "uci",
]
OWARE_START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"


class Client:
    """The other end of the pipes."""

    def __init__(self, *arguments, environment=None):
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode().rstrip())
        self.lines.put(None)

    def send(self, *lines):
        for line in lines:
            self.process.stdin.write(line if isinstance(line, bytes) else line.encode() + b"\n")
        self.process.stdin.flush()

    def until(self, start):
        """The lines up to the first that begins so, itself among them."""
        seen = []
        while True:
            line = self.lines.get(timeout=PATIENCE)
            assert line is not None, (start, seen, self.process.stderr.read())
            seen.append(line)
            if line.startswith(start):
                return seen

    def ask(self, *lines):
        """Send lines; what is answered until ``isready`` is."""
        self.send(*lines, "isready")
        return self.until("readyok")[:-1]

    def best_move(self):
        return self.until("bestmove")[-1].split()[1]

    def close(self):
        """End the input; the exit status, after all that was written was read."""
        self.process.stdin.close()
        status = self.process.wait(PATIENCE)
        assert self.process.stderr.read() == b""
        return status


@pytest.fixture
def client(request):
    client = Client(*getattr(request, "param", []))
    yield client
    client.process.kill()
    client.process.wait()


def test_handshake(client):
    client.send("uci")
    lines = client.until("uciok")
    assert lines[0].startswith("id name zerosum")
    assert "option name Hash type spin default 64 min 1 max 65536" in lines
    assert any(line.startswith("option name Threads type spin default 1 min 1") for line in lines)
    assert any(
        re.match("option name Rules type combo default abapa .*var casual", s) for s in lines
    )
    assert (
        client.ask("ucinewgame", "setoption name Hash value 16", "setoption name Threads value 2")
        == []
    )
    client.send("quit")
    assert client.close() == 0


def test_search_to_a_depth(client):
    client.send("position startpos moves FeDb", "go depth 8")
    *infos, last = client.until("bestmove")
    depths = [int(re.match(r"info depth (\d+) ", line)[1]) for line in infos]
    assert depths == list(range(1, 9))
    deepest = re.fullmatch(
        r"info depth 8 score cp (-?\d+) nodes (\d+) nps \d+ time \d+ pv (.*)", infos[-1]
    )
    state = zs.Oware().play("FeDb")
    expected = zs.search(state, depth=8)
    assert int(deepest[1]) == round(100 * expected.value)
    assert int(deepest[2]) > 0
    line = deepest[3].split()
    assert last == f"bestmove {line[0]}"
    assert state.string_to_action(line[0]) in expected.best_actions
    assert len(zs.Oware().play("".join(line), state).history()) == 4 + 8


@pytest.mark.parametrize(
    "position",
    [
        "position startpos moves FeDb",
        "position startpos moves F e D b",
        f"position fen {OWARE_START} moves FeDb",
        f"  position\tfen {zs.Oware().play('FeDb').to_text()}  ",
    ],
)
def test_forms_of_a_position(client, position):
    client.send(position, "go depth 6")
    best = client.best_move()
    state = zs.Oware().play("FeDb")
    assert state.string_to_action(best) in zs.search(state, depth=6).best_actions


def test_scores_are_the_movers(client):
    # North is to move and takes three seeds at once.
    client.send("position fen 0-0-0-0-0-2-0-0-0-0-0-1-22-23-N", "go depth 1")
    info, last = client.until("bestmove")[:1], "bestmove f"
    assert re.search(r"score cp -?\d+", info[0])
    assert last == "bestmove f"


def test_every_limit_ends_the_search(client):
    for limit in (
        "movetime 50",
        "nodes 5000",
        "depth 3",
        "mate 2",
        "depth 40 movetime 30",
        "wtime 1000 btime 1000 winc 0 binc 0",
        "wtime 500 btime 500 movestogo 10",
        "wtime 0 btime 0",
        "wtime -5 btime -5",
        "movetime 0",
        "nodes 0",
        "depth 0",
        "depth -3",
        "movetime 20 depth 99999999999999999999999",
    ):
        client.send("position startpos", f"go {limit}")
        assert client.best_move() in "ABCDEF"


def test_infinite_search_ends_with_stop_only(client):
    # Proved at once, yet the move must wait for stop.
    client.send("position fen 0-0-0-0-0-2-0-0-0-0-0-0-23-23-S", "go infinite", "isready")
    assert not any(line.startswith("bestmove") for line in client.until("readyok"))
    time.sleep(0.3)
    client.send("isready")
    assert not any(line.startswith("bestmove") for line in client.until("readyok"))
    client.send("stop")
    assert client.best_move() == "F"


def test_stop_is_heard_at_once(client):
    latencies = []
    for _ in range(5):
        client.send("position startpos", "go infinite")
        client.until("info depth 10")
        started = time.perf_counter()
        client.send("stop")
        client.best_move()
        latencies.append(time.perf_counter() - started)
    assert min(latencies) < 5


def test_isready_is_answered_during_a_search(client):
    client.send("go infinite")
    client.until("info depth 5")
    assert all(line.startswith("info depth") for line in client.ask())
    client.send("stop")
    client.best_move()


def test_commands_during_a_search_end_it_first(client):
    client.send("go infinite")
    client.until("info depth 5")
    client.send("position startpos moves F")
    assert client.best_move() in "ABCDEF"
    client.send("go infinite", "go depth 2")
    assert client.best_move() in "abcdef"
    assert client.best_move() in "abcdef"


def test_a_whole_game_position_after_position(client):
    game = zs.Oware("awari", houses=3, seeds=2)
    client.ask(
        "setoption name Rules value awari",
        "setoption name Houses value 3",
        "setoption name Seeds value 2",
    )
    state = game.new_initial_state()
    for _ in range(200):
        if state.is_terminal():
            break
        client.send(f"position startpos moves {state.moves_text()}", "go nodes 2000")
        state.apply_action(state.string_to_action(client.best_move()))
    assert state.is_terminal()
    client.send(f"position startpos moves {state.moves_text()}", "go depth 5")
    assert client.until("bestmove") == ["bestmove (none)"]


def test_exact_results_are_flagged(client):
    client.send("position fen 0-0-0-0-0-2-0-0-0-0-0-0-23-23-S", "go depth 30")
    assert any(
        re.fullmatch(r"info string exact value [+-]?\d+ in \d+ plies", line)
        for line in client.until("bestmove")
    )


def test_two_threads(client):
    client.send("setoption name Threads value 2", "setoption name Hash value 8")
    client.send("position startpos", "go depth 12")
    assert client.best_move() in "ABCDEF"
    client.send("go infinite")
    client.until("info depth 12")
    client.send("stop")
    assert client.best_move() in "ABCDEF"


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        "position",
        "position moves F",
        "position nowhere",
        "position fen",
        "position fen 4-4",
        f"position fen {OWARE_START} moves f",
        "position startpos moves FF",
        "position startpos moves Fx",
        "position startpos moves \N{SNOWMAN}",
        "go depth",
        "go depth x",
        "go movetime 1.5",
        "position startpos FeDb",
        "setoption name GrandSlam value none",
        "setoption",
        "setoption name",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value lots",
        "setoption name Hash value 0",
        "setoption name Hash value 99999999999999999999",
        "setoption name Rules value mancala",
        "setoption name Seeds value 200",
        "setoption value 3",
        "setoption name Colour value red",
    ],
)
def test_wrong_lines_are_explained_and_change_nothing(client, line):
    client.send("position startpos moves F")
    answers = client.ask(line)
    assert len(answers) == 1, answers
    assert re.match(r"info string ..", answers[0])
    client.send("go depth 1")
    assert client.best_move() in "abcdef"


def test_output_without_the_letters_of_the_input():
    client = Client(environment={"PYTHONIOENCODING": "cp1252"})
    (answer,) = client.ask("position startpos moves \N{SNOWMAN}")
    assert "u2603" in answer
    assert client.close() == 0


def test_unknown_words_of_go_are_left_out(client):
    client.send("position startpos", "go searchmoves A depth 2")
    lines = client.until("bestmove")
    assert lines[0] == "info string go leaves out 'searchmoves', 'A'"
    assert lines[-2].startswith("info depth 2 ")


@pytest.mark.parametrize(
    "line", ["setoption name Hash value abc", "go depth x", "position nowhere", "hello"]
)
def test_a_wrong_line_lets_the_search_run(client, line):
    client.send("go infinite")
    client.until("info depth 5")
    assert not any(answer.startswith("bestmove") for answer in client.ask(line))
    client.send("stop")
    assert client.best_move() in "ABCDEF"


def test_pondering(client):
    for limits, end in (
        ("", "ponderhit"),
        ("movetime 100", "ponderhit"),
        ("depth 3", "ponderhit"),
        ("wtime 3000 btime 3000", "ponderhit"),
        ("movetime 100000", "stop"),
    ):
        client.send("position startpos", f"go ponder {limits}")
        time.sleep(0.3)
        assert not any(line.startswith("bestmove") for line in client.ask())
        client.send(end)
        assert client.best_move() in "ABCDEF"


def test_switches_as_options(client):
    slam = "position fen 0-0-0-0-0-1-1-0-0-0-0-0-23-23-S"
    client.send("setoption name GrandSlam value captures_all", slam, "go depth 1")
    assert "score cp 200" in client.until("bestmove")[0]
    client.send("setoption name GrandSlam value default", slam, "go depth 1")
    assert "score cp 200" not in client.until("bestmove")[0]


@pytest.mark.parametrize(
    "client", [["--game", "oware:casual,houses=5,grand_slam=no_capture"]], indirect=True
)
def test_options_begin_with_the_game(client):
    client.send("uci")
    lines = client.until("uciok")
    assert any(line.startswith("option name Rules type combo default casual") for line in lines)
    assert any(line.startswith("option name Houses type spin default 5") for line in lines)
    assert any(
        line.startswith("option name GrandSlam type combo default no_capture") for line in lines
    )


def test_values_are_in_seeds_whatever_the_evaluation(client):
    client.send("setoption name Rules value casual", "setoption name Evaluate value original")
    client.send("position startpos moves A", "go depth 10")
    assert "score cp 50 " in client.until("bestmove")[-2]


def test_rules_as_an_option(client):
    client.send("setoption name rules value CASUAL", "go movetime 50")
    assert client.best_move() in "ABCDEF"
    # North's last seeds may be taken under casual rules; under abapa this captures nothing.
    client.send("position fen 0-0-0-0-0-1-1-0-0-0-0-0-23-23-S", "go depth 1")
    casual = client.until("bestmove")
    client.send("setoption name Rules value abapa")
    client.send("position fen 0-0-0-0-0-1-1-0-0-0-0-0-23-23-S", "go depth 1")
    abapa = client.until("bestmove")
    assert "score cp 200" in casual[0]
    assert "score cp 200" not in abapa[0]


@pytest.mark.parametrize("client", [["--game", "tictactoe"]], indirect=True)
def test_tictactoe(client):
    client.send("position startpos moves 0 4 8", "go depth 9")
    lines = client.until("bestmove")
    assert int(lines[-1].split()[1]) in zs.solve(zs.TicTacToe().state("X...O...X")).best_actions
    client.send("position fen XX.OO.... moves 2", "go depth 3")
    assert client.until("bestmove") == ["bestmove (none)"]
    client.send("position fen XX.OO....", "go depth 3")
    lines = client.until("bestmove")
    assert lines[-1] == "bestmove 2"
    assert " score mate 1 " in lines[0]
    client.send("position fen XX.O.....", "go depth 9")
    lines = client.until("bestmove")
    assert lines[-1] == "bestmove 2"
    assert " score mate -" in lines[-3]
    assert client.ask("position startpos moves 0 0")[0].startswith("info string move 2: cell 0")


def test_quit_in_the_middle_of_a_search(client):
    client.send("go infinite")
    client.until("info depth 8")
    client.send("quit")
    assert client.process.wait(PATIENCE) == 0
    assert client.until("bestmove")[-1].split()[1] in "ABCDEF"


def test_end_of_input_quits(client):
    client.send("position startpos", "go infinite")
    client.until("info depth 8")
    assert client.close() == 0


def test_end_of_output_quits():
    process = subprocess.Popen(
        [*COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdin.write(b"go infinite\n")
    process.stdin.flush()
    assert process.stdout.readline().startswith(b"info depth 1 ")
    process.stdout.close()
    process.stdin.write(b"isready\n" * 3)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert errors == b""


WORDS = (
    "uci isready ucinewgame position startpos fen moves go depth nodes movetime infinite stop "
    "ponderhit debug setoption name value Hash Threads Rules casual awari F e D b A 1 2 3 -1 "
    f"{OWARE_START} wtime btime perft register xyzzy \N{SNOWMAN} \0 ' \" % {{}}"
).split(" ")


def fuzzed_line(rng):
    if rng.random() < 0.2:
        return (
            bytes(rng.randrange(256) for _ in range(rng.randrange(60))).replace(b"\n", b"") + b"\n"
        )
    words = [rng.choice(WORDS) for _ in range(rng.randrange(1, 8))]
    if words[0] == "quit" or "Threads" in words:
        words = ["go", "depth", "2"]
    return " ".join(words)


@pytest.mark.parametrize("seed", range(3))
def test_any_lines(client, seed):
    rng = random.Random(seed)
    for _ in range(20):
        client.send(*(fuzzed_line(rng) for _ in range(20)), "stop")
        client.ask()
    client.send("x" * 1_000_000)
    client.ask("setoption name Rules value abapa", "setoption name Hash value 16")
    client.ask("position startpos")
    client.send("go depth 4")
    client.until("info depth 4")
    assert client.best_move() in "ABCDEF"
    assert client.close() == 0


def test_time_for_a_move():
    def seconds(text, player=0):
        return seconds_for_move(parse_limits(text.split()), player, 0.01)

    assert seconds("depth 5") is None
    assert seconds("infinite wtime 1000") is None
    assert seconds("movetime 500 wtime 1") == pytest.approx(0.49)
    assert seconds("wtime 30010 btime 10") == pytest.approx(1.0)
    assert seconds("wtime 30010 btime 10", player=1) == pytest.approx(0.001)
    assert seconds("wtime 30010 winc 400") == pytest.approx(1.3)
    assert seconds("wtime 30010 winc 400 movestogo 1") == pytest.approx(24)
    assert seconds("btime 1000") == seconds("btime 1000", player=1)
    for text in ("wtime 1 btime 1", "wtime 0 winc 5000", "movetime 1", "wtime 100 movestogo 1"):
        assert 0 < seconds(text) <= 0.1
