# xoshiro256++ 1.0 (D. Blackman and S. Vigna, Scrambled linear pseudorandom number generators, 2021),
# its four words filled by splitmix64. The same on every platform.

from libc.stdint cimport uint64_t

from zerosum.core.state cimport mix64


cdef struct Generator:
    uint64_t word[4]


cdef inline void seed_generator(Generator* generator, uint64_t seed) noexcept nogil:
    cdef int i
    for i in range(4):
        seed += <uint64_t>0x9E3779B97F4A7C15
        generator.word[i] = mix64(seed)


cdef inline uint64_t rotate_left(uint64_t x, int bits) noexcept nogil:
    return x << bits | x >> (64 - bits)


cdef inline uint64_t draw_word(Generator* generator) noexcept nogil:
    cdef uint64_t* word = generator.word
    cdef uint64_t result = rotate_left(word[0] + word[3], 23) + word[0]
    cdef uint64_t shifted = word[1] << 17
    word[2] ^= word[0]
    word[3] ^= word[1]
    word[1] ^= word[2]
    word[0] ^= word[3]
    word[2] ^= shifted
    word[3] = rotate_left(word[3], 45)
    return result


# Uniform in [0, 1), a multiple of 2 ** -53.
cdef inline double draw(Generator* generator) noexcept nogil:
    return <double>(draw_word(generator) >> 11) * (1.0 / 9007199254740992.0)
