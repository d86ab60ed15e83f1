"""The terminal game, through pipes and through a pseudo-terminal."""

import os
import re
import select
import signal
import subprocess
import sys
import time

import pytest

from zerosum.games.ogn import read_ogn

MAIN = "from zerosum.play.cli import main; raise SystemExit(main())"
PATIENCE = 60


def play(*arguments, typed="", encoding="utf-8", code=MAIN):
    """(exit status, what was printed) of a game with piped input; nothing may go wrong unseen."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    process = subprocess.run(
        [sys.executable, "-c", code, "play", *arguments],
        input=typed if isinstance(typed, bytes) else typed.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        timeout=PATIENCE,
        check=False,
    )
    text = process.stdout.decode(encoding, "replace")
    assert "Traceback" not in text, text
    return process.returncode, text


def test_moves_and_answers_in_plain_text():
    status, text = play("oware", "--depth", "5", typed="F\nquit\n")
    assert status == 0
    assert "\x1b" not in text
    assert "South: human   North: zerosum, depth 5" in text
    assert re.search(r"North plays [a-f]   value .* seeds, depth 5, line [a-f] [A-F] .*nodes", text)
    assert "│  A │  B │  C │  D │  E │  F │" in text
    assert re.search(r"South │  4 │  4 │  4 │  4 │  4 │  0 │ +0 │", text)


def test_wrong_input_is_explained_and_the_game_goes_on():
    status, text = play("oware", "--depth", "2", typed="x\n\nmove it\nF\nF\n?\nquit\n")
    assert status == 0
    assert "'x' is no house of South, who plays A to F; legal are A, B, C, D, E, F" in text
    assert "'move it' is no house" in text
    assert "F cannot be played: the house is empty" in text
    assert "hint       the engine's choice" in text


def test_commands():
    typed = "moves\nundo\nF\nhint\nundo\nmoves\nload\nsave\nload no/such.ogn\nsave no/such.ogn\nq\n"
    status, text = play("oware", "--depth", "3", typed=typed)
    assert status == 0
    assert text.count("Legal moves: A, B, C, D, E, F") == 2
    assert "there is no move of yours to take back" in text
    assert re.search(r"Hint: [A-E]   value", text)
    assert "type load and a file name" in text
    assert "type save and a file name" in text
    assert text.count("no/such.ogn") > 2


def test_save_and_load(tmp_path):
    path = tmp_path / "my game.ogn"
    status, text = play(
        "oware:casual", "--side", "both", typed=f"F\ne\nD\nsave {path}\nb\nsave {path}\nquit\n"
    )
    assert status == 0
    assert text.count(f"Saved to {path}") == 2
    game = read_ogn(path)[0]
    assert game.final_state().moves_text() == "FeDb"
    assert game.tags["Variant"] == "casual"
    status, text = play("oware", "--side", "both", typed=f"save {path}\nload {path}\nC\nquit\n")
    assert f"{path} exists already" in text
    assert "Oware(rules='casual'" in text
    assert "South plays C" in text


def test_saving_never_replaces_a_file_that_was_loaded(tmp_path):
    path = tmp_path / "two.ogn"
    text_before = "1. F {good} 1... e *\n\n1. A *\n"
    path.write_text(text_before)
    _, text = play("oware", "--side", "both", typed=f"load {path}\nsave {path}\nquit\n")
    assert "Left out: the other games of 2 and comments." in text
    assert "exists already" in text
    assert path.read_text() == text_before


def test_a_saved_game_can_be_saved_again(tmp_path):
    for game, moves, ending in (("oware", "F", "ogn"), ("tictactoe", "4", "txt")):
        one, two = tmp_path / f"one.{ending}", tmp_path / f"two.{ending}"
        typed = f"{moves}\nsave {one}\nload {one}\nsave {two}\nload {two}\nquit\n"
        status, text = play(game, "--side", "both", typed=typed)
        assert status == 0
        assert f"Loaded {two}" in text


def test_undo_after_resigning_and_a_new_game():
    _, text = play("oware", "--side", "both", typed="F\nresign\nundo\nmoves\nnew\nmoves\nquit\n")
    assert "Game over. North resigns: South wins." in text
    first, second = re.findall("Legal moves: (.*)", text)
    assert (first, second) == ("a, b, c, d, e, f", "A, B, C, D, E, F")


def test_files_that_cannot_be_written(tmp_path):
    path = tmp_path / "nowhere" / "x"
    for game in ("oware", "tictactoe"):
        _, text = play(game, "--side", "both", typed=f"save {path}\nquit\n")
        assert f"{path}: No such file" in text


def test_the_original_evaluation_names_no_seeds():
    _, text = play("oware:casual", "--depth", "4", "--evaluate", "original", typed="A\nquit\n")
    assert re.search(r"North plays [a-f]   value [+-]?\d+, depth 4", text)


def test_a_broken_file_is_explained(tmp_path):
    path = tmp_path / "bad.ogn"
    path.write_text("1. F F *\n")
    status, text = play("oware", "--side", "both", typed=f"load {path}\nC\nquit\n")
    assert status == 0
    assert "line 1, column 6: " in text
    assert "South plays C" in text


def test_tictactoe_to_the_end(tmp_path):
    path = tmp_path / "game.txt"
    typed = f"4\n0\nx\n8\nresign\nhint\n3\nsave {path}\n"
    status, text = play("tictactoe", "--side", "both", typed=typed)
    assert status == 0
    assert "cell" in text
    assert "X resigns" not in text
    assert "Game over. O resigns: X wins." in text
    assert "the game is over" in text
    assert "The game is over; type undo" in text
    assert "result: 1-0" in path.read_text()
    status, text = play("tictactoe", "--side", "both", typed="0\n3\n1\n4\n2\nundo\n8\nquit\n")
    assert "Game over. X wins with 3 in a row." in text
    assert "X plays 8" in text
    assert status == 0


def test_the_engine_against_itself():
    status, text = play("tictactoe", "--side", "none", "--depth", "9")
    assert status == 0
    assert text.rstrip().endswith("Game over. A tie: the board is full.")
    status, text = play(
        "oware", "--side", "none", "--depth", "2", "--opponent", "random", "--seed", "1"
    )
    assert status == 0
    assert re.search(r"Game over\. (South wins|North wins|A tie), \d+", text)


def test_either_side():
    _, text = play("oware", "--side", "North", "--depth", "2", typed="quit\n")
    assert re.search(r"South plays [A-F]   value", text)
    assert "North> quit" in text
    _, text = play("mnk:4,3,3", "--side", "o", "--depth", "2", typed="quit\n")
    assert "O> quit" in text


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["chess"], "there is no game called 'chess'"),
        (["oware", "--side", "left"], "the sides are South and North, not 'left'"),
        (["oware", "--side", "left"], "both is for two people, none for the engine alone"),
        (["oware:casual,houses=9"], "houses=9: expected 1 to 8"),
        (["oware:awari,seeds=x"], "seeds needs a whole number, not 'x'"),
        (["oware:awari,slam=illegal"], "'slam=illegal' is no setting of oware"),
        (["oware:awari,grand_slam=maybe"], "grand_slam='maybe': the choices are"),
        (["oware", "--table-mb", "0"], "table_mb must be from 1"),
        (["mnk:\N{SUPERSCRIPT TWO},3,3"], "mnk needs three numbers"),
        (["oware", "--depth", "0"], "depth must be at least 1"),
        (["oware", "--time", "-1"], "time must be"),
        (["oware", "--evaluate", "x"], "oware has no evaluation called 'x'"),
        (["tictactoe", "XXX......"], "impossible board"),
    ],
)
def test_wrong_arguments(arguments, complaint):
    status, text = play(*arguments)
    assert status == 2
    assert complaint in text


def test_end_of_input_leaves():
    for typed in ("", "F\n", "F"):
        status, text = play("oware", "--depth", "1", typed=typed)
        assert status == 0
        assert text.endswith("End of input: the game is left.\n") or os.linesep == "\r\n"


def test_output_that_cannot_hold_boxes():
    status, text = play("oware", "--depth", "2", typed="\N{SNOWMAN}\nF\nquit\n", encoding="ascii")
    assert status == 0
    assert "| South |  4 |" in text


def test_bytes_that_are_no_text():
    status, text = play("oware", "--depth", "2", typed=b"\xff\xfe\x00\nF\nquit\n")
    assert status == 0
    assert "South plays F" in text


def test_without_rich():
    code = f"import sys; sys.modules['rich'] = None; {MAIN}"
    status, text = play("oware", code=code)
    assert status == 2
    assert 'the terminal game needs the package rich: pip install "zerosum[cli]"' in text


class PseudoTerminal:
    """The game in a terminal of its own."""

    def __init__(self, *arguments):
        pty = pytest.importorskip("pty")
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            try:
                os.environ.update(TERM="xterm-256color", COLUMNS="100", LINES="40")
                os.execv(sys.executable, [sys.executable, "-c", MAIN, "play", *arguments])
            finally:
                os._exit(127)  # or the tests would go on twice

    def read_until(self, pattern, key=None):
        """The output up to a pattern. A key is pressed again every second: Python's ``input`` sees a Ctrl-C
        that comes between its prompt and its waiting only with the next one."""
        text = ""
        ends = time.monotonic() + PATIENCE
        next_key = time.monotonic()
        while not re.search(pattern, text):
            assert time.monotonic() < ends, text
            if key is not None and time.monotonic() >= next_key:
                self.type(key)
                next_key += 1
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    text += os.read(self.terminal, 1 << 16).decode(errors="replace")
                except OSError:  # Linux's way to say that the other end is closed
                    break
        assert "Traceback" not in text, text
        return text

    def type(self, text):
        os.write(self.terminal, text.encode())

    def exit_status(self, key=None):
        rest = self.read_until("(?!)", key)
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.terminal)
        return status, rest


needs_terminal = pytest.mark.skipif(not hasattr(os, "fork"), reason="no pseudo-terminals here")


@needs_terminal
def test_colours_and_spinner_on_a_terminal():
    game = PseudoTerminal("oware", "--time", "1")
    assert "\x1b[1;33m" in game.read_until("South> ")
    game.type("C\n")
    assert "thinking" in game.read_until("(?s)North plays [a-f].*South> ")
    game.type("quit\n")
    assert game.exit_status()[0] == 0


@needs_terminal
def test_ctrl_c_in_a_thought_makes_the_engine_move():
    game = PseudoTerminal("oware", "--time", "3600")
    game.read_until("South> ")
    game.type("C\n")
    game.read_until("depth [0-9]")
    game.type("\x03")
    assert re.search("North.*plays [a-f]", game.read_until("South> "))
    status, rest = game.exit_status("\x03")
    assert status == 130
    assert "zerosum: stopped" in rest


@needs_terminal
def test_ctrl_c_leaves_a_game_of_engines():
    game = PseudoTerminal("oware", "--time", "3600", "--side", "none")
    game.read_until("depth [0-9]")
    game.type("\x03")
    assert game.exit_status()[0] == 130


@needs_terminal
def test_ctrl_d_leaves():
    game = PseudoTerminal("tictactoe")
    game.read_until("X> ")
    game.type("\x04")
    status, rest = game.exit_status()
    assert status == 0
    assert "End of input" in rest


@needs_terminal
def test_a_signal_through_pipes():
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, "play", "oware", "--side", "none", "--time", "3600"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.readline()
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"Traceback" not in errors
