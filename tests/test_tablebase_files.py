"""Tablebase files: round trips, damage of every kind, killed builds, two builders on one path."""

import errno
import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from zerosum.core.errors import TablebaseBusyError, TablebaseError
from zerosum.games.oware import Oware
from zerosum.tablebase import files
from zerosum.tablebase.oware import OwareTablebase

SEEDS = 5
TABLE = OwareTablebase.build(SEEDS, rules="awari", houses=3)


@pytest.fixture
def path(tmp_path):
    place = tmp_path / "oware.zstb"
    TABLE.save(place)
    return place


def same(a, b):
    return a.max_seeds == b.max_seeds and all(
        np.array_equal(a.layer(n), b.layer(n)) for n in range(a.max_seeds + 1)
    )


def test_a_file_gives_back_what_was_saved(path):
    table = OwareTablebase.open(path)
    assert same(table, TABLE)
    assert (table.rules, table.houses, table.path) == ("awari", 3, path)
    assert table.verify() == []
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_building_to_a_path_writes_the_same_file(path, tmp_path):
    built = tmp_path / "folder" / "built.zstb"
    OwareTablebase.build(SEEDS, rules="awari", houses=3, path=built)
    assert built.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("rules", ["abapa", "awari", "casual"])
def test_a_file_knows_its_rules(rules, tmp_path):
    OwareTablebase.build(3, rules=rules, houses=2, path=tmp_path / "x")
    table = OwareTablebase.open(tmp_path / "x")
    game = Oware(rules, 2, 1)
    assert table.rules == rules
    assert table.switches == {
        name: getattr(game, name) for name in ("grand_slam", "feeding", "no_move")
    }


def overwrite(file, place, byte):
    file.seek(place)
    file.write(bytes([byte]))


def test_every_byte_of_the_header_counts(path):
    data = path.read_bytes()
    with path.open("r+b", buffering=0) as file:
        for place in range(files.HEADER_SIZE):
            overwrite(file, place, data[place] ^ 0x55)
            with pytest.raises(TablebaseError, match=r"oware\.zstb"):
                OwareTablebase.open(path)
            overwrite(file, place, data[place])
    assert same(OwareTablebase.open(path), TABLE)


def test_every_length_counts(path):
    data = path.read_bytes()
    for length in [*range(0, files.HEADER_SIZE, 61), *range(files.HEADER_SIZE, len(data))]:
        path.write_bytes(data[:length])
        with pytest.raises(TablebaseError, match=r"oware.zstb is (truncated|not a tablebase)"):
            OwareTablebase.open(path)
    path.write_bytes(data + b"\0")
    with pytest.raises(TablebaseError, match="damaged"):
        OwareTablebase.open(path)


def test_every_byte_of_a_layer_counts_for_verify(path):
    data = bytearray(path.read_bytes())
    header, _ = files.map_layers(path)
    for n in range(SEEDS + 1):
        place = header.layer_offset(n) + files.layer_size(3, n) // 2
        data[place] ^= 1
        path.write_bytes(data)
        with pytest.raises(TablebaseError, match=f"layer of {n} seeds does not match"):
            OwareTablebase.open(path).verify()
        data[place] ^= 1


def test_verify_finds_a_wrong_value_without_a_checksum():
    layers = [np.array(TABLE.layer(n)) for n in range(SEEDS + 1)]
    layers[3][7] += 1
    wrong = OwareTablebase(files.Header(3, 1, 2, 1), layers).verify(threads=2)
    board = TABLE.board(3, 7)
    assert any(w.board == board and w.stored == w.expected + 1 for w in wrong)


def forge(path, **fields):
    """Write the file again with other header fields and a right checksum."""
    data = path.read_bytes()
    values = list(files.FIELDS.unpack_from(data))
    names = [
        "magic",
        "version",
        "size",
        "game",
        "houses",
        "slam",
        "feeding",
        "no_move",
        "layers",
        "length",
    ]
    for name, value in fields.items():
        values[names.index(name)] = value
    body = (
        files.FIELDS.pack(*values)
        + data[files.FIELDS.size : files.HEADER_SIZE - files.CHECKSUM_SIZE]
    )
    path.write_bytes(
        body
        + hashlib.blake2b(body, digest_size=files.CHECKSUM_SIZE).digest()
        + data[files.HEADER_SIZE :]
    )


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"version": 2}, "format version 2"),
        ({"size": 8192}, "format version"),
        ({"game": b"chess"}, "tablebase of chess"),
        ({"layers": 200}, "200 layers"),
        ({"layers": 0}, "damaged"),
        ({"layers": 0, "length": 4096}, "damaged"),
        ({"length": 1}, "damaged"),
        ({"houses": 4}, "damaged"),
        ({"houses": 0}, "damaged"),
        ({"houses": 9}, "damaged"),
        ({"slam": 9}, "unknown rules"),
        ({"feeding": 3}, "unknown rules"),
        ({"no_move": 3}, "unknown rules"),
    ],
)
def test_forged_headers_are_refused(path, fields, reason):
    forge(path, **fields)
    with pytest.raises(TablebaseError, match=reason) as caught:
        OwareTablebase.open(path)
    assert str(path) in str(caught.value)


def test_foreign_files_are_refused(tmp_path):
    for content in [b"", b"PK\3\4" * 3000, b"\x89PNG\r\n\x1a\n" + b"\0" * 9000]:
        (tmp_path / "x").write_bytes(content)
        with pytest.raises(TablebaseError, match="not a tablebase"):
            OwareTablebase.open(tmp_path / "x")
    with pytest.raises(FileNotFoundError):
        OwareTablebase.open(tmp_path / "nothing")


def test_a_larger_table_takes_over_the_layers_of_a_smaller_one(tmp_path, monkeypatch):
    place = tmp_path / "x"
    OwareTablebase.build(4, houses=3, path=place)
    solved = record_solved(monkeypatch)
    OwareTablebase.build(6, houses=3, path=place)
    assert solved == [5, 6]
    assert same(OwareTablebase.open(place), OwareTablebase.build(6, houses=3))
    # Asking for fewer seeds leaves what is there.
    assert OwareTablebase.build(2, houses=3, path=place).max_seeds == 6


def record_solved(monkeypatch):
    from zerosum.tablebase import building

    solved, solve = [], building.solve_layer

    def solve_layer(halves, seeds, layers, crew):
        solved.append(seeds)
        return solve(halves, seeds, layers, crew)

    monkeypatch.setattr(building, "solve_layer", solve_layer)
    return solved


def test_what_is_no_table_of_these_rules_is_not_written_over(path):
    others = [path.read_bytes(), b"a letter\n" * 9, b""]
    forge(path, version=2)
    others.append(path.read_bytes())
    reasons = ["holds a table of awari", "not a tablebase", "not a tablebase", "format version 2"]
    for content, reason in zip(others, reasons, strict=True):
        path.write_bytes(content)
        with pytest.raises(TablebaseError, match=rf"oware\.zstb .*{reason}.*; remove it"):
            OwareTablebase.build(2, rules="abapa", houses=3, path=path)
        assert path.read_bytes() == content
        assert [entry.name for entry in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("place", [20, files.HEADER_SIZE + 1, -1, None])
def test_a_damaged_table_of_the_same_rules_is_built_again(path, place):
    whole = path.read_bytes()
    data = bytearray(whole[:-1] if place is None else whole)
    data[-1 if place is None else place] ^= 1
    path.write_bytes(data)
    OwareTablebase.build(SEEDS + 1, rules="awari", houses=3, path=path)
    assert same(OwareTablebase.open(path), OwareTablebase.build(SEEDS + 1, rules="awari", houses=3))
    assert OwareTablebase.open(path).verify() == []


def test_a_file_with_all_the_seeds_is_opened_as_it_is(path, monkeypatch):
    before = path.stat()
    monkeypatch.setattr(files, "digest_of", None)  # nothing is read
    table = OwareTablebase.build(SEEDS - 1, rules="awari", houses=3, path=path)
    assert same(table, TABLE)
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_other_rules_than_asked_are_not_opened(path, monkeypatch):
    for asked in ({"rules": "abapa"}, {"houses": 4, "rules": "awari"}, {"no_move": "nobody"}):
        with pytest.raises(TablebaseError, match=r"oware\.zstb is a table of awari with 3 houses"):
            OwareTablebase.open(path, **asked)
    assert OwareTablebase.open(path, rules=Oware("awari", 3, 4)).rules == "awari"
    monkeypatch.setenv("ZEROSUM_TABLEBASES", str(path.parent))
    path.rename(OwareTablebase.default_path("abapa", 3))
    with pytest.raises(TablebaseError, match="not of abapa with 3 houses"):
        OwareTablebase.open(rules="abapa", houses=3)


@pytest.mark.parametrize("whole", range(4))
@pytest.mark.parametrize("rest", ["", "half", "junk"])
def test_a_build_goes_on_from_its_last_whole_layer(tmp_path, monkeypatch, whole, rest):
    place = tmp_path / "x"
    header = files.Header(3, 1, 2, 1)
    part = files.PartFile(place, header)
    part.resume()
    for n in range(whole):
        part.append(TABLE.layer(n))
    if rest:
        part.file.seek(part.header.layer_offset(whole))
        part.file.write(b"\1" * 3 if rest == "half" else os.urandom(5000))
    part.close()
    solved = record_solved(monkeypatch)
    OwareTablebase.build(SEEDS, rules="awari", houses=3, path=place)
    assert solved == list(range(whole, SEEDS + 1))
    assert same(OwareTablebase.open(place), TABLE)
    assert not part.part.exists()


def stopped_build(place, layers, **rules):
    """What a build leaves that was stopped after so many layers."""
    table = OwareTablebase.build(max(layers, 1) - 1, **rules)
    table.save(place)
    part = Path(f"{place}.part")
    place.rename(part)
    return part


@pytest.mark.parametrize("damaged", range(SEEDS))
@pytest.mark.parametrize("how", ["altered", "cut"])
def test_sound_layers_before_a_damaged_one_are_kept(tmp_path, monkeypatch, damaged, how):
    place = tmp_path / "x"
    part = stopped_build(place, SEEDS, rules="awari", houses=3)
    data = bytearray(part.read_bytes())
    header, _ = files.map_layers(part)
    at = header.layer_offset(damaged)
    data[at] ^= 1
    part.write_bytes(data if how == "altered" else data[:at])
    solved = record_solved(monkeypatch)
    OwareTablebase.build(SEEDS, rules="awari", houses=3, path=place)
    assert solved == list(range(damaged, SEEDS + 1))
    TABLE.save(tmp_path / "y")
    assert place.read_bytes() == (tmp_path / "y").read_bytes()


def test_fewer_layers_than_a_damaged_part_promised_make_a_whole_file(tmp_path):
    place = tmp_path / "x"
    part = stopped_build(place, SEEDS + 1, rules="awari", houses=3)
    part.write_bytes(part.read_bytes()[:-1])
    OwareTablebase.build(2, rules="awari", houses=3, path=place)
    assert OwareTablebase.open(place).max_seeds == SEEDS - 1


def test_a_damaged_part_does_not_stand_for_the_finished_file(path):
    part = Path(f"{path}.part")
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    part.write_bytes(data)
    OwareTablebase.build(SEEDS + 1, rules="awari", houses=3, path=path)
    assert OwareTablebase.open(path).verify() == []


def test_a_part_of_other_rules_gives_its_name_to_nothing(tmp_path):
    place, header = tmp_path / "x", files.Header(3, 1, 2, 1)
    OwareTablebase.build(0, rules="awari", houses=3, path=place)
    stopped_build(tmp_path / "y", 1, rules="abapa", houses=3).rename(f"{place}.part")
    part = files.PartFile(place, header)
    part.resume()
    part.close()
    assert files.map_layers(part.part)[0].rules == header.rules


def test_saving_leaves_a_stopped_build_alone(tmp_path):
    place = tmp_path / "x"
    for layers, rules in [(SEEDS + 2, "awari"), (2, "abapa")]:
        part = stopped_build(tmp_path / "y", layers, rules=rules, houses=3)
        part = part.rename(f"{place}.part")
        before = part.read_bytes()
        with pytest.raises(TablebaseError, match=f"x.part holds {layers} layers of a stopped"):
            TABLE.save(place)
        assert part.read_bytes() == before
    stopped_build(tmp_path / "y", 2, rules="awari", houses=3).rename(f"{place}.part")
    TABLE.save(place)
    assert same(OwareTablebase.open(place), TABLE)


def test_a_stopped_resume_writes_nothing(tmp_path):
    place = tmp_path / "x"
    path = stopped_build(place, SEEDS, rules="awari", houses=3)
    before = path.read_bytes()
    part = files.PartFile(place, files.Header(3, 1, 2, 1))
    assert part.resume(lambda: True) == []
    part.close()
    assert path.read_bytes() == before


def test_nothing_works_on_the_file_after_ctrl_c(tmp_path, monkeypatch):
    place, synced, sync = tmp_path / "x", [], os.fsync

    def slow_sync(descriptor):
        time.sleep(0.3)
        sync(descriptor)
        synced.append(descriptor)

    def progress(done, total, text):
        if text == "finishing the file" and len(reports) < 2:
            reports.append(text)
        elif text == "finishing the file":
            raise KeyboardInterrupt

    reports = [""]
    monkeypatch.setattr(files.os, "fsync", slow_sync)
    with pytest.raises(KeyboardInterrupt):
        OwareTablebase.build(4, houses=3, path=place, progress=progress)
    assert len(synced) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.part"]
    OwareTablebase.build(4, houses=3, path=place)
    assert OwareTablebase.open(place).verify() == []


@pytest.mark.skipif(sys.platform == "win32", reason="limits")
def test_errors_of_writing_name_the_file(tmp_path):
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (files.HEADER_SIZE + 200, hard))
    try:
        with pytest.raises(OSError, match=r"x\.part") as caught:
            OwareTablebase.build(4, houses=3, path=tmp_path / "x")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert caught.value.errno == errno.EFBIG


@pytest.mark.skipif(sys.platform == "win32", reason="locks")
def test_a_lock_that_cannot_be_had_is_not_another_build(tmp_path, monkeypatch):
    def no_locks(file):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(files, "lock_at_once", no_locks)
    with pytest.raises(OSError, match=r"No locks available.*x\.part"):
        OwareTablebase.build(1, houses=3, path=tmp_path / "x")


@pytest.mark.parametrize("place", ["", "folder"])
def test_a_folder_is_no_place_for_a_file(tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for write in (TABLE.save, lambda path: OwareTablebase.build(1, houses=3, path=path)):
        with pytest.raises(IsADirectoryError, match=f"'{place or '.'}'"):
            write(place)
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


def test_saving_makes_the_folder(tmp_path):
    TABLE.save(tmp_path / "a" / "b" / "x")
    assert same(OwareTablebase.open(tmp_path / "a" / "b" / "x"), TABLE)


def test_only_whole_layers_make_a_table():
    layers = [TABLE.layer(n) for n in range(SEEDS + 1)]
    header = files.Header(3, 1, 2, 1)
    assert same(OwareTablebase(header, iter(layers)), TABLE)
    for wrong, reason in [
        ([], "0 layers"),
        (layers[:1] * 129, "129 layers"),
        (layers[1:], "layer of 0 seeds"),
        ([*layers[:3], layers[3][1:]], "layer of 3 seeds has 55 values instead of 56"),
        ([*layers[:2], np.zeros(21, np.int16)], "mismatch"),
    ]:
        with pytest.raises(ValueError, match=reason):
            OwareTablebase(header, wrong)
    empty = OwareTablebase.__new__(OwareTablebase)
    with pytest.raises(LookupError):
        empty.probe([])
    assert empty.coverage(Oware().new_initial_state()) == "foreign"


def test_layers_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        TABLE.layer(2)[0] = 1
    mine = np.zeros(1, np.int8)
    OwareTablebase(files.Header(3, 1, 2, 1), [mine])
    mine[0] = 1


@pytest.mark.parametrize("damage", ["header", "layer", "empty", "foreign"])
def test_a_damaged_part_is_written_over(tmp_path, damage):
    place = tmp_path / "x"
    part = files.PartFile(place, files.Header(3, 1, 2, 1))
    part.resume()
    for n in range(4):
        part.append(TABLE.layer(n))
    part.close()
    data = bytearray(part.part.read_bytes())
    if damage == "header":
        data[30] ^= 1
    elif damage == "layer":
        data[-1] ^= 1
    else:
        data = bytearray(b"" if damage == "empty" else b"hello" * 2000)
    part.part.write_bytes(data)
    OwareTablebase.build(SEEDS, rules="awari", houses=3, path=place)
    assert same(OwareTablebase.open(place), TABLE)
    assert OwareTablebase.open(place).verify() == []


def test_two_builders_on_one_path(tmp_path):
    place = tmp_path / "x"
    first = files.PartFile(place, files.Header(3, 0, 1, 0))
    try:
        with pytest.raises(TablebaseBusyError, match="another build"):
            OwareTablebase.build(3, houses=3, path=place)
        with pytest.raises(TablebaseBusyError):
            TABLE.save(place)
    finally:
        first.close()
    OwareTablebase.build(3, houses=3, path=place)
    assert OwareTablebase.open(place).max_seeds == 3


def test_many_builders_at_once(tmp_path):
    place, outcomes = tmp_path / "x", []

    def build():
        try:
            outcomes.append(OwareTablebase.build(8, houses=4, path=place, threads=1).max_seeds)
        except TablebaseBusyError:
            outcomes.append("busy")

    threads = [threading.Thread(target=build) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(outcomes) <= {8, "busy"}
    assert 8 in outcomes
    assert OwareTablebase.open(place).verify() == []


BUILD = """
import sys
from zerosum.tablebase.oware import OwareTablebase
def progress(done, total, text):
    print(text, flush=True)
seeds, path = int(sys.argv[1]), sys.argv[2]
OwareTablebase.build(seeds, rules="awari", path=path, progress=progress, threads=2)
"""


def start_build(seeds, place):
    return subprocess.Popen(
        [sys.executable, "-c", BUILD, str(seeds), str(place)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(process, text):
    for line in process.stdout:
        if line.startswith(text):
            return
    raise AssertionError(f"the build ended before {text!r}: {process.stderr.read()}")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("how", ["SIGKILL", "SIGINT"])
def test_a_stopped_build_leaves_the_old_file_and_goes_on_later(tmp_path, how):
    place = tmp_path / "x"
    OwareTablebase.build(9, rules="awari", path=place)
    before = place.read_bytes()
    process = start_build(15, place)
    wait_for(process, "14 seeds")
    process.send_signal(getattr(signal, how))
    began = time.monotonic()
    process.wait(10)
    took = time.monotonic() - began
    assert place.read_bytes() == before
    part = Path(f"{place}.part")
    _, layers = files.map_layers(part, any_length=True)
    assert len(layers) in (14, 15)
    if how == "SIGINT":
        assert "KeyboardInterrupt" in process.stderr.read()
        assert took < 2  # a tenth of a second to stop, then Python's own end on a busy machine
    table = OwareTablebase.build(14, rules="awari", path=place)
    assert not part.exists()
    assert same(table, OwareTablebase.build(14, rules="awari"))
    assert OwareTablebase.open(place).verify() == []


def test_nothing_is_begun_when_memory_or_disk_is_short(tmp_path, monkeypatch):
    from zerosum.tablebase import memory

    with pytest.raises(MemoryError, match="GB"):
        OwareTablebase.build(60)
    monkeypatch.setattr(memory.shutil, "disk_usage", lambda path: type("usage", (), {"free": 5000}))
    with pytest.raises(OSError, match="on disk"):
        OwareTablebase.build(4, path=tmp_path / "folder" / "x")
    assert list(tmp_path.iterdir()) == []


def test_the_default_place(tmp_path, monkeypatch):
    monkeypatch.setenv("ZEROSUM_TABLEBASES", str(tmp_path / "tables"))
    place = OwareTablebase.default_path("awari", 3)
    assert place == tmp_path / "tables" / "oware-awari-3.zstb"
    OwareTablebase.build(4, rules="awari", houses=3, path=place)
    assert OwareTablebase.open(rules="awari", houses=3).max_seeds == 4
    monkeypatch.delenv("ZEROSUM_TABLEBASES")
    assert OwareTablebase.default_path().name == "oware-abapa-6.zstb"
    assert OwareTablebase.default_path(grand_slam="all_but_first") != OwareTablebase.default_path()
