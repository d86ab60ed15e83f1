# A block of memory that doubles when it is full: what a walk of unknown size writes into.

from libc.stdlib cimport free, realloc

cdef struct Buffer:
    char* data
    size_t used                    # bytes written
    size_t room                    # bytes allocated


# Make sure that so many more bytes can be written at data + used. MemoryError when they cannot.
cdef inline int reserve(Buffer* buffer, size_t more) except -1 nogil:
    cdef size_t room
    cdef char* data
    if buffer.used + more <= buffer.room:
        return 0
    room = 2 * buffer.room + more + 64
    data = <char*>realloc(buffer.data, room)
    if data == NULL:
        with gil:
            raise MemoryError(f"no memory for {room} bytes")
    buffer.data = data
    buffer.room = room
    return 0


cdef inline int push_int(Buffer* buffer, int value) except -1 nogil:
    reserve(buffer, sizeof(int))
    (<int*>(buffer.data + buffer.used))[0] = value
    buffer.used += sizeof(int)
    return 0


cdef inline int push_double(Buffer* buffer, double value) except -1 nogil:
    reserve(buffer, sizeof(double))
    (<double*>(buffer.data + buffer.used))[0] = value
    buffer.used += sizeof(double)
    return 0


cdef inline void release(Buffer* buffer) noexcept nogil:
    free(buffer.data)
    buffer.data = NULL
    buffer.used = buffer.room = 0
