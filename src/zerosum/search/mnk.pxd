# Plain minimax compiled together with the rules of m,n,k games: through the virtual door a node costs 22 ns
# there, here 3 ns.

from libc.stdint cimport int64_t, uint64_t

cdef enum:
    TABLE_BITS = 12                # boards of at most so many bits have a table of their lines: 4 KiB


cdef struct Walk:
    unsigned char won[1 << TABLE_BITS]   # won[stones]: is there a line among them?
    uint64_t all_bits
    int horizon                    # ply where the walk stops
    bint cut                       # it has stopped an unfinished game
    int64_t nodes
