"""The Lidar: layers, resolution and frequency; it detects no obstacles because rendering is missing."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wbcore.devices.image_device import ImageDevice
from wbcore.tables.rules import Place, lidar_projection

RANGE = 4
"""Bytes per distance (f32)."""
POINT = 20
"""Bytes per point: x, y, z (f32), layer (i32), time (f32)."""


class Lidar(ImageDevice):
    """Measures distances in layers, and 3D points when the controller enables the point cloud."""

    KEPT: ClassVar[tuple[str, ...]] = ("has_point_cloud", "frequency")
    SIZES: ClassVar[frozenset[str]] = frozenset({"horizontalResolution", "numberOfLayers"})

    def __init__(self, *arguments: Any) -> None:
        self.has_point_cloud = False
        super().__init__(*arguments)
        self.frequency = float(self.node.get("defaultFrequency"))
        """Rotation frequency in Hz."""

    def constants(self) -> dict[str, Any]:
        """The current size and ranges."""
        return {
            "id": self.simulation.nodes.number(self.node),
            "width": int(self.node.get("horizontalResolution")),
            "height": int(self.node.get("numberOfLayers")),
        } | dict(zip(_OPTICS, self.optics, strict=True))

    @property
    def optics(self) -> tuple[Any, ...]:
        """In the protocol's order: view, ranges, layers, frequencies, resolution."""
        node = self.node
        return (
            float(node.get("fieldOfView")),
            float(node.get("minRange")),
            int(lidar_projection(Place(node)) == "planar"),
            float(node.get("maxRange")),
            int(node.get("numberOfLayers")),
            self.frequency,
            float(node.get("minFrequency")),
            float(node.get("maxFrequency")),
            float(node.get("verticalFieldOfView")),
            float(node.get("horizontalResolution")),
        )

    @property
    def _points(self) -> int:
        return int(self.node.get("horizontalResolution")) * int(self.node.get("numberOfLayers"))

    @property
    def file_size(self) -> int:
        """The size in bytes of the ranges and all points."""
        return self._points * (RANGE + POINT)

    @property
    def sent_size(self) -> int:
        """The points are sent only if they are enabled."""
        return self.file_size if self.has_point_cloud else self._points * RANGE

    def clear(self, pixels: NDArray[np.uint8]) -> None:
        """Write infinite distances and coordinates."""
        ranges = self._points * RANGE
        pixels[:ranges].view("<f4")[:] = np.inf
        pixels[ranges:].view("<f4").reshape(-1, POINT // 4)[:, :3] = np.inf

    def enabled(self, period: int) -> None:
        """Warn that nothing is rendered."""
        super().enabled(period)
        if period:
            self.robot.warn(f'{self.entry.type} "{self.name}": images are not rendered yet and stay empty')

    def on_set_frequency(self, frequency: float) -> None:
        """Set the frequency of a rotating lidar, in Hz."""
        low, high = self.node.get("minFrequency"), self.node.get("maxFrequency")
        if not low <= frequency <= high:
            raise ValueError(f"a frequency of {frequency} Hz; allowed: {low} to {high}")
        self.frequency = frequency

    def on_enable_point_cloud(self) -> None:
        """Enable the point cloud."""
        self.has_point_cloud = True

    def on_disable_point_cloud(self) -> None:
        """Disable the point cloud."""
        self.has_point_cloud = False


_OPTICS = (
    *("fov", "near", "planar", "max_range", "layers", "frequency", "min_frequency", "max_frequency"),
    *("vertical_fov", "horizontal_resolution"),
)
