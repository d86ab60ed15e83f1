"""``python -m zerosum``: the command ``zerosum``, where scripts are not on the path."""

from zerosum.play.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
