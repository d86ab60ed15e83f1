"""Builds every wheel that one Linux machine can, audits each, and runs those that the machine can run.

    python -m pip install --group wheels
    python tools/wheels.py --python python3.11 --python python3.12 --python python3.13

The source distribution is built twice and compared, every wheel is built from it. Zig is the compiler for all
platforms; its headers of the C libraries make the cross builds possible, and the limited API makes this
machine's Python headers good enough for them. Wheels for this machine's processor run the tests on every
Python named, and with ``--emulate`` the aarch64 wheel runs them under qemu (Debian only, downloads packages).
What only gets built and audited here is run by the release workflow.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_WHEEL_BYTES = 2_500_000
MOST_UNPACKED_BYTES = 8_000_000
SYMBOLS_OF_ABI3 = (3, 12)


@dataclass(frozen=True)
class Target:
    """One wheel: its platform tag, what Zig calls the platform, and whose headers it is built with."""

    platform: str
    zig: str
    python: tuple[int, int] = (3, 12)

    @property
    def name(self) -> str:
        return f"{self.platform}-{'abi3' if self.python >= (3, 12) else 'cp311'}"

    @property
    def system(self) -> str:
        return self.platform.split("_")[0]

    @property
    def machine(self) -> str:
        return next(m for m in ("x86_64", "aarch64", "arm64", "amd64") if m in self.platform)


TARGETS = [
    Target("manylinux_2_17_x86_64", "x86_64-linux-gnu.2.17"),
    Target("manylinux_2_17_x86_64", "x86_64-linux-gnu.2.17", (3, 11)),
    Target("manylinux_2_17_aarch64", "aarch64-linux-gnu.2.17"),
    Target("manylinux_2_17_aarch64", "aarch64-linux-gnu.2.17", (3, 11)),
    Target("musllinux_1_2_x86_64", "x86_64-linux-musl"),
    Target("musllinux_1_2_aarch64", "aarch64-linux-musl"),
    Target("macosx_11_0_arm64", "aarch64-macos.11.0"),
    Target("macosx_11_0_x86_64", "x86_64-macos.11.0"),
    Target("win_amd64", "x86_64-windows-gnu"),
]

# What Python's own pyconfig.h says on Windows, as far as the limited API's headers ask.
PYCONFIG_OF_WINDOWS = """
#define MS_WIN32
#define MS_WINDOWS
#define MS_WIN64
#define MS_COREDLL
#define HAVE_DECLSPEC_DLL
#define Py_ENABLE_SHARED
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_WCHAR_T 2
#define SIZEOF_VOID_P 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_OFF_T 4
#define SIZEOF_FPOS_T 8
#define ALIGNOF_SIZE_T 8
#define ALIGNOF_LONG 4
#define HAVE_STDARG_PROTOTYPES 1
#define HAVE_STDDEF_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_ERRNO_H 1
#define HAVE_WCHAR_H 1
#define HAVE_UINTPTR_T 1
typedef long long Py_ssize_t;
#define HAVE_PY_SSIZE_T 1
#define PY_SSIZE_T_MAX 0x7fffffffffffffffLL
#define PY_LLONG_MIN LLONG_MIN
#define PY_LLONG_MAX LLONG_MAX
#define PY_ULLONG_MAX ULLONG_MAX
#define NT_THREADS
#define WITH_THREAD
"""


def run(*command: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """A command's output; the script ends with it when the command fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(
            f"{' '.join(map(str, command))}\n{done.stdout[-6000:]}\nexit code {done.returncode}"
        )
    return done.stdout


def version_of(python: str) -> tuple[int, int]:
    """An interpreter's version."""
    major, minor = run(python, "-c", "import sys; print(*sys.version_info[:2])").split()
    return int(major), int(minor)


def environment(folder: Path, python: str, *packages: str) -> Path:
    """The python of a fresh virtual environment with these packages."""
    run(python, "-m", "venv", folder)
    inside = folder / "bin" / "python"
    if packages:
        run(inside, "-m", "pip", "install", "--quiet", *packages)
    return inside


def build_sdist(work: Path) -> Path:
    """The source distribution, built twice, from files of different times, with equal bytes."""
    built = []
    for attempt in ("first", "second"):
        copy = work / attempt / "checkout"
        run(sys.executable, ROOT / ".ci" / "distributions.py", "copy", ROOT, copy)
        for path in copy.rglob("*") if attempt == "second" else ():
            os.utime(path, (1e9, 1e9))
        out = work / attempt / "dist"
        run(sys.executable, "-m", "build", "--sdist", "--outdir", out, copy)
        built.append(next(out.glob("*.tar.gz")))
    if built[0].read_bytes() != built[1].read_bytes():
        sys.exit("two builds of the source distribution differ")
    run(sys.executable, "-m", "twine", "check", "--strict", built[0])
    return built[0]


def windows_interface(work: Path, include: Path) -> tuple[Path, Path]:
    """Headers and import library of the stable ABI's python3.dll, from the published table of its symbols."""
    from abi3info import DATAS, FUNCTIONS

    headers = work / "windows" / "include"
    shutil.copytree(include, headers)
    (headers / "pyconfig.h").write_text(PYCONFIG_OF_WINDOWS, encoding="utf-8")
    lines = ["LIBRARY python3.dll", "EXPORTS"]
    for table, suffix in ((FUNCTIONS, ""), (DATAS, " DATA")):
        lines += sorted(
            symbol.name + suffix
            for symbol, item in table.items()
            if (item.added.major, item.added.minor) <= SYMBOLS_OF_ABI3
        )
    definitions = work / "windows" / "python3.def"
    definitions.write_text("\n".join(lines) + "\n", encoding="utf-8")
    library = definitions.with_suffix(".lib")
    run(
        sys.executable, "-m", "ziglang", "dlltool", "-m", "i386:x86-64", "-d", definitions, "-l", library
    )  # fmt: skip
    return headers, library


def compiler(target: Target, work: Path, python: Path) -> dict[str, str]:
    """The variables that make setuptools build for the target."""
    zig = f"{sys.executable} -m ziglang cc -target {target.zig}"
    host = {"manylinux": "linux", "musllinux": "linux", "macosx": "macosx-11.0", "win": "win"}
    link = "-shared -s"
    if target.system == "macosx":
        link += " -undefined dynamic_lookup"
    if target.system == "win":
        include = Path(
            run(python, "-c", "import sysconfig as s; print(s.get_path('include'))").strip()
        )
        headers, library = windows_interface(work, include)
        zig += f" -I{headers}"
        link += f" {library}"
    return {
        "CC": zig,
        "LDSHARED": f"{zig} {link}",
        "CFLAGS": "-Wno-unused-command-line-argument",
        "_PYTHON_HOST_PLATFORM": f"{host[target.system]}-{target.machine}",
        "SETUPTOOLS_EXT_SUFFIX": f".cpython-311-{target.machine}-linux-gnu.so",
        "ZIG_GLOBAL_CACHE_DIR": str(work / "zig"),
        "ZIG_LOCAL_CACHE_DIR": str(work / "zig"),
    }


def build_wheel(target: Target, source: Path, python: Path, work: Path, out: Path) -> Path:
    """The target's wheel, as one would publish it."""
    raw = work / "raw" / target.name
    run(
        python, "-m", "build", "--wheel", "--no-isolation", "--outdir", raw,
        f"-C--build-option=--plat-name={target.platform}", source,
        env=compiler(target, work, python),
    )  # fmt: skip
    wheel = next(raw.glob("*.whl"))
    unpacked = work / "unpacked" / target.name
    run(sys.executable, "-m", "wheel", "unpack", "--dest", unpacked, wheel)
    (content,) = unpacked.iterdir()
    for module in content.rglob("*.so"):
        if target.system == "win":
            module.rename(module.with_name(module.name.split(".")[0] + ".pyd"))
        if target.system == "musllinux":  # Zig names musl's libc as its own build does
            run(
                "patchelf",
                "--replace-needed",
                "libc.so",
                f"libc.musl-{target.machine}.so.1",
                module,
            )
    for extra in (*content.rglob("*.lib"), *content.rglob("*.pdb")):
        extra.unlink()  # what the linker leaves beside a .pyd
    out.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "wheel", "pack", "--dest-dir", raw, content)
    if target.platform == f"manylinux_2_17_{os.uname().machine}":
        run(
            sys.executable, "-m", "auditwheel", "repair", "--only-plat", "--plat", target.platform,
            "--wheel-dir", out, wheel,
        )  # fmt: skip
    else:  # auditwheel repairs for its own machine and libc only; it shows others
        shutil.copy2(wheel, out)
    pattern = (
        f"*-{'cp312-abi3' if target.python >= (3, 12) else 'cp311-cp311'}-*{target.platform}*.whl"
    )
    return next(out.glob(pattern))


def missing_or_too_much(content: Path) -> set[str]:
    """Files of the package that an unpacked wheel should have and has not, or the reverse; modules by name."""

    def names(root: Path) -> set[str]:
        files = [path.relative_to(root) for path in (root / "zerosum").rglob("*") if path.is_file()]
        compiled = (".pyx", ".so", ".pyd")
        return {
            f"{path.with_name(path.name.split('.')[0])} compiled"
            if path.suffix in compiled
            else str(path)
            for path in files
            if path.suffix not in (".c", ".pyc")
        }

    return names(content) ^ (names(ROOT / "src") | {"zerosum/_cyutility compiled"})


def audit(target: Target, wheel: Path, work: Path) -> tuple[int, int]:
    """Bytes of a wheel, packed and unpacked, once everything about it is as it should be."""
    run(sys.executable, "-m", "twine", "check", "--strict", wheel)
    run(sys.executable, "-m", "check_wheel_contents", wheel)
    if target.python >= (3, 12):
        said = run(sys.executable, "-m", "abi3audit", "--strict", "--verbose", wheel)
        if not re.search(
            r"\b0 ABI version mismatches and 0 ABI violations", " ".join(said.split())
        ):
            sys.exit(said)
    if target.system in ("manylinux", "musllinux"):
        said = run(sys.executable, "-m", "auditwheel", "show", wheel)
        if target.platform not in " ".join(said.split()).partition("is consistent with")[2]:
            sys.exit(said)
    unpacked = work / "audited" / target.name
    run(sys.executable, "-m", "wheel", "unpack", "--dest", unpacked, wheel)
    (content,) = unpacked.iterdir()
    wrong = missing_or_too_much(content)
    if wrong:
        sys.exit(f"{wheel.name}: {sorted(wrong)} are missing or too much")
    packed = wheel.stat().st_size
    whole = sum(path.stat().st_size for path in unpacked.rglob("*") if path.is_file())
    if packed > MOST_WHEEL_BYTES or whole > MOST_UNPACKED_BYTES:
        sys.exit(f"{wheel.name} is too large: {packed} bytes, {whole} unpacked")
    return packed, whole


def without_compiler(folder: Path) -> dict[str, str]:
    """A PATH with no C compiler on it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("env", "sh", "bash", "uname"):
        found = shutil.which(name)
        if found and not (folder / name).exists():
            (folder / name).symlink_to(found)
    return {"PATH": str(folder)}


def test_wheel(wheel: Path, python: str, work: Path, tests: Sequence[str]) -> str:
    """The last line of the tests' report in a fresh environment that only the wheel was put in.

    The wheel is installed with no compiler in reach; the tests then have one, since some compile a game.
    """
    name = "{}.{}".format(*version_of(python))
    inside = environment(work / "run" / name, python)
    bare = without_compiler(work / "bare")
    run(
        inside,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--only-binary",
        ":all:",
        f"{wheel}[all,test]",
        env=bare,
    )
    run(
        inside, "-c", "import zerosum as z; assert z.solve(z.TicTacToe().state('XX.O..O..')).value == 1",
        env=bare,
    )  # fmt: skip
    beside = work / "run" / f"tests-{name}"
    beside.mkdir()
    for part in ("pyproject.toml", "README.md", "tests", "benchmarks", "src"):
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy2
        copy(ROOT / part, beside / part)
    run(inside, "benchmarks/signature.py", "--check", cwd=beside)
    return run(inside, "-m", "pytest", "-q", *tests, cwd=beside).rstrip().splitlines()[-1]


def mixed_pairs(source: Path, abi3: Path, python: str, work: Path) -> Iterator[str]:
    """The example game in Cython, compiled with each API, against the package built with each API."""
    example = ROOT / "examples" / "cython_game"
    full = work / "full"
    inside = environment(
        work / "pairs" / "build", python, "build", "setuptools", "Cython>=3.3.1,<3.4"
    )
    run(
        inside, "-m", "build", "--wheel", "--no-isolation", "--outdir", full, source,
        env={"ZEROSUM_FULL_API": "1"},
    )  # fmt: skip
    for api, wheel in (("full", next(full.glob("*.whl"))), ("abi3", abi3)):
        for limited in ("0", "1"):
            folder = work / "pairs" / f"{api}-{limited}"
            inside = environment(folder, python, "setuptools", "Cython>=3.3.1,<3.4", str(wheel))
            copy = folder / "game"
            shutil.copytree(
                example, copy, ignore=shutil.ignore_patterns("build", "*.c", "*.egg-info")
            )
            run(
                inside, "-m", "pip", "install", "--quiet", "--no-build-isolation", copy,
                env={"LIMITED_API": limited},
            )  # fmt: skip
            run(inside, copy / "check.py", cwd=folder)
            yield f"package {api}, game {'abi3' if limited == '1' else 'full'}: works"


def emulated(wheel: Path, work: Path, tests: Sequence[str]) -> str:
    """The last line of the tests' report of the aarch64 wheel for 3.11, on Debian's Python under qemu."""
    state, debs, root = (work / "arm64" / name for name in ("apt", "debs", "root"))
    for folder in (state / "lists" / "partial", debs, root):
        folder.mkdir(parents=True)
    (state / "status").touch()
    apt = [
        "apt-get", "-q", "-o", f"Dir::State={state}", "-o", f"Dir::State::status={state / 'status'}",
        "-o", f"Dir::Cache={state}", "-o", "APT::Architecture=arm64", "-o", "APT::Architectures::=arm64",
    ]  # fmt: skip
    packages = (
        "python3.11-minimal libpython3.11-minimal libpython3.11-stdlib libc6 libstdc++6 libgcc-s1 zlib1g "
        "libexpat1 libssl3 libffi8 libbz2-1.0 liblzma5 libsqlite3-0 libuuid1 libncursesw6 libtinfo6 "
        "libreadline8 libcrypt1"
    )
    run(*apt, "update")
    run(*apt, "download", *packages.split(), cwd=debs)
    run("apt-get", "-q", "download", "qemu-user-static", cwd=debs)
    for package in debs.glob("*.deb"):
        run("dpkg", "-x", package, work / "arm64" / "qemu" if "qemu" in package.name else root)
    site = work / "arm64" / "site"
    run(
        sys.executable, "-m", "pip", "install", "--quiet", "--target", site, "--only-binary", ":all:",
        "--python-version", "3.11", "--implementation", "cp",
        "--abi", "cp311", "--abi", "abi3", "--abi", "none",
        *(f"--platform=manylinux_{libc}_aarch64" for libc in ("2_17", "2_27", "2_28")),
        "pytest", "hypothesis", "rich", f"{wheel}",
    )  # fmt: skip
    beside = work / "arm64" / "tests"
    beside.mkdir()
    for part in ("pyproject.toml", "README.md", "tests", "benchmarks", "src"):
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy2
        copy(ROOT / part, beside / part)
    # A program that a test can start, too: the kernel knows nothing of the emulator.
    python = work / "arm64" / "python"
    qemu = work / "arm64" / "qemu" / "usr" / "bin" / "qemu-aarch64-static"
    binary = root / "usr" / "bin" / "python3.11"
    python.write_text(f'#!/bin/sh\nexec "{qemu}" -L "{root}" -0 "$0" "{binary}" "$@"\n')
    python.chmod(0o755)
    variables = {"PYTHONPATH": str(site), "PYTHONHOME": str(root / "usr")}
    run(python, "benchmarks/signature.py", "--check", cwd=beside, env=variables)
    said = run(python, "-m", "pytest", "-q", *tests, cwd=beside, env=variables)
    return said.rstrip().splitlines()[-1]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "--python", action="append", required=True, help="an interpreter; 3.11 and 3.12 needed"
    )
    parser.add_argument(
        "--only", action="append", help="part of a target's name; more than one allowed"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "wheelhouse", help="where the wheels go")
    parser.add_argument(
        "--work", type=Path, default=ROOT / "build" / "wheels", help="emptied first"
    )
    parser.add_argument("--no-run", action="store_true", help="only build and audit")
    parser.add_argument(
        "--emulate", action="store_true", help="run the aarch64 wheel for 3.11 under qemu"
    )
    parser.add_argument("tests", nargs="*", default=["tests"], help="what pytest is told to run")
    return parser.parse_args()


def main() -> None:
    asked = options()
    started = time.monotonic()
    # The tools of this environment, also when nobody has activated it.
    os.environ["PATH"] = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"

    def say(text: str) -> None:
        print(f"{time.monotonic() - started:5.0f} s  {text}", flush=True)

    shutil.rmtree(asked.work, ignore_errors=True)
    work = asked.work.resolve()
    work.mkdir(parents=True)
    pythons = {version_of(python): python for python in asked.python}
    sdist = build_sdist(work)
    asked.out.mkdir(parents=True, exist_ok=True)
    shutil.copy2(sdist, asked.out)
    say(f"{sdist.name}: two builds, equal bytes")
    with tarfile.open(sdist) as archive:
        archive.extractall(work / "source", filter="data")
    (source,) = (work / "source").iterdir()

    builders: dict[tuple[int, int], Path] = {}
    wheels: dict[str, Path] = {}
    chosen = [t for t in TARGETS if not asked.only or any(part in t.name for part in asked.only)]
    for target in chosen:
        if target.python not in builders:
            builders[target.python] = environment(
                work / "build-{}.{}".format(*target.python), pythons[target.python],
                "build", "setuptools>=77.0.3", "Cython>=3.3.1,<3.4",
            )  # fmt: skip
        wheel = build_wheel(target, source, builders[target.python], work, asked.out)
        wheels[target.name] = wheel
        packed, whole = audit(target, wheel, work)
        say(f"{wheel.name}: {packed / 1e6:.2f} MB, {whole / 1e6:.2f} MB unpacked, audits clean")
    if asked.no_run:
        return
    here = f"manylinux_2_17_{os.uname().machine}"
    for version, python in sorted(pythons.items()):
        found = wheels.get(f"{here}-{'abi3' if version >= (3, 12) else 'cp311'}")
        if found:
            say(
                f"{found.name} on {version[0]}.{version[1]}: {test_wheel(found, python, work, asked.tests)}"
            )
    abi3 = wheels.get(f"{here}-abi3")
    if abi3:
        for line in mixed_pairs(source, abi3, pythons[3, 12], work):
            say(line)
    arm = wheels.get("manylinux_2_17_aarch64-cp311")
    if arm and asked.emulate:
        say(f"{arm.name} under qemu: {emulated(arm, work, asked.tests)}")
    say("All is well")


if __name__ == "__main__":
    main()
