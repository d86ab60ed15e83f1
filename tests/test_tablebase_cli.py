"""The tablebase commands."""

import argparse
import io

import pytest

from zerosum.play.tablebase_cli import STOPPED, ProgressBar, duration, register
from zerosum.tablebase.oware import OwareTablebase


@pytest.fixture(autouse=True)
def default_place(tmp_path, monkeypatch):
    monkeypatch.setenv("ZEROSUM_TABLEBASES", str(tmp_path))


def run(*words):
    parser = argparse.ArgumentParser(prog="zerosum")
    register(parser.add_subparsers(required=True))
    arguments = parser.parse_args(["tablebase", *words])
    try:
        arguments.run(arguments)
    except SystemExit as error:
        return error.code
    return 0


def test_build_info_probe_verify(capsys):
    small = ["--rules", "awari", "--houses", "3"]
    assert run("build", "6", *small) == 0
    out, err = capsys.readouterr()
    assert "924 positions of 0 to 6 seeds" in out
    assert "on disk" in out
    assert "100 %" in err
    assert OwareTablebase.default_path("awari", 3).exists()
    assert run("info", *small, "--counts") == 0
    out = capsys.readouterr().out
    assert "rules: awari" in out
    assert "0 to 6 seeds, 924 positions" in out
    table = OwareTablebase.open(rules="awari", houses=3)
    counts = table.win_draw_loss(6)
    assert out.splitlines()[-1].split() == ["6", *map(str, counts)]
    assert run("verify", *small, "--quiet") == 0
    assert capsys.readouterr() == (f"{table.path}: 924 positions, no errors\n", "")


def test_probe_shows_every_move(capsys):
    assert run("build", "7", "--quiet") == 0
    capsys.readouterr()
    assert run("probe", "0-1-0-1-1-1-0-0-2-0-0-1") == 0
    assert capsys.readouterr().out == "value +7\nB +7  best\nD +7  best\nE +7  best\nF +0\n"
    assert run("probe", "0-0-2-0-0-1-0-1-0-1-1-1-20-21-N") == 0
    assert capsys.readouterr().out == "value +7\nb +7  best\nd +7  best\ne +7  best\nf +0\n"


def test_switches_make_another_table(capsys):
    assert run("build", "3", "--houses", "2", "--grand-slam", "captures_all", "--quiet") == 0
    assert run("info", "--houses", "2", "--grand-slam", "captures_all") == 0
    assert "rules: own (grand_slam=captures_all" in capsys.readouterr().out
    assert run("info", "--houses", "2") == 2


def test_errors_are_one_line(capsys, tmp_path):
    for words in (["info"], ["build", "60"], ["build", "200"], ["verify", "--path", str(tmp_path)]):
        assert run(*words) == 2
        err = capsys.readouterr().err
        assert err.startswith("zerosum: error: ")
        assert err.count("\n") == 1
    (tmp_path / "x").write_bytes(b"hello")
    assert run("info", "--path", str(tmp_path / "x")) == 2
    assert "not a tablebase" in capsys.readouterr().err
    assert run("build", "4", "--quiet") == 0
    assert run("probe", "1-2-3") == 2
    assert run("probe", "9-0-0-0-0-0-0-0-0-0-0-0") == 2


def test_rules_that_are_given_must_be_those_of_the_file(capsys, tmp_path):
    path = tmp_path / "x"
    assert run("build", "3", "--rules", "awari", "--path", str(path), "--quiet") == 0
    assert run("info", "--path", str(path)) == 0
    for words in (["info", "--rules", "abapa"], ["verify", "--houses", "5"], ["build", "4"]):
        assert run(*words, "--path", str(path)) == 2
        assert "table of awari with 6 houses a side, not" in capsys.readouterr().err
    path.rename(OwareTablebase.default_path("abapa"))
    assert run("info", "--rules", "abapa") == 2


@pytest.mark.parametrize(
    "words",
    [["--", "-5"], ["200"], ["3", "--houses", "0", "--path", "x"], ["3", "--houses", "9"]],
)
def test_sizes_are_checked_before_anything_is_said(capsys, words):
    assert run("build", *words) == 2
    assert capsys.readouterr().out == ""


def test_probe_names_the_field_that_is_no_number(capsys):
    assert run("build", "3", "--houses", "2", "--quiet") == 0
    capsys.readouterr()
    for text in ("0-1-1-0", "0, 1, 1, 0", " 0 1  1 0 "):
        assert run("probe", "--houses", "2", text) == 0
    assert len(set(capsys.readouterr().out.split("value ")[1:])) == 1
    assert run("probe", "--houses", "2", "0-1-x-0") == 2
    err = capsys.readouterr().err
    assert "field 3 of '0-1-x-0' is 'x'; a board is the mover's houses" in err
    assert "-S" in err


def test_a_limit_of_nothing_is_a_limit(capsys):
    for limit in ("--max-positions", "--memory"):
        assert run("boards", "--houses", "2", "--quiet", limit, "0") == 0
        assert len(capsys.readouterr().out.splitlines()) == 2


def test_a_closed_pipe_is_left_to_the_main_program(monkeypatch):
    def closed(*args, **kwargs):
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr("zerosum.play.tablebase_cli.print_boards", closed)
    with pytest.raises(BrokenPipeError):
        run("boards", "--houses", "2", "--max-positions", "100", "--quiet")


def test_verify_names_a_damaged_file(capsys):
    assert run("build", "4", "--houses", "2", "--quiet") == 0
    path = OwareTablebase.default_path(houses=2)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    assert run("verify", "--houses", "2", "--quiet") == 2
    assert "layer of 4 seeds does not match its checksum" in capsys.readouterr().err


def test_ctrl_c_is_a_status(capsys, monkeypatch):
    class Interrupted:
        default_path = OwareTablebase.default_path

        @staticmethod
        def build(*args, **kwargs):
            raise KeyboardInterrupt

    monkeypatch.setattr("zerosum.play.tablebase_cli.OwareTablebase", Interrupted)
    assert run("build", "4", "--quiet") == STOPPED
    assert "goes on from the last whole layer" in capsys.readouterr().err


def test_ctrl_c_promises_nothing_where_nothing_is_built(capsys, monkeypatch):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("zerosum.play.tablebase_cli.solve_small_boards", interrupted)
    assert run("boards", "--quiet") == STOPPED
    assert capsys.readouterr().err == "zerosum: stopped\n"


def test_boards_in_both_forms(capsys):
    words = ["boards", "--houses", "2", "--max-positions", "2000", "--rules", "abapa", "--quiet"]
    assert run(*words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("| rules | houses |")
    assert len(lines) == 2 + 3
    assert run(*words, "--format", "csv") == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    assert rows[0][:4] == ["rules", "houses", "seeds", "positions"]
    assert [row[:4] for row in rows[1:]] == [
        ["abapa", "2", "1", "70"],
        ["abapa", "2", "2", "495"],
        ["abapa", "2", "3", "1820"],
    ]


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_the_bar_on_a_screen():
    screen = Screen()
    bar = ProgressBar(screen)
    bar(0, 1000, "half boards")
    bar.began -= 10
    bar(500, 1000, "7 seeds")
    bar.close()
    last = screen.getvalue().split("\r")[-1]
    assert last.startswith("[############............]  50 %")
    assert "0:10 left  7 seeds" in last
    assert max(len(line) for line in screen.getvalue().split("\r")) <= 80


def test_the_rate_is_that_of_the_layers_solved_now():
    screen = Screen()
    bar = ProgressBar(screen)
    bar(0, 1_000_000, "looking for layers of an earlier build")
    bar(900_000, 1_000_000, "earlier layers read")
    bar.began -= 10
    bar(950_000, 1_000_000, "7 seeds")
    assert "0:10 left" in screen.getvalue().split("\r")[-1]


def test_no_bar_where_there_is_no_screen():
    stream = io.StringIO()
    bar = ProgressBar(stream)
    for done in range(0, 1000, 10):
        bar(done, 1000, "7 seeds")
    bar(1000, 1000, "7 seeds")
    bar.close()
    assert stream.getvalue().count("\n") == 2


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (65, "1:05"), (7200, "2:00:00")])
def test_durations(seconds, text):
    assert duration(seconds) == text
