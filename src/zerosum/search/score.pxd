# A score packs a value and a distance into one integer, so that a better result is a larger number.
#
# Seen by the player to move, d plies before the end:
#     value v > 0:  code(v) * 2**20 - d      the quicker win is better
#     value v < 0:  code(v) * 2**20 + d      the slower loss is better
#     value 0:      -d for player 0, +d for player 1; ties are equally good, so this only makes the distance
#                   of a tie well defined: player 0 is taken to shorten it, player 1 to prolong it
#
# code(v) is the bit pattern of the double without its low 20 bits, negated for negative v: it orders as v
# does, code(-v) = -code(v), and whole numbers up to 2**33 are exact. Scores of the two players are each
# other's negative, as negamax needs. They count from the node they belong to, so a stored score is right
# from any root; `lengthen` moves one a ply up, `shorten` moves a window a ply down.

cimport cython
from libc.math cimport fabs, isfinite
from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    DISTANCE_BITS = 20
    MAX_DISTANCE = 1 << 19         # ties take half the room on either side of 0

ctypedef int64_t Score

# Beyond every score, with room to be lengthened or shortened MAX_DISTANCE times.
cdef inline Score infinite() noexcept nogil:
    return (<Score>0x7FF << 52) + 0x100000


cdef inline Score make_score(double value) noexcept nogil:
    cdef double size = fabs(value)
    cdef uint64_t bits
    memcpy(&bits, &size, 8)
    bits = bits >> DISTANCE_BITS << DISTANCE_BITS
    return -<Score>bits if value < 0 else <Score>bits


cdef inline Score lengthen(Score score, int mover) noexcept nogil:
    if score >= MAX_DISTANCE:
        return score - 1
    if score <= -MAX_DISTANCE:
        return score + 1
    return score - 1 if mover == 0 else score + 1


cdef inline Score shorten(Score bound, int mover) noexcept nogil:
    if bound >= MAX_DISTANCE:
        return bound + 1
    if bound <= -MAX_DISTANCE:
        return bound - 1
    return bound + 1 if mover == 0 else bound - 1


cdef inline double value_of(Score score) noexcept nogil:
    cdef Score size = -score if score < 0 else score
    cdef uint64_t bits
    cdef double value
    if size < MAX_DISTANCE:
        return 0.0
    bits = <uint64_t>(size + ((1 << DISTANCE_BITS) - 1)) >> DISTANCE_BITS << DISTANCE_BITS
    memcpy(&value, &bits, 8)
    return -value if score < 0 else value


# The smallest value that makes a score of at least this.
cdef inline double value_reaching(Score score) noexcept nogil:
    cdef double value = value_of(score)
    return value if make_score(value) >= score else value_of(make_score(value) + (1 << DISTANCE_BITS))


cdef inline int distance_of(Score score) noexcept nogil:
    cdef Score size = -score if score < 0 else score
    if size < MAX_DISTANCE:
        return <int>size
    return <int>((((size + ((1 << DISTANCE_BITS) - 1)) >> DISTANCE_BITS) << DISTANCE_BITS) - size)


# Gives values back to the last bit: a score keeps 32 bits of a value's fraction, this the rest.
@cython.final
cdef class Values:
    cdef dict originals            # what a score keeps -> the value it was made of, where the two differ

    cdef inline int note(self, double value) except -1 nogil:
        if not isfinite(value) or value_of(make_score(value)) != value:
            self.note_inexact(value)
        return 0

    cdef int note_inexact(self, double value) except -1 nogil
    cdef object back(self, Score score)
