"""``python -m zerosum``: the command ``zerosum``, where scripts are not on the path."""

from zerosum.play.cli import main

raise SystemExit(main())
