"""What range finders and lidars have in common: rays, limits, noise and resolution.

Source: manual, chapters RangeFinder and Lidar; WbRangeFinder.cpp for limits that contradict each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from wbridge.hal import table
from wbridge.wbcore.devices.device import DeviceRobot
from wbridge.wbcore.devices.image_device import MOST_COLUMNS, ImageDevice, thinned
from wbridge.wbcore.devices.range_geometry import Grid, Plane
from wbridge.wbcore.devices.range_rays import RangeRays
from wbridge.wbcore.scene.ranges import snapped
from wbridge.wbcore.scene.tables.rules import Place

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["RANGE", "RangeDevice"]

RANGE = 4
"""Bytes per distance (f32)."""
MOST_RAYS = 2**22
MOST = 1e12
"""Limit of all lengths (m); larger numbers are treated as mistakes."""
TINY = 1e-9
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

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        self._limits: Limits | None = None
        super().__init__(place, entry, robot)
        self._rays = RangeRays(self, self.make_grid, self.ignores_transparent)
        np.asarray(())  # imports numpy while the controllers start: enabled, the device needs it at once

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

    def make_grid(self) -> Grid | Plane:
        """Return the directions of all rays."""
        raise NotImplementedError

    @property
    def count(self) -> int:
        """The number of distances."""
        return self.rows * self.columns

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
        near = self.number("near", 0.01, 0.0)
        least = self.number("minRange", 0.01, TINY)
        most = self.number("maxRange", least + 1, TINY)
        if most <= least:
            self.robot.warn(
                f"{self.path}: maxRange {most:g} is not above minRange {least:g}; {least + 1:g} is used"
            )
            most = least + 1
        resolution = 0.0 if self.place.get("resolution") == -1 else self.number("resolution", 0.0, 0.0)
        return Limits(min(near, least), least, most, self.number("noise", 0.0, 0.0) * most, resolution)

    def number(self, name: str, fallback: float, low: float, high: float = MOST) -> float:
        """Return a field's number, or the fallback with a warning if it is not from `low` to `high`."""
        value = self.place.get(name)
        if value is None:
            return fallback
        value = snapped(value, low, high)
        if low <= value <= high:
            return float(value)
        allowed = f"{low:g} or more" if high == MOST else f"{low:g} to {high:g}"
        self.robot.warn(f"{self.path}: {name} is {value:g}; allowed: {allowed}; {fallback:g} is used")
        return fallback

    def size(self, name: str) -> int:
        """Return a field's number of rows or columns, as far as the protocol has numbers for it."""
        return int(min(max(self.node.get(name), 0), MOST_COLUMNS))

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
