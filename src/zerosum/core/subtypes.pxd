# Lets classes compiled elsewhere subclass ours, whichever API each side is compiled with.
#
# A class compiled with the limited API lives on the heap: when an instance of it, or of a subclass, goes,
# Cython gives back the reference to its type that every instance of a heap type holds. An instance of a
# subclass that was compiled with the full API holds none, since that type is static: its count would sink by
# one an instance until the type is freed and the interpreter crashes. So such an instance takes one here. A
# Python class below a static one is on the heap again, but then CPython gives one back too.

cdef extern from *:
    """
    #if CYTHON_USE_TYPE_SPECS
    static CYTHON_INLINE void zs_hold_type(PyObject *instance) {
        PyTypeObject *type = Py_TYPE(instance);
        while (type && type != &PyBaseObject_Type) {
            if (!(PyType_GetFlags(type) & Py_TPFLAGS_HEAPTYPE)) {
                Py_INCREF((PyObject *)Py_TYPE(instance));
                return;
            }
            type = (PyTypeObject *)PyType_GetSlot(type, Py_tp_base);
        }
    }
    #else
    #define zs_hold_type(instance) ((void)(instance))
    #endif
    """
    # To be called once, by the outermost class's __cinit__.
    void zs_hold_type(object instance)
