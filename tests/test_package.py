"""The package as a whole: its names, its version, and threads without the GIL."""

import subprocess
import sys
import sysconfig
from importlib.metadata import version

import pytest

import zerosum as zs


def test_version():
    assert zs.__version__ == version("zerosum")
    shown = subprocess.run(
        [sys.executable, "-m", "zerosum", "--version"], capture_output=True, text=True, check=False
    )
    assert shown.stdout == f"zerosum {zs.__version__}\n"


def test_every_public_name_is_there():
    assert all(getattr(zs, name) is not None for name in zs.__all__)
    assert {name for name in dir(zs) if not name.startswith("__")} == set(zs.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        zs.nonsense  # noqa: B018


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python always has the GIL"
)
def test_no_module_switches_the_gil_on():
    code = (
        "import sys, zerosum, zerosum.equilibrium, zerosum.tablebase\n"
        "[getattr(zerosum, name) for name in zerosum.__all__]\n"
        "raise SystemExit(sys._is_gil_enabled())"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
