"""Perft of oware on the rules themselves, without the virtual door."""

from zerosum.games.oware import OwareState

__all__ = ["perft"]

def perft(state: OwareState, depth: int) -> int: ...
