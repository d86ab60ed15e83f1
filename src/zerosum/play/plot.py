"""Pictures of convergence: exploitability against iterations and against time. Needs the ``plot``
extra.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

from zerosum.core.files import replacing
from zerosum.equilibrium.cfr import CFRSolver
from zerosum.equilibrium.evaluation import expected_value
from zerosum.play.names import check_folder

__all__ = ["Curve", "check_picture", "converge", "plot_convergence"]

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
    solver: CFRSolver,
    iterations: int,
    *,
    target: float | None = None,
    show: Callable[[str], None] | None = None,
) -> Curve:
    """Run a solver and note its exploitability at points evenly spaced on a logarithmic axis.

    ``seconds`` are those of the runs alone. With ``target``, the last point is the first iteration
    found to meet it, and the runs spend about an iteration on each look.
    """
    curve = Curve(solver.variant, 0.0)
    seconds = 0.0
    for stop in checkpoints(iterations):
        before = time.perf_counter()
        solver.run(stop - solver.iterations, target=target)
        seconds += time.perf_counter() - before
        curve.iterations.append(solver.iterations)
        curve.seconds.append(seconds)
        curve.exploitability.append(solver.exploitability())
        if show is not None:
            show(
                f"{curve.label:>12} {solver.iterations:>10} iterations  {seconds:9.4f} s  "
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


def new_figure() -> Any:
    """An empty picture; ImportError without the ``plot`` extra."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("pictures need matplotlib: pip install 'zerosum[plot]'") from None
    return Figure(figsize=(10, 4.2), layout="constrained")


def check_picture(path: Path) -> None:
    """Before long work: ImportError without the ``plot`` extra, ValueError for a path that no picture
    can be written to.
    """
    endings = new_figure().canvas.get_supported_filetypes()
    if path.suffix[1:].lower() not in endings:
        raise ValueError(f"{path}: a picture's name ends in one of {', '.join(sorted(endings))}")
    check_folder(path)


def plot_convergence(curves: Sequence[Curve], path: str | PathLike[str], title: str = "") -> None:
    """Draw curves side by side, against iterations and against seconds, both axes logarithmic.

    The file's ending says what it becomes: png, svg, pdf. ImportError without the ``plot`` extra.
    """
    figure = new_figure()
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
    with replacing(path) as beside:
        figure.savefig(beside, format=Path(path).suffix[1:].lower())
