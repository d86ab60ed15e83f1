"""Games with hidden information: flattened trees, regret minimisation, evaluation, exact
equilibria.
"""

import sys
from types import ModuleType
from typing import Any

from zerosum.equilibrium.cfr import CFRSolver
from zerosum.equilibrium.evaluation import (
    BestResponse,
    TablePolicy,
    best_response,
    expected_value,
    exploitability,
    gains,
    nash_conv,
)
from zerosum.equilibrium.lp import Equilibrium, equilibrium
from zerosum.equilibrium.simulate import Simulation, simulate
from zerosum.equilibrium.tree import GameTree

__all__ = [
    "BestResponse",
    "CFRSolver",
    "Equilibrium",
    "GameTree",
    "Simulation",
    "TablePolicy",
    "best_response",
    "equilibrium",
    "expected_value",
    "exploitability",
    "gains",
    "nash_conv",
    "simulate",
]


class CallableModule(ModuleType):
    """This module, which is also ``zerosum.equilibrium(game, ...)``: the package names its most asked for
    function as it names this room, and an import of the room may not take the function away.
    """

    def __call__(self, game: Any, exact: bool = True) -> Equilibrium:
        return equilibrium(game, exact)


# help(zerosum.equilibrium) is asked for the function.
__doc__ = CallableModule.__call__.__doc__ = equilibrium.__doc__ or ""
sys.modules[__name__].__class__ = CallableModule
