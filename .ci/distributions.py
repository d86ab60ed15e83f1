"""Copies the checkout, and checks that the distributions hold all that they should and nothing else."""

import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

NOT_IN_SDIST = (".ci/", ".github/", "tools/", ".gitignore", ".gitattributes")
MADE_BY_SETUPTOOLS = ("PKG-INFO", "setup.cfg")
LISTING = "source-files.txt"  # beside the copy


def copy(checkout: Path, target: Path) -> None:
    """Copy what git tracks, or would: nothing ignored, nothing built."""
    git = ["git", "-c", "safe.directory=*", "-C", str(checkout)]
    listed = subprocess.run(
        [*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True,
        capture_output=True,
    )
    names = sorted({name for name in listed.stdout.decode().split("\0") if name})
    names = [name for name in names if (checkout / name).is_file()]
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(checkout / name, target / name)
    (target.parent / LISTING).write_text("\n".join(names), encoding="utf-8")
    print(f"{len(names)} files")


def check(source: Path, dist: Path) -> None:
    """Compare a folder's one sdist and one wheel with the files of the copy."""
    files = set((source.parent / LISTING).read_text(encoding="utf-8").split("\n"))
    (sdist,) = dist.glob("*.tar.gz")
    (wheel,) = dist.glob("*.whl")
    wrong = [*check_sdist(files, sdist), *check_wheel(files, wheel)]
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{sdist.name} and {wheel.name} hold what they should")


def check_sdist(files: set[str], path: Path) -> list[str]:
    """What is wrong with the source distribution: it holds the sources and nothing generated."""
    with tarfile.open(path) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    names = {name for name in names if ".egg-info/" not in name and name not in MADE_BY_SETUPTOOLS}
    expected = {name for name in files if not name.startswith(NOT_IN_SDIST)}
    return differences(path.name, expected, names)


def check_wheel(files: set[str], path: Path) -> list[str]:
    """What is wrong with the wheel: all of src, with a module for each .pyx, its .pxd and .pyi beside it."""
    with zipfile.ZipFile(path) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    package = {name.removeprefix("src/") for name in files if name.startswith("src/")}
    sources = {name for name in package if name.endswith(".pyx")}
    binaries = {name for name in names if name.endswith((".so", ".pyd"))}
    modules = {
        str(PurePosixPath(name).with_name(PurePosixPath(name).name.split(".")[0]))
        for name in binaries
    }
    wrong = differences(path.name, package - sources, names - binaries)
    wrong += differences(
        f"{path.name}, compiled",
        {name.removesuffix(".pyx") for name in sources} | {"zerosum/_cyutility"},
        modules,
    )
    wrong += [
        f"{name} has no {suffix} beside it"
        for name in sorted(sources)
        for suffix in (".pxd", ".pyi")
        if name.removesuffix(".pyx") + suffix not in names
    ]
    if "zerosum/py.typed" not in names:
        wrong.append(f"{path.name} has no py.typed")
    stable = sys.version_info >= (3, 12) and not sysconfig.get_config_var("Py_GIL_DISABLED")
    tag = "-cp312-abi3-" if stable else "-cp{0}{1}-cp{0}{1}".format(*sys.version_info)
    if tag not in path.name:
        wrong.append(f"{path.name} is not tagged {tag}")
    return wrong


def differences(where: str, expected: set[str], found: set[str]) -> list[str]:
    """A line for each name that is missing or too much."""
    return [f"{where}: {name} is missing" for name in sorted(expected - found)] + [
        f"{where}: {name} does not belong there" for name in sorted(found - expected)
    ]


if __name__ == "__main__":
    {"copy": copy, "check": check}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
