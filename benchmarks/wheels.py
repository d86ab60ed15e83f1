"""The installed build: its size without numpy, and what a call of a method costs.

    python benchmarks/wheels.py

Run in environments with wheels of either kind to compare them: the full API's and the limited API's.
"""

import timeit
from pathlib import Path

import zerosum as zs
from zerosum.core import state as compiled


def nanoseconds(statement: str, **names: object) -> float:
    """The least of seven runs, an empty loop's time taken off."""
    number = 1_000_000
    calls = min(timeit.repeat(statement, globals=names, number=number, repeat=7))
    empty = min(timeit.repeat("pass", number=number, repeat=7))
    return (calls - empty) / number * 1e9


def main() -> None:
    package = Path(zs.__file__).parent
    size = sum(path.stat().st_size for path in package.rglob("*") if path.is_file())
    state = zs.TicTacToe().new_initial_state()
    print(f"build                    {Path(compiled.__file__).name}")
    print(f"installed                {size / 1e6:.2f} MB")
    print(f"no-argument method       {nanoseconds('method()', method=state.num_players):.1f} ns")
    print(f"method of one argument   {nanoseconds('method(0)', method=state.player_return):.1f} ns")
    print(f"legal_actions            {nanoseconds('method()', method=state.legal_actions):.1f} ns")


if __name__ == "__main__":
    main()
