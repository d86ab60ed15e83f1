"""Values by looking back: tables of exact values built by retrograde analysis."""

from zerosum.tablebase.oware import Mismatch, OwareTablebase

__all__ = ["Mismatch", "OwareTablebase"]
