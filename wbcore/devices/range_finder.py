"""The RangeFinder: size and optics; it detects no obstacles because rendering is not implemented."""

from __future__ import annotations

from typing import Any

from wbcore.devices.image_device import NOTHING_NEAR, ImageDevice
from wbcore.tables.rules import projection


class RangeFinder(ImageDevice):
    """Measures width x height distances."""

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
        return int(self.node.get("width")) * int(self.node.get("height")) * len(NOTHING_NEAR)

    @property
    def pixels(self) -> bytes:
        """Return infinite distances."""
        return NOTHING_NEAR * (self.file_size // len(NOTHING_NEAR))
