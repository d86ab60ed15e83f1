"""Fixtures that several tests share."""

import json
from pathlib import Path

import pytest

from tests.reference.mnk import ReferenceMNK


@pytest.fixture(scope="session")
def cases():
    """The public fault reports turned into cases, by their name."""
    text = (Path(__file__).parent / "data" / "public_cases.json").read_text(encoding="utf-8")
    return {case["id"]: case for case in json.loads(text)}


@pytest.fixture(scope="session")
def reference():
    """The slow twin of tic-tac-toe, its values remembered between tests."""
    return ReferenceMNK()
