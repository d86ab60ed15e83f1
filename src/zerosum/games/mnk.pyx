# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""m,n,k games: k in a row on a board of m columns and n rows wins. (3, 3, 3) is tic-tac-toe."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from zerosum.core.state cimport State, mix64
from zerosum.games.board_text import format_board

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int zs_lowest_bit(unsigned __int64 x) {
        unsigned long i; _BitScanForward64(&i, x); return (int)i;
    }
    #else
    static inline int zs_lowest_bit(unsigned long long x) { return __builtin_ctzll(x); }
    #endif
    """
    int zs_lowest_bit(uint64_t x) nogil


cdef class MNKState(State):
    """MNKState(game)\n--\n
    A position of an m,n,k game; made by ``MNK.new_initial_state`` and ``MNK.state``. Player 0 has X.
    Actions are cells, row by row, 0 top left.
    """

    def __init__(self, game):
        State.__init__(self, game)
        fill_rules(&self.rules, game.m, game.n, game.k)
        self.winner = -1
        self.max_actions = game.m * game.n
        self.max_utility = 1.0
        self.can_repeat = False

    cdef MNKState blank(self):
        return MNKState.__new__(MNKState)

    cdef State copy(self):
        cdef MNKState other = self.blank()
        other.game = self.game
        other.rules = self.rules
        other.stones = self.stones
        other.winner = self.winner
        other.played = self.played
        other.moves = self.moves
        other.mover = self.mover
        other.max_actions = self.max_actions
        other.max_utility = 1.0
        other.can_repeat = False
        return other

    def place(self, cells, int mover):
        """Set up a checked list of 'X', 'O' and '.' with a player to move."""
        cdef int cell
        for cell in range(self.rules.cells):
            if cells[cell] != ".":
                self.stones[cells[cell] == "O"] |= <uint64_t>1 << self.rules.bit_of[cell]
        for player in range(2):
            if has_line(&self.rules, self.stones[player]):
                self.winner = player
        self.mover = mover

    cdef int legal(self, int* actions) except -1 nogil:
        cdef uint64_t empty
        cdef int count = 0
        if self.winner >= 0:
            return 0
        empty = self.rules.all_bits & ~(self.stones[0] | self.stones[1])
        while empty:
            actions[count] = self.rules.cell_of[zs_lowest_bit(empty)]
            empty &= empty - 1
            count += 1
        return count

    cdef int apply(self, int action) except -1 nogil:
        cdef int mover = self.mover
        self.stones[mover] |= <uint64_t>1 << self.rules.bit_of[action]
        self.moves[self.played] = <signed char>action
        self.played += 1
        self.mover = mover ^ 1
        if has_line(&self.rules, self.stones[mover]):
            self.winner = mover
        return 0

    cdef int undo(self) except -1 nogil:
        self.mover ^= 1
        self.played -= 1
        self.stones[self.mover] ^= <uint64_t>1 << self.rules.bit_of[self.moves[self.played]]
        self.winner = -1
        return 0

    cdef int over(self) except -1 nogil:
        return self.winner >= 0 or (self.stones[0] | self.stones[1]) == self.rules.all_bits

    cdef double utility(self) except? -1e300 nogil:
        return 0.0 if self.winner < 0 else 1.0 - 2.0 * self.winner

    cdef uint64_t key(self) except? 0 nogil:
        # Up to 31 bits a player the packed boards are exact, and the key a bijection of them.
        cdef uint64_t boards = self.stones[0] | self.stones[1] << 32
        if self.rules.all_bits >> 31:
            boards = mix64(self.stones[0] + 1) ^ (self.stones[1] * <uint64_t>0x9E3779B97F4A7C15)
        return mix64(boards ^ <uint64_t>self.mover << 63)

    def to_text(self):
        """The board row by row: X, O and . for empty; ``MNK.state`` reads it back."""
        return "".join(self.cells())

    def cells(self):
        """List of "X", "O" and "." by cell."""
        cdef int cell
        cdef uint64_t bit
        marks = []
        for cell in range(self.rules.cells):
            bit = <uint64_t>1 << self.rules.bit_of[cell]
            marks.append("X" if self.stones[0] & bit else "O" if self.stones[1] & bit else ".")
        return marks

    def action_to_string(self, player, action=None):
        """As in OpenSpiel: the mark, and the row and column counted from 0, such as ``x(1,2)``."""
        player, action = (self.mover, player) if action is None else (player, action)
        return f"{'xo'[player]}({action // self.game.m},{action % self.game.m})"

    def score(self, value, distance):
        """The original tic-tac-toe AI's score: 10 - plies for a win, plies - 10 for a loss, 0 for a tie."""
        if value is None or distance is None:
            return None
        return (10 - distance if value > 0 else distance - 10 if value < 0 else 0)

    def __str__(self):
        return format_board(self.cells(), self.game.m)


cdef void fill_rules(Rules* rules, int columns, int rows, int in_a_row) noexcept:
    cdef int cell
    memset(rules, 0, sizeof(Rules))
    rules.in_a_row = in_a_row
    rules.cells = columns * rows
    rules.shift[0] = 1
    rules.shift[1] = columns + 1
    rules.shift[2] = columns + 2
    rules.shift[3] = columns
    for cell in range(rules.cells):
        rules.bit_of[cell] = cell + cell // columns
        rules.cell_of[rules.bit_of[cell]] = cell
        rules.all_bits |= <uint64_t>1 << rules.bit_of[cell]


def winners(cells, int columns, int rows, int in_a_row):
    """The players (0 for X, 1 for O) who have a line on a list of 'X', 'O' and '.'."""
    cdef Rules rules
    cdef uint64_t stones[2]
    cdef int cell
    fill_rules(&rules, columns, rows, in_a_row)
    stones[0] = stones[1] = 0
    for cell in range(rules.cells):
        if cells[cell] != ".":
            stones[cells[cell] == "O"] |= <uint64_t>1 << rules.bit_of[cell]
    return [player for player in range(2) if has_line(&rules, stones[player])]
