"""Data and policies that several tests of games with hidden cards share."""

import json
from fractions import Fraction
from pathlib import Path

DATA = Path(__file__).parent / "data"
POKER = json.loads((DATA / "poker.json").read_text())
CASES = {case["id"]: case for case in json.loads((DATA / "poker_cases.json").read_text())}


def kuhn_policy(bets):
    """A policy from {"J": probability of b, "Jpb": ..., "Jp": ..., "Jb": ...}."""
    policy = {}
    for name, bet in bets.items():
        policy[f"{'JQK'.index(name[0])}{name[1:]}"] = {0: 1 - Fraction(bet), 1: Fraction(bet)}
    return policy


def nash(a):
    """The member of Kuhn poker's family of equilibria in which player 0 bets the jack with a."""
    third = Fraction(1, 3)
    return kuhn_policy(
        {"J": a, "Q": 0, "K": 3 * a, "Jpb": 0, "Qpb": a + third, "Kpb": 1}
        | {"Jp": third, "Qp": 0, "Kp": 1, "Jb": 0, "Qb": third, "Kb": 1}
    )


def constant(bet):
    """Always p (0) or always b (1), in fractions."""
    names = [card + line for card in "JQK" for line in ("", "pb", "p", "b")]
    return kuhn_policy(dict.fromkeys(names, bet))
