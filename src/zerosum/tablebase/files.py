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
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import comb
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from zerosum.core.errors import TablebaseBusyError, TablebaseError

__all__ = ["Header", "PartFile", "check_layer", "layer_size", "map_layers", "read_header"]

MAGIC = b"\x89ZSTB\r\n\x1a"
VERSION = 1
HEADER_SIZE = 4096
CHECKSUM_SIZE = 32
DIGEST_SIZE = 16
MAX_LAYERS = 128
MAX_HOUSES = 8
ALIGNMENT = 64
GAME = b"oware"
FIELDS = struct.Struct("<8sII8sBBBBIQ24x")
DIGESTS_AT = FIELDS.size
CHUNK = 1 << 24  # bytes written or read between two looks at the stop sign

Layer = np.ndarray[Any, np.dtype[np.int8]]


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
        raise TablebaseError(f"{path} is truncated: {len(page)} bytes, less than its header")
    _, version, size, game, *rules, layers, length = FIELDS.unpack_from(page)
    checksum = hashlib.blake2b(page[:-CHECKSUM_SIZE], digest_size=CHECKSUM_SIZE).digest()
    if checksum != page[-CHECKSUM_SIZE:]:
        if version > VERSION:
            raise TablebaseError(
                f"{path} has format version {version}; this program reads {VERSION}"
            )
        raise TablebaseError(f"{path} is damaged: the header does not match its checksum")
    if version != VERSION or size != HEADER_SIZE:
        raise TablebaseError(f"{path} has format version {version}; this program reads {VERSION}")
    if game.rstrip(b"\0") != GAME:
        name = game.rstrip(b"\0").decode("ascii", "replace")
        raise TablebaseError(f"{path} is a tablebase of {name}, not oware")
    if layers > MAX_LAYERS or not 1 <= rules[0] <= MAX_HOUSES:
        raise TablebaseError(f"{path} is damaged: {layers} layers, {rules[0]} houses")
    digests = tuple(
        page[DIGESTS_AT + DIGEST_SIZE * n : DIGESTS_AT + DIGEST_SIZE * (n + 1)]
        for n in range(layers)
    )
    header = Header(rules[0], rules[1], rules[2], rules[3], digests)
    if header.file_length != length:
        raise TablebaseError(
            f"{path} is damaged: {layers} layers are {header.file_length} bytes, not {length}"
        )
    return header


def map_layers(path: Path, writable_part: bool = False) -> tuple[Header, list[Layer]]:
    """The header and the layers, memory-mapped: nothing but the header is read.

    TablebaseError when the file is foreign, newer, damaged or truncated; FileNotFoundError when
    there is none. A ``.part`` file (``writable_part``) may be longer than its header says: a layer
    was being written.
    """
    with path.open("rb") as file:
        header = read_header(file, path)
        length = os.fstat(file.fileno()).st_size
    if length < header.file_length or (length > header.file_length and not writable_part):
        what = "truncated" if length < header.file_length else "damaged"
        raise TablebaseError(f"{path} is {what}: {length} bytes instead of {header.file_length}")
    if not header.digests:
        return header, []
    data = np.memmap(path, np.int8, "r")
    layers: list[Layer] = []
    for n in range(len(header.digests)):
        start = header.layer_offset(n)
        layers.append(data[start : start + layer_size(header.houses, n)].view(np.ndarray))
    return header, layers


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

    def resume(self) -> list[Layer]:
        """The whole layers that an earlier build left here or a finished file holds, in memory.

        Anything that is not a sound table of the same rules is written over.
        """
        best: list[Layer] = []
        digests: tuple[bytes, ...] = ()
        for path in (self.path, self.part):
            try:
                found, layers = map_layers(path, writable_part=True)
                if found.rules != self.header.rules or len(layers) <= len(best):
                    continue
                for n in range(len(layers)):
                    check_layer(path, found, layers, n)
            except (TablebaseError, FileNotFoundError):
                continue
            best, digests = [np.array(layer) for layer in layers], found.digests
        if not digests or not self.holds(digests):
            self.start_afresh()
            for layer in best:
                self.append(layer)
        self.header = replace(self.header, digests=digests)
        return best

    def start_afresh(self) -> None:
        """Forget what an earlier build left here."""
        self.file.truncate(0)
        self.write_header()

    def holds(self, digests: tuple[bytes, ...]) -> bool:
        """Does the part file itself hold these layers?"""
        try:
            return read_header(self.file, self.part).digests == digests
        except TablebaseError:
            return False

    def append(self, layer: Layer, stop: Callable[[], bool] = never) -> None:
        """Write the next layer, then the header that knows of it; not the header when stopped."""
        n = len(self.header.digests)
        digest = digest_of(layer, stop)
        self.file.seek(self.header.layer_offset(n))
        for start in range(0, layer.size, CHUNK):
            if stop():
                return
            self.file.write(layer[start : start + CHUNK].data)
        if digest is None:
            return
        self.file.flush()
        self.header = replace(self.header, digests=(*self.header.digests, digest))
        self.write_header()

    def write_header(self) -> None:
        """Bring the header up to date: one page, one write."""
        self.file.seek(0)
        self.file.write(self.header.to_bytes())
        self.file.flush()

    def finish(self) -> None:
        """Put the finished file in its place."""
        self.file.truncate(self.header.file_length)
        self.file.flush()
        os.fsync(self.file.fileno())
        if sys.platform == "win32":  # an open file cannot be renamed there
            self.file.close()
        self.part.replace(self.path)
        self.file.close()

    def close(self) -> None:
        """Let go of the file, finished or not."""
        self.file.close()


def open_locked(part: Path) -> BinaryIO:
    """The part file, created if need be, open for reading and writing, locked against others."""
    while True:
        descriptor = os.open(part, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        file = os.fdopen(descriptor, "r+b")
        try:
            lock(file)
            if os.path.samestat(os.fstat(descriptor), part.stat()):
                return file
        except FileNotFoundError:
            pass  # renamed between opening and locking: that build is done
        except OSError as error:
            file.close()
            raise TablebaseBusyError(f"{part} is being written by another build") from error
        file.close()


if sys.platform == "win32":
    import msvcrt

    def lock(file: BinaryIO) -> None:
        """Lock a byte far behind the end: the content stays readable. OSError when taken."""
        file.seek(1 << 62)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(0)

else:
    import fcntl

    def lock(file: BinaryIO) -> None:
        """Lock the file; OSError when taken. The lock is the open file's, not the process's."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
