"""A lidar, which measures distances in layers and generates point clouds."""

from __future__ import annotations

import struct
from typing import Any

from wbridge.hal.modes.devices.image_device import ImageDevice
from wbridge.hal.readings import LidarPoint
from wbridge.hal.reports import messages

__all__ = ["Lidar"]

FREQUENCY, CLOUD_ON, CLOUD_OFF = 16, 17, 18
POINT = struct.Struct("<fffif")


class Lidar(ImageDevice):
    """A lidar, which measures distances in layers and generates point clouds."""

    state = (1, FREQUENCY, CLOUD_ON, CLOUD_OFF)
    max_range = frequency = min_frequency = max_frequency = vertical_fov = 0.0
    layers = horizontal_resolution = 0
    cloud = False

    def take_constants(self, id_: int, width: int, height: int, *optics: Any) -> None:
        """Store the image size and the optics."""
        self.width, self.height = width, height
        self.take_optics(*optics[:3], *optics[3:])

    def take_optics(self, fov: float, near: float, planar: int, max_range: float, *rest: Any) -> None:
        """Store the optics; the simulator sends them again after each change."""
        self.fov, self.near, self.planar, self.max_range = fov, near, planar, max_range
        self.layers, self.frequency, self.min_frequency, self.max_frequency, self.vertical_fov, number = rest
        self.horizontal_resolution = int(number)

    def get_range_image(self) -> memoryview[float] | None:
        """The latest distances in m, layer by layer from the top; None before the first sample.

        The next sample overwrites them; copy those that you keep.
        """
        self.check_enabled("get_range_image")
        return self.floats(self.layers * self.horizontal_resolution)

    def get_layer_range_image(self, layer: int) -> memoryview[float] | None:
        """The latest distances of one layer, in m; layer 0 is the topmost.

        The next sample overwrites them; copy those that you keep.
        """
        if not self._is_layer("get_layer_range_image", layer):
            return None
        return self.floats(self.horizontal_resolution, layer * self.horizontal_resolution)

    def _is_layer(self, method: str, layer: int) -> bool:
        if 0 <= layer < self.layers:
            return True
        self.error(method, messages.invalid_layer(layer, self.layers - 1))
        return False

    def enable_point_cloud(self) -> None:
        """Enable the point cloud."""
        self._switch(True)

    def disable_point_cloud(self) -> None:
        """Disable the point cloud."""
        self._switch(False)

    def _switch(self, on: bool) -> None:
        self.cloud = on
        for commands in (self.pending, self.lasting):
            commands.pop(CLOUD_OFF if on else CLOUD_ON, None)
        self.command(CLOUD_ON if on else CLOUD_OFF)

    def is_point_cloud_enabled(self) -> bool:
        """True if the point cloud is enabled."""
        return self.cloud

    def get_layer_buffer(self, layer: int) -> bytes | None:
        """The points of one layer as bytes, 20 per point; layer 0 is the topmost."""
        if not self._is_layer("get_layer_point_cloud", layer) or not self.cloud:
            return None
        size = POINT.size * self.horizontal_resolution
        return self.shared.get(size, 4 * self.get_number_of_points() + layer * size)

    def _points(self, start: int, count: int) -> list[LidarPoint] | None:
        ranges = 4 * self.layers * self.horizontal_resolution
        raw = self.shared.get(POINT.size * count, ranges + POINT.size * start) if self.cloud else None
        return None if raw is None else [LidarPoint(*one) for one in POINT.iter_unpack(raw)]

    def get_point_buffer(self) -> bytes | None:
        """The latest point cloud as bytes, 20 per point; None before the first sample or if disabled."""
        ranges = 4 * self.layers * self.horizontal_resolution
        return self.shared.get(POINT.size * self.get_number_of_points(), ranges) if self.cloud else None

    def get_point_cloud(self) -> list[LidarPoint] | None:
        """The latest point cloud, layer by layer from the top; None before the first or if disabled."""
        return self._points(0, self.get_number_of_points())

    def get_layer_point_cloud(self, layer: int) -> list[LidarPoint] | None:
        """The points of one layer; layer 0 is the topmost."""
        if not self._is_layer("get_layer_point_cloud", layer):
            return None
        return self._points(layer * self.horizontal_resolution, self.horizontal_resolution)

    def get_point(self, index: int) -> LidarPoint | None:
        """A point of the point cloud by index (from 0), or None."""
        found = self._points(index, 1) if 0 <= index < self.get_number_of_points() else None
        return found[0] if found else None

    def get_number_of_points(self) -> int:
        """The number of points in the point cloud: layers times points per layer."""
        return self.layers * self.horizontal_resolution

    def get_horizontal_resolution(self) -> int:
        """The number of points per layer."""
        return self.horizontal_resolution

    def get_number_of_layers(self) -> int:
        """The number of layers."""
        return self.layers

    def get_min_frequency(self) -> float:
        """The minimum rotation frequency, in Hz."""
        return self.min_frequency

    def get_max_frequency(self) -> float:
        """The maximum rotation frequency, in Hz."""
        return self.max_frequency

    def get_frequency(self) -> float:
        """The rotation frequency, in Hz."""
        return self.frequency

    def set_frequency(self, frequency: float) -> None:
        """Set the rotation frequency, in Hz, within its limits."""
        if not self.min_frequency <= frequency <= self.max_frequency:
            text = messages.invalid_frequency(frequency, self.min_frequency, self.max_frequency)
            self.error("set_frequency", text)
            return
        self.frequency = float(frequency)
        self.command(FREQUENCY, self.frequency)

    def get_vertical_fov(self) -> float:
        """The vertical field of view, in rad."""
        return self.vertical_fov

    def get_min_range(self) -> float:
        """The minimum range, in m."""
        return self.near

    def get_max_range(self) -> float:
        """The maximum range, in m."""
        return self.max_range
