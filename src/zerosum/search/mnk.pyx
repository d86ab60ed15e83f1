# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Plain minimax over small m,n,k games, compiled together with their rules; equal in all to ``Minimax``."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint64_t

from zerosum.games.mnk cimport MNKState, has_line
from zerosum.search import kernels
from zerosum.search.minimax import root_moves as any_root_moves
from zerosum.search.score cimport Score, lengthen, make_score

cdef enum:
    LOST = 1000                    # a loss at ply p scores p - LOST, seen by the loser
    ERROR = -100000
    SIGNAL_PLIES = 2               # from there the largest tree, 11 cells, has 1 M nodes: 4 ms


cdef int score_of(Walk* walk, uint64_t mine, uint64_t theirs, int ply) except ERROR nogil:
    """Score of a position for the player who owns ``mine`` and is to move."""
    cdef uint64_t empty, stone
    cdef int best = -LOST
    cdef int score
    walk.nodes += 1
    if walk.won[theirs]:
        return ply - LOST
    empty = walk.all_bits & ~(mine | theirs)
    if empty == 0:
        return 0
    if ply == walk.horizon:
        walk.cut = True
        return 0
    if ply <= SIGNAL_PLIES:
        with gil:
            PyErr_CheckSignals()
    while empty:
        stone = empty & -empty
        empty ^= stone
        score = -score_of(walk, theirs, mine | stone, ply + 1)
        if score > best:
            best = score
    return best


cdef Score full_score(int score, int plies, int mover) noexcept nogil:
    """The Score of what ``score_of`` gave, for a game or a horizon that is ``plies`` away when nobody wins."""
    if score == 0:
        return lengthen(0, mover) * plies
    return make_score(1.0) - (LOST - score) if score > 0 else make_score(-1.0) + (LOST + score)


def root_moves(MNKState state, depth):
    """As ``minimax.root_moves``."""
    cdef Walk walk
    cdef MNKState place = state.copy()
    cdef int plies = place.rules.cells - bin(place.stones[0] | place.stones[1]).count("1")
    cdef uint64_t stones
    if place.rules.all_bits >> TABLE_BITS:
        return any_root_moves(state, depth)
    if depth is not None:
        plies = min(plies, depth)
    walk.all_bits = place.rules.all_bits
    walk.nodes = 1
    for stones in range(<uint64_t>1 << TABLE_BITS):
        walk.won[stones] = has_line(&place.rules, stones & walk.all_bits)
    moves = score_moves(&walk, place, plies)
    nodes = walk.nodes
    return moves, best_line(&walk, place, moves, plies), nodes


cdef list score_moves(Walk* walk, MNKState place, int plies):
    """(Score, action, value, distance) for every legal action, looking so many plies ahead."""
    cdef int score, action
    cdef int mover = place.mover
    moves = []
    walk.horizon = plies
    for action in place.legal_actions():
        walk.cut = False
        place.apply(action)
        with nogil:
            score = -score_of(walk, place.stones[mover ^ 1], place.stones[mover], 1)
        place.undo()
        distance = None if walk.cut else plies if score == 0 else LOST - abs(score)
        moves.append((full_score(score, plies, mover), action, float((score > 0) - (score < 0)), distance))
    return moves


cdef list best_line(Walk* walk, MNKState place, list moves, int plies):
    """The first best action, the first best reply to it, and so on: walked again, which is a tenth of the work."""
    line = []
    while moves:
        line.append(max(moves, key=lambda move: move[0])[1])
        place.apply(line[len(line) - 1])
        moves = score_moves(walk, place, plies - len(line)) if len(line) < plies else None
    for _ in line:
        place.undo()
    return line


kernels.MINIMAX[MNKState] = root_moves
