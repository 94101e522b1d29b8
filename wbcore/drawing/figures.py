"""Which pixels lines, ovals and polygons consist of, in closed form: the cost depends on what is visible.

Source: manual, chapter Display: Bresenham's lines; midpoint ovals; polygons by the even-odd rule with their
horizontal edges. The closed forms give the same pixels as those step by step algorithms.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[np.int64]"
SMALL = 2**15
"""Up to here, products of four semi-axes fit into 64 bits."""
FARTHEST = 2**30
"""Corners of polygons are moved to at most this coordinate, so that products fit into 64 bits."""
NOWHERE = 2**40
MOST_CROSSINGS = 2**20
"""How many edges times rows are computed at once."""


class Spans(NamedTuple):
    """Pixels in rows: from column `left` to column `right`, both included; none if right < left."""

    row: Numbers
    left: Numbers
    right: Numbers


def line(start: tuple[int, int], end: tuple[int, int], width: int, height: int) -> tuple[Numbers, Numbers]:
    """Return the columns and rows of a line in a picture of this size.

    After i steps along the longer axis, a line has made floor(i * slope + 1/2) steps along the shorter one.
    """
    steps = [b - a for a, b in zip(start, end, strict=True)]
    long = 0 if abs(steps[0]) > abs(steps[1]) else 1
    size, count = (width, height)[long], abs(steps[long])
    forward, sideways = (1 if step > 0 else -1 for step in (steps[long], steps[1 - long]))
    # The steps that are inside along the longer axis.
    first = max(0, -start[long] if forward > 0 else start[long] - size + 1)
    last = min(count, size - 1 - start[long] if forward > 0 else start[long])
    along = np.arange(max(0, last - first + 1))
    whole, rest = divmod(2 * abs(steps[1 - long]) * first + count, 2 * max(count, 1))
    beside = whole + (rest + 2 * abs(steps[1 - long]) * along) // (2 * max(count, 1))
    places = [along, along]
    places[long] = start[long] + forward * (first + along)
    places[1 - long] = start[1 - long] + sideways * beside
    x, y = places
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    return x[inside], y[inside]


def oval(center: tuple[int, int], a: int, b: int, height: int, is_filled: bool) -> list[Spans]:
    """Return the pixels of an oval with semi-axes of at least 1, in a picture of this height.

    Walking from the side upward, the midpoint algorithm is in column x (from the center) and row n while
    b^2 x (x - 1) < a^2 (b^2 - n (n - 1)): `widest` gives the largest such x.
    """
    x, y = center
    zero = np.array([y] if 0 <= y < height else [], dtype=np.int64)
    farthest = min(b, max(abs(y), abs(height - 1 - y)))
    nearest = max(1, -y, y - height + 1)
    n = np.arange(nearest, farthest + 1)
    here, above = _widest(n, a, b), _widest(n + 1, a, b)
    is_step = above < here
    outer, inner = np.where(is_step, here - 1, here), np.where(is_step, above, here)
    found = (
        [Spans(zero, zero * 0 + x - a, zero * 0 + x + a)] if is_filled else [_points(zero, (x - a, x + a))]
    )
    for rows in (y + n, y - n):
        seen = (here > 0) & (rows >= 0) & (rows < height)
        row, far, near = rows[seen], outer[seen], inner[seen]
        if is_filled:
            found.append(Spans(row, x - far, x + far))
        else:
            found.append(Spans(row, x - far, x - near))
            found.append(Spans(row, x + np.maximum(near, 1), x + far))
    return found


def _points(row: Numbers, columns: tuple[int, int]) -> Spans:
    rows = np.repeat(row, 2)
    x = np.array(columns * len(row), dtype=np.int64)
    return Spans(rows, x, x)


def _widest(n: Numbers, a: int, b: int) -> Numbers:
    """Return the largest x >= 0 with b^2 x (x - 1) < a^2 (b^2 - n (n - 1)); 0 if there is none above 0."""
    if max(a, b) >= SMALL:
        n = n.astype(object)
    limit = a * a * (b * b - n * (n - 1))
    share = np.maximum(limit, 0).astype(float) / (b * b)
    x = ((1 + np.sqrt(1 + 4 * share)) / 2).astype(np.int64).astype(n.dtype)
    # The estimate may be off by its rounding.
    for _ in range(2):
        x = x - (b * b * x * (x - 1) >= limit)
        x = x + (b * b * (x + 1) * x < limit)
    return np.where(limit > 0, x, 0).astype(np.int64)


def polygon(xs: Numbers, ys: Numbers, height: int) -> Iterator[tuple[Spans, Spans]]:
    """Yield the pixels between the sides of a polygon, and of its horizontal edges, for some rows at a time.

    An edge crosses a row if it ends on it or above, and begins below; the crossings in a row form pairs.
    """
    x, y = (np.clip(coordinates, -FARTHEST, FARTHEST) for coordinates in (xs, ys))
    first, last = max(0, int(y.min())), min(height - 1, int(y.max()))
    chunk = max(1, MOST_CROSSINGS // len(x))
    for start in range(first, last + 1, chunk):
        rows = np.arange(start, min(start + chunk, last + 1))
        yield _pairs(x, y, rows), _level(x, y, rows)


def _pairs(x: Numbers, y: Numbers, rows: Numbers) -> Spans:
    from_x, from_y = np.roll(x, 1), np.roll(y, 1)
    row = rows[:, None]
    crosses = ((y < row) & (from_y >= row)) | ((from_y < row) & (y >= row))
    rise = np.where(from_y == y, 1, from_y - y)
    over = (row - y) * (from_x - x)
    # C's division rounds toward zero.
    place = x + np.sign(over) * np.sign(rise) * (np.abs(over) // np.abs(rise))
    places = np.sort(np.where(crosses, place, NOWHERE), axis=1)
    if places.shape[1] % 2:
        places = np.pad(places, ((0, 0), (0, 1)), constant_values=NOWHERE)
    left, right = places[:, 0::2], places[:, 1::2]
    there = left < NOWHERE
    # A pair that begins where the one before it ends begins one pixel later.
    left[:, 1:] += right[:, :-1] == left[:, 1:]
    return Spans(np.broadcast_to(row, left.shape)[there], left[there], right[there])


def _level(x: Numbers, y: Numbers, rows: Numbers) -> Spans:
    from_x, from_y = np.roll(x, 1), np.roll(y, 1)
    level = (from_y == y) & (y >= rows[0]) & (y <= rows[-1])
    return Spans(y[level], np.minimum(x[level], from_x[level]), np.maximum(x[level], from_x[level]))
