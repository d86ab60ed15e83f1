"""Games with hidden information: flattened trees, regret minimisation, evaluation, exact
equilibria.
"""

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
