"""Values and distances in one integer; see score.pxd."""

cimport cython
from libc.math cimport fabs, isfinite

from zerosum.search.score cimport Score, make_score, value_of


@cython.final
cdef class Values:
    """Values()\n--\n
    Remembers values that a score cannot hold to the last bit. Two values that differ by less than one part
    in 2**32 are equal to a search, and come back as the one noted last.
    """

    def __init__(self):
        self.originals = {}

    cdef int note_inexact(self, double value) except -1 nogil:
        with gil:
            if not isfinite(value):
                raise ValueError(f"values must be finite numbers, not {value}")
            self.originals[value_of(make_score(fabs(value)))] = fabs(value)
        return 0

    cdef object back(self, Score score):
        cdef double value = value_of(score)
        original = self.originals.get(fabs(value), fabs(value))
        return original if value > 0 else 0.0 - original
