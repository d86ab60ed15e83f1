# The loop of simulate.

from libc.stdint cimport int64_t

from zerosum.equilibrium.random cimport Generator

# Draw so many leaves by the alias method: count them and, where kept is not NULL, write their nodes down.
cdef void draw_leaves(Generator* generator, int64_t hands, const double* threshold, const int* alias,
                      int leaves, const int* leaf, int64_t* count, int* kept) noexcept nogil
