"""Who may import whom: the rooms of the package, and the doors between them.

core <- games, search, tablebase, equilibrium <- play and the top level. The four in the middle do not know
each other; only where a kernel must be compiled together with one game, a module named for the game
(search/mnk, tablebase/oware) may use that game, and how it is written.
"""

import ast
import re
from pathlib import Path

import pytest

import zerosum

# The sources where the tests stand beside them; else what is installed, which has no .pyx.
SOURCES = Path(__file__).parents[1] / "src" / "zerosum"
PACKAGE = SOURCES if SOURCES.is_dir() else Path(zerosum.__file__).parent
MIDDLE = {"games", "search", "tablebase", "equilibrium"}
ALLOWED = {"core": {"core"}, **{room: {"core", room} for room in MIDDLE}}
CIMPORT = re.compile(
    r"^[ ]*(?:from[ ]+(zerosum[\w.]*)[ ]+c?import[ ]+(\([^)]*\)|[^\n]*)|c?import[ ]+(zerosum[\w.]*))",
    re.MULTILINE,
)
RELATIVE = re.compile(r"^\s*from\s+\.+[\w.]*\s+c?import", re.MULTILINE)
GAMES = {path.stem for path in (PACKAGE / "games").glob("*.pyi")}


def sources():
    """Every source file of the package."""
    return sorted(p for end in ("py", "pyx", "pxd", "pyi") for p in PACKAGE.rglob(f"*.{end}"))


def imported(path):
    """The modules of the package that a file imports or cimports, wherever in the file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".py", ".pyi"):
        modules = set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                modules |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: a relative import"
                modules |= {f"{node.module}.{alias.name}" for alias in node.names}
    else:
        assert not RELATIVE.search(text), f"{path}: a relative import"
        modules = set()
        for source, names, whole in CIMPORT.findall(text):
            modules |= {whole} if whole else {f"{source}.{n}" for n in re.findall(r"[\w*]+", names)}
    return {module for module in modules if module.split(".")[0] == "zerosum"}


def room_of(module):
    """The room that an imported name is in; "" for the top level."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and (PACKAGE / parts[1]).is_dir() else ""


def is_allowed(path, module):
    """May the file import the module?"""
    place = path.relative_to(PACKAGE)
    room = place.parts[0] if len(place.parts) > 1 else ""
    if room not in ALLOWED:  # play and the top level
        return True
    if room_of(module) in ALLOWED[room]:
        return True
    parts = module.split(".")
    of_that_game = parts[2:3] in ([place.stem], [f"{place.stem}_text"])
    return room_of(module) == "games" and place.stem in GAMES and of_that_game


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_forbidden_arrow(path):
    wrong = sorted(module for module in imported(path) if not is_allowed(path, module))
    assert not wrong, f"{path.relative_to(PACKAGE)} must not import {', '.join(wrong)}"


@pytest.mark.parametrize(
    ("place", "module", "allowed"),
    [
        ("core/state.pyx", "zerosum.core.errors", True),
        ("core/state.pyx", "zerosum.games.mnk", False),
        ("core/state.pyx", "zerosum", False),
        ("games/mnk.pyx", "zerosum.core.state", True),
        ("games/mnk.pyx", "zerosum.search.score", False),
        ("search/mnk.pyx", "zerosum.games.mnk", True),
        ("search/mnk.pyx", "zerosum.games.oware", False),
        ("search/graph.pyx", "zerosum.games.mnk", False),
        ("tablebase/oware.pyx", "zerosum.games.oware", True),
        ("tablebase/oware.pyx", "zerosum.search.table", False),
        ("equilibrium/tree.py", "zerosum.search.driver", False),
        ("search/driver.py", "zerosum.play.cli", False),
        ("play/cli.py", "zerosum.search", True),
        ("__init__.py", "zerosum.games.tictactoe", True),
    ],
)
def test_the_rule_itself(place, module, allowed):
    assert is_allowed(PACKAGE / place, module) == allowed


def test_cimports_are_seen():
    seen = {path.relative_to(PACKAGE).as_posix(): imported(path) for path in sources()}
    assert "zerosum.core.state.State" in seen["games/mnk.pxd"]
    assert "zerosum.search.table.TranspositionTable" in seen["search/alphabeta.pxd"]
