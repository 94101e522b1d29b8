"""The Lidar: layers, resolution and frequency; it detects no obstacles because rendering is missing."""

from __future__ import annotations

from typing import Any, ClassVar

from wbcore.devices.image_device import NOTHING_NEAR, ImageDevice
from wbcore.tables.rules import Place, lidar_projection

POINT = 20
"""Bytes per point: x, y, z (f32), layer (i32), time (f32)."""


class Lidar(ImageDevice):
    """Measures distances in layers, and 3D points when the controller enables the point cloud."""

    KEPT: ClassVar[tuple[str, ...]] = ("has_point_cloud", "frequency")

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
        return self._points * (len(NOTHING_NEAR) + POINT)

    @property
    def pixels(self) -> bytes:
        """Return infinite distances, followed by the points if enabled."""
        ranges = NOTHING_NEAR * self._points
        far = NOTHING_NEAR * 3 + bytes(POINT - 3 * len(NOTHING_NEAR))
        return ranges + far * self._points if self.has_point_cloud else ranges

    def on_set_frequency(self, frequency: float) -> None:
        """Set the frequency of a rotating lidar, in Hz."""
        low, high = self.node.get("minFrequency"), self.node.get("maxFrequency")
        if not low <= frequency <= high:
            raise ValueError(f"a frequency of {frequency} Hz; allowed: {low} to {high}")
        self.frequency = frequency

    def on_enable_point_cloud(self) -> None:
        """Enable the point cloud."""
        self.has_point_cloud = True
        self.show_again()

    def on_disable_point_cloud(self) -> None:
        """Disable the point cloud."""
        self.has_point_cloud = False


_OPTICS = (
    *("fov", "near", "planar", "max_range", "layers", "frequency", "min_frequency", "max_frequency"),
    *("vertical_fov", "horizontal_resolution"),
)
