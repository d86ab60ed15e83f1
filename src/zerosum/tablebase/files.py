"""The tablebase file: a header page, then the layers of 0, 1, 2, .. seeds, a byte a position.

All numbers are little-endian.

==========  =====  =====================================================================
offset      bytes  content
==========  =====  =====================================================================
0           8      magic, ``89 5A 53 54 42 0D 0A 1A``: not text, and damaged by text-mode copying
8           4      format version, 1
12          4      size of the header, 4096
16          8      name of the game, ``oware`` and zeros
24          1      houses a side
25          1      grand slam: 0 no_capture, 1 illegal, 2 captures_all, 3 opponent_keeps,
                   4 all_but_first, 5 all_but_last
26          1      feeding: 0 no_duty, 1 must_feed, 2 must_not_starve
27          1      no move: 0 own_row, 1 opponent, 2 nobody
28          4      number of whole layers; the first has 0 seeds
32          8      length of the file
40          24     zeros
64          2048   BLAKE2b-128 of each layer, zeros for those that are not there
2112        1952   zeros
4064        32     BLAKE2b-256 of bytes 0..4063
4096        ..     the layers, each starting at the next multiple of 64, zeros between
==========  =====  =====================================================================

A layer's positions stand in the order of ``halves.pxd``: by the seeds of the mover's half, then by
the number of the mover's half, then by that of the other half.

While a table is being built it is called ``<path>.part``; each layer is written first and the
header after it, so that a header never promises what is not there. The last step renames it.
Whoever builds holds a lock on the ``.part`` file, which the operating system drops when the process
ends, however it ends.
"""

import hashlib
import os
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from math import comb
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from zerosum.core.errors import TablebaseBusyError, TablebaseError

__all__ = [
    "DamagedError",
    "Header",
    "PartFile",
    "check_layer",
    "finished_table",
    "layer_size",
    "map_layers",
    "read_header",
]

MAGIC = b"\x89ZSTB\r\n\x1a"
VERSION = 1
HEADER_SIZE = 4096
CHECKSUM_SIZE = 32
DIGEST_SIZE = 16
MAX_LAYERS = 128
MAX_HOUSES = 8
ALIGNMENT = 64
GAME = b"oware"
NAMES = {(0, 1, 0): "abapa", (1, 2, 1): "awari", (2, 0, 2): "casual"}
FIELDS = struct.Struct("<8sII8sBBBBIQ24x")
DIGESTS_AT = FIELDS.size
CHUNK = 1 << 24  # bytes written or read between two looks at the stop sign

Layer = np.ndarray[Any, np.dtype[np.int8]]


class DamagedError(TablebaseError):
    """The file is a tablebase, but not whole."""


def layer_size(houses: int, seeds: int) -> int:
    """Positions with that many seeds on 2 x ``houses`` houses."""
    return comb(seeds + 2 * houses - 1, seeds)


@dataclass(frozen=True)
class Header:
    """What a tablebase file says about itself; switches are numbers as in the table above."""

    houses: int
    grand_slam: int
    feeding: int
    no_move: int
    digests: tuple[bytes, ...] = field(default=(), repr=False)

    @property
    def rules(self) -> tuple[int, int, int, int]:
        """Houses and switches: two files with equal ones hold the same values."""
        return (self.houses, self.grand_slam, self.feeding, self.no_move)

    @property
    def name(self) -> str:
        """The rule set; where it has no name, ``rules`` and the numbers of the switches."""
        return NAMES.get(self.rules[1:], "rules{}{}{}".format(*self.rules[1:]))

    def __str__(self) -> str:
        return f"{self.name} with {self.houses} houses a side"

    def layer_offset(self, seeds: int) -> int:
        """Where a layer starts in the file."""
        at = HEADER_SIZE
        for n in range(seeds):
            at += -(-layer_size(self.houses, n) // ALIGNMENT) * ALIGNMENT
        return at

    @property
    def file_length(self) -> int:
        """Bytes of the whole file."""
        layers = len(self.digests)
        if layers == 0:
            return HEADER_SIZE
        return self.layer_offset(layers - 1) + layer_size(self.houses, layers - 1)

    def to_bytes(self) -> bytes:
        """The header page."""
        fields = FIELDS.pack(
            MAGIC, VERSION, HEADER_SIZE, GAME, *self.rules, len(self.digests), self.file_length
        )
        body = (fields + b"".join(self.digests)).ljust(HEADER_SIZE - CHECKSUM_SIZE, b"\0")
        return body + hashlib.blake2b(body, digest_size=CHECKSUM_SIZE).digest()


def read_header(file: BinaryIO, path: Path) -> Header:
    """The header at the start of an open file; TablebaseError says what is wrong with it."""
    file.seek(0)
    page = file.read(HEADER_SIZE)
    if page[: len(MAGIC)] != MAGIC:
        raise TablebaseError(f"{path} is not a tablebase: it does not begin with the magic bytes")
    if len(page) < HEADER_SIZE:
        raise DamagedError(f"{path} is truncated: {len(page)} bytes, less than its header")
    _, version, size, game, *rules, layers, length = FIELDS.unpack_from(page)
    checksum = hashlib.blake2b(page[:-CHECKSUM_SIZE], digest_size=CHECKSUM_SIZE).digest()
    if checksum != page[-CHECKSUM_SIZE:]:
        if version > VERSION:
            raise TablebaseError(
                f"{path} has format version {version}; this program reads {VERSION}"
            )
        raise DamagedError(f"{path} is damaged: the header does not match its checksum")
    if version != VERSION or size != HEADER_SIZE:
        raise TablebaseError(f"{path} has format version {version}; this program reads {VERSION}")
    if game.rstrip(b"\0") != GAME:
        name = game.rstrip(b"\0").decode("ascii", "replace")
        raise TablebaseError(f"{path} is a tablebase of {name}, not oware")
    if layers > MAX_LAYERS or not 1 <= rules[0] <= MAX_HOUSES:
        raise DamagedError(f"{path} is damaged: {layers} layers, {rules[0]} houses")
    digests = tuple(
        page[DIGESTS_AT + DIGEST_SIZE * n : DIGESTS_AT + DIGEST_SIZE * (n + 1)]
        for n in range(layers)
    )
    header = Header(rules[0], rules[1], rules[2], rules[3], digests)
    if header.file_length != length:
        raise DamagedError(
            f"{path} is damaged: {layers} layers are {header.file_length} bytes, not {length}"
        )
    return header


def map_layers(path: Path, any_length: bool = False) -> tuple[Header, list[Layer]]:
    """The header and the layers, memory-mapped: nothing but the header is read.

    TablebaseError when the file is foreign, newer, damaged or truncated; FileNotFoundError when
    there is none. With ``any_length`` the layers that end within the file, however long it is.
    """
    with path.open("rb") as file:
        header = read_header(file, path)
        data = np.memmap(file, np.int8, "r").view(np.ndarray)
    if data.size != header.file_length and not any_length:
        what = "truncated" if data.size < header.file_length else "damaged"
        raise DamagedError(f"{path} is {what}: {data.size} bytes instead of {header.file_length}")
    layers: list[Layer] = []
    for n in range(len(header.digests)):
        start = header.layer_offset(n)
        end = start + layer_size(header.houses, n)
        if end > data.size:
            break
        layers.append(data[start:end])
    return header, layers


def finished_table(path: Path, header: Header) -> tuple[Header, list[Layer]]:
    """The mapped table that a build with these rules finds at its path; without layers if none.

    A damaged one of these rules counts as none. TablebaseError when there is anything else, which
    the build would write over.
    """
    try:
        with path.open("rb") as file:
            found = read_header(file, path)
        if found.rules != header.rules:
            raise TablebaseError(f"{path} holds a table of {found}, not of {header}")
        return map_layers(path)
    except (FileNotFoundError, DamagedError):
        return header, []
    except TablebaseError as error:
        raise TablebaseError(f"{error}; remove it or give another path") from None


def never() -> bool:
    """The stop sign of those who do not stop."""
    return False


def digest_of(layer: Layer, stop: Callable[[], bool] = never) -> bytes | None:
    """BLAKE2b-128 of a layer; None when told to stop."""
    digest = hashlib.blake2b(digest_size=DIGEST_SIZE)
    for start in range(0, layer.size, CHUNK):
        if stop():
            return None
        digest.update(layer[start : start + CHUNK].data)
    return digest.digest()


def check_layer(
    path: Path, header: Header, layers: list[Layer], n: int, stop: Callable[[], bool] = never
) -> None:
    """TablebaseError when a layer's bytes are not those that were written."""
    digest = digest_of(layers[n], stop)
    if digest is not None and digest != header.digests[n]:
        raise TablebaseError(
            f"{path} is damaged: the layer of {n} seeds does not match its checksum"
        )


class PartFile:
    """The file under construction, ``<path>.part``, locked while it is open.

    TablebaseBusyError when another process (or thread) is building there.
    """

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self.part: Path = path.with_name(path.name + ".part")
        self.header: Header = replace(header, digests=())
        self.file: BinaryIO = open_locked(self.part)

    def resume(self, stop: Callable[[], bool] = never) -> list[Layer]:
        """The sound layers that an earlier build left here or a finished file holds, in memory.

        They end before the first that is damaged or cut. Nothing is written when told to stop while
        reading.
        """
        finished_table(self.path, self.header)  # which may have come after its builder looked
        digests, layers = self.load(self.part, 0, stop)
        _, finished = self.load(self.path, len(layers), stop)
        if stop():
            return []
        if finished:
            self.rewrite(finished, stop)
            return finished
        self.keep(digests)
        return layers

    def load(
        self, path: Path, fewer: int, stop: Callable[[], bool]
    ) -> tuple[tuple[bytes, ...], list[Layer]]:
        """Digests and layers of a file up to the first that is not sound; none unless more than ``fewer``."""
        try:
            found, layers = map_layers(path, any_length=True)
        except (TablebaseError, FileNotFoundError):
            return (), []
        sound: list[Layer] = []
        if found.rules == self.header.rules and len(layers) > fewer:
            for layer, digest in zip(layers, found.digests, strict=False):
                if digest_of(layer, stop) != digest:
                    break
                sound.append(np.array(layer))
        if len(sound) <= fewer:
            return (), []
        return found.digests[: len(sound)], sound

    def keep(self, digests: tuple[bytes, ...]) -> None:
        """Keep the first layers, which are here, and forget whatever else an earlier build left."""
        self.header = replace(self.header, digests=digests)
        self.write_header()
        with naming(self.part):
            self.file.truncate(self.header.file_length)

    def rewrite(self, layers: list[Layer], stop: Callable[[], bool] = never) -> None:
        """Write these layers in place of whatever is here."""
        self.keep(())
        for layer in layers:
            self.append(layer, stop)

    def refuse_to_lose(self, layers: int) -> None:
        """TablebaseError when an earlier build left here what so many layers would not replace."""
        try:
            found = read_header(self.file, self.part)
        except TablebaseError:
            return
        if len(found.digests) > (layers if found.rules == self.header.rules else 0):
            raise TablebaseError(
                f"{self.part} holds {len(found.digests)} layers of a stopped build of {found}; "
                "finish that build or remove the file"
            )

    def append(self, layer: Layer, stop: Callable[[], bool] = never) -> None:
        """Write the next layer, then the header that knows of it; not the header when stopped."""
        n = len(self.header.digests)
        digest = digest_of(layer, stop)
        with naming(self.part):
            self.file.seek(self.header.layer_offset(n))
            for start in range(0, layer.size, CHUNK):
                if stop():
                    return
                self.file.write(layer[start : start + CHUNK].data)
            self.file.flush()
        if digest is None:
            return
        self.header = replace(self.header, digests=(*self.header.digests, digest))
        self.write_header()

    def write_header(self) -> None:
        """Bring the header up to date: one page, one write."""
        with naming(self.part):
            self.file.seek(0)
            self.file.write(self.header.to_bytes())
            self.file.flush()

    def sync(self) -> None:
        """Have all layers on the disk itself."""
        with naming(self.part):
            self.file.truncate(self.header.file_length)
            os.fsync(self.file.fileno())

    def finish(self) -> None:
        """Put the file, all written and synced, in its place."""
        if sys.platform == "win32":  # an open file cannot be renamed there
            self.file.close()
        self.part.replace(self.path)
        self.file.close()

    def close(self) -> None:
        """Let go of the file, finished or not."""
        with suppress(OSError):  # of what could not be written, which has been reported
            self.file.close()


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Errors of an open file do not say which it is; let them."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def open_locked(part: Path) -> BinaryIO:
    """The part file, created if need be, open for reading and writing, locked against others."""
    while True:
        descriptor = os.open(part, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        file = os.fdopen(descriptor, "r+b")
        try:
            lock(file, part)
            if os.path.samestat(os.fstat(descriptor), part.stat()):
                return file
        except FileNotFoundError:
            pass  # renamed between opening and locking: that build is done
        except BaseException:
            file.close()
            raise
        file.close()


def lock(file: BinaryIO, part: Path) -> None:
    """TablebaseBusyError when another build has the file."""
    try:
        with naming(part):
            lock_at_once(file)
    except TAKEN as error:
        raise TablebaseBusyError(f"{part} is being written by another build") from error


if sys.platform == "win32":
    import msvcrt

    TAKEN = PermissionError

    def lock_at_once(file: BinaryIO) -> None:
        """Lock a byte far behind the end: the content stays readable. TAKEN when that is so."""
        file.seek(1 << 62)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)

else:
    import fcntl

    TAKEN = BlockingIOError

    def lock_at_once(file: BinaryIO) -> None:
        """Lock the file, TAKEN when that is so. The lock is the open file's, not the process's."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
