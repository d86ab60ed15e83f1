# A monotonic clock in seconds that can be read without the GIL, and Ctrl-C looked for by it.

from cpython.exc cimport PyErr_CheckSignals

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


cdef inline int check_signals(double* last) except -1 nogil:
    """Look for Ctrl-C, when 20 ms have gone by since the last look, whose time the caller keeps."""
    cdef double now = zs_now()
    if now - last[0] > 0.02:
        last[0] = now
        with gil:
            PyErr_CheckSignals()
    return 0
