"""A picture to draw on, with the integer arithmetic of Webots' displays.

Pixels are numbers 0xAARRGGBB. Source: manual, chapter Display, and the arithmetic of Webots:
new = ((255 - opacity) old + opacity ink) / 255 for each of the four channels, rounded down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.drawing.figures import Numbers, Spans, line, oval, polygon

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLACK = 0xFF000000
"""Visible black, which a display shows at first."""
WHITE = 0xFFFFFF
SHIFTS = (0, 8, 16, 24)
AT_ONCE = 2**22
"""How many pixels of spans are painted at once."""
Pixels: TypeAlias = "NDArray[np.uint32]"


class Canvas:
    """Pixels, and the ink for the next figures. All coordinates are allowed; what is outside is not drawn."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.pixels: Pixels = np.full((height, width), BLACK, dtype=np.uint32)
        self.rgb, self.alpha, self.opacity = WHITE, 255, 255

    @property
    def ink(self) -> int:
        """The color with its alpha."""
        return self.alpha << 24 | self.rgb

    # Figures.

    def point(self, x: int, y: int) -> None:
        """Draw a pixel."""
        if 0 <= x < self.width and 0 <= y < self.height:
            if self.opacity == 255:
                self.pixels[y, x] = self.ink
            else:
                self._blend(np.array([y * self.width + x]), self.opacity)

    def line(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Draw a line."""
        x, y = line(start, end, self.width, self.height)
        self._paint(y * self.width + x)

    def rectangle(self, x: int, y: int, width: int, height: int) -> None:
        """Draw the outline of a rectangle; a single row or column of it is drawn twice, as in Webots."""
        right, bottom = x + width - 1, y + height - 1
        if width < 1 or height < 1:
            return
        for row in (y, bottom):
            self._bar(x, row, right, row)
        for column in (x, right):
            self._bar(column, y + 1, column, bottom - 1)

    def _bar(self, left: int, top: int, right: int, bottom: int) -> None:
        rows, columns = self._clip(left, top, right, bottom)
        part = self.pixels[rows, columns]
        part[:] = self.ink if self.opacity == 255 else blended(part, self.ink, self.opacity)

    def _clip(self, left: int, top: int, right: int, bottom: int) -> tuple[slice, slice]:
        rows = slice(min(max(top, 0), self.height), min(max(bottom + 1, 0), self.height))
        return rows, slice(min(max(left, 0), self.width), min(max(right + 1, 0), self.width))

    def fill_rectangle(self, x: int, y: int, width: int, height: int) -> None:
        """Fill a rectangle. Ink with alpha 0 and full opacity clears it."""
        if width < 1 or height < 1:
            return
        if self.opacity == 255 and self.alpha == 0:
            self.pixels[self._clip(x, y, x + width - 1, y + height - 1)] = 0
        else:
            self._bar(x, y, x + width - 1, y + height - 1)

    def oval(self, center: tuple[int, int], a: int, b: int, is_filled: bool) -> None:
        """Draw or fill an oval with the semi-axes a (horizontal) and b."""
        if a >= 1 and b >= 1:
            for spans in oval(center, a, b, self.height, is_filled):
                self._paint_spans(spans)

    def polygon(self, xs: list[int], ys: list[int], is_filled: bool) -> None:
        """Draw or fill a polygon, which is closed by itself."""
        if not xs:
            return
        clears = self.opacity == 255 and self.alpha == 0
        for between, level in polygon(np.array(xs), np.array(ys), self.height):
            if is_filled:
                self._paint_spans(between, 0 if clears else None)
            else:
                row, left, right = between
                self._paint_spans(Spans(row, left, left))
                other = left != right
                self._paint_spans(Spans(row[other], right[other], right[other]))
            self._paint_spans(level)

    # Painting.

    def _paint_spans(self, spans: Spans, ink: int | None = None) -> None:
        row, left, right = spans.row, np.maximum(spans.left, 0), np.minimum(spans.right, self.width - 1)
        seen = left <= right
        row, left, right = row[seen], left[seen], right[seen]
        ends = np.cumsum(right - left + 1)
        first = 0
        while first < len(row):
            done = ends[first - 1] if first else 0
            last = max(first + 1, int(np.searchsorted(ends, done + AT_ONCE, side="right")))
            lengths = (right - left + 1)[first:last].astype(np.intp)  # of 32 bits in pages
            starts = row[first:last] * self.width + left[first:last]
            jumps = starts - (ends[first:last] - lengths - done)
            self._paint(np.repeat(jumps, lengths) + np.arange(int(ends[last - 1] - done)), ink)
            first = last

    def _paint(self, places: Numbers, ink: int | None = None) -> None:
        """Paint pixels, given by row * width + column; translucent ink counts each time that one is given."""
        if self.opacity == 255:
            self.pixels.reshape(-1)[places] = self.ink if ink is None else ink
            return
        places, counts = np.unique(places, return_counts=True)
        while len(places) and self._blend(places, self.opacity):
            places, counts = places[counts > 1], counts[counts > 1] - 1

    def _blend(self, places: Numbers, opacity: int | Numbers) -> bool:
        """Blend the ink over different pixels; False if nothing changes."""
        flat = self.pixels.reshape(-1)
        old = flat[places]
        flat[places] = new = blended(old, self.ink, opacity)
        return bool((new != old).any())

    def glyph(self, coverage: NDArray[np.uint8], x: int, y: int) -> None:
        """Draw a character: (height, width) coverage from 0 to 255; (x, y) is its upper left corner."""
        height, width = coverage.shape
        rows, columns = self._clip(x, y, x + width - 1, y + height - 1)
        cover = coverage[rows.start - y : rows.stop - y, columns.start - x : columns.stop - x]
        if not cover.size:
            return
        part = self.pixels[rows, columns]
        opacity = self.opacity * cover.astype(np.int64) // 255
        part[:] = np.where(cover > 0, blended(part, self.ink, opacity), part)

    # Images.

    def copy(self, x: int, y: int, width: int, height: int, background: Pixels | None) -> Pixels | None:
        """Return the part of a rectangle that is inside, in front of a background; None if there is none."""
        rows, columns = self._clip(x, y, x + width - 1, y + height - 1)
        part = self.pixels[rows, columns]
        if not part.size:
            return None
        return part.copy() if background is None else in_front(part, background[rows, columns])

    def paste(self, image: Pixels, x: int, y: int, blends: bool) -> None:
        """Paste an image with its upper left corner at (x, y); `blends`: by its alpha."""
        height, width = image.shape
        rows, columns = self._clip(x, y, x + width - 1, y + height - 1)
        source = image[rows.start - y : rows.stop - y, columns.start - x : columns.stop - x]
        if not source.size:
            return
        part = self.pixels[rows, columns]
        if not blends:
            part[:] = source
            return
        new, old = _channels(source), _channels(part)
        mixed = ((255 - new[3]) * old + new[3] * new) // 255
        mixed[3] = np.minimum(255, old[3] + new[3])
        part[:] = _joined(mixed)

    def uncover(self) -> None:
        """Make pixels of visible black transparent, because a camera is behind them now."""
        self.pixels[self.pixels == BLACK] = 0


def blended(old: Pixels, ink: int, opacity: int | Numbers) -> Pixels:
    """Return pixels after ink was drawn over them."""
    color = np.array([ink >> shift & 255 for shift in SHIFTS]).reshape(4, *[1] * old.ndim)
    return _joined(((255 - opacity) * _channels(old) + opacity * color) // 255)


def in_front(front: Pixels, back: Pixels) -> Pixels:
    """Return opaque pixels: those of the front by their alpha, over those of the back."""
    near, far = _channels(front), _channels(back)
    mixed = ((255 - near[3]) * far + near[3] * near) // 255
    mixed[3] = 255
    return _joined(mixed)


def _channels(pixels: Pixels) -> Numbers:
    """Return blue, green, red and alpha: (4, ...)."""
    return np.array([pixels >> shift & 255 for shift in SHIFTS], dtype=np.int64)


def _joined(channels: Numbers) -> Pixels:
    blue, green, red, alpha = channels
    made: Pixels = (blue | green << 8 | red << 16 | alpha << 24).astype(np.uint32)
    return made
