# The few atomic operations that the threads of a build share. C11's are not in every compiler's C mode,
# so: the builtins of gcc and clang, and MSVC's intrinsics.

from libc.stdint cimport int64_t, uint8_t, uint16_t

cdef extern from *:
    """
    #ifndef ZS_ATOMICS
    #define ZS_ATOMICS
    #include <stdint.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int64_t zs_fetch_add(volatile int64_t *p, int64_t x) { return
    _InterlockedExchangeAdd64((volatile __int64 *)p, x); } static __inline int64_t zs_load(volatile int64_t
    *p) { return _InterlockedExchangeAdd64((volatile __int64 *)p, 0); } static __inline void zs_store(volatile
    int64_t *p, int64_t x) { _InterlockedExchange64((volatile __int64 *)p, x); } static __inline uint8_t
    zs_load8(volatile uint8_t *p) { return *p; } static __inline uint16_t zs_load16(volatile uint16_t *p) {
    return *p; } static __inline uint8_t zs_take8(volatile uint8_t *p) { return
    (uint8_t)_InterlockedExchange8((volatile char *)p, 0); } static __inline void zs_store8(volatile uint8_t
    *p, uint8_t x) { _InterlockedExchange8((volatile char *)p, (char)x); } static __inline int
    zs_lowest(unsigned x) { unsigned long i; _BitScanForward(&i, x); return (int)i; } static __inline int
    zs_swap8(volatile uint8_t *p, uint8_t old, uint8_t now) { return
    (uint8_t)_InterlockedCompareExchange8((volatile char *)p, (char)now, (char)old) == old; } static __inline
    int zs_swap16(volatile uint16_t *p, uint16_t old, uint16_t now) { return
    (uint16_t)_InterlockedCompareExchange16((volatile short *)p, (short)now, (short)old) == old; } static
    __inline int zs_swap64(volatile int64_t *p, int64_t *old, int64_t now) { int64_t was =
    _InterlockedCompareExchange64((volatile __int64 *)p, now, *old); if (was == *old) return 1; *old = was;
    return 0; }
    #if defined(_M_ARM64)
    #define zs_prefetch(p) __prefetch(p)
    #else
    #define zs_prefetch(p) _mm_prefetch((const char *)(p), _MM_HINT_T0)
    #endif
    #else
    static inline int64_t zs_fetch_add(volatile int64_t *p, int64_t x) { return __atomic_fetch_add(p, x,
    __ATOMIC_ACQ_REL); } static inline int64_t zs_load(volatile int64_t *p) { return __atomic_load_n(p,
    __ATOMIC_ACQUIRE); } static inline void zs_store(volatile int64_t *p, int64_t x) { __atomic_store_n(p, x,
    __ATOMIC_RELEASE); } static inline uint8_t zs_load8(volatile uint8_t *p) { return __atomic_load_n(p,
    __ATOMIC_RELAXED); } static inline uint16_t zs_load16(volatile uint16_t *p) { return __atomic_load_n(p,
    __ATOMIC_RELAXED); } static inline uint8_t zs_take8(volatile uint8_t *p) { return __atomic_exchange_n(p,
    0, __ATOMIC_ACQ_REL); } static inline void zs_store8(volatile uint8_t *p, uint8_t x) { __atomic_store_n(p,
    x, __ATOMIC_RELEASE); } static inline int zs_lowest(unsigned x) { return __builtin_ctz(x); } static inline
    int zs_swap8(volatile uint8_t *p, uint8_t old, uint8_t now) { return __atomic_compare_exchange_n(p, &old,
    now, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED); } static inline int zs_swap16(volatile uint16_t *p, uint16_t
    old, uint16_t now) { return __atomic_compare_exchange_n(p, &old, now, 0, __ATOMIC_RELAXED,
    __ATOMIC_RELAXED); } static inline int zs_swap64(volatile int64_t *p, int64_t *old, int64_t now) { return
    __atomic_compare_exchange_n(p, old, now, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE); }
    #define zs_prefetch(p) __builtin_prefetch((const void *)(p), 1, 3)
    #endif
    static inline void zs_raise_to(volatile int64_t *p, int64_t x) {
        int64_t old = zs_load(p);
        while (old < x && !zs_swap64(p, &old, x)) {}
    }
    /* Which of 16 bytes are a or b, a bit each. */
    #if !defined(ZS_PORTABLE) && (defined(__SSE2__) || defined(_M_X64))
    #include <emmintrin.h>
    static inline unsigned zs_match16(const uint8_t *p, uint8_t a, uint8_t b) {
        __m128i x = _mm_loadu_si128((const __m128i *)p);
        return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8((char)a)),
                                                        _mm_cmpeq_epi8(x, _mm_set1_epi8((char)b))));
    }
    #else
    static inline unsigned zs_match16(const uint8_t *p, uint8_t a, uint8_t b) {
        unsigned mask = 0; int i;
        for (i = 0; i < 16; i++) mask |= (unsigned)((p[i] == a) | (p[i] == b)) << i;
        return mask;
    }
    #endif
    #endif
    """
    int64_t zs_fetch_add(int64_t* p, int64_t x) nogil
    int64_t zs_load(int64_t* p) nogil
    void zs_store(int64_t* p, int64_t x) nogil
    bint zs_swap64(int64_t* p, int64_t* old, int64_t now) nogil   # old becomes what was there instead
    void zs_raise_to(int64_t* p, int64_t x) nogil
    uint8_t zs_load8(uint8_t* p) nogil
    uint16_t zs_load16(uint16_t* p) nogil
    bint zs_swap8(uint8_t* p, uint8_t old, uint8_t now) nogil
    bint zs_swap16(uint16_t* p, uint16_t old, uint16_t now) nogil
    uint8_t zs_take8(uint8_t* p) nogil
    void zs_store8(uint8_t* p, uint8_t x) nogil
    int zs_lowest(unsigned x) nogil
    unsigned zs_match16(const uint8_t* p, uint8_t a, uint8_t b) nogil
    void zs_prefetch(const void* p) nogil
