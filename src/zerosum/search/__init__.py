"""Values by looking ahead: minimax, alpha-beta with a transposition table, perft."""

from zerosum.search.driver import minimax, search, solve
from zerosum.search.result import SearchResult

__all__ = ["SearchResult", "minimax", "search", "solve"]
