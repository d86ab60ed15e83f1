# A monotonic clock in seconds that can be read without the GIL.

cdef extern from *:
    """
    #if defined(_WIN32)
    #include <windows.h>
    static double zs_now(void) {
        LARGE_INTEGER count, rate;
        QueryPerformanceCounter(&count); QueryPerformanceFrequency(&rate);
        return (double)count.QuadPart / (double)rate.QuadPart;
    }
    #else
    #include <time.h>
    static double zs_now(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    }
    #endif
    """
    double zs_now() nogil
