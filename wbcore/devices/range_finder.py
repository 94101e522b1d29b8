"""The RangeFinder: size and optics; it detects no obstacles because rendering is not implemented."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wbcore.devices.image_device import ImageDevice
from wbcore.tables.rules import projection

BYTES = 4
"""Bytes per pixel: a distance (f32)."""


class RangeFinder(ImageDevice):
    """Measures width x height distances."""

    SIZES: ClassVar[frozenset[str]] = frozenset({"width", "height"})

    def constants(self) -> dict[str, Any]:
        """Current size and optics."""
        names = ("fov", "near", "planar", "max_range")
        return {"id": self.simulation.nodes.number(self.node)} | dict(zip(names, self.optics, strict=True))

    @property
    def optics(self) -> tuple[Any, ...]:
        """In the protocol's order: field of view, minimum range, projection, maximum range."""
        place = self.place
        return (
            float(place.get("fieldOfView")),
            float(place.get("minRange")),
            int(projection(place) == "planar"),
            float(place.get("maxRange")),
        )

    @property
    def file_size(self) -> int:
        """The size of an image in bytes."""
        return int(self.node.get("width")) * int(self.node.get("height")) * BYTES

    def clear(self, pixels: NDArray[np.uint8]) -> None:
        """Write infinite distances."""
        pixels.view("<f4")[:] = np.inf

    def enabled(self, period: int) -> None:
        """Warn that nothing is rendered."""
        super().enabled(period)
        if period:
            self.robot.warn(f'{self.entry.type} "{self.name}": images are not rendered yet and stay empty')
