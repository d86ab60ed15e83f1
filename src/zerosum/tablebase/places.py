"""Where tablebases are kept."""

import os
from pathlib import Path

import platformdirs

from zerosum.tablebase.files import Header

__all__ = ["default_path"]

NAMES = {(0, 1, 0): "abapa", (1, 2, 1): "awari", (2, 0, 2): "casual"}


def default_path(header: Header) -> Path:
    """The file for these rules, in the user's data folder or in ``ZEROSUM_TABLEBASES``."""
    folder = os.environ.get("ZEROSUM_TABLEBASES")
    place = Path(folder) if folder else platformdirs.user_data_path("zerosum") / "tablebases"
    switches = header.rules[1:]
    name = NAMES.get(switches, "rules{}{}{}".format(*switches))
    return place / f"oware-{name}-{header.houses}.zstb"
