"""Builds the compiled modules; everything else stands in pyproject.toml.

One extension for every ``.pyx`` below ``src/zerosum``. CPython 3.12 and newer (with a GIL) get one
limited-API build for all of them; 3.11 and free-threaded builds get the full API, where the limited
one costs 2 to 4 times as much a call.
"""

import os
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

SOURCE = Path("src")
DEBUG = os.environ.get("ZEROSUM_DEBUG", "") not in ("", "0")
LIMITED_API = sys.version_info >= (3, 12) and not sysconfig.get_config_var("Py_GIL_DISABLED")
JOBS = 1 if sys.platform == "win32" else (os.cpu_count() or 1)

DIRECTIVES = {
    "language_level": "3",
    "binding": True,
    "embedsignature": False,
    "auto_pickle": False,
    "autotestdict": False,
    "freethreading_compatible": True,
}
# A debug build keeps every check on, also where a hot loop's file switches it off.
CHECKS = {"boundscheck": True, "wraparound": True, "cdivision": False, "initializedcheck": True}


def compile_args() -> list[str]:
    if sys.platform == "win32" and "gcc" not in sysconfig.get_platform():
        return ["/O2"]
    return ["-O1", "-g"] if DEBUG else ["-O3", "-g0"]


def extension(name: str, sources: list[str]) -> Extension:
    limited = [("Py_LIMITED_API", "0x030C0000")] if LIMITED_API else []
    return Extension(
        name,
        sources,
        extra_compile_args=compile_args(),
        define_macros=limited,
        py_limited_api=LIMITED_API,
    )


def extensions() -> list[Extension]:
    modules = [extension("zerosum._cyutility", [])]
    for pyx in sorted(SOURCE.rglob("*.pyx")):
        name = ".".join(pyx.relative_to(SOURCE).with_suffix("").parts)
        modules.append(extension(name, [pyx.as_posix()]))
    return modules


setup(
    ext_modules=cythonize(
        extensions(),
        build_dir="build/cython",
        include_path=[str(SOURCE)],
        compiler_directives={**DIRECTIVES, **(CHECKS if DEBUG else {})},
        shared_utility_qualified_name="zerosum._cyutility",
        force=DEBUG,
        nthreads=JOBS if JOBS > 1 else 0,
        annotate=os.environ.get("ZEROSUM_ANNOTATE", "") not in ("", "0"),
    ),
    options={
        "build_ext": {"parallel": JOBS},
        **({"bdist_wheel": {"py_limited_api": "cp312"}} if LIMITED_API else {}),
    },
)
