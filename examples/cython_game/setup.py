"""Compiles the game. zerosum's .pxd files are found where it is installed; nothing else of it is needed.

With LIMITED_API=1 one build serves every Python from 3.12 on. Either kind of build works with either kind of
zerosum wheel.
"""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

import zerosum

LIMITED = os.environ.get("LIMITED_API", "0") == "1"

setup(
    ext_modules=cythonize(
        Extension(
            "one_heap",
            ["one_heap.pyx"],
            define_macros=[("Py_LIMITED_API", "0x030C0000")] if LIMITED else [],
            py_limited_api=LIMITED,
        ),
        include_path=[zerosum.get_include()],
    ),
    options={"bdist_wheel": {"py_limited_api": "cp312"}} if LIMITED else {},
)
