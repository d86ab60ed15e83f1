"""Building: the same bytes for any threads, progress, Ctrl-C; and what a table says to a search."""

import itertools
import signal
import sys
import threading
import time
import tracemalloc

import numpy as np
import pytest

from zerosum.core.state import State
from zerosum.core.tablebase import Tablebase
from zerosum.games.oware import Oware
from zerosum.tablebase import building, memory
from zerosum.tablebase.files import layer_size
from zerosum.tablebase.halves import Halves
from zerosum.tablebase.memory import disk_needed, memory_needed, positions
from zerosum.tablebase.oware import OwareTablebase
from zerosum.tablebase.retrograde import LayerSolver
from zerosum.tablebase.small_boards import solve_small_boards


def layers_of(table):
    return [table.layer(n).tobytes() for n in range(table.max_seeds + 1)]


@pytest.mark.parametrize("rules", ["abapa", "awari"])
def test_any_number_of_threads_gives_the_same_bytes(rules, monkeypatch):
    monkeypatch.setattr(building, "SMALL", 100)
    expected = layers_of(OwareTablebase.build(11, rules=rules, threads=1))
    for threads in (2, 3, 8):
        assert layers_of(OwareTablebase.build(11, rules=rules, threads=threads)) == expected


def test_wide_codes_with_threads(monkeypatch):
    monkeypatch.setattr(building, "SMALL", 100)
    expected = layers_of(OwareTablebase.build(48, houses=2, threads=1))
    assert layers_of(OwareTablebase.build(48, houses=2, threads=4)) == expected


@pytest.mark.parametrize(("houses", "seeds"), [(2, 3), (1, 60)])
def test_a_position_that_no_bound_settled_is_an_error(houses, seeds):
    halves = Halves(houses, seeds, 0, 1, 0)
    smaller = OwareTablebase.build(seeds - 1, houses=houses)
    layers = [smaller.layer(n) for n in range(seeds)]
    codes = np.empty(layer_size(houses, seeds), np.uint8 if seeds < 50 else np.uint16)
    solver = LayerSolver(halves, seeds, layers, codes, 1)
    solver.share_rows(building.row_ranges(houses, seeds))
    solver.first_pass()
    solver.share_positions()
    with pytest.raises(RuntimeError, match=f"of the layer of {seeds} seeds was never settled"):
        solver.finish(np.empty(codes.size, np.int8))


def test_progress_rises_to_the_total():
    seen = []
    table = OwareTablebase.build(12, progress=lambda *report: seen.append(report))
    done = [report[0] for report in seen]
    assert done == sorted(done)
    assert done[-1] == table.num_positions == positions(6, 12)
    assert {report[1] for report in seen} == {table.num_positions}
    assert seen[-1][2] == "12 seeds"
    seen.clear()
    assert table.verify(progress=lambda *report: seen.append(report)) == []
    assert seen[-1][:2] == (table.num_positions, table.num_positions)


def test_an_error_in_progress_stops_the_build():
    def progress(done, total, text):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        OwareTablebase.build(14, progress=progress)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("delay", [0.05, 0.4, 1.0])
@pytest.mark.parametrize("what", ["build", "verify"])
def test_ctrl_c_stops_at_once(delay, what):
    table = OwareTablebase.build(14)
    sent = []

    def interrupt():
        time.sleep(delay)
        sent.append(time.monotonic())
        signal.raise_signal(signal.SIGINT)

    thread = threading.Thread(target=interrupt)

    def work():
        thread.start()
        for _ in range(100):
            OwareTablebase.build(17, threads=2) if what == "build" else table.verify(threads=2)

    with pytest.raises(KeyboardInterrupt):
        work()
    took = time.monotonic() - sent[0]
    thread.join()
    assert took < 0.5  # 0.1 s on a machine with nothing else to do


@pytest.mark.parametrize(
    ("switches", "reason"),
    [
        ({"repetition": "own_row"}, "depends on the path"),
        ({"majority": True}, "already captured"),
        ({"grand_slam": "maybe"}, "grand_slam"),
        ({"rules": "chess"}, "rule sets"),
        ({"houses": 9}, "houses"),
        ({"threads": 0}, "threads"),
        ({"threads": True}, "threads"),
        ({"rules": Oware("awari"), "feeding": "no_duty"}, "not both"),
        ({"rules": Oware("awari", 3), "houses": 4}, "not both"),
    ],
)
def test_what_cannot_be_built_is_refused_with_the_reason(switches, reason):
    with pytest.raises(ValueError, match=reason):
        OwareTablebase.build(3, **switches)
    with pytest.raises(ValueError, match="max_seeds"):
        OwareTablebase.build(128)


@pytest.mark.parametrize(
    ("rules", "switches", "coverage"),
    [
        ("abapa", {}, "convention"),
        ("abapa", {"repetition": "split"}, "winner"),
        ("abapa", {"repetition": "none", "majority": False}, "exact"),
        ("abapa", {"grand_slam": "captures_all"}, "foreign"),
        ("awari", {}, "foreign"),
    ],
)
def test_coverage_of_abapa(rules, switches, coverage):
    table = OwareTablebase.build(4)
    assert isinstance(table, Tablebase)
    state = Oware(rules, **switches).state(south=[1, 0, 0, 0, 0, 0], north=[0, 0, 2, 0, 0, 0])
    assert table.coverage(state) == coverage
    assert (table.utility_of(state) is None) == (coverage == "foreign")


def test_coverage_of_other_games():
    awari = OwareTablebase.build(4, rules="awari")
    assert awari.coverage(Oware("awari").new_initial_state()) == "winner"
    slams = Oware("awari", grand_slam="captures_all").new_initial_state()
    assert awari.coverage(slams) == "winner"  # under must_not_starve it is the same rule
    assert awari.coverage(Oware("awari", houses=5).new_initial_state()) == "foreign"
    assert awari.coverage(State(None)) == "foreign"


def test_utility_counts_what_has_been_captured():
    table = OwareTablebase.build(4)
    game = Oware("abapa")
    state = game.state(south=[0, 0, 0, 0, 0, 1], north=[1, 0, 0, 1, 0, 0], scores=(21, 24))
    assert table.utility_of(state) == 21 - 24 + table.probe(state)
    north = game.state(
        south=[1, 0, 0, 1, 0, 0], north=[0, 0, 0, 0, 0, 1], scores=(24, 21), to_move=1
    )
    assert table.utility_of(north) == table.utility_of(state)
    assert table.utility_of(game.new_initial_state()) is None


@pytest.mark.parametrize("mover", [0, 1])
def test_the_utility_of_a_finished_game_is_its_return(mover):
    table = OwareTablebase.build(4, rules="awari")
    state = Oware("awari").state(
        south=[0, 0, 0, 0, 0, 1], north=[1, 0, 0, 2, 0, 0], scores=(27, 17), to_move=mover
    )
    assert state.is_terminal()
    assert table.utility_of(state) == state.returns()[mover]


def test_values_are_those_of_play_without_repetition_and_majority():
    """Both sides follow best_actions: the winner gets what the table promised, or play is endless."""
    game = Oware("awari", repetition="none", majority=False)
    table = OwareTablebase.build(9, rules=game)
    for index in range(0, table.layer(9).size, 1999):
        board = table.board(9, index)
        state = game.state(south=board[:6], north=board[6:])
        value, captured = table.probe(state), [0, 0]
        for _ in range(300):
            if state.is_terminal():
                break
            state.apply_action(table.best_actions(state)[0])
        captured = state.scores
        rest = table.probe(state) * (1 - 2 * state.to_move)
        assert captured[0] - captured[1] + rest == value


def test_for_game_builds_once_or_opens_the_default_file(tmp_path, monkeypatch):
    from zerosum.tablebase import oware

    monkeypatch.setenv("ZEROSUM_TABLEBASES", str(tmp_path))
    monkeypatch.setattr(oware, "KNOWN", {}, raising=True)
    game = Oware("awari", 3, 4)
    built = OwareTablebase.for_game(game)
    assert built is OwareTablebase.for_game(Oware("awari", 3, 2, majority=False))
    assert built.num_positions <= oware.SUFFICIENT < positions(3, built.max_seeds + 1)
    assert OwareTablebase.for_game(Oware("abapa", 3)).rules == "abapa"


def test_for_game_prefers_a_file_of_enough_seeds(tmp_path, monkeypatch):
    from zerosum.tablebase import oware

    monkeypatch.setenv("ZEROSUM_TABLEBASES", str(tmp_path))
    monkeypatch.setattr(oware, "KNOWN", {})
    monkeypatch.setattr(oware, "SUFFICIENT", 10_000)
    game, place = Oware("awari", 3), OwareTablebase.default_path("awari", 3)
    assert OwareTablebase.for_game(game, may_build=False) is None
    OwareTablebase.build(3, rules="awari", houses=3, path=place)
    assert OwareTablebase.for_game(game, may_build=False).path == place
    built = OwareTablebase.for_game(game)
    assert (built.path, built.max_seeds) == (None, oware.sufficient_seeds(3))
    monkeypatch.setattr(oware, "KNOWN", {})
    OwareTablebase.build(built.max_seeds, rules="awari", houses=3, path=place)
    assert OwareTablebase.for_game(game).path == place


@pytest.mark.parametrize("hindrance", ["file", "folder", "other rules"])
def test_for_game_does_without_what_it_cannot_use(tmp_path, monkeypatch, hindrance):
    from zerosum.tablebase import oware

    monkeypatch.setattr(oware, "KNOWN", {})
    monkeypatch.setenv("ZEROSUM_TABLEBASES", str(tmp_path / "tables"))
    place = OwareTablebase.default_path("awari", 2)
    if hindrance == "file":
        (tmp_path / "tables").touch()
    elif hindrance == "folder":
        place.mkdir(parents=True)
    else:
        OwareTablebase.build(100, rules="abapa", houses=2).save(place)
    assert OwareTablebase.for_game(Oware("awari", 2), may_build=False) is None
    built = OwareTablebase.for_game(Oware("awari", 2))
    assert (built.rules, built.path) == ("awari", None)


def test_a_thread_that_cannot_start_stops_those_that_did(monkeypatch):
    stopped, ended = threading.Event(), []

    def work():
        stopped.wait(10)
        time.sleep(0.1)
        ended.append(stopped.is_set())

    with building.Crew(2, building.Meter(None, 0)) as crew:
        submit, left = crew.pool.submit, iter([True])

        def short_of_threads(work):
            if not next(left, False):
                raise RuntimeError("can't start new thread")
            return submit(work)

        monkeypatch.setattr(crew.pool, "submit", short_of_threads)
        with pytest.raises(RuntimeError, match="new thread"):
            crew.run(work, stopped.set)
        assert ended == [True]


def test_estimates():
    assert disk_needed(6, 15) > positions(6, 15) > disk_needed(6, 15) - 16 * 64 - 4096
    assert positions(6, 24) < memory_needed(6, 24) < 2 * positions(6, 24)


@pytest.mark.parametrize(
    ("houses", "seeds"), [(1, 127), (2, 12), (2, 120), (3, 48), (4, 24), (6, 12), (8, 10)]
)
def test_half_boards_take_no_more_memory_than_estimated(houses, seeds):
    tracemalloc.start()
    try:
        Halves(houses, seeds, 0, 1, 0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= memory.half_board_bytes(houses, seeds) < 2 * peak


def write_group(folder, **files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(f"{content}\n")


def test_limits_of_control_groups_count(tmp_path):
    mount, own = tmp_path / "groups", tmp_path / "own"
    assert memory.rooms_in_groups(mount, own) == []
    own.write_text("4:cpu,cpuacct:/x\n0::/user/job\n")
    stat = "active_file 7\ninactive_file 100"
    write_group(mount / "user" / "job", memory__max="max", memory__current=5, memory__stat=stat)
    assert memory.rooms_in_groups(mount, own) == []
    write_group(mount / "user", memory__max=5000, memory__current=2000, memory__stat=stat)
    assert memory.rooms_in_groups(mount, own) == [3100]
    old = {"memory__limit_in_bytes": 900, "memory__usage_in_bytes": 1000, "memory__stat": "cache 1"}
    write_group(mount / "memory" / "job", **old)
    own.write_text("4:memory:/job\n")
    assert memory.rooms_in_groups(mount, own) == [0]


@pytest.mark.skipif(sys.platform != "linux", reason="limits")
def test_the_limit_of_the_address_space_counts():
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    available = memory.available_memory()
    resource.setrlimit(resource.RLIMIT_AS, (1 << 50, hard))
    try:
        if resource.getrlimit(resource.RLIMIT_AS)[0] != 1 << 50:
            pytest.skip("no limits here: an emulator leaves them out")
        assert 0 < memory.room_in_address_space() < 1 << 50
        resource.setrlimit(resource.RLIMIT_AS, (available, hard))
        assert memory.available_memory() < available
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def test_small_boards():
    solved = list(solve_small_boards(memory=10**8, max_positions=20_000, houses=[2, 3], threads=1))
    assert {(row.rules, row.houses) for row in solved} == set(
        itertools.product(("abapa", "awari"), (2, 3))
    )
    for row in solved:
        table = OwareTablebase.build(2 * row.houses * row.seeds, rules=row.rules, houses=row.houses)
        start = Oware(row.rules, row.houses, row.seeds).new_initial_state()
        assert row.value == table.probe(start)
        assert list(row.best_actions) == table.best_actions(start)
        assert row.positions == table.num_positions <= 20_000
    assert max(row.seeds for row in solved if row.houses == 2) == 5
    assert list(solve_small_boards(memory=10, houses=[6])) == []


def test_layers_are_arrays_of_signed_bytes():
    table = OwareTablebase.build(5)
    assert all(table.layer(n).dtype == np.int8 for n in range(6))
    assert repr(table) == "<OwareTablebase abapa, 6 houses, up to 5 seeds>"
