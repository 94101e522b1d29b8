"""A page about a sweep for the browser: progress, extremes with the commands that repeat them, and plots.

The page is one file, which is written again while the sweep runs; the browser loads it again by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from time import monotonic
from typing import Any

from wbridge.failures import RunError
from wbridge.hal.folders import replacement
from wbridge.sweeping.summary import command, extremes
from wbridge.wbfleet.sweeps.store import Row, Store
from wbridge.wbfleet.sweeps.sweep import Plan
from wbridge.words import amount, counted

REFRESH_S = 2
SHARE = 0.02
"""The share of the time that may be spent on the page while the sweep runs."""
MOST_PLOTS, MOST_POINTS = 24, 2000
"""Plots of a page, and points of a plot."""
WIDTH, HEIGHT, EDGE = 320, 220, 36
"""Of a plot (pixels); the edge has the numbers."""
STYLE = """
body { font: 15px system-ui, sans-serif; margin: 2em; color: #222; background: #fff }
table { border-collapse: collapse }
td, th { padding: .2em .8em; text-align: right; border-bottom: 1px solid #ddd }
td.text { text-align: left; font-family: monospace } svg { margin: 0 1em 1em 0 } circle { fill: #1769aa }
progress { width: 30em } text { font-size: 11px; fill: #444 } rect { fill: none; stroke: #999 }
"""


class Page:
    """Writes the page of a sweep."""

    def __init__(self, path: Path, plan: Plan, store: Store) -> None:
        """
        Args:
            path: of the HTML file.
            plan: of the sweep.
            store: its results.

        Raises:
            RunError: the file cannot be written.
        """
        self._path, self._plan, self._store = path, plan, store
        self._start, self._before = monotonic(), len(store.done())
        self._next = 0.0
        self.look()

    def look(self) -> None:
        """Write the page, if the last one is old enough."""
        begin = monotonic()
        if begin < self._next:
            return
        self.write(is_final=False)
        spent = monotonic() - begin
        self._next = begin + max(REFRESH_S / 2, spent / SHARE)

    def write(self, is_final: bool) -> None:
        """Write the page.

        Args:
            is_final: the browser need not load it again.

        Raises:
            RunError: the file cannot be written.
        """
        try:
            with replacement(self._path) as draft:
                draft.write_text("\n".join(self._lines(is_final)), encoding="utf-8")
        except OSError as problem:
            raise RunError(f"cannot write {self._path}: {problem.strerror}") from None

    def _lines(self, is_final: bool) -> Iterator[str]:
        rows = list(self._store.rows())
        good = [row for row in rows if row.result["status"] == 0]
        title = f"Sweep of {Path(self._plan.base.world).name}"
        yield f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/><title>{escape(title)}</title>'
        if not is_final:
            yield f'<meta http-equiv="refresh" content="{REFRESH_S}"/>'
        yield f"<style>{STYLE}</style></head><body><h1>{escape(title)}</h1>"
        yield f'<p><progress max="{len(self._plan.values)}" value="{len(rows)}"></progress></p>'
        yield f"<p>{escape(self._progress(len(rows), len(rows) - len(good)))}</p>"
        if good:
            yield from self._extremes(good)
            yield from self._plots(good)
        yield "</body></html>"

    def _progress(self, done: int, failed: int) -> str:
        total = len(self._plan.values)
        text = f"{done} of {counted(total, 'run')}, {failed} failed"
        rate = (done - self._before) / max(monotonic() - self._start, 1e-9)
        if done == total or rate == 0:
            return text
        return f"{text}; {rate:.3g} per second, {(total - done) / rate:.0f} s left"

    def _extremes(self, rows: Sequence[Row]) -> Iterator[str]:
        head = "".join(f"<th>{name}</th>" for name in ("metric", "", "value", "run", "repeat"))
        yield f"<h2>Extremes</h2><table><tr>{head}</tr>"
        for metric in self._plan.base.metrics:
            found = extremes(metric.name, rows)
            for end in ("min", "max"):
                if found[end] is None:
                    continue
                run = found[f"{end}_run"]
                cells = (
                    f"<td>{escape(metric.name)}</td><td>{end}</td><td>{amount(found[end])}</td><td>{run}</td>"
                )
                yield f'<tr>{cells}<td class="text">{escape(command(self._plan, run))}</td></tr>'
        yield "</table>"

    def _plots(self, rows: Sequence[Row]) -> Iterator[str]:
        places = [
            place
            for place in self._plan.values[0]
            if all(_number(row.fields[place]) is not None for row in rows)
        ]
        pairs = [(place, metric.name) for metric in self._plan.base.metrics for place in places]
        if not pairs:
            return
        step = math.ceil(len(rows) / MOST_POINTS)
        shown = rows[::step]
        yield "<h2>Plots</h2>"
        if len(shown) < len(rows):
            yield f"<p>{len(shown)} of {len(rows)} runs are shown.</p>"
        if len(pairs) > MOST_PLOTS:
            yield f"<p>{MOST_PLOTS} of {len(pairs)} plots are shown.</p>"
        for place, name in pairs[:MOST_PLOTS]:
            points = [(_number(row.fields[place]), row.result["metrics"][name]) for row in shown]
            finite = [(x, y) for x, y in points if x is not None and math.isfinite(y)]
            if finite:
                yield from _plot(place, name, finite)


def _number(text: Any) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _plot(place: str, name: str, points: Sequence[tuple[float, float]]) -> Iterator[str]:
    """Yield a scatter plot of a metric over the values of a place."""
    (left, right), (low, high) = (_range([point[axis] for point in points]) for axis in (0, 1))
    yield f'<svg width="{WIDTH}" height="{HEIGHT}" role="img"><title>{escape(f"{name} over {place}")}</title>'
    yield f'<rect x="{EDGE}" y="{EDGE}" width="{WIDTH - 2 * EDGE}" height="{HEIGHT - 2 * EDGE}"/>'
    for x, y in points:
        across = EDGE + (x - left) / (right - left) * (WIDTH - 2 * EDGE)
        down = HEIGHT - EDGE - (y - low) / (high - low) * (HEIGHT - 2 * EDGE)
        yield f'<circle cx="{across:.1f}" cy="{down:.1f}" r="2"/>'
    texts: Mapping[tuple[float, float, str], str] = {
        (EDGE, HEIGHT - EDGE + 14, "start"): f"{left:.4g}",
        (WIDTH - EDGE, HEIGHT - EDGE + 14, "end"): f"{right:.4g}",
        (EDGE, EDGE - 6, "start"): f"{high:.4g}",
        (EDGE - 4, HEIGHT - EDGE, "end"): f"{low:.4g}",
        (WIDTH / 2, HEIGHT - 6, "middle"): place,
        (WIDTH / 2, 14, "middle"): name,
    }
    for (x, y, anchor), text in texts.items():
        yield f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'
    yield "</svg>"


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    return (low, high) if low < high else (low - 0.5, high + 0.5)
