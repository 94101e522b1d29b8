"""What range finders and lidars have in common: rays, limits, noise and resolution.

Source: manual, chapters RangeFinder and Lidar; WbRangeFinder.cpp for limits that contradict each other.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbcore.devices.image_device import ImageDevice, thinned
from wbcore.devices.range_geometry import Grid
from wbcore.devices.range_rays import RangeRays

__all__ = ["RANGE", "RangeDevice"]

RANGE = 4
"""Bytes per distance (f32)."""
MOST_RAYS = 2**22
UNSEEN = frozenset(("name", "model", "near", "minRange", "maxRange", "noise", "resolution", "motionBlur"))
"""Fields that do not change the directions of rays."""


class Limits(NamedTuple):
    """Usable values of fields, in m."""

    near: float
    """Nothing is seen up to here."""
    least: float
    """Nearer distances are infinite."""
    most: float
    """Distances from here on are infinite."""
    deviation: float
    """Standard deviation of the noise."""
    resolution: float
    """Unit of the distances; 0: any."""


class RangeDevice(ImageDevice):
    """Measures distances along rays. Subclasses define `rows`, `columns` and `make_grid`."""

    LARGEST: ClassVar[int] = MOST_RAYS * RANGE

    def __init__(self, *arguments: Any) -> None:
        self._limits: Limits | None = None
        super().__init__(*arguments)
        self._rays = RangeRays(self, self.make_grid, self.ignores_transparent)

    @property
    def columns(self) -> int:
        """Distances per row."""
        raise NotImplementedError

    @property
    def rows(self) -> int:
        """Number of rows."""
        raise NotImplementedError

    @property
    def ignores_transparent(self) -> bool:
        """Whether transparent surfaces are invisible: until V8.3, where range finders are cameras."""
        return bool(self.place.of_old)

    def make_grid(self) -> Grid:
        """Return the directions of all rays."""
        raise NotImplementedError

    @property
    def count(self) -> int:
        """The number of distances."""
        return max(0, self.rows) * max(0, self.columns)

    @property
    def file_size(self) -> int:
        """The size of all distances in bytes."""
        return self.count * RANGE

    def clear(self, pixels: NDArray[np.uint8]) -> None:
        """Write infinite distances."""
        self.ranges_of(pixels)[:] = np.inf

    def ranges_of(self, pixels: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the distances in the memory: (rows, columns)."""
        return pixels[: self.count * RANGE].view("<f4").reshape(self.rows, self.columns)

    @property
    def limits(self) -> Limits:
        """The limits of distances, noise and resolution."""
        if self._limits is None:
            self._limits = self._read_limits()
        return self._limits

    def _read_limits(self) -> Limits:
        near = self._positive("near", 0.01, 0.0)
        least = self._positive("minRange", 0.01)
        most = self._positive("maxRange", least + 1)
        if most <= least:
            self.robot.warn(
                f"{self.path}: maxRange {most:g} is not above minRange {least:g}; {least + 1:g} is used"
            )
            most = least + 1
        resolution = self._positive("resolution", 0.0, 0.0, off=-1.0)
        return Limits(min(near, least), least, most, self._positive("noise", 0.0, 0.0) * most, resolution)

    def _positive(self, name: str, fallback: float, low: float = 1e-9, off: float | None = None) -> float:
        """Return a field's number, or the fallback with a warning if it is not finite or below `low`."""
        value = self.place.get(name)
        if value is None or value == off:
            return fallback
        if math.isfinite(value) and value >= low:
            return float(value)
        self.robot.warn(f"{self.path}: {name} is {value:g}; allowed: {low:g} or more; {fallback:g} is used")
        return fallback

    def trace(self, pixels: NDArray[np.uint8], first: int, count: int, kept: float = 0.0) -> None:
        """Measure columns.

        Args:
            pixels: the memory.
            first: the first column.
            count: their number; after the last column come the first ones.
            kept: share of the previous picture.
        """
        self._rays.image().capture(self.ranges_of(pixels), first, count, *self.limits, kept)

    def shown_colors(self, pixels: NDArray[np.uint8], largest: int) -> NDArray[np.uint8]:
        """Return grays: white from the maximum range on. Layers are as high as an eighth of the width."""
        ranges = thinned(self.ranges_of(pixels), largest)
        grays = (np.minimum(ranges / self.limits.most, 1) * 255).astype(np.uint8)
        rows, columns = grays.shape
        return np.repeat(np.repeat(grays, max(1, columns // (8 * rows)), axis=0)[..., None], 4, axis=2)

    def field_changed(self, name: str) -> None:
        """Use the new value."""
        self._limits = None
        if name not in UNSEEN:
            self._rays.forget()
        super().field_changed(name)

    def renewed(self) -> None:
        """Use the fields of the new node."""
        self._limits = None
        self._rays.forget()
        super().renewed()

    def removed(self) -> None:
        """The scene may be another one when the device comes back."""
        self._rays.detach()
