"""Fixtures that several tests share."""

import json
import signal
from pathlib import Path

import pytest

from tests.reference.mnk import ReferenceMNK


def pytest_configure():
    """Hear Ctrl-C: a shell starts what it runs in the background, and all below it, with that ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def cases():
    """The public fault reports turned into cases, by their name."""
    text = (Path(__file__).parent / "data" / "public_cases.json").read_text(encoding="utf-8")
    return {case["id"]: case for case in json.loads(text)}


@pytest.fixture(scope="session")
def reference():
    """The slow twin of tic-tac-toe, its values remembered between tests."""
    return ReferenceMNK()
