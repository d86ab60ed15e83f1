"""Builds the compiled modules; everything else stands in pyproject.toml.

One extension for every ``.pyx`` below ``src/zerosum``. CPython 3.12 and newer (with a GIL) get one
limited-API build for all of them; 3.11 and free-threaded builds get the full API, where the limited
one costs 2 to 4 times as much a call.
"""

import gzip
import os
import sys
import sysconfig
import tarfile
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.sdist import sdist

SOURCE = Path("src")
DEBUG = os.environ.get("ZEROSUM_DEBUG", "") not in ("", "0")
COVERAGE = os.environ.get("ZEROSUM_COVERAGE", "") not in ("", "0")
# Plain C in place of the few vector instructions; a debug build tests that path too.
PORTABLE = os.environ.get("ZEROSUM_PORTABLE", "") not in ("", "0")
FULL_API = os.environ.get("ZEROSUM_FULL_API", "") not in ("", "0")
LIMITED_API = (
    sys.version_info >= (3, 12) and not sysconfig.get_config_var("Py_GIL_DISABLED") and not FULL_API
)
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
    # A multiplication and an addition in one rounding, where a processor has it, would change last digits.
    return ["-ffp-contract=off", *(["-O1", "-g"] if DEBUG else ["-O3", "-g0"])]


def extension(name: str, sources: list[str]) -> Extension:
    macros: list[tuple[str, str | None]] = []
    if LIMITED_API:
        macros.append(("Py_LIMITED_API", "0x030C0000"))
    if DEBUG or PORTABLE:
        macros.append(("ZS_PORTABLE", None))
    return Extension(
        name,
        sources,
        extra_compile_args=compile_args(),
        define_macros=macros,
        py_limited_api=LIMITED_API,
    )


def extensions() -> list[Extension]:
    modules = [extension("zerosum._cyutility", [])]
    for pyx in sorted(SOURCE.rglob("*.pyx")):
        name = ".".join(pyx.relative_to(SOURCE).with_suffix("").parts)
        modules.append(extension(name, [pyx.as_posix()]))
    return modules


class ReproducibleSdist(sdist):
    """The same sources give the same bytes, whoever packs them, and when."""

    def make_archive(
        self, base_name: str, format: str, root_dir: object = None, base_dir: str = "", **_: object
    ) -> str:
        if format != "gztar":
            raise SystemExit(f"the source distribution is a .tar.gz, not {format}")
        year_1980 = "315532800"  # the oldest time that a zip can hold
        time = int(os.environ.get("SOURCE_DATE_EPOCH", year_1980))

        def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            member.mtime = time
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            return member

        path = Path(f"{base_name}.tar.gz")
        with (
            path.open("wb") as file,
            gzip.GzipFile("", "wb", compresslevel=9, fileobj=file, mtime=time) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            archive.add(base_dir, filter=plain)  # sorted by tarfile
        return str(path)


# Packing the sources, or describing them, translates nothing.
TRANSLATES = not {"sdist", "egg_info", "dist_info"} & set(sys.argv)


def translated(modules: list[Extension]) -> list[Extension]:
    return cythonize(
        modules,
        # Coverage reads the C beside the .pyx.
        build_dir=None if COVERAGE else "build/cython",
        include_path=[str(SOURCE)],
        compiler_directives={
            **DIRECTIVES,
            **(CHECKS if DEBUG else {}),
            **({"linetrace": True} if COVERAGE else {}),
        },
        shared_utility_qualified_name="zerosum._cyutility",
        force=DEBUG,
        nthreads=JOBS if JOBS > 1 else 0,
        annotate=os.environ.get("ZEROSUM_ANNOTATE", "") not in ("", "0"),
    )


setup(
    cmdclass={"sdist": ReproducibleSdist},
    ext_modules=translated(extensions()) if TRANSLATES else extensions(),
    options={
        "build_ext": {"parallel": JOBS},
        **({"bdist_wheel": {"py_limited_api": "cp312"}} if LIMITED_API else {}),
    },
)
