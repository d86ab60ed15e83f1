"""Builds the outside game against the installed package: python setup.py build_ext --inplace."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import zerosum

setup(
    name="outside-connect-four",
    ext_modules=cythonize(
        Extension("outside_connect_four", ["outside_connect_four.pyx"]),
        include_path=[zerosum.get_include()],
    ),
)
