"""Values by looking ahead: minimax, alpha-beta with a transposition table, perft."""

from zerosum.search import mnk, oware  # noqa: F401  their kernels
from zerosum.search.driver import deepen, minimax, search, solve
from zerosum.search.perft import perft, perft_divide
from zerosum.search.result import SearchResult

__all__ = ["SearchResult", "deepen", "minimax", "perft", "perft_divide", "search", "solve"]
