"""Pictures of convergence: exploitability against iterations and against time. Needs the ``plot``
extra.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

from zerosum.equilibrium.cfr import CFRSolver
from zerosum.equilibrium.evaluation import expected_value
from zerosum.equilibrium.tree import as_tree

__all__ = ["Curve", "converge", "plot_convergence"]

POINTS_A_DECADE = 12


@dataclass(frozen=True)
class Curve:
    """One solver's way down: exploitability (in the game's units) after iterations and seconds.

    ``value`` is what the last average policy is worth to player 0.
    """

    label: str
    value: float
    iterations: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    exploitability: list[float] = field(default_factory=list)


def converge(
    game: Any,
    variant: str,
    iterations: int,
    *,
    target: float | None = None,
    label: str | None = None,
    show: Callable[[str], None] | None = None,
    **options: Any,
) -> Curve:
    """Run a CFRSolver and note its exploitability at points evenly spaced on a logarithmic axis.

    ``options`` go to CFRSolver. ``seconds`` are the processor's time of this thread for the
    iterations alone. Stops at ``target``, when there is one.
    """
    solver = CFRSolver(as_tree(game), variant, **options)
    curve = Curve(label or variant, 0.0)
    seconds = 0.0
    for stop in checkpoints(iterations):
        before = time.thread_time()
        solver.run(stop - solver.iterations)
        seconds += time.thread_time() - before
        curve.iterations.append(stop)
        curve.seconds.append(seconds)
        curve.exploitability.append(solver.exploitability())
        if show is not None:
            show(
                f"{curve.label:>12} {stop:>10} iterations  {seconds:9.4f} s  "
                f"exploitability {curve.exploitability[-1]:.6g}"
            )
        if target is not None and curve.exploitability[-1] <= target:
            break
    return replace(curve, value=expected_value(solver.tree, solver.average_policy()))


def checkpoints(iterations: int) -> list[int]:
    """Whole numbers from 1 to ``iterations``, evenly spaced on a logarithmic axis."""
    points, step = {iterations}, 0
    while (point := round(10 ** (step / POINTS_A_DECADE))) < iterations:
        points.add(point)
        step += 1
    return sorted(points)


def plot_convergence(curves: Sequence[Curve], path: str | PathLike[str], title: str = "") -> None:
    """Draw curves side by side, against iterations and against seconds, both axes logarithmic.

    The file's ending says what it becomes: png, svg, pdf. ImportError without the ``plot`` extra.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("pictures need matplotlib: pip install 'zerosum[plot]'") from None
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for curve in curves:
        left.plot(curve.iterations, curve.exploitability, marker=".", label=curve.label)
        right.plot(curve.seconds, curve.exploitability, marker=".", label=curve.label)
    for axes, name in ((left, "iterations"), (right, "seconds")):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(name)
        axes.grid(True, which="both", alpha=0.3)
    left.set_ylabel("exploitability (nash_conv / 2)")
    left.legend()
    figure.suptitle(title)
    figure.savefig(path)
