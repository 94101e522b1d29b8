"""The ink that pens leave on shapes.

Source: manual, chapter Pen, and the arithmetic of Webots: a disc of int(leadSize * width / radius of the
bounding sphere) pixels; colors are weighted by the densities, which add up to at most 1.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.live_textures import LiveTexture, LiveTextures

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_SIZE, MOST_SIZE, LARGEST_RADIUS = 32.0, 1024.0, 10.0
DRY = 0.001
"""The density at which evaporation ends."""
Color = tuple[float, float, float]


def default_size(radius: float) -> int:
    """Return width and height of the ink on a shape without texture, by its bounding sphere's radius (m)."""
    size = LEAST_SIZE + (MOST_SIZE - LEAST_SIZE) * min(radius / LARGEST_RADIUS, 1.0)
    higher = 1 << max(int(np.ceil(size)) - 1, 0).bit_length()
    return higher // 2 if higher - size > size - higher // 2 else higher


class Ink:
    """Color and density on one shape."""

    def __init__(self, width: int, height: int) -> None:
        self.colors: NDArray[np.float64] = np.ones((height, width, 3))
        self.density: NDArray[np.float64] = np.zeros((height, width))
        self.texture = LiveTexture(np.zeros((height, width, 4), dtype=np.uint8))

    def paint(self, place: tuple[float, float], size: int, color: Color, density: float) -> None:
        """Paint a disc.

        Args:
            place: texture coordinates of its center, from the left and from the top.
            size: its diameter in pixels.
            color: 0 to 1.
            density: 0 to 1.
        """
        height, width = self.density.shape
        if not all(0 <= coordinate <= 1 for coordinate in place):
            return
        x, y, half = int(place[0] * width), int(place[1] * height), max(size, 1) // 2
        rows = slice(max(y - half, 0), min(y + half, height - 1) + 1)
        columns = slice(max(x - half, 0), min(x + half, width - 1) + 1)
        dy, dx = np.ogrid[rows.start - y : rows.stop - y, columns.start - x : columns.stop - x]
        inside = dx * dx + dy * dy <= half * half
        old = self.density[rows, columns]
        total = old + density
        kept = np.divide(old, total, out=np.zeros_like(old), where=total >= 1e-15)[:, :, None]
        mixed = kept * self.colors[rows, columns] + (1 - kept) * np.array(color)
        self.colors[rows, columns] = np.where(inside[:, :, None], mixed, self.colors[rows, columns])
        self.density[rows, columns] = np.where(inside, np.minimum(total, 1), old)
        self.show(rows, columns)

    def show(self, rows: slice, columns: slice) -> None:
        """Write a part to the texture."""
        part = self.texture.pixels[rows, columns]
        part[:, :, :3] = np.rint(255 * self.colors[rows, columns])
        part[:, :, 3] = np.rint(255 * self.density[rows, columns])
        self.texture.version += 1

    def evaporate(self, factor: float) -> None:
        """Multiply densities that are not dry yet."""
        wet = self.density > DRY
        if wet.any():
            self.density[wet] *= factor
            self.show(slice(None), slice(None))

    def clear(self) -> None:
        """Remove all ink."""
        self.colors[:], self.density[:] = 1, 0
        self.show(slice(None), slice(None))


class Inks:
    """The ink on all shapes of a simulation."""

    def __init__(self, live: LiveTextures) -> None:
        self._live = live
        self.by_shape: dict[Node, Ink] = {}
        self.keeper: object = None
        """The pen whose state contains the ink."""
        self._evaporated_at = 0.0

    def on(self, shape: Node, width: int, height: int) -> Ink:
        """Return the ink on a Shape; made with this size by the first pen that paints there."""
        if shape not in self.by_shape:
            self.by_shape[shape] = ink = Ink(width, height)
            self._live.put(shape, ink.texture)
        return self.by_shape[shape]

    def evaporate(self, rate: float, now: float) -> None:
        """Evaporate the ink up to a time (s), once for all pens; `rate` in 1/s."""
        elapsed, self._evaporated_at = now - self._evaporated_at, now
        if rate > 0 and elapsed > 0:
            for ink in self.by_shape.values():
                ink.evaporate(exp(-rate * elapsed))

    def restart(self, now: float) -> None:
        """Remove all ink; evaporation goes on from this time (s)."""
        self._evaporated_at = now
        for ink in self.by_shape.values():
            ink.clear()
