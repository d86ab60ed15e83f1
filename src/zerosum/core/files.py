"""Text files that are there whole or not at all."""

from os import PathLike
from pathlib import Path

__all__ = ["write_text"]


def write_text(path: str | PathLike[str], text: str) -> None:
    """Write a file in UTF-8, beside its place and then renamed, so that a failure leaves what was there.

    OSError names the path that was asked for.
    """
    target = Path(path)
    beside = target.with_name(target.name + ".part")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        beside.unlink(missing_ok=True)
