"""SVG plots: a value on both sides over time, and the difference below."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wbridge.wbverify.step_table import Column

WIDTH, HEIGHT, STRIP = 640.0, 150.0, 34.0
"""Size of the drawing; the page scales its width."""
MOST_POINTS = 640
"""More points would be narrower than a pixel."""
MARGIN = 0.06
"""Share of the height above and below the curve."""


class Plot(NamedTuple):
    """The parts of a plot, for the report template."""

    desktop: str
    """Points of polylines."""
    board: str
    strip: str
    """Outline of the difference, relative to the tolerance."""
    marks: list[float]
    """x positions of values that differ."""
    low: str
    high: str
    """Limits of the value axis."""
    end: str
    """Limit of the time axis."""
    full: str
    """Meaning of the strip's height."""


def plot(column: Column) -> Plot:
    """Draw a value.

    Args:
        column: rows of the value; values that are not finite leave a gap.
    """
    rows = column.rows
    first, last = rows[0].time_ms, rows[-1].time_ms
    span = last - first or 1.0
    finite = [value for row in rows for value in (row.desktop, row.board) if math.isfinite(value)] or [0.0]
    low, high = min(finite), max(finite)
    if low == high:
        low, high = low - 1, high + 1

    def x(time: float) -> float:
        return WIDTH * (time - first) / span

    def y(value: float) -> float:
        return HEIGHT * (1 - MARGIN - (1 - 2 * MARGIN) * (value - low) / (high - low))

    times = [x(row.time_ms) for row in rows]
    shares, full = _shares(column)
    return Plot(
        _line(times, [y(row.desktop) for row in rows]),
        _line(times, [y(row.board) for row in rows]),
        _area(times, shares),
        sorted({round(at, 1) for at, row in zip(times, rows, strict=True) if not row.agrees})[:MOST_POINTS],
        f"{low:.4g}",
        f"{high:.4g}",
        f"{last / 1000:g} s",
        full,
    )


def _shares(column: Column) -> tuple[list[float], str]:
    """Return the differences relative to the tolerance, or to the largest one if it is 0."""
    largest = max(row.bound for row in column.rows)
    if largest > 0:
        return [min(row.apart / row.bound, 1.0) if row.bound else 0.0 for row in column.rows], "allowed"
    most = max((row.apart for row in column.rows if math.isfinite(row.apart)), default=0.0)
    return [min(row.apart / most, 1.0) if most else 0.0 for row in column.rows], f"{most:.3g}"


def _line(times: Sequence[float], values: Sequence[float]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in _thinned(times, values))


def _area(times: Sequence[float], shares: Sequence[float]) -> str:
    points = [(x, STRIP * (1 - share)) for x, share in zip(times, shares, strict=True)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in _thinned(*zip(*points, strict=True)))
    return f"0,{STRIP:g} {line} {WIDTH:g},{STRIP:g}"


def _thinned(times: Iterable[float], values: Iterable[float]) -> list[tuple[float, float]]:
    """Reduce the points without changing the look: keep the smallest and the largest of each group."""
    points = [(x, y) for x, y in zip(times, values, strict=True) if math.isfinite(y)]
    size = math.ceil(2 * len(points) / MOST_POINTS)
    if size <= 2:
        return points
    kept: list[tuple[float, float]] = []
    for at in range(0, len(points), size):
        group = points[at : at + size]
        kept += sorted({min(group, key=lambda point: point[1]), max(group, key=lambda point: point[1])})
    return kept
