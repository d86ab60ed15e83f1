# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Oware tablebases: the exact value of every board of few seeds."""

import errno
import operator
import os
import threading
import time
from functools import partial
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from libc.stdint cimport int8_t, int64_t, uint64_t

from zerosum.core.errors import TablebaseError
from zerosum.core.state cimport State
from zerosum.core.tablebase cimport CONVENTION, EXACT, FOREIGN, WINNER, Tablebase
from zerosum.games.oware cimport (
    KEEP_OWN_ROW, MUST_NOT_STARVE, Outcome, OwareState, Position, RuleBook, Rules, SLAM_CAPTURES_ALL,
    SLAM_ILLEGAL, first_place, house_at, legal_moves, mark_at, place_of, remaining_difference, seeds_at,
    seeds_in, sow_and_capture)
from zerosum.games.oware import FEEDING, GRAND_SLAM, NO_MOVE_REMAINING, RULE_SETS, Oware
from zerosum.tablebase.atomics cimport zs_fetch_add, zs_load, zs_store
from zerosum.tablebase.building import Crew, Meter, build_layers, default_threads, row_ranges
from zerosum.tablebase.files import Header, PartFile, check_layer, finished_table, layer_size, map_layers
from zerosum.tablebase.memory import check_disk, positions
from zerosum.tablebase.places import default_path

__all__ = ["Mismatch", "OwareTablebase"]

SUFFICIENT = 3_000_000             # positions that are built unasked: 0.3 s
cdef int MISMATCHES = 10           # reported a layer and thread by verify

SWITCHES = ("grand_slam", "feeding", "no_move")
NO_BOARD_VALUE = {
    "repetition": "who keeps what when a position comes back depends on the path to it; tables count endless "
                  "play as an even split, repetition='split' or 'none'",
    "majority": "when a majority ends the game depends on the seeds already captured, and a table knows the "
                "board alone; it holds for the winner either way",
}


class Mismatch(NamedTuple):
    """A value that is not what its moves are worth: the board (mover's houses first), both values."""

    board: tuple
    stored: int
    expected: int


# ---- numbering -------------------------------------------------------------------------------------

cdef void fill_index(BoardIndex* index, int houses, int max_seeds):
    cdef int i, k, n
    cdef int64_t offset
    index.houses = houses
    for k in range(max_seeds + 1):
        index.width[k] = comb(k + houses - 1, houses - 1)
        for i in range(houses):
            index.choose[i][k] = comb(k + i, i + 1)
    for n in range(max_seeds + 1):
        offset = 0
        for k in range(n + 1):
            index.base[n][k] = (offset - <int64_t>comb(k + houses - 1, houses) * index.width[n - k]
                                - <int64_t>comb(n - k + houses - 1, houses))
            offset += index.width[k] * index.width[n - k]


# The number of a row among the halves of up to max_seeds seeds.
cdef inline int64_t half_id(const BoardIndex* index, uint64_t row) noexcept nogil:
    cdef int64_t half = 0
    cdef int house, seeds = 0
    for house in range(index.houses):
        seeds += <int>(row >> 56)
        row <<= 8
        half += index.choose[house][seeds]
    return half


# The row with a number.
cdef uint64_t half_row(const BoardIndex* index, int64_t half, int seeds) noexcept nogil:
    cdef uint64_t row = 0
    cdef int house, less
    half -= index.choose[index.houses - 1][seeds]
    for house in range(index.houses - 1, 0, -1):
        less = seeds
        while index.choose[house - 1][less] > half:
            less -= 1
        half -= index.choose[house - 1][less]
        row |= <uint64_t>(seeds - less) << place_of(house)
        seeds = less
    return row | <uint64_t>seeds << place_of(0)


cdef int canonical_slam(int slam, int feeding) noexcept nogil:
    """Under MUST_NOT_STARVE a capture of all is barred and the last resort alike, whether illegal or not."""
    return SLAM_ILLEGAL if feeding == MUST_NOT_STARVE and slam == SLAM_CAPTURES_ALL else slam


def header_for(rules=None, houses=None, switches=()):
    """The header that a table of these rules has; ValueError for switches without a board-only value."""
    if isinstance(rules, Oware):
        if switches or houses is not None:
            raise ValueError("give a game, or a rule set with houses and switches, not both")
        rules, houses, switches = rules.rules, rules.houses, {name: getattr(rules, name) for name in SWITCHES}
    rules, houses = "abapa" if rules is None else rules, 6 if houses is None else houses
    switches = dict(switches)
    if switches.get("repetition") == "own_row":
        raise ValueError(f"repetition='own_row' has no board-only value: {NO_BOARD_VALUE['repetition']}")
    if switches.get("majority"):
        raise ValueError(f"majority=True has no board-only value: {NO_BOARD_VALUE['majority']}")
    game = Oware(rules, houses, 1, **switches)
    feeding = FEEDING[game.feeding]
    return Header(houses, canonical_slam(GRAND_SLAM[game.grand_slam], feeding), feeding,
                  NO_MOVE_REMAINING[game.no_move])


def name_of(numbers, value):
    return next(name for name, number in numbers.items() if number == value)


def game_of(header):
    """An Oware game with the rules of a file; TablebaseError for switches that do not exist."""
    try:
        return Oware("awari", header.houses, 1, grand_slam=name_of(GRAND_SLAM, header.grand_slam),
                     feeding=name_of(FEEDING, header.feeding),
                     no_move=name_of(NO_MOVE_REMAINING, header.no_move), majority=False)
    except (StopIteration, ValueError):
        raise TablebaseError(f"a tablebase with unknown rules {header.rules}") from None


# Is a table's value that of the game itself? Not where a repetition gives each side its row, nor where a majority
# may still stop play.
cdef inline bint is_own_value(const Rules* rules, const Position* at) noexcept nogil:
    if rules.repetition_ends and rules.repetition == KEEP_OWN_ROW:
        return False
    return not rules.majority_ends or 2 * (
        max(at.own_store, at.enemy_store) + seeds_in(at.own) + seeds_in(at.enemy)) <= rules.total


cdef class OwareTablebase(Tablebase):
    """Exact values of all oware boards of up to ``max_seeds`` seeds.

    Made by ``build``, ``open`` and ``for_game``. The value of a board is what the literature stores: seeds
    that the mover will still capture minus those that the opponent will, both playing perfectly, endless play
    counting 0 (an even split of what is left). It depends on the board alone: not on the scores, so a
    majority does not stop play, and not on the past. ``coverage(state)`` says what that means for a game.

    Boards are given as an ``OwareState``, as its text, or as a sequence of 2 x ``houses`` ints, the mover's
    houses in sowing order and then the opponent's.

    Method: retrograde analysis after Romein and Bal, "Solving awari with parallel retrograde analysis"
    (2003); values agree with Lincke, "Exploring the computational limits of large exhaustive search problems"
    (2002).
    """

    def __cinit__(self, *args, **kwargs):
        self.max_seeds = -1

    def __init__(self, header, layers, path=None):
        cdef const int8_t[::1] values
        cdef int n
        self.layers = checked_layers(header.houses, layers)
        self.header, self.path, self.game = header, path, game_of(header)
        self.book = self.game.rule_book
        self.houses = header.houses
        fill_index(&self.index, self.houses, len(self.layers) - 1)
        for n in range(len(self.layers)):
            values = self.layers[n]
            self.values[n] = &values[0]
        self.max_seeds = len(self.layers) - 1

    # ---- making one -------------------------------------------------------------------------------

    @classmethod
    def build(cls, max_seeds, *, rules=None, houses=None, threads=None, path=None, progress=None, **switches):
        """Build the values of all boards of 0 to ``max_seeds`` seeds.

        - ``rules``: ``"abapa"`` (the default), ``"awari"``, ``"casual"``, or an ``Oware`` game, of which only
          ``houses``, ``grand_slam``, ``feeding`` and ``no_move`` matter; each of these can be given as a
          keyword, too, with a rule set; 6 houses a side is the default.
          ``repetition="own_row"`` and ``majority=True`` have no board-only value and are refused; where a
          rule set has them, the table counts endless play as 0 and does not stop at a majority.
        - ``threads``: as many as the process may use by default; the values are the same for any number.
        - ``path``: where to write the file, or None to stay in memory. Layers of an earlier build that was
          stopped, or of a smaller table, are taken over; a file that has all the seeds is opened. Anything
          but a table of these rules there is refused with a TablebaseError, not written over.
        - ``progress``: called about ten times a second with (positions done, positions in all, text).

        Ctrl-C stops within a tenth of a second; at ``path`` there is then what was there before, and beside
        it a ``.part`` file with the whole layers. Errors: ValueError (switches, sizes), MemoryError and
        OSError when memory or disk is short, before anything is begun; TablebaseBusyError while another build
        writes to ``path``.
        """
        header, threads = header_for(rules, houses, switches), checked_threads(threads)
        checked_seeds(max_seeds)
        if path is None:
            return cls(header, build_layers(header, max_seeds, threads, None, progress))
        path = checked_path(path)
        found, layers = finished_table(path, header)
        if len(layers) > max_seeds:
            return cls(found, layers, path)
        return cls(header, build_layers(header, max_seeds, threads, path, progress), path)

    @classmethod
    def open(cls, path=None, *, rules=None, houses=None, **switches):
        """Open a file by memory map; without a path, the default place for the rules.

        Nothing but the header is read until it is probed. TablebaseError names the file and what is wrong
        when it is foreign, newer, damaged or truncated, or has other rules than asked for; a path alone
        takes any rules. Changed values are found by ``verify``. FileNotFoundError when there is no file.
        """
        asked = header_for(rules, houses, switches)
        any_rules = path is not None and rules is None and houses is None and not switches
        path = default_path(asked) if path is None else Path(path)
        header, layers = map_layers(path)
        if header.rules != asked.rules and not any_rules:
            raise TablebaseError(f"{path} is a table of {header}, not of {asked}")
        if not layers:
            raise TablebaseError(f"{path} is damaged: it has no layers")
        try:
            return cls(header, layers, path)
        except TablebaseError as error:
            raise TablebaseError(f"{path} is {error}") from None

    @classmethod
    def for_game(cls, game, may_build=True):
        """The table to use with a game when none is named: the file at the default place, or one built now.

        What is built stays in memory for the life of the process: as many seeds as 3 million boards allow (12
        on 2 x 6 houses, 0.3 s). A file of fewer seeds serves only when nothing may be built. None when there
        is no file that can be used either.
        """
        header, sufficient = header_for(game), sufficient_seeds(game.houses)
        with LOCK:
            table = KNOWN.get(header.rules) or file_for(game)
            if may_build and (table is None or table.max_seeds < sufficient):
                table = cls.build(sufficient, rules=game)
            if table is not None and table.max_seeds >= sufficient:
                KNOWN[header.rules] = table
            return table

    @staticmethod
    def default_path(rules=None, houses=None, **switches):
        """Where ``open`` and the command line look for a table of these rules: a Path.

        A folder of the user's data (platformdirs), or ``ZEROSUM_TABLEBASES`` when that is set.
        """
        return default_path(header_for(rules, houses, switches))

    def save(self, path):
        """Write the table to a file; it appears there whole or not at all.

        TablebaseError when a build that was stopped left more there than this table has.
        """
        path = checked_path(path)
        check_disk(path, self.houses, self.max_seeds)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = PartFile(path, self.header)
        try:
            part.refuse_to_lose(len(self.layers))
            part.rewrite(self.layers)
            part.sync()
            part.finish()
        finally:
            part.close()

    # ---- using it ---------------------------------------------------------------------------------

    cdef int value_of(self, uint64_t own, uint64_t enemy, int* value) noexcept nogil:
        cdef int home = seeds_in(own), away = seeds_in(enemy)
        if home + away > self.max_seeds:
            return 0
        value[0] = self.values[home + away][
            self.index.base[home + away][home] + half_id(&self.index, own) * self.index.width[away]
            + half_id(&self.index, enemy)]
        return 1

    cdef int covers(self, State state) except -1:
        cdef const Rules* rules
        cdef const Rules* mine
        if not isinstance(state, OwareState) or self.book is None:
            return FOREIGN
        mine = &self.book.rules
        rules = (<OwareState>state).rules
        if (rules.houses != mine.houses or rules.feeding != mine.feeding or rules.no_move != mine.no_move
                or canonical_slam(rules.slam, rules.feeding) != mine.slam):
            return FOREIGN
        if rules.repetition_ends and rules.repetition == KEEP_OWN_ROW:
            return CONVENTION
        return WINNER if rules.majority_ends else EXACT

    cdef int look_up(self, State state, double* value) except -1 nogil:
        cdef const Position* at = &(<OwareState>state).line[(<OwareState>state).played]
        cdef int future
        if not self.value_of(at.own, at.enemy, &future):
            return 0
        value[0] = <int>at.own_store - <int>at.enemy_store + future
        return 2 if is_own_value((<OwareState>state).rules, at) else 1

    def probe(self, board):
        """The value of a board for its mover, an int; LookupError when the board has too many seeds."""
        cdef uint64_t rows[2]
        cdef int value = 0
        self.read(board, rows)
        self.value_of(rows[0], rows[1], &value)
        return value

    def get(self, board, default=None):
        """The value of a board for its mover, or ``default`` when it has too many seeds."""
        try:
            return self.probe(board)
        except LookupError:
            return default

    def action_values(self, board):
        """{action: value for the mover} of every legal action, in ascending order; {} when there is none."""
        cdef uint64_t rows[2]
        cdef uint64_t moves
        cdef int place
        self.read(board, rows)
        moves = legal_moves(&self.book.rules, rows[0], rows[1])
        values = {}
        while moves:
            place = first_place(moves)
            moves ^= mark_at(place)
            values[house_at(place)] = self.value_after(rows[0], rows[1], place)
        return values

    def best_actions(self, board):
        """All actions that keep the value of the board, in ascending order; [] when there is no move."""
        values = self.action_values(board)
        best = max(values.values(), default=0)
        return [action for action, value in values.items() if value == best]

    cdef int read(self, board, uint64_t* rows) except -1:
        """The mover's and the other row of a board in any of its forms.

        ValueError says what is wrong with it; LookupError, that it has more seeds than the table.
        """
        cdef OwareState state
        if isinstance(board, OwareState):
            state = board
            if self.covers(state) == FOREIGN:
                raise ValueError(f"{self} is for another game than {state.game}")
            rows[0], rows[1] = state.line[state.played].own, state.line[state.played].enemy
        else:
            cells = cells_of_text(board, self.houses) if isinstance(board, str) else board
            pack(checked_cells(cells, self.houses), self.houses, rows)
        if seeds_in(rows[0]) + seeds_in(rows[1]) > self.max_seeds:
            seeds = seeds_in(rows[0]) + seeds_in(rows[1])
            raise LookupError(f"the board has {seeds} seeds, the tablebase up to {self.max_seeds}")
        return 0

    cdef int value_after(self, uint64_t own, uint64_t enemy, int place) noexcept nogil:
        cdef Outcome outcome = sow_and_capture(&self.book.rules, own, enemy, place)
        cdef int value = 0
        self.value_of(outcome.enemy, outcome.own, &value)
        return outcome.captured - outcome.forfeited - value

    # What the moves of a board say that it is worth.
    cdef int expected_value(self, uint64_t own, uint64_t enemy) noexcept nogil:
        cdef uint64_t moves = legal_moves(&self.book.rules, own, enemy)
        cdef int best = -MAX_SEEDS - 1, place
        if moves == 0:
            return remaining_difference(self.book.rules.no_move, own, enemy)
        while moves:
            place = first_place(moves)
            moves ^= mark_at(place)
            best = max(best, self.value_after(own, enemy, place))
        return best

    # ---- looking at it ----------------------------------------------------------------------------

    def histogram(self, n):
        """How many boards of ``n`` seeds have each value: {value: count}, ascending, counts of 0 left out."""
        counts = np.zeros(256, np.int64)
        layer = self.layer(n)
        for start in range(0, layer.size, 1 << 24):
            count_values(layer[start:start + (1 << 24)], counts)
        return {value: int(counts[value + 128]) for value in range(-128, 128) if counts[value + 128]}

    def win_draw_loss(self, n):
        """How many boards of ``n`` seeds are won, drawn and lost for the mover: three ints."""
        counts = self.histogram(n)
        wins = sum(count for value, count in counts.items() if value > 0)
        losses = sum(count for value, count in counts.items() if value < 0)
        return wins, counts.get(0, 0), losses

    def layer(self, n):
        """The values of all boards of ``n`` seeds: int8, C(n + 2 houses - 1, n) of them, see ``board``."""
        if not 0 <= n <= self.max_seeds:
            raise LookupError(f"there is no layer of {n} seeds; the tablebase has 0 to {self.max_seeds}")
        return self.layers[n]

    def index_of(self, board):
        """Where a board stands in the layer of its seeds."""
        cdef uint64_t rows[2]
        self.read(board, rows)
        home, away = seeds_in(rows[0]), seeds_in(rows[1])
        return (self.index.base[home + away][home] + half_id(&self.index, rows[0]) * self.index.width[away]
                + half_id(&self.index, rows[1]))

    def board(self, int n, int64_t index):
        """The board at a place in the layer of ``n`` seeds: 2 x ``houses`` ints, the mover's first."""
        cdef int k = 0
        cdef int64_t width
        cdef const int64_t* first
        if not 0 <= index < self.layer(n).size:
            raise LookupError(f"the layer of {n} seeds has no board {index}")
        while index >= self.index.width[k] * self.index.width[n - k]:
            index -= self.index.width[k] * self.index.width[n - k]
            k += 1
        width, first = self.index.width[n - k], &self.index.choose[self.houses - 1][0]
        own = half_row(&self.index, first[k] + index // width, k)
        enemy = half_row(&self.index, first[n - k] + index % width, n - k)
        return tuple(seeds_at(row, place_of(house)) for row in (own, enemy) for house in range(self.houses))

    @property
    def num_positions(self):
        """How many boards have a value here."""
        return positions(self.houses, self.max_seeds)

    @property
    def rules(self):
        """``"abapa"``, ``"awari"`` or ``"casual"`` when the switches are that rule set's, else None."""
        for name in RULE_SETS:
            if header_for(name, self.houses).rules == self.header.rules:
                return name
        return None

    @property
    def switches(self):
        """The switches that decide values: {"grand_slam": .., "feeding": .., "no_move": ..}."""
        return {name: getattr(self.game, name) for name in SWITCHES}

    def verify(self, *, threads=None, progress=None):
        """Compare every value with what its moves are worth, by the rules that games are played by.

        Returns a list of ``Mismatch``, empty when all is right, at most ten a layer and thread. For a table
        from a file the checksum of every layer is compared first: TablebaseError when one is wrong.
        """
        wrong = []
        meter = Meter(progress, self.num_positions)
        with Crew(checked_threads(threads), meter) as crew:
            for n in range(self.max_seeds + 1):
                if self.header.digests:
                    crew.run_one(partial(check_layer, self.path, self.header, self.layers, n))
                check = LayerCheck(self, n)
                for found in crew.run(check.run, check.ask_to_stop):
                    wrong += found
                meter.advance(self.layer(n).size, f"{n} seeds", force=n == self.max_seeds)
        return wrong

    def time_look_ups(self, State state not None, int64_t times):
        """Nanoseconds of one look-up as a search makes it, GIL not held; for benchmarks."""
        cdef Tablebase table = self            # so that the call is the virtual one
        cdef double value, total = 0
        cdef int64_t i
        if self.covers(state) == FOREIGN:
            raise ValueError("the table is not for this state's game")
        began = time.perf_counter()
        with nogil:
            for i in range(times):
                if table.look_up(state, &value):
                    total += value
        return (time.perf_counter() - began) / times * 1e9 + 0 * total

    def __repr__(self):
        rules = self.rules or ", ".join(f"{name}={value!r}" for name, value in self.switches.items())
        return f"<OwareTablebase {rules}, {self.houses} houses, up to {self.max_seeds} seeds>"


KNOWN = {}                         # for_game's tables by their rules
LOCK = threading.Lock()


def sufficient_seeds(houses):
    """The most seeds with no more than ``SUFFICIENT`` boards."""
    seeds = 0
    while seeds < MAX_SEEDS and positions(houses, seeds + 1) <= SUFFICIENT:
        seeds += 1
    return seeds


def file_for(game):
    """The table at the default place; None without one, and when it cannot be used."""
    try:
        return OwareTablebase.open(rules=game)
    except (OSError, TablebaseError):
        return None


def checked_layers(houses, layers):
    """Views of the layers that nobody can write through; ValueError when they are not what they must be."""
    views = [layer.view() for layer in layers]
    if not 1 <= len(views) <= MAX_SEEDS + 1:
        raise ValueError(f"{len(views)} layers: a table has 1 to {MAX_SEEDS + 1}")
    for seeds, layer in enumerate(views):
        if layer.size != layer_size(houses, seeds):
            raise ValueError(
                f"the layer of {seeds} seeds has {layer.size} values instead of {layer_size(houses, seeds)}")
        layer.setflags(write=False)
    return views


def checked_seeds(max_seeds):
    """ValueError when there is no table of so many seeds."""
    if not 0 <= max_seeds <= MAX_SEEDS:
        raise ValueError(f"max_seeds={max_seeds!r}: tables are for 0 to {MAX_SEEDS} seeds")


def checked_path(path):
    """A path that a file can have; the folder of a new file need not be there yet."""
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return path


def checked_threads(threads):
    if threads is None:
        return default_threads()
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 1024:
        raise ValueError(f"threads={threads!r}: expected a number from 1 to 1024, or None")
    return threads


def checked_cells(board, houses):
    """A sequence of 2 x houses ints of 0 to 255 seeds."""
    try:
        cells = [operator.index(seeds) for seeds in board]
    except TypeError:
        raise ValueError(f"{board!r} is no board: expected {2 * houses} numbers of seeds") from None
    if len(cells) != 2 * houses:
        raise ValueError(f"the board has {len(cells)} houses, the tablebase 2 x {houses}")
    for place, seeds in enumerate(cells):
        if seeds < 0:
            raise ValueError(f"house {place} of the board holds {seeds} seeds")
    if sum(cells) > 255:
        raise LookupError(f"the board has {sum(cells)} seeds; no tablebase has so many")
    return cells


cdef void pack(cells, int houses, uint64_t* rows):
    cdef int house
    rows[0] = rows[1] = 0
    for house in range(houses):
        rows[0] |= <uint64_t>cells[house] << place_of(house)
        rows[1] |= <uint64_t>cells[houses + house] << place_of(house)


def cells_of_text(text, houses):
    """The board of a position text, the mover's houses first, whatever number of seeds it has in all."""
    from zerosum.games.oware_text import parse_position
    south, north, _, to_move, _ = parse_position(text, houses)
    return [*south, *north] if to_move == 0 else [*north, *south]


def count_values(const int8_t[::1] values, int64_t[::1] counts):
    """Add to ``counts[value + 128]``."""
    cdef int64_t place
    with nogil:
        for place in range(values.shape[0]):
            counts[values[place] + 128] += 1


# ---- verification ----------------------------------------------------------------------------------

cdef class LayerCheck:
    """LayerCheck(table, seeds)\n--\n
    Compares the values of one layer with what the moves of its boards are worth.
    """

    cdef OwareTablebase table
    cdef int seeds
    cdef int64_t[:, ::1] ranges
    cdef int64_t next_range, stop

    def __init__(self, OwareTablebase table, int seeds):
        self.table, self.seeds = table, seeds
        self.ranges = row_ranges(table.houses, seeds)

    def ask_to_stop(self):
        """Return soon."""
        zs_store(&self.stop, 1)

    def run(self):
        """Check ranges of rows until none is left: a list of Mismatch. For any number of threads at once."""
        cdef int64_t taken, row, other, value
        cdef uint64_t rows[2]
        wrong = []
        while not zs_load(&self.stop):
            taken = zs_fetch_add(&self.next_range, 1)
            if taken >= self.ranges.shape[0]:
                break
            row, other = self.ranges[taken, 1], 0
            while row >= 0:
                with nogil:
                    value = self.next_wrong(taken, &row, &other, rows)
                if row >= 0 and len(wrong) < MISMATCHES:
                    wrong.append(self.mismatch(rows[0], rows[1], value))
        return wrong

    def mismatch(self, uint64_t own, uint64_t enemy, int value):
        """The report of one wrong value."""
        houses = range(self.table.houses)
        board = tuple(seeds_at(row, place_of(house)) for row in (own, enemy) for house in houses)
        return Mismatch(board, value, self.table.expected_value(own, enemy))

    # The next wrong value from (row, other) on; row is -1 when there is none.
    cdef int next_wrong(self, int64_t taken, int64_t* row, int64_t* other, uint64_t* rows) noexcept nogil:
        cdef BoardIndex* index = &self.table.index
        cdef int k = <int>self.ranges[taken, 0], m = self.seeds - k, value
        cdef int64_t first = index.choose[index.houses - 1][k], others = index.choose[index.houses - 1][m]
        while row[0] < self.ranges[taken, 2]:
            rows[0] = half_row(index, first + row[0], k)
            while other[0] < index.width[m]:
                rows[1] = half_row(index, others + other[0], m)
                value = self.table.values[self.seeds][
                    index.base[self.seeds][k] + (first + row[0]) * index.width[m] + others + other[0]]
                other[0] += 1
                if value != self.table.expected_value(rows[0], rows[1]):
                    return value
            row[0] += 1
            other[0] = 0
            if zs_load(&self.stop):
                break
        row[0] = -1
        return 0
