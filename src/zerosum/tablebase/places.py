"""Where tablebases are kept."""

import os
from pathlib import Path

import platformdirs

from zerosum.tablebase.files import Header

__all__ = ["default_path"]


def default_path(header: Header) -> Path:
    """The file for these rules, in the user's data folder or in ``ZEROSUM_TABLEBASES``."""
    folder = os.environ.get("ZEROSUM_TABLEBASES")
    place = Path(folder) if folder else platformdirs.user_data_path("zerosum") / "tablebases"
    return place / f"oware-{header.name}-{header.houses}.zstb"
