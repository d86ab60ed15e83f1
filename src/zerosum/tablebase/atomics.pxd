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
    static __inline int64_t zs_fetch_add(volatile int64_t *p, int64_t x) {
        return _InterlockedExchangeAdd64((volatile __int64 *)p, x);
    }
    static __inline int64_t zs_load(volatile int64_t *p) { return _InterlockedExchangeAdd64((volatile __int64 *)p, 0); }
    static __inline void zs_store(volatile int64_t *p, int64_t x) { _InterlockedExchange64((volatile __int64 *)p, x); }
    static __inline uint8_t zs_load8(volatile uint8_t *p) { return *p; }
    static __inline uint16_t zs_load16(volatile uint16_t *p) { return *p; }
    static __inline int zs_swap8(volatile uint8_t *p, uint8_t old, uint8_t now) {
        return (uint8_t)_InterlockedCompareExchange8((volatile char *)p, (char)now, (char)old) == old;
    }
    static __inline int zs_swap16(volatile uint16_t *p, uint16_t old, uint16_t now) {
        return (uint16_t)_InterlockedCompareExchange16((volatile short *)p, (short)now, (short)old) == old;
    }
    #if defined(_M_ARM64)
    #define zs_prefetch(p) __prefetch(p)
    #else
    #define zs_prefetch(p) _mm_prefetch((const char *)(p), _MM_HINT_T0)
    #endif
    #else
    static inline int64_t zs_fetch_add(volatile int64_t *p, int64_t x) { return __atomic_fetch_add(p, x, __ATOMIC_ACQ_REL); }
    static inline int64_t zs_load(volatile int64_t *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
    static inline void zs_store(volatile int64_t *p, int64_t x) { __atomic_store_n(p, x, __ATOMIC_RELEASE); }
    static inline uint8_t zs_load8(volatile uint8_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
    static inline uint16_t zs_load16(volatile uint16_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
    static inline int zs_swap8(volatile uint8_t *p, uint8_t old, uint8_t now) {
        return __atomic_compare_exchange_n(p, &old, now, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    static inline int zs_swap16(volatile uint16_t *p, uint16_t old, uint16_t now) {
        return __atomic_compare_exchange_n(p, &old, now, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    #define zs_prefetch(p) __builtin_prefetch((const void *)(p), 1, 3)
    #endif
    #endif
    """
    int64_t zs_fetch_add(int64_t* p, int64_t x) nogil
    int64_t zs_load(int64_t* p) nogil
    void zs_store(int64_t* p, int64_t x) nogil
    uint8_t zs_load8(uint8_t* p) nogil
    uint16_t zs_load16(uint16_t* p) nogil
    bint zs_swap8(uint8_t* p, uint8_t old, uint8_t now) nogil
    bint zs_swap16(uint16_t* p, uint16_t old, uint16_t now) nogil
    void zs_prefetch(const void* p) nogil
