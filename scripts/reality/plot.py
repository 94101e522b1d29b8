"""Small line plots as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 480, 240, 48, 34, 22
COLORS = ("#1b6ca8", "#c8553d", "#588157", "#8d6a9f")


class Line(NamedTuple):
    """A line of a plot."""

    name: str
    x: Sequence[float]
    y: Sequence[float]


def svg(title: str, across: str, lines: Sequence[Line]) -> str:
    """Return a plot with both axes from 0; `across` names the horizontal one."""
    right, top = max(max(one.x) for one in lines), max(max(one.y) for one in lines)
    wide, high = WIDTH - LEFT - 96, HEIGHT - BOTTOM - TOP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="11"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="14" font-weight="bold">{title}</text>',
        f'<text x="{LEFT + wide / 2}" y="{HEIGHT - 6}" text-anchor="middle">{across}</text>',
        f'<path d="M{LEFT} {TOP}V{TOP + high}H{LEFT + wide}" fill="none" stroke="#444"/>',
    ]
    for share in (0, 0.5, 1):
        x, y = LEFT + share * wide, TOP + (1 - share) * high
        parts.append(f'<text x="{x}" y="{TOP + high + 13}" text-anchor="middle">{share * right:.2g}</text>')
        parts.append(f'<text x="{LEFT - 5}" y="{y + 4}" text-anchor="end">{share * top:.2g}</text>')
    for number, one in enumerate(lines):
        color = COLORS[number % len(COLORS)]
        points = " ".join(
            f"{LEFT + wide * x / right:.1f},{TOP + high * (1 - y / top):.1f}"
            for x, y in zip(one.x, one.y, strict=True)
        )
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.6"/>')
        place = TOP + high * (1 - one.y[-1] / top) + 4
        parts.append(f'<text x="{LEFT + wide + 5}" y="{place:.1f}" fill="{color}">{one.name}</text>')
    return "\n".join([*parts, "</svg>", ""])
